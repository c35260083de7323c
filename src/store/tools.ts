// The tool-call log: one entry a call, of every agent, in the order of the calls.
import type { AgentEvent } from '../types/event.ts';
import type { Asked, ToolEntry, ToolStatus } from '../types/state.ts';

/** Characters of live output that are kept of a call. */
export const TAIL_CHARS = 8_000;

type Tools = readonly ToolEntry[];

/** `questions` are those open before the event. */
export function reduceTools(tools: Tools, event: AgentEvent, questions: readonly Asked[]): Tools {
  const change = (callId: string, edit: (entry: ToolEntry) => ToolEntry) => {
    const at = tools.findLastIndex((entry) => entry.call.id === callId && entry.agent === event.agent);
    const entry = tools[at];
    return entry ? tools.with(at, edit(entry)) : tools;
  };
  switch (event.type) {
    case 'tool_called':
      return [...tools, { call: event.call, agent: event.agent, title: event.title, status: 'waiting', calledAt: event.at, tail: '' }];
    case 'decided':
      return change(event.callId, (entry) => ({ ...entry, decision: event.decision }));
    case 'asked':
      return event.question.kind === 'permission' ? change(event.question.call.id, (entry) => ({ ...entry, status: 'asking' })) : tools;
    case 'answered': {
      const question = questions.find(({ id, agent }) => id === event.id && agent === event.agent)?.question;
      return question?.kind === 'permission' ? change(question.call.id, (entry) => (entry.status === 'asking' ? { ...entry, status: 'waiting' } : entry)) : tools;
    }
    case 'tool_started':
      return change(event.callId, (entry) => ({ ...entry, status: 'running', startedAt: event.at }));
    case 'tool_output':
      return change(event.callId, (entry) => ({ ...entry, tail: bound(entry.tail + event.text) }));
    case 'tool_ended':
      return change(event.callId, (entry) => ({ ...entry, status: event.outcome, ms: event.ms }));
    case 'part': {
      const { part } = event;
      return part.type === 'tool_result' ? change(part.callId, (entry) => ({ ...entry, size: part.text.length })) : tools;
    }
    case 'session_resumed':
      // The process that ran them is gone.
      return tools.some(({ status }) => isOpen(status)) ? tools.map((entry) => (isOpen(entry.status) ? { ...entry, status: 'cancelled' } : entry)) : tools;
    default:
      return tools;
  }
}

/** The last of an output, cut at a line where there is one, so that no half escape sequence is left. */
export function bound(tail: string): string {
  if (tail.length <= TAIL_CHARS) return tail;
  const kept = tail.slice(-TAIL_CHARS);
  const line = kept.slice(0, -1).indexOf('\n');
  return kept.slice(line + 1);
}

/** Whether a call has not ended yet. */
export function isOpen(status: ToolStatus): boolean {
  return status === 'waiting' || status === 'asking' || status === 'running';
}
