// The session's state after events: each slice as a table of whole values, and what must hold for any events.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { initialState, isUrgent, reduce } from '../../src/store/reduce.ts';
import { TAIL_CHARS } from '../../src/store/tools.ts';
import type { AgentEvent, Happening } from '../../src/types/event.ts';
import type { Message } from '../../src/types/message.ts';
import type { Decision } from '../../src/types/permission.ts';
import type { ProviderEvent } from '../../src/types/provider.ts';
import type { Question } from '../../src/types/question.ts';
import type { SessionState } from '../../src/types/state.ts';

/** Events of the main agent, one a second, unless they say otherwise. */
type Given = Happening & { agent?: string; at?: number };

function play(...events: Given[]): SessionState {
  return events.reduce((state, event, at) => reduce(state, { agent: 'main', at: (at + 1) * 1_000, ...event }), initialState());
}

const stream = (event: ProviderEvent, messageId = 'a'): Given => ({ type: 'stream', messageId, event });
const message = (id: string, text: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text }], at: 5 });
const says = (id: string, text: string): Given => ({ type: 'message', message: message(id, text) });
const answers = (id: string, text: string): Given => ({ type: 'part', messageId: id, role: 'assistant', part: { type: 'text', text } });
const decision: Decision = { verdict: 'ask', layer: 'mode', because: 'it writes', trace: [] };
const call = { id: 'c1', name: 'Do', input: {} };
const question: Question = { kind: 'permission', call, title: 'x', decision, cwd: '/' };
const choose: Question = { kind: 'choose', title: 'which', options: [] };
const failure = { kind: 'overloaded', message: 'Busy.' } as const;
const started: Given = { type: 'session_started', id: 's', cwd: '/p', provider: 'demo', model: 'm', mode: 'plan', window: 1_000 };
const NOTHING = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** Each row: what happens, and what the named slices are then. */
test.each<[string, Given[], Partial<SessionState>]>([
  ['a session starts', [started], { ...initialState(), id: 's', cwd: '/p', provider: 'demo', model: 'm', mode: 'plan', startedAt: 1_000, meter: { ...initialState().meter, window: 1_000 } }],
  ['a new session forgets the old one', [says('u', 'hi'), { type: 'queued', prompts: ['x'] }, started], play({ ...started, at: 3_000 })],
  ['a subagent does not start the session', [{ ...started, agent: 'main/2' }], initialState()],
  ['messages', [says('u', 'one'), says('v', 'two')], { messages: [message('u', 'one'), message('v', 'two')] }],
  ['a message is replaced', [says('u', 'one'), says('v', 'two'), says('u', 'new')], { messages: [message('u', 'new'), message('v', 'two')] }],
  ['a message without parts takes it back', [says('u', 'one'), says('v', 'two'), { type: 'message', message: { ...message('u', ''), parts: [] } }], { messages: [message('v', 'two')] }],
  ['parts make and lengthen a message', [answers('a', 'one'), answers('a', 'two')], { messages: [{ id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'one' }, { type: 'text', text: 'two' }], at: 1_000 }] }],
  ['a subagent has its own conversation', [{ ...says('u', 'one'), agent: 'main/2' }, { ...answers('a', 'x'), agent: 'main/2' }], { messages: [] }],
  ['a rewind takes the message and all after it', [says('u', 'one'), { type: 'notice', level: 'info', text: 'n' }, says('v', 'two'), { type: 'notice', level: 'info', text: 'gone' }, { type: 'rewound', toMessage: 'v' }],
    { messages: [message('u', 'one')], notices: [{ id: 'notice-2000-0', level: 'info', text: 'n', at: 2_000, after: 1 }] }],
  ['the answer on its way', [stream({ type: 'part_start', index: 0, part: 'text' }), stream({ type: 'part_delta', index: 0, delta: 'He' }), stream({ type: 'part_delta', index: 0, delta: 'y' })],
    { live: { id: 'a', parts: [{ index: 0, kind: 'text', raw: 'Hey', id: undefined, name: undefined }] }, doing: { what: 'answering', at: 1_000 }, turn: { running: false, startedAt: 0, rounds: 1 } }],
  ['it ends', [stream({ type: 'part_start', index: 0, part: 'text' }), stream({ type: 'end', stop: 'end' })], { live: null }],
  ['it fails', [stream({ type: 'part_start', index: 0, part: 'text' }), stream({ type: 'error', error: failure })], { live: null }],
  ['a retry takes the parts back', [stream({ type: 'part_start', index: 0, part: 'text' }), stream({ type: 'retrying', failure, attempt: 1, waitMs: 500 })],
    { live: { id: 'a', parts: [] }, doing: { what: 'retrying', at: 2_000, until: 2_500, attempt: 1, failure } }],
  ['another answer starts anew', [stream({ type: 'part_start', index: 0, part: 'text' }), stream({ type: 'part_start', index: 0, part: 'thinking' }, 'b')],
    { live: { id: 'b', parts: [{ index: 0, kind: 'thinking', raw: '', id: undefined, name: undefined }] }, doing: { what: 'thinking', at: 2_000 }, turn: { running: false, startedAt: 0, rounds: 2 } }],
  ['a call, from known to done', [
    { type: 'tool_called', call, title: 't' }, { type: 'decided', callId: 'c1', decision }, { type: 'tool_started', callId: 'c1', acts: true }, { type: 'tool_output', callId: 'c1', text: 'ab' },
    { type: 'tool_output', callId: 'c1', text: 'c' }, { type: 'tool_ended', callId: 'c1', outcome: 'done', ms: 7 }, { type: 'part', messageId: 't', role: 'tool', part: { type: 'tool_result', callId: 'c1', name: 'Do', ok: true, text: '12345' } },
  ], { tools: [{ call, agent: 'main', title: 't', status: 'done', calledAt: 1_000, startedAt: 3_000, ms: 7, tail: 'abc', size: 5, decision }], doing: { what: 'requesting', at: 7_000 } }],
  ['a call is asked for', [{ type: 'tool_called', call, title: 't' }, { type: 'asked', id: 'q', question }],
    { tools: [{ call, agent: 'main', title: 't', status: 'asking', calledAt: 1_000, tail: '' }], questions: [{ id: 'q', agent: 'main', question, at: 2_000 }] }],
  ['and answered', [{ type: 'tool_called', call, title: 't' }, { type: 'asked', id: 'q', question }, { type: 'answered', id: 'q', answer: { kind: 'allow' } }],
    { tools: [{ call, agent: 'main', title: 't', status: 'waiting', calledAt: 1_000, tail: '' }], questions: [] }],
  ['agents may use the same call ids', [{ type: 'tool_called', call, title: 't' }, { type: 'tool_called', call, title: 's', agent: 'main/2' }, { type: 'tool_started', callId: 'c1', acts: true }], {
    tools: [{ call, agent: 'main', title: 't', status: 'running', calledAt: 1_000, startedAt: 3_000, tail: '' }, { call, agent: 'main/2', title: 's', status: 'waiting', calledAt: 2_000, tail: '' }],
  }],
  ['other questions queue up', [{ type: 'asked', id: 'q', question: choose }, { type: 'asked', id: 'r', question: choose }, { type: 'answered', id: 'q', answer: { kind: 'dismissed' } }], { questions: [{ id: 'r', agent: 'main', question: choose, at: 2_000 }] }],
  ['the last todo list counts', [
    { type: 'part', messageId: 't', role: 'tool', part: { type: 'tool_result', callId: 'c1', name: 'Do', ok: true, text: '', view: { type: 'todos', items: [{ content: 'a', status: 'pending' }] } } },
    { type: 'part', messageId: 't', role: 'tool', part: { type: 'tool_result', callId: 'c2', name: 'Do', ok: true, text: '' } },
  ], { todos: [{ content: 'a', status: 'pending' }] }],
  ['a rewind brings back the older list', [
    { type: 'part', messageId: 't', role: 'tool', part: { type: 'tool_result', callId: 'c1', name: 'Do', ok: true, text: '', view: { type: 'todos', items: [{ content: 'a', status: 'pending' }] } } },
    says('u', 'x'),
    { type: 'part', messageId: 'w', role: 'tool', part: { type: 'tool_result', callId: 'c2', name: 'Do', ok: true, text: '', view: { type: 'todos', items: [] } } },
    { type: 'rewound', toMessage: 'u' },
  ], { todos: [{ content: 'a', status: 'pending' }] }],
  ['a turn', [{ type: 'turn_started' }, { type: 'turn_ended', why: 'end' }], { turn: { running: false, startedAt: 1_000, rounds: 0, ended: { why: 'end', ms: 1_000 } }, doing: { what: 'idle' } }],
  ['notices know their place', [says('u', 'x'), { type: 'notice', level: 'warn', text: 'n', view: { type: 'text', text: 'v' } }], { notices: [{ id: 'notice-2000-0', level: 'warn', text: 'n', view: { type: 'text', text: 'v' }, at: 2_000, after: 1 }] }],
  ['a notice behind a message taken back moves up', [answers('a', 'x'), { type: 'notice', level: 'warn', text: 'n' }, { type: 'message', message: { id: 'a', role: 'assistant', parts: [], at: 0 } }], { notices: [{ id: 'notice-2000-0', level: 'warn', text: 'n', at: 2_000, after: 0 }] }],
  ['queue, mode, model, servers', [{ type: 'queued', prompts: ['p'] }, { type: 'mode', mode: 'plan' }, { type: 'model', provider: 'x', model: 'y', window: 9 }, { type: 'mcp', servers: [] }],
    { queue: ['p'], mode: 'plan', provider: 'x', model: 'y', meter: { ...initialState().meter, window: 9 }, mcp: [] }],
  ['a resumed session has nothing open', [
    { type: 'turn_started' }, { type: 'tool_called', call, title: 't' }, { type: 'asked', id: 'q', question }, stream({ type: 'part_start', index: 0, part: 'text' }),
    { type: 'session_resumed', provider: 'x', model: 'y', window: 9 },
  ], {
    provider: 'x', model: 'y', live: null, questions: [], doing: { what: 'idle' }, turn: { running: false, startedAt: 1_000, rounds: 1 },
    tools: [{ call, agent: 'main', title: 't', status: 'cancelled', calledAt: 2_000, tail: '' }],
  }],
])('%s', (_name, events, expected) => {
  const state = play(...events);
  const named = Object.fromEntries(Object.keys(expected).map((name) => [name, state[name as keyof SessionState]]));
  expect(named).toEqual(expected);
});

