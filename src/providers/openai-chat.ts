// The wire of Chat Completions: its chunks become provider events, with the oddities of those who speak it smoothed out.
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import type { ModelRequest, ProviderEvent, StopReason, StreamPart, Usage } from '../types/provider.ts';
import { CHAT, chatBody, type NativeCall, type NativeReasoning } from './openai-chat-request.ts';
import { postStream } from './openai-client.ts';
import { streamError, type Wire, type WireOptions } from './wire.ts';

/** Makes the wire. */
export function createChat(options: WireOptions): Wire {
  return async function* (request, connection) {
    yield* translate(await postStream<ChatCompletionChunk>(options, chatBody(request, options), connection), request);
  };
}

/* `stop` with calls counts as `tools`: some servers say no more. */
const STOPS: Readonly<Record<string, StopReason>> = {
  stop: 'end', eos: 'end', length: 'max_tokens', tool_calls: 'tools', function_call: 'tools', content_filter: 'filter', sensitive: 'filter', model_context_window_exceeded: 'window',
};

/* Names of the field that reasoning comes in. */
const REASONING = ['reasoning_content', 'reasoning'];

async function* translate(stream: AsyncIterable<ChatCompletionChunk>, request: ModelRequest): AsyncGenerator<ProviderEvent> {
  const parts = createParts(request);
  let finish: string | undefined;
  let usage: CompletionUsage | undefined;
  let over = false;
  try {
    for await (const chunk of stream) {
      if (over) continue;
      if (chunk.usage) usage = chunk.usage;
      const choice = chunk.choices?.[0];
      const delta = choice?.delta as (ChatCompletionChunk.Choice.Delta & Record<string, unknown>) | undefined;
      for (const field of REASONING) {
        const text = delta?.[field];
        if (typeof text !== 'string' || text === '') continue;
        yield* parts.text('thinking', text, field);
        break;
      }
      if (delta?.content) yield* parts.text('text', delta.content);
      if (delta?.refusal) yield* parts.text('text', delta.refusal);
      for (const call of delta?.tool_calls ?? []) yield* parts.call(call);
      if (choice?.finish_reason) finish = choice.finish_reason;
      // All has been said: what may follow is read, so that the connection can be used again, but not waited for.
      over = finish !== undefined && chunk.usage !== undefined && chunk.usage !== null;
      if (over) yield* endOf(parts, finish, usage);
    }
  } catch (error) {
    // The answer was whole already; at most the bill is missing.
    if (finish === undefined || over) throw error;
  }
  if (!over) yield* endOf(parts, finish, usage);
}

function* endOf(parts: ReturnType<typeof createParts>, finish: string | undefined, usage: CompletionUsage | undefined): Generator<ProviderEvent> {
  if (finish === undefined) return;
  // Two services report their own failures here.
  if (finish === 'insufficient_system_resource') throw streamError('overloaded_error', finish);
  if (finish === 'network_error' || finish === 'error') throw streamError('server_error', finish);
  yield* parts.end();
  if (usage) yield { type: 'usage', usage: usageOf(usage) };
  const stop = STOPS[finish] ?? 'end';
  yield { type: 'end', stop: stop === 'end' && parts.called() ? 'tools' : stop };
}

type CallDelta = ChatCompletionChunk.Choice.Delta.ToolCall;
/** `last` is the newest piece of `raw`: only behind a brace is it worth to look whether all is there. */
type OpenCall = { index: number; id: string; raw: string; last: string };

/** The parts of one answer: at most one text is open at a time, and calls until another begins or all ends. */
function createParts(request: ModelRequest) {
  const ids = new Set(request.messages.flatMap((message) => message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []))));
  /** By the service's index. */
  const calls = new Map<number, OpenCall>();
  let next = 0;
  let open: { index: number; part: StreamPart; field?: string } | undefined;
  let called = false;

  const closeText = (): ProviderEvent[] => {
    if (!open) return [];
    const { index, field } = open;
    open = undefined;
    const data: NativeReasoning | undefined = field === undefined ? undefined : { field };
    return [{ type: 'part_end', index, ...(data && { native: { wire: CHAT, data } }) }];
  };
  /** Ends the calls whose arguments are whole (all of them at the end): what only reads may then start. */
  const closeCalls = (all: boolean): ProviderEvent[] => [...calls].flatMap(([key, call]): ProviderEvent[] => {
    if (!all && !mayEnd(call)) return [];
    calls.delete(key);
    return [endOfCall(call)];
  });
  /** Ids may be missing or come again, here or in later answers; results need one each. */
  const freshId = (wanted: string): string => {
    let id = wanted;
    for (let count = 2; ids.has(id); count += 1) id = `${wanted}_${count}`;
    ids.add(id);
    return id;
  };

  return {
    *text(part: 'text' | 'thinking', delta: string, field?: string): Generator<ProviderEvent> {
      if (open?.part !== part) {
        yield* closeText();
        open = { index: next++, part, ...(field !== undefined && { field }) };
        yield { type: 'part_start', index: open.index, part };
      }
      yield { type: 'part_delta', index: open.index, delta };
    },
    *call({ index: given, id = '', function: { name, arguments: text = '' } = {} }: CallDelta): Generator<ProviderEvent> {
      const key = given ?? Math.max(0, ...calls.keys());
      let call = calls.get(key);
      // Some servers count every call as the first: another id, or a name after whole arguments, begins another call.
      if (call && ((id !== '' && id !== call.id) || (name && mayEnd(call)))) {
        calls.delete(key);
        yield endOfCall(call);
        call = undefined;
      }
      if (!call) {
        // A late blank after whole arguments.
        if (!name) return;
        yield* closeText();
        yield* closeCalls(false);
        call = { index: next++, id, raw: '', last: '' };
        calls.set(key, call);
        called = true;
        yield { type: 'part_start', index: call.index, part: 'tool_call', id: freshId(id === '' ? `call_${ids.size + 1}` : id), name };
      }
      if (text === '') return;
      call.raw += text;
      call.last = text;
      yield { type: 'part_delta', index: call.index, delta: text };
    },
    *end(): Generator<ProviderEvent> {
      yield* closeText();
      yield* closeCalls(true);
    },
    called: () => called,
  };
}

function endOfCall({ index, raw }: OpenCall): ProviderEvent {
  if (!isWhole(raw) || JSON.stringify(JSON.parse(raw)) === raw) return { type: 'part_end', index };
  const data: NativeCall = { arguments: raw };
  return { type: 'part_end', index, native: { wire: CHAT, data } };
}

const mayEnd = ({ raw, last }: OpenCall): boolean => last.trimEnd().endsWith('}') && isWhole(raw);

function isWhole(raw: string): boolean {
  try {
    return raw !== '' && typeof JSON.parse(raw) === 'object';
  } catch {
    return false;
  }
}

/** Cached tokens stand in one of two places. */
function usageOf(usage: CompletionUsage & { prompt_cache_hit_tokens?: number }): Usage {
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0;
  const cacheWrite = usage.prompt_tokens_details?.cache_write_tokens ?? 0;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  return { input: Math.max(0, usage.prompt_tokens - cacheRead - cacheWrite), cacheRead, cacheWrite, output: usage.completion_tokens, ...(reasoning ? { reasoning } : {}) };
}
