// Folds a session's file back into state: damaged lines are left out and counted, and what was cut off is brought to an end.
import { readJsonl } from '../lib/jsonl.ts';
import type { AgentEvent, Happening } from '../types/event.ts';
import type { Message, Part } from '../types/message.ts';
import { readRecord } from './record.ts';

export type Folded<S> = {
  state: S;
  /** Lines that could not be used. */
  damaged: number;
  /** Events read. */
  events: number;
};

/**
 * The state after all intact events of `file`, with nothing left running: calls without a result get the result
 * `interrupted`, open questions are dismissed, an open turn ends. A missing file folds to `initial`. Never writes.
 */
export function foldSession<S>(file: string, reduce: (state: S, event: AgentEvent) => S, initial: S): Folded<S> {
  const { values, damaged } = readJsonl(file);
  const open = createOpen();
  let state = initial;
  let last: AgentEvent | undefined;
  let lastHash: string | undefined;
  let events = 0;
  let unusable = 0;

  const apply = (event: AgentEvent) => { state = reduce(state, event); };
  for (const value of values) {
    const record = readRecord(value);
    if (!record) { unusable += 1; continue; }
    // A line that was written but could not be flushed was written again.
    if (record.h === lastHash) continue;
    lastHash = record.h;
    try {
      const { event } = record;
      if (last && event.agent === 'main' && STARTS_ANEW.has(event.type)) open.end(last.at).forEach(apply);
      open.see(event);
      apply(event);
      last = event;
      events += 1;
    } catch {
      // A line that is JSON and looks like ours but is not what it says.
      unusable += 1;
    }
  }
  if (last) open.end(last.at).forEach(apply);
  return { state, damaged: damaged + unusable, events };
}

/** Before these nothing of an earlier turn can still be going on. */
const STARTS_ANEW = new Set<AgentEvent['type']>(['session_resumed', 'turn_started']);

/** Keeps account of what has begun and not ended. */
function createOpen() {
  /** Calls of the main agent without a result, with the message that holds them. */
  const calls = new Map<string, { messageId: string; name: string }>();
  const tools = new Map<string, { agent: string; at: number }>();
  const questions = new Map<string, string>();
  let turn = false;
  /** The message that takes the results. */
  let results: string | undefined;

  const seePart = (messageId: string, part: Part) => {
    if (part.type === 'tool_call') { calls.set(part.id, { messageId, name: part.name }); results = undefined; }
    if (part.type === 'tool_result') { calls.delete(part.callId); results = messageId; }
  };
  const seeMessage = (message: Message) => {
    for (const [id, call] of calls) if (call.messageId === message.id) calls.delete(id);
    for (const part of message.parts) seePart(message.id, part);
  };

  return {
    see(event: AgentEvent): void {
      switch (event.type) {
        case 'session_started': case 'rewound':
          calls.clear();
          if (event.type === 'session_started') { tools.clear(); questions.clear(); turn = false; }
          break;
        case 'message': if (event.agent === 'main') seeMessage(event.message); break;
        case 'part': if (event.agent === 'main') seePart(event.messageId, event.part); break;
        case 'turn_started': if (event.agent === 'main') turn = true; break;
        case 'turn_ended': if (event.agent === 'main') turn = false; break;
        case 'tool_called': tools.set(event.call.id, { agent: event.agent, at: event.at }); break;
        case 'tool_ended': tools.delete(event.callId); break;
        case 'asked': questions.set(event.id, event.agent); break;
        case 'answered': questions.delete(event.id); break;
        default: break;
      }
    },
    /** The events that bring all of it to an end at the time `at`. */
    end(at: number): AgentEvent[] {
      const events: AgentEvent[] = [];
      const add = (agent: string, happening: Happening) => events.push({ agent, at, ...happening });
      for (const [id, agent] of questions) add(agent, { type: 'answered', id, answer: { kind: 'dismissed' } });
      for (const [callId, tool] of tools) add(tool.agent, { type: 'tool_ended', callId, outcome: 'cancelled', ms: at - tool.at });
      for (const [callId, { messageId, name }] of calls) {
        const part = { type: 'tool_result' as const, callId, name, ok: false, text: 'interrupted' };
        add('main', { type: 'part', messageId: results ?? `${messageId}-results`, role: 'tool', part });
      }
      if (turn) add('main', { type: 'turn_ended', why: 'cancelled' });
      questions.clear();
      tools.clear();
      calls.clear();
      turn = false;
      return events;
    },
  };
}
