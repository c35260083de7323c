// One request: streams the answer out as events and gives back what is worth keeping of it.
import { assemble, keptParts, type Live } from '../types/assemble.ts';
import type { ToolCallPart } from '../types/message.ts';
import type { Failure, StopReason } from '../types/provider.ts';
import type { Ahead } from './ahead.ts';
import type { Conversation } from './conversation.ts';

export type Reply =
  | { ok: true; stop: StopReason; calls: readonly ToolCallPart[] }
  /** Cancelled replies keep what was streamed; `calls` wait for their results. Failed ones are taken back whole. */
  | { ok: false; failure: Failure; calls: readonly ToolCallPart[] };

/** Sends the conversation as it stands and streams the answer. `ahead` hears of each call that is complete, and when they are taken back. Never throws. */
export async function requestReply(c: Conversation, signal: AbortSignal, ahead?: Pick<Ahead, 'begin' | 'drop'>): Promise<Reply> {
  const messageId = c.newId();
  const provider = c.provider();
  let live: Live = { id: messageId, parts: [] };
  let logged = 0;
  let end: { stop: StopReason } | { failure: Failure } = { failure: { kind: 'unknown', message: 'The model ended its answer without saying so.' } };

  const keep = () => {
    for (const part of live.parts.slice(logged)) {
      if (!part.done) return;
      logged += 1;
      c.voice.emit({ type: 'part', messageId, role: 'assistant', part: part.done });
      if (part.done.type === 'tool_call') ahead?.begin(part.done);
    }
  };
  const takeBack = () => {
    if (logged > 0) c.voice.emit({ type: 'message', message: { id: messageId, role: 'assistant', parts: [], at: c.clock() } });
    logged = 0;
    ahead?.drop();
  };

  const request = {
    model: provider.model, system: c.system, tools: c.offered, messages: c.state().messages,
    thinking: c.thinking, maxTokens: c.maxTokens, sessionId: c.sessionId,
  };
  for await (const event of provider.stream(request, signal)) {
    live = assemble(live, event);
    if (event.type === 'retrying') takeBack();
    c.voice.emit({ type: 'stream', messageId, event });
    if (event.type === 'part_end') keep();
    else if (event.type === 'usage') c.voice.emit({ type: 'usage', usage: event.usage, model: provider.model, ...(event.costUsd === undefined ? {} : { costUsd: event.costUsd }) });
    else if (event.type === 'end') end = { stop: event.stop };
    else if (event.type === 'error') end = { failure: event.error };
  }

  if ('failure' in end && end.failure.kind !== 'aborted') {
    takeBack();
    return { ok: false, failure: end.failure, calls: [] };
  }
  const parts = keptParts(live);
  for (const part of parts.slice(logged)) c.voice.emit({ type: 'part', messageId, role: 'assistant', part });
  const calls = parts.filter((part) => part.type === 'tool_call');
  return 'stop' in end ? { ok: true, stop: end.stop, calls } : { ok: false, failure: end.failure, calls };
}
