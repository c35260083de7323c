// What the main agent, or a call of the user, is doing right now, for the spinner line.
import type { AgentEvent } from '../types/event.ts';
import type { Doing, ToolEntry } from '../types/state.ts';
import { BY_HAND, MAIN } from './agents.ts';
import { isOpen } from './tools.ts';

export const IDLE: Doing = { what: 'idle' };

/** `tools` are the calls after the event. */
export function reduceDoing(doing: Doing, event: AgentEvent, tools: readonly ToolEntry[]): Doing {
  if (event.type === 'session_resumed') return IDLE;
  // No turn runs while the user calls a tool.
  if (event.agent === BY_HAND) return event.type === 'tool_called' ? { what: 'tools', at: event.at } : event.type === 'tool_ended' ? IDLE : doing;
  if (event.agent !== MAIN) return doing;
  const become = (what: 'requesting' | 'thinking' | 'answering' | 'tools'): Doing => (doing.what === what ? doing : { what, at: event.at });
  switch (event.type) {
    case 'turn_started':
      return { what: 'requesting', at: event.at };
    case 'turn_ended':
      return IDLE;
    case 'tool_called':
    case 'tool_started':
      return become('tools');
    case 'part':
      // With the last result the next request is on its way.
      return event.role === 'tool' && !tools.some(({ agent, status }) => agent === MAIN && isOpen(status)) ? become('requesting') : doing;
    case 'stream':
      if (event.event.type === 'part_start') return become(event.event.part === 'thinking' ? 'thinking' : 'answering');
      if (event.event.type !== 'retrying') return doing;
      return { what: 'retrying', at: event.at, until: event.at + event.event.waitMs, attempt: event.event.attempt, failure: event.event.failure };
    default:
      return doing;
  }
}
