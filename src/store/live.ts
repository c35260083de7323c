// The answer being streamed by the main agent; `null` between two answers.
import { assemble, type Live } from '../types/assemble.ts';
import type { AgentEvent } from '../types/event.ts';
import { MAIN } from './agents.ts';

export function reduceLive(live: Live | null, event: AgentEvent): Live | null {
  if (event.type === 'session_resumed') return null;
  if (event.agent !== MAIN) return live;
  if (event.type === 'turn_ended') return null;
  if (event.type !== 'stream') return live;
  if (event.event.type === 'end' || event.event.type === 'error') return null;
  return assemble(live?.id === event.messageId ? live : { id: event.messageId, parts: [] }, event.event);
}
