// What was decided in the last sessions: each call with the mode it met and the decision on it.
import { join } from 'node:path';
import { readJsonl } from '../lib/jsonl.ts';
import type { Call, Decision, Mode } from '../types/permission.ts';
import { listSessions } from './list.ts';
import { EVENTS } from './log.ts';
import { readRecord } from './record.ts';

/** A call as it was first judged. */
export type Decided = { session: string; at: number; call: Call; mode: Mode; decision: Decision };

/** The decisions of at most `most` sessions in the folder `dir`, the session used last first. Damaged lines are passed over. */
export function readDecisions(dir: string, most: number): { sessions: number; decided: Decided[] } {
  const sessions = listSessions(dir).slice(0, most);
  return { sessions: sessions.length, decided: sessions.flatMap(({ id }) => readSession(join(dir, id, EVENTS), id)) };
}

function readSession(file: string, session: string): Decided[] {
  const calls = new Map<string, Call>();
  const decided: Decided[] = [];
  let mode: Mode = 'default';
  for (const value of readJsonl(file).values) {
    const event = readRecord(value)?.event;
    switch (event?.type) {
      case 'session_started': case 'mode': mode = event.mode; break;
      case 'tool_called': calls.set(event.call.id, event.call); break;
      case 'decided': {
        const call = calls.get(event.callId);
        // What the user changed is judged again, but that is his own.
        calls.delete(event.callId);
        if (call) decided.push({ session, at: event.at, call, mode, decision: event.decision });
        break;
      }
      default:
    }
  }
  return decided;
}