const usage = (input: number, output: number, costUsd?: number): Given => ({ type: 'usage', usage: { ...NOTHING, input, output, cacheRead: 10 }, model: 'm', ...(costUsd === undefined ? {} : { costUsd }) });

describe('the meter', () => {
  test('sums what was reported; the context is the last request of the main agent', () => {
    const { meter } = play({ type: 'turn_started' }, usage(100, 20, 0.5), { ...usage(7, 3, 0.25), agent: 'main/2' }, { type: 'turn_started' }, usage(200, 30, 1));
    expect(meter).toEqual({
      window: 0, context: 240, pending: 0, costUsd: 1.75, turnUsd: 1, speed: 0, answer: null,
      models: { m: { usage: { input: 307, cacheRead: 30, cacheWrite: 0, output: 53 }, costUsd: 1.75 } },
      turn: { input: 200, cacheRead: 10, cacheWrite: 0, output: 30 },
      session: { input: 307, cacheRead: 30, cacheWrite: 0, output: 53 },
    });
  });

  test('the cost is unknown once a price was', () => {
    expect(play(usage(1, 1, 0.5), usage(1, 1), usage(1, 1, 0.5)).meter.costUsd).toBe(null);
  });

  test('moves with what is streamed, and takes it back', () => {
    const start: Given[] = [says('u', 'four'), stream({ type: 'part_start', index: 0, part: 'text' }), stream({ type: 'part_delta', index: 0, delta: 'x'.repeat(40) }), stream({ type: 'part_delta', index: 0, delta: 'é'.repeat(20) })];
    expect(play(...start).meter).toMatchObject({ pending: 21, speed: 20, answer: { at: 3_000, tokens: 20 } });
    expect(play(...start, stream({ type: 'retrying', failure, attempt: 1, waitMs: 1 })).meter).toMatchObject({ pending: 1, answer: null });
    expect(play(...start, stream({ type: 'error', error: { kind: 'aborted', message: '' } })).meter).toMatchObject({ pending: 21 });
    expect(play(...start, usage(50, 30)).meter).toMatchObject({ pending: 0, context: 90, speed: 15, answer: null });
    expect(play(...start, usage(50, 30), { type: 'part', messageId: 't', role: 'tool', part: { type: 'tool_result', callId: 'c', name: 'Do', ok: true, text: 'x'.repeat(400) } }).meter).toMatchObject({ pending: 100 });
  });
});

