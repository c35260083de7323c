// Sessions to write and to read: folders, a scripted turn, and the reducer of the program.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { foldSession, type Folded } from '../../src/session/fold.ts';
import { EVENTS } from '../../src/session/log.ts';
import { initialState, reduce } from '../../src/store/reduce.ts';
import type { AgentEvent, Happening } from '../../src/types/event.ts';
import type { Decision } from '../../src/types/permission.ts';
import type { SessionState } from '../../src/types/state.ts';

const made: string[] = [];
afterAll(() => { for (const folder of made) rmSync(folder, { recursive: true, force: true }); });

/** An empty folder that goes with the tests. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mew-session-')));
  made.push(folder);
  return folder;
}

export const fold = (dir: string): Folded<SessionState> => foldSession(join(dir, EVENTS), reduce, initialState());

/** The lines of a session's file. */
export const linesOf = (dir: string): string[] => readFileSync(join(dir, EVENTS), 'utf8').split('\n').slice(0, -1);

let tick = 1_700_000_000_000;
export const at = (happening: Happening, agent = 'main'): AgentEvent => ({ agent, at: (tick += 7), ...happening });

export const decision: Decision = { verdict: 'allow', layer: 'mode', because: 'reading is allowed', trace: [] };

export const user = (text: string): AgentEvent => at({ type: 'message', message: { id: `u-${text}`, role: 'user', parts: [{ type: 'text', text }], at: tick } });

const call = (id: string, name: string) => ({ id, name, input: { path: 'ä "quoted"\n.ts' } });

/** A session with one turn: a question, two calls, the second one asked for, an answer. */
export function script(): AgentEvent[] {
  return [
    at({ type: 'session_started', id: 's', cwd: '/p', provider: 'demo', model: 'demo', mode: 'default', window: 1000 }),
    user('read and write'),
    at({ type: 'turn_started' }),
    at({ type: 'part', messageId: 'a1', role: 'assistant', part: { type: 'thinking', text: 'hm …', native: { wire: 'w', data: { s: [1, null] } } } }),
    at({ type: 'part', messageId: 'a1', role: 'assistant', part: { type: 'tool_call', id: 'c1', name: 'ReadFile', input: {} } }),
    at({ type: 'part', messageId: 'a1', role: 'assistant', part: { type: 'tool_call', id: 'c2', name: 'WriteFile', input: {} } }),
    at({ type: 'tool_called', call: call('c1', 'ReadFile'), title: 'a.ts' }),
    at({ type: 'tool_called', call: call('c2', 'WriteFile'), title: 'b.ts' }),
    at({ type: 'decided', callId: 'c1', decision }),
    at({ type: 'tool_started', callId: 'c1', acts: true }),
    at({ type: 'tool_ended', callId: 'c1', outcome: 'done', ms: 3 }),
    at({ type: 'part', messageId: 't1', role: 'tool', part: { type: 'tool_result', callId: 'c1', name: 'ReadFile', ok: true, text: 'contents' } }),
    at({ type: 'asked', id: 'q1', question: { kind: 'choose', title: 'Sure?', options: [] } }),
    at({ type: 'answered', id: 'q1', answer: { kind: 'dismissed' } }),
    at({ type: 'tool_started', callId: 'c2', acts: true }),
    at({ type: 'tool_ended', callId: 'c2', outcome: 'failed', ms: 4 }),
    at({ type: 'part', messageId: 't1', role: 'tool', part: { type: 'tool_result', callId: 'c2', name: 'WriteFile', ok: false, text: 'no' } }),
    at({ type: 'usage', usage: { input: 10, cacheRead: 1, cacheWrite: 2, output: 3 }, model: 'demo', costUsd: 0.01 }),
    at({ type: 'part', messageId: 'a2', role: 'assistant', part: { type: 'text', text: 'Done.' } }),
    at({ type: 'turn_ended', why: 'end' }),
  ];
}
