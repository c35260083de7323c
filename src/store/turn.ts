// The turn of the main agent: since when it runs, how many requests it took, how it ended.
import type { Live } from '../types/assemble.ts';
import type { AgentEvent } from '../types/event.ts';
import type { SessionState } from '../types/state.ts';
import { MAIN } from './agents.ts';

type Turn = SessionState['turn'];

/** `live` is the answer on its way before the event: another one's first event begins a round. */
export function reduceTurn(turn: Turn, event: AgentEvent, live: Live | null): Turn {
  if (event.type === 'session_resumed') return turn.running ? { ...turn, running: false } : turn;
  if (event.agent !== MAIN) return turn;
  switch (event.type) {
    case 'turn_started':
      return { running: true, startedAt: event.at, rounds: 0 };
    case 'turn_ended':
      return { ...turn, running: false, ended: { why: event.why, ms: event.at - turn.startedAt } };
    case 'stream':
      return live?.id === event.messageId ? turn : { ...turn, rounds: turn.rounds + 1 };
    default:
      return turn;
  }
}