test('the tail of a call is bounded', () => {
  const state = play({ type: 'tool_called', call, title: 't' }, { type: 'tool_output', callId: 'c1', text: 'x'.repeat(9_000) }, { type: 'tool_output', callId: 'c1', text: 'end' });
  expect(state.tools[0]?.tail).toBe(`${'x'.repeat(TAIL_CHARS - 3)}end`);
  const lines = play({ type: 'tool_called', call, title: 't' }, { type: 'tool_output', callId: 'c1', text: `${'123456789\n'.repeat(900)}\n` });
  expect(lines.tools[0]?.tail).toBe(`${'123456789\n'.repeat(799)}\n`);
});

const byMain = (happening: Happening): AgentEvent => ({ agent: 'main', at: 0, ...happening });

test('only what a person waits for or has just done is urgent', () => {
  const rest: Happening[] = [{ type: 'tool_output', callId: 'c', text: '' }, { type: 'stream', messageId: 'a', event: { type: 'part_end', index: 0 } }, { type: 'turn_started' }, { type: 'tool_started', callId: 'c', acts: true }];
  const urgent: Happening[] = [{ type: 'asked', id: 'q', question }, { type: 'answered', id: 'q', answer: { kind: 'dismissed' } }, { type: 'queued', prompts: [] }, { type: 'mode', mode: 'plan' }];
  expect(rest.map((event) => isUrgent(byMain(event)))).toEqual([false, false, false, false]);
  expect(urgent.map((event) => isUrgent(byMain(event)))).toEqual([true, true, true, true]);
});

