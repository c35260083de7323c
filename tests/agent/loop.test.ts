// The loop over a scripted model: rounds, results, limits, cancellation, steering, and the history that must hold whatever happens.
import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { groupCalls } from '../../src/agent/calls.ts';
import { countRepeats } from '../../src/agent/doom-loop.ts';
import { runTurn } from '../../src/agent/loop.ts';
import { defineTool } from '../../src/tools/define.ts';
import type { AgentEvent } from '../../src/types/event.ts';
import type { Access } from '../../src/types/permission.ts';
import type { Tool } from '../../src/types/tool.ts';
import { pairingFaults, testConversation } from '../helpers/conversation.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-loop-')));
writeFileSync(join(cwd, 'a.txt'), 'a\n');

/** A tool that says when it runs and ends when it is told to. */
function tool(name: string, access: Access['kind'], run: Tool['run']): Tool {
  return defineTool({
    name, description: name, input: z.object({ path: z.string().default('a.txt') }),
    title: ({ path }) => path, access: ({ path }) => [{ kind: access, target: access === 'none' ? '' : join(cwd, path) }], run,
  }) as Tool;
}

const read = tool('Look', 'read', async () => ({ ok: true, text: 'looked' }));
const write = tool('Change', 'write', async () => ({ ok: true, text: 'changed' }));
const types = (events: readonly AgentEvent[]) => events.filter(({ type }) => type !== 'stream').map((event) => event.type);

