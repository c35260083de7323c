// Background tasks in the state: begun, heard of, ended, taken up by another process.
import { expect, test } from 'vitest';
import { initialState, reduce } from '../../src/store/reduce.ts';
import type { AgentEvent, Happening } from '../../src/types/event.ts';

const fold = (...happenings: Happening[]) => happenings.reduce((state, happening, at) => reduce(state, { agent: 'main', at: at * 1_000, ...happening } as AgentEvent), initialState()).tasks;

const begun: Happening = { type: 'task', task: { id: 'bg_1', title: 'npm run dev', callId: 'c1', status: 'running' } };
const ended: Happening = { type: 'task', task: { id: 'bg_1', title: 'npm run dev', callId: 'c1', status: 'failed', outcome: 'exit code 2' } };

test('a task begins, speaks and ends', () => {
  expect(fold(begun, { type: 'task_output', id: 'bg_1', text: 'ready\n' }, { type: 'task_output', id: 'bg_9', text: 'nobody' }, ended)).toEqual([
    { id: 'bg_1', title: 'npm run dev', callId: 'c1', status: 'failed', outcome: 'exit code 2', startedAt: 0, ms: 3_000, tail: 'ready\n' },
  ]);
});

test('only the last of its output is kept', () => {
  const [task] = fold(begun, ...Array.from({ length: 30 }, (): Happening => ({ type: 'task_output', id: 'bg_1', text: `${'x'.repeat(999)}\n` })));
  expect(task?.tail.length).toBeLessThanOrEqual(8_000);
});

test('a process that takes up the session has no tasks of the one before, and its own begin anew', () => {
  const resumed: Happening = { type: 'session_resumed', provider: 'p', model: 'm', window: 1 };
  expect(fold(begun, resumed)).toMatchObject([{ id: 'bg_1', status: 'ended', outcome: 'ended with MewCode' }]);
  expect(fold(begun, resumed, begun)).toMatchObject([{ id: 'bg_1', status: 'running', startedAt: 2_000, tail: '' }]);
});