const id = fc.constantFrom('a', 'b', 'c1');
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.constant<Happening>({ type: 'turn_started' }),
  fc.constant<Happening>({ type: 'turn_ended', why: 'end' }),
  fc.constant<Happening>({ type: 'session_resumed', provider: 'x', model: 'y', window: 9 }),
  id.map((at): Happening => ({ type: 'message', message: message(at, 'x') })),
  id.map((at): Happening => ({ type: 'message', message: { ...message(at, ''), parts: [] } })),
  fc.tuple(id, fc.constantFrom('assistant', 'tool')).map(([at, role]): Happening => ({ type: 'part', messageId: at, role, part: { type: 'tool_result', callId: at, name: 'Do', ok: true, text: 'x' } })),
  fc.tuple(id, fc.constantFrom<ProviderEvent>(
    { type: 'part_start', index: 0, part: 'text' }, { type: 'part_delta', index: 0, delta: 'x' }, { type: 'part_delta', index: 9, delta: 'x' }, { type: 'part_end', index: 0 },
    { type: 'usage', usage: NOTHING }, { type: 'waiting', seconds: 1 }, { type: 'retrying', failure, attempt: 1, waitMs: 5 }, { type: 'end', stop: 'end' }, { type: 'error', error: failure },
  )).map(([messageId, event]): Happening => ({ type: 'stream', messageId, event })),
  fc.constant<Happening>({ type: 'usage', usage: { ...NOTHING, output: 5 }, model: 'm' }),
  id.map((at): Happening => ({ type: 'tool_called', call: { ...call, id: at }, title: 't' })),
  id.map((callId): Happening => ({ type: 'decided', callId, decision })),
  id.map((at): Happening => ({ type: 'asked', id: at, question })),
  id.map((at): Happening => ({ type: 'answered', id: at, answer: { kind: 'dismissed' } })),
  id.map((callId): Happening => ({ type: 'tool_started', callId, acts: true })),
  id.map((callId): Happening => ({ type: 'tool_output', callId, text: 'x' })),
  id.map((callId): Happening => ({ type: 'tool_ended', callId, outcome: 'failed', ms: 1 })),
  id.map((toMessage): Happening => ({ type: 'rewound', toMessage })),
  fc.constant<Happening>({ type: 'notice', level: 'info', text: 'n' }),
  fc.constant<Happening>({ type: 'view_cut', fromMessage: 'a', why: 'x', before: 2, after: 1 }),
);
const event = fc.record({ happening, agent: fc.constantFrom('main', 'main/2'), at: fc.nat(1_000) }).map(({ happening, agent, at }): AgentEvent => ({ agent, at, ...happening }));

test('any events fold without a throw, and places of notices stay in order', () => {
  fc.assert(fc.property(fc.array(event, { maxLength: 60 }), (events) => {
    const state = events.reduce(reduce, initialState());
    const places = state.notices.map(({ after }) => after);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(Math.max(0, ...places)).toBeLessThanOrEqual(state.messages.length);
    expect(state.meter.pending).toBeGreaterThanOrEqual(0);
  }));
});

test('a slice that an event does not change keeps its identity', () => {
  const mine: Partial<Record<AgentEvent['type'], (keyof SessionState)[]>> = {
    tool_output: ['tools'], decided: ['tools'], queued: ['queue'], mode: ['mode'], notice: ['notices'], usage: ['meter'], view_cut: [],
    asked: ['tools', 'questions'], answered: ['tools', 'questions'], tool_ended: ['tools'], tool_started: ['tools', 'doing'],
  };
  fc.assert(fc.property(fc.array(event, { maxLength: 30 }), event, (before, last) => {
    const state = before.reduce(reduce, initialState());
    const next = reduce(state, last);
    const allowed: (keyof SessionState)[] | undefined = last.type === 'stream' ? ['live', 'meter', 'doing', 'turn'] : mine[last.type];
    if (!allowed) return;
    for (const name of Object.keys(state) as (keyof SessionState)[]) if (!allowed.includes(name)) expect(next[name]).toBe(state[name]);
    if (allowed.length === 0) expect(next).toBe(state);
  }));
});
