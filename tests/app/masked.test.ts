// What leaves the app has no key in it; what comes back from a dialog works all the same.
import { expect, test } from 'vitest';
import { holdSecrets } from '../../src/app/masked.ts';
import { initialState } from '../../src/store/reduce.ts';
import type { AgentEvent } from '../../src/types/event.ts';
import type { Answer, Question } from '../../src/types/question.ts';
import type { SessionState } from '../../src/types/state.ts';

const KEY = 'canary-0123456789-abcdef';

function stage(answer: Answer = { kind: 'deny' }) {
  const secrecy = holdSecrets();
  secrecy.hide([KEY]);
  const shown: AgentEvent[] = [];
  const asked: Question[] = [];
  const frontend = secrecy.frontend({ emit: (event) => shown.push(event), ask: async (question) => { asked.push(question); return answer; } });
  return { secrecy, frontend, shown, asked };
}

const event = (happening: object): AgentEvent => ({ agent: 'main', at: 1, ...happening }) as AgentEvent;
const delta = (text: string) => event({ type: 'stream', messageId: 'm', event: { type: 'part_delta', index: 0, delta: text } });

test('text that comes in pieces shows no piece of a key, and loses nothing else', () => {
  const { frontend, shown } = stage();
  for (const text of ['The key is ca', 'nary-01', '23456789-abc', 'def, I think. can', 'ary?']) frontend.emit(delta(text));
  frontend.emit(event({ type: 'stream', messageId: 'm', event: { type: 'part_end', index: 0 } }));
  frontend.emit(event({ type: 'tool_output', callId: 'c', text: 'x canary-0123' }));
  frontend.emit(event({ type: 'tool_ended', callId: 'c', outcome: 'done', ms: 1 }));
  expect(shown.map((one) => (one.type === 'stream' ? (one.event.type === 'part_delta' ? one.event.delta : one.event.type) : one.type === 'tool_output' ? one.text : one.type))).toEqual([
    'The key is ', '••••cdef, I think. ', 'canary?', 'part_end', 'x ', 'canary-0123', 'tool_ended',
  ]);
});

test('the state: masked, the same object for the same state, its queue as it was typed', () => {
  const { secrecy } = stage();
  const message = { id: 'a', role: 'user' as const, parts: [{ type: 'text' as const, text: `use ${KEY}` }], at: 1 };
  const plain = { ...message, id: 'b', parts: [{ type: 'text' as const, text: 'nothing' }] };
  let state: SessionState = { ...initialState(), messages: [message, plain], queue: [KEY], live: { id: 'l', parts: [{ index: 0, kind: 'text', raw: `it is ${KEY.slice(0, 15)}` }] } };
  const view = secrecy.state({ get: () => state, subscribe: () => () => {} });
  const first = view.get();
  expect(first).toEqual({ ...state, messages: [{ ...message, parts: [{ type: 'text', text: 'use ••••cdef' }] }, plain], live: { id: 'l', parts: [{ index: 0, kind: 'text', raw: 'it is ••••' }] } });
  expect(view.get()).toBe(first);
  state = { ...state, mode: 'plan' };
  expect(view.get().messages).toBe(first.messages);
  expect(view.get().messages[1]).toBe(plain);
});

const QUESTION: Question = { kind: 'permission', call: { id: '1', name: 'Bash', input: { command: `curl -H ${KEY}` } }, title: `curl -H ${KEY}`, decision: { verdict: 'ask', layer: 'mode', because: '', trace: [] }, cwd: '/p', session: [`Bash(curl -H ${KEY})`] };

test.each<[string, Answer, Answer]>([
  ['edited arguments get the key back', { kind: 'allow', input: { command: 'curl -v -H ••••cdef' } }, { kind: 'allow', input: { command: `curl -v -H ${KEY}` } }],
  ['a rule for the session too', { kind: 'allow', keep: 'session', rules: ['Bash(curl -H ••••cdef)'] }, { kind: 'allow', keep: 'session', rules: [`Bash(curl -H ${KEY})`] }],
  ['one that is written down does not', { kind: 'allow', keep: 'always', rules: ['Bash(curl -H ••••cdef)'] }, { kind: 'allow', keep: 'always', rules: ['Bash(curl -H ••••cdef)'] }],
  ['a denial is one', { kind: 'deny', note: '••••cdef' }, { kind: 'deny', note: '••••cdef' }],
])('%s', async (_, given, expected) => {
  const { frontend, asked } = stage(given);
  expect(await frontend.ask(QUESTION, new AbortController().signal)).toEqual(expected);
  expect(JSON.stringify(asked)).not.toContain('0123456789');
});
