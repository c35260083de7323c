// Calls that only read begin while the answer still streams in, and leave no trace when it is taken back.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runTurn } from '../../src/agent/loop.ts';
import type { ProviderEvent } from '../../src/types/provider.ts';
import type { Tool } from '../../src/types/tool.ts';
import { testConversation } from '../helpers/conversation.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-ahead-')));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** A tool that touches the project, and what was run of it: inputs, and which runs were ended. */
function spy(name: string, kind: 'read' | 'write' | 'none', run: () => Promise<unknown> | unknown = () => {}) {
  const runs: string[] = [];
  const ended: string[] = [];
  const tool: Tool<{ what: string }> = {
    name, description: name, schema: { type: 'object' },
    parse: (raw) => ({ ok: true, value: raw as { what: string } }),
    title: ({ what }) => what,
    access: () => [{ kind, target: kind === 'none' ? '' : join(cwd, 'x') }],
    async run({ what }, { signal }) {
      runs.push(what);
      signal.addEventListener('abort', () => ended.push(what), { once: true });
      await run();
      return { ok: true, text: `${name} ${what}` };
    },
  };
  return { tool, runs, ended };
}

/** A promise, and how to keep it. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: () => resolve() };
}

const look = (id: string, what: string, name = 'Look') => ({ id, name, input: { what } });
const callEvents = (index: number, id: string, what: string): ProviderEvent[] => [
  { type: 'part_start', index, part: 'tool_call', id, name: 'Look' }, { type: 'part_delta', index, delta: JSON.stringify({ what }) }, { type: 'part_end', index },
];

test('a read is done before the answer has ended, and is told of behind it as ever', async () => {
  const ran = gate();
  const { tool, runs } = spy('Look', 'read', ran.open);
  // The answer goes on only when the call has run.
  const t = testConversation({ cwd, tools: [tool], steps: [{ text: 'I look.', calls: [look('c1', 'a'), look('c2', 'b')], hold: ran.opened }, { text: 'Done.' }] });
  await runTurn(t.conversation, ['go'], new AbortController().signal);
  expect(runs).toEqual(['a', 'b']);
  expect(t.state().messages[2]?.parts.map((part) => part.type === 'tool_result' && part.text)).toEqual(['Look a', 'Look b']);
  const told = t.events.filter(({ type }) => ['part', 'usage', 'tool_called', 'decided', 'tool_started', 'tool_ended'].includes(type)).map((event) => `${event.type}${'callId' in event ? ` ${event.callId}` : ''}`);
  expect(told).toEqual(['part', 'part', 'part', 'usage', 'tool_called', 'tool_called', 'decided c1', 'tool_started c1', 'tool_ended c1', 'decided c2', 'tool_started c2', 'tool_ended c2', 'part', 'part', 'part', 'usage']);
});

test('of a try that failed nothing is kept', async () => {
  const begun = gate();
  const { tool, runs, ended } = spy('Look', 'read', () => { begun.open(); return new Promise((resolve) => { setTimeout(resolve, 30); }); });
  const retrying: ProviderEvent = { type: 'retrying', failure: { kind: 'network', message: 'cut' }, attempt: 1, waitMs: 0 };
  const t = testConversation({ cwd, tools: [tool], steps: [{ calls: [look('c1', 'lost')], events: [retrying, ...callEvents(0, 'c1', 'kept')], hold: begun.opened }, { text: 'Done.' }] });
  await runTurn(t.conversation, ['go'], new AbortController().signal);
  expect([runs.at(-1), ended]).toEqual(['kept', runs.slice(0, -1)]);
  expect(t.state().tools.map(({ title, status }) => [title, status])).toEqual([['kept', 'done']]);
  expect(t.state().messages[2]?.parts).toEqual([{ type: 'tool_result', callId: 'c1', name: 'Look', ok: true, text: 'Look kept' }]);
});

describe('nothing begins', () => {
  test.each(['write', 'none'] as const)('behind a call that does more than read (%s)', async (kind) => {
    const order: string[] = [];
    const [first, second] = [spy('Act', kind, () => order.push('act')), spy('Look', 'read', () => order.push('look'))];
    const rest = new Promise<void>((resolve) => { setTimeout(() => { order.push('end of answer'); resolve(); }, 30); });
    const t = testConversation({ cwd, tools: [first.tool, second.tool], mode: 'bypassPermissions', steps: [{ calls: [look('c0', 'early'), look('c1', 'x', 'Act'), look('c2', 'late')], hold: rest }, { text: 'Done.' }] });
    await runTurn(t.conversation, ['go'], new AbortController().signal);
    expect(order).toEqual(['look', 'end of answer', 'act', 'look']);
  });

  test('that must be asked for: the question comes once, behind the answer', async () => {
    const { tool, runs } = spy('Look', 'read');
    let ended = false;
    const asked: boolean[] = [];
    const t = testConversation({
      cwd, tools: [tool], answer: () => { asked.push(ended); return { kind: 'allow' }; },
      steps: [{ calls: [look('c1', 'a')], hold: new Promise((resolve) => { setTimeout(() => { ended = true; resolve(); }, 30); }) }, { text: 'Done.' }],
    });
    t.rules.push({ tool: 'Look', glob: '*', verdict: 'ask', from: 'test', rank: 1 });
    await runTurn(t.conversation, ['go'], new AbortController().signal);
    expect([asked, runs]).toEqual([[true], ['a']]);
  });

  test('more than eight at a time', async () => {
    const rest = gate();
    const { tool, runs } = spy('Look', 'read');
    const t = testConversation({ cwd, tools: [tool], steps: [{ calls: Array.from({ length: 10 }, (_, n) => look(`c${n}`, String(n))), hold: rest.opened }, { text: 'Done.' }] });
    const turn = runTurn(t.conversation, ['go'], new AbortController().signal);
    await new Promise((resolve) => { setTimeout(resolve, 30); });
    expect(runs).toHaveLength(8);
    rest.open();
    await turn;
    expect(runs).toEqual(Array.from({ length: 10 }, (_, n) => String(n)));
  });
});

test('a cancel ends what was begun, and each call has its result', async () => {
  const begun = gate();
  const controller = new AbortController();
  const { tool, ended } = spy('Look', 'read', () => { begun.open(); return new Promise(() => {}); });
  const t = testConversation({ cwd, tools: [tool], steps: [{ calls: [look('c1', 'a')], hold: new Promise(() => {}) }] });
  const turn = runTurn(t.conversation, ['go'], controller.signal);
  await begun.opened;
  controller.abort();
  expect(await turn).toBe('cancelled');
  expect(ended).toEqual(['a']);
  expect(t.state().messages[2]?.parts).toEqual([{ type: 'tool_result', callId: 'c1', name: 'Look', ok: false, text: 'cancelled by user' }]);
});

test('the last call of an answer that was cut off is refused, though it was begun', async () => {
  const { tool } = spy('Look', 'read');
  const t = testConversation({ cwd, tools: [tool], steps: [{ calls: [look('c1', 'a'), look('c2', 'b')], end: { type: 'end', stop: 'max_tokens' } }, { text: 'Done.' }] });
  await runTurn(t.conversation, ['go'], new AbortController().signal);
  expect(t.state().messages[2]?.parts.map((part) => part.type === 'tool_result' && part.ok)).toEqual([true, false]);
});