describe('runTurn', () => {
  test('one answer without calls', async () => {
    const t = testConversation({ cwd, tools: [read], steps: [{ thinking: 'hm', text: 'Hello there.' }] });
    expect(await runTurn(t.conversation, ['hi'], new AbortController().signal)).toBe('end');
    expect(types(t.events)).toEqual(['session_started', 'turn_started', 'message', 'part', 'part', 'usage', 'turn_ended']);
    expect(t.state().messages.map(({ role, parts }) => ({ role, parts }))).toEqual([
      { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', parts: [{ type: 'thinking', text: 'hm' }, { type: 'text', text: 'Hello there.' }] },
    ]);
    expect(t.requests).toEqual([{
      model: 'scripted-1', system: ['system'], tools: [{ name: 'Look', description: 'Look', schema: read.schema }], thinking: 'auto', maxTokens: 1_000, sessionId: 's1',
      messages: [{ id: 'id1', role: 'user', parts: [{ type: 'text', text: 'hi' }], at: expect.any(Number) as number }],
    }]);
  });

  test('calls are answered in one message, in their order, and the next request ends with it', async () => {
    const t = testConversation({
      cwd, tools: [read], steps: [{ text: 'Looking.', calls: [{ id: 'c1', name: 'Look' }, { id: 'c2', name: 'Nope' }, { id: 'c3', name: 'Look', raw: '{"path": "a.t' }, { id: 'c4', name: 'Look', input: { path: 3 } }] }, { text: 'Done.' }],
    });
    expect(await runTurn(t.conversation, ['go'], new AbortController().signal)).toBe('end');
    const results = t.state().messages[2];
    expect(results?.parts.map((part) => part.type === 'tool_result' && { id: part.callId, ok: part.ok, text: part.text })).toEqual([
      { id: 'c1', ok: true, text: 'looked' },
      { id: 'c2', ok: false, text: expect.stringContaining('There is no tool named Nope.') as string },
      { id: 'c3', ok: false, text: expect.stringContaining('not valid JSON') as string },
      { id: 'c4', ok: false, text: expect.stringContaining('do not fit') as string },
    ]);
    expect(t.requests[1]?.messages.at(-1)).toEqual(results);
    expect(pairingFaults(t.state().messages)).toEqual([]);
  });

  test('reading neighbours run side by side, the rest in order', async () => {
    const trace: string[] = [];
    const traced = (name: string, access: Access['kind']) => tool(name, access, async (input) => {
      const { path } = input as { path: string };
      trace.push(`${path} begins`);
      await new Promise((resolve) => { setTimeout(resolve, 10); });
      trace.push(`${path} ends`);
      return { ok: true, text: path };
    });
    const t = testConversation({
      cwd, mode: 'bypassPermissions', tools: [traced('Look', 'read'), traced('Change', 'write')],
      steps: [{ calls: ['r1', 'r2', 'w1', 'w2', 'r3'].map((path) => ({ id: path, name: path.startsWith('r') ? 'Look' : 'Change', input: { path } })) }, { text: 'ok' }],
    });
    await runTurn(t.conversation, ['go'], new AbortController().signal);
    // Which of two neighbours is quicker is nobody's promise.
    expect(trace.slice(0, 2).sort()).toEqual(['r1 begins', 'r2 begins']);
    expect(trace.slice(2, 4).sort()).toEqual(['r1 ends', 'r2 ends']);
    expect(trace.slice(4)).toEqual(['w1 begins', 'w1 ends', 'w2 begins', 'w2 ends', 'r3 begins', 'r3 ends']);
  });

  test('what asks is asked, and a denial is a result that says so', async () => {
    const asked: string[] = [];
    const t = testConversation({
      cwd, tools: [write], steps: [{ calls: [{ id: 'c1', name: 'Change' }, { id: 'c2', name: 'Change' }] }, { text: 'ok' }],
      answer: (question) => {
        asked.push(question.kind === 'permission' ? question.call.id : question.kind);
        return asked.length === 1 ? { kind: 'deny', note: 'not now' } : { kind: 'allow', note: 'but slowly' };
      },
    });
    await runTurn(t.conversation, ['go'], new AbortController().signal);
    expect(asked).toEqual(['c1', 'c2']);
    expect(t.state().messages[2]?.parts).toEqual([
      { type: 'tool_result', callId: 'c1', name: 'Change', ok: false, text: 'The user denied this call. The user says: not now' },
      { type: 'tool_result', callId: 'c2', name: 'Change', ok: true, text: 'changed\nThe user says: but slowly' },
    ]);
    expect(t.state().tools.map(({ status }) => status)).toEqual(['denied', 'done']);
  });

  test('where nobody can be asked the model is told so, and why it would have been', async () => {
    const t = testConversation({ cwd, tools: [write], steps: [{ calls: [{ id: 'c1', name: 'Change' }] }, { text: 'ok' }], answer: () => ({ kind: 'dismissed' }) });
    await runTurn(t.conversation, ['go'], new AbortController().signal);
    expect(t.state().messages[2]?.parts).toEqual([{ type: 'tool_result', callId: 'c1', name: 'Change', ok: false, text: expect.stringMatching(/nobody could be asked\. Mode default asks before changing files\. When/) as string }]);
    expect(t.state().tools.map(({ status }) => status)).toEqual(['denied']);
  });

  test('"for this session" asks once', async () => {
    let asked = 0;
    const t = testConversation({
      cwd, tools: [write], steps: [{ calls: [{ id: 'c1', name: 'Change' }, { id: 'c2', name: 'Change' }] }, { text: 'ok' }],
      answer: (question) => { asked += 1; return { kind: 'allow', keep: 'session', rules: question.kind === 'permission' ? question.session : undefined } as const; },
    });
    await runTurn(t.conversation, ['go'], new AbortController().signal);
    expect(asked).toBe(1);
    expect(t.state().tools.map(({ status }) => status)).toEqual(['done', 'done']);
  });

  test('an input that the user edits is what runs, and the model is told', async () => {
    const t = testConversation({
      cwd, tools: [tool('Change', 'write', async (input) => ({ ok: true, text: (input as { path: string }).path }))], steps: [{ calls: [{ id: 'c1', name: 'Change' }] }, { text: 'ok' }],
      answer: () => ({ kind: 'allow', input: { path: 'b.txt' } }),
    });
    await runTurn(t.conversation, ['go'], new AbortController().signal);
    expect(t.state().messages[2]?.parts).toEqual([{ type: 'tool_result', callId: 'c1', name: 'Change', ok: true, text: 'The user changed the arguments to {"path":"b.txt"}.\nb.txt' }]);
  });

  test('at the round limit one last request sums up, and its calls are answered', async () => {
    const t = testConversation({ cwd, maxRounds: 2, tools: [read], steps: Array.from({ length: 5 }, (_, i) => ({ text: `Round ${i}.`, calls: [{ id: `c${i}`, name: 'Look' }] })) });
    expect(await runTurn(t.conversation, ['go'], new AbortController().signal)).toBe('limit');
    expect(t.requests.length).toBe(3);
    expect(t.state().messages.at(-1)?.parts).toEqual([{ type: 'tool_result', callId: 'c2', name: 'Look', ok: false, text: 'round limit reached' }]);
    expect(t.state().notices.map(({ text }) => text)).toEqual(['Stopped after 2 requests in one turn (agent.max_rounds). Say "go on" to continue.']);
  });

  test('once the money is spent no request is sent', async () => {
    const cost = { type: 'usage', usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 }, costUsd: 0.3 } as const;
    const t = testConversation({ cwd, maxCostUsd: 0.5, tools: [read], steps: Array.from({ length: 5 }, (_, i) => ({ calls: [{ id: `c${i}`, name: 'Look', input: { path: `${i}` } }], usage: cost })) });
    expect(await runTurn(t.conversation, ['go'], new AbortController().signal)).toBe('limit');
    expect(t.requests.length).toBe(2);
    expect(t.state().notices.map(({ text }) => text)).toEqual(['Stopped: this session has cost $0.60, and its limit is $0.5 (agent.max_cost_usd).']);
  });

  test('what is queued meanwhile is handed over at the next boundary', async () => {
    const t = testConversation({ cwd, tools: [read], steps: [{ calls: [{ id: 'c1', name: 'Look' }] }, { text: 'Yes.' }, { text: 'And that.' }] });
    t.queue.push('also b', 'and c');
    await runTurn(t.conversation, ['go'], new AbortController().signal);
    expect(t.requests[1]?.messages.slice(-3).map(({ role, parts }) => [role, parts[0]?.type === 'text' ? parts[0].text : parts[0]?.type])).toEqual([['tool', 'tool_result'], ['user', 'also b'], ['user', 'and c']]);
  });

  test('a call cut off at the output limit never runs; an answer cut off goes on at most three times', async () => {
    const cut = { end: { type: 'end', stop: 'max_tokens' } as const };
    const t = testConversation({
      cwd, tools: [read],
      steps: [{ calls: [{ id: 'c1', name: 'Look' }, { id: 'c2', name: 'Look', raw: '' }], ...cut }, ...Array.from({ length: 5 }, () => ({ text: 'long', ...cut }))],
    });
    expect(await runTurn(t.conversation, ['go'], new AbortController().signal)).toBe('max_tokens');
    expect(t.requests.length).toBe(5);
    expect(t.state().messages[2]?.parts.map((part) => part.type === 'tool_result' && part.text)).toEqual(['looked', expect.stringContaining('cut off at the output limit') as string]);
  });

  test('a failed request is one sentence; what was streamed of it is taken back', async () => {
    const t = testConversation({ cwd, tools: [], steps: [{ text: 'Half an ans', end: { type: 'error', error: { kind: 'network', message: 'The connection broke. Try again.' } } }, { text: 'Fine.' }] });
    expect(await runTurn(t.conversation, ['go'], new AbortController().signal)).toBe('error');
    expect(t.state().messages.map(({ role }) => role)).toEqual(['user']);
    expect(t.state().notices.map(({ level, text }) => ({ level, text }))).toEqual([{ level: 'error', text: 'The connection broke. Try again.' }]);
    expect(await runTurn(t.conversation, ['again'], new AbortController().signal)).toBe('end');
  });

  test('a retry forgets the parts of the try before', async () => {
    const failure = { kind: 'network', message: 'reset' } as const;
    const t = testConversation({
      cwd, tools: [], steps: [{ text: 'wrong', events: [{ type: 'retrying', failure, attempt: 1, waitMs: 0 }, { type: 'part_start', index: 0, part: 'text' }, { type: 'part_delta', index: 0, delta: 'right' }, { type: 'part_end', index: 0 }] }],
    });
    await runTurn(t.conversation, ['go'], new AbortController().signal);
    expect(t.state().messages[1]?.parts).toEqual([{ type: 'text', text: 'right' }]);
  });

  test('a cancel while streaming keeps the text and answers the finished calls', async () => {
    const controller = new AbortController();
    const t = testConversation({ cwd, tools: [read], steps: [{ text: 'On my way', calls: [{ id: 'c1', name: 'Look' }], hold: new Promise(() => {}) }] });
    setTimeout(() => controller.abort(), 20);
    expect(await runTurn(t.conversation, ['go'], controller.signal)).toBe('cancelled');
    expect(t.state().messages.slice(1).map(({ parts }) => parts)).toEqual([
      [{ type: 'text', text: 'On my way' }, { type: 'tool_call', id: 'c1', name: 'Look', input: {} }],
      [{ type: 'tool_result', callId: 'c1', name: 'Look', ok: false, text: 'cancelled by user' }],
    ]);
  });

  test('a tool that ignores the cancel does not hold the turn up', async () => {
    const controller = new AbortController();
    const t = testConversation({ cwd, tools: [tool('Look', 'read', () => new Promise(() => {}))], steps: [{ calls: [{ id: 'c1', name: 'Look' }] }] });
    setTimeout(() => controller.abort(), 20);
    expect(await runTurn(t.conversation, ['go'], controller.signal)).toBe('cancelled');
    expect(t.state().tools.map(({ status }) => status)).toEqual(['cancelled']);
  });

  test('a question that is open when the turn is cancelled is over', async () => {
    const controller = new AbortController();
    const t = testConversation({
      cwd, tools: [write], steps: [{ calls: [{ id: 'c1', name: 'Change' }] }],
      answer: (_question, signal) => new Promise((resolve) => { signal.addEventListener('abort', () => resolve({ kind: 'deny' })); }),
    });
    setTimeout(() => controller.abort(), 20);
    expect(await runTurn(t.conversation, ['go'], controller.signal)).toBe('cancelled');
    expect(t.state().questions).toEqual([]);
    expect(t.state().messages.at(-1)?.parts).toEqual([{ type: 'tool_result', callId: 'c1', name: 'Change', ok: false, text: 'cancelled by user' }]);
  });

  test('a model that goes round in circles is told, then the user is asked', async () => {
    const asked: string[] = [];
    const t = testConversation({
      cwd, tools: [read], steps: Array.from({ length: 9 }, (_, i) => ({ calls: [{ id: `a${i}`, name: 'Look' }, { id: `b${i}`, name: 'Look', input: { path: 'b' } }] })),
      answer: (question) => { asked.push(question.kind); return asked.length === 1 ? { kind: 'chosen', ids: ['on'] } : { kind: 'dismissed' }; },
    });
    expect(await runTurn(t.conversation, ['go'], new AbortController().signal)).toBe('limit');
    expect(t.requests.length).toBe(5);
    expect(asked).toEqual(['choose', 'choose']);
    expect(JSON.stringify(t.requests[3]?.messages.at(-1))).toContain('the same calls with the same arguments');
    expect(pairingFaults(t.state().messages)).toEqual([]);
  });

  test('a call that looks at something that goes on is no circle', async () => {
    const look: Tool = { ...read, polls: true };
    const t = testConversation({ cwd, tools: [look], steps: [...Array.from({ length: 10 }, (_, n) => ({ calls: [{ id: `c${n}`, name: 'Look' }] })), { text: 'over' }] });
    expect(await runTurn(t.conversation, ['go'], new AbortController().signal)).toBe('end');
    expect(t.state().messages.filter(({ source }) => source === 'reminder')).toEqual([]);
  });

  test('what has happened in the background is told at the next boundary, or before the next prompt', async () => {
    const t = testConversation({ cwd, tools: [tool('Look', 'read', async () => { t.news.push('bg_1 is over'); return { ok: true, text: 'looked' }; })], steps: [{ calls: [{ id: 'c1', name: 'Look' }] }, { text: 'one' }, { text: 'two' }] });
    await runTurn(t.conversation, ['go'], new AbortController().signal);
    const told = { role: 'user', source: 'reminder', parts: [{ type: 'text', text: '<system-reminder>\nbg_1 is over\n</system-reminder>' }] };
    expect(t.requests[1]?.messages.slice(-2)).toMatchObject([{ role: 'tool' }, told]);
    t.news.push('bg_1 is over');
    await runTurn(t.conversation, ['more'], new AbortController().signal);
    expect(t.requests[2]?.messages.slice(-2)).toMatchObject([told, { role: 'user', parts: [{ text: 'more' }] }]);
    expect(pairingFaults(t.state().messages)).toEqual([]);
  });

  test('a tool that is switched off is refused with the reason', async () => {
    const t = testConversation({ cwd, tools: [read], disabled: [write], steps: [{ calls: [{ id: 'c1', name: 'Change' }, { id: 'c2', name: 'Chang' }] }, { text: 'ok' }] });
    await runTurn(t.conversation, ['go'], new AbortController().signal);
    expect(t.state().messages[2]?.parts).toMatchObject([{ ok: false, text: 'Change is disabled by configuration (tools.enabled, tools.disabled).' }, { ok: false, text: 'There is no tool named Chang.' }]);
  });

  test('whatever is called and whenever it is cancelled, each call has one result next to it', async () => {
    const bad = tool('Throw', 'read', async () => { throw new Error('boom'); });
    const slow = tool('Slow', 'read', () => new Promise((resolve) => { setTimeout(() => resolve({ ok: true, text: 'late' }), 3); }));
    const call = fc.record({ name: fc.constantFrom('Look', 'Change', 'Throw', 'Slow', 'Nope'), raw: fc.constantFrom('{}', '{"path"', '[]', '{"path":1}') });
    await fc.assert(fc.asyncProperty(fc.array(fc.array(call, { maxLength: 5 }), { maxLength: 3 }), fc.integer({ min: 0, max: 12 }), fc.boolean(), async (rounds, cancelAfter, allow) => {
      let ids = 0;
      const controller = new AbortController();
      const t = testConversation({
        cwd, tools: [read, write, bad, slow], answer: () => (allow ? { kind: 'allow' } : { kind: 'deny' }),
        steps: rounds.map((calls) => ({ text: 'x', calls: calls.map(({ name, raw }) => ({ id: `c${(ids += 1)}`, name, raw })) })),
      });
      const timer = setTimeout(() => controller.abort(), cancelAfter);
      await runTurn(t.conversation, ['go'], controller.signal);
      clearTimeout(timer);
      expect(pairingFaults(t.state().messages)).toEqual([]);
      expect(t.state().tools.filter(({ status }) => ['waiting', 'asking', 'running'].includes(status))).toEqual([]);
      expect(t.state().turn.running).toBe(false);
    }), { numRuns: process.env.MEWCODE_LONG ? 1_000 : 60 });
  });
});

test.each([
  [[], 1], [['a'], 1], [['a', 'a', 'a'], 3], [['x', 'a', 'b', 'a', 'b', 'a', 'b'], 3], [['a', 'b', 'c', 'd', 'a', 'b', 'c', 'd'], 2],
  [['a', 'a', 'b'], 1], [['b', 'a', 'b', 'a', 'a'], 2], [['a', 'b', 'a', 'b', 'a'], 2],
])('countRepeats of %j is %i', (calls, count) => { expect(countRepeats(calls)).toBe(count); });

test('groupCalls keeps the order and never puts more than eight together', () => {
  fc.assert(fc.property(fc.array(fc.boolean()), (reads) => {
    const items = reads.map((reading, index) => ({ reading, index }));
    const groups = groupCalls(items, ({ reading }) => reading);
    expect(groups.flat()).toEqual(items);
    for (const group of groups) expect(group.length === 1 || (group.length <= 8 && group.every(({ reading }) => reading))).toBe(true);
  }));
});
