// The wire of the Responses API (developers.openai.com/api/reference/resources/responses): stateless, items go back as they came.
import type { Response, ResponseCreateParamsStreaming, ResponseInputItem, ResponseInputMessageContentList, ResponseOutputItem, ResponseStreamEvent, ResponseUsage } from 'openai/resources/responses/responses';
import type { Reasoning, ReasoningEffort } from 'openai/resources/shared';
import type { Image, Message, Part, ToolResultPart } from '../types/message.ts';
import type { ModelRequest, ProviderEvent, StopReason, StreamPart, Usage } from '../types/provider.ts';
import { effortOf, fitEffort, type ModelRow } from './catalogue.ts';
import { postStream } from './openai-client.ts';
import { withoutRefused } from './refused-thinking.ts';
import { shownTools, streamError, type Wire, type WireOptions } from './wire.ts';
import { isVisible, wireId, wireName, wireSchema } from './wire-tools.ts';

/** Name of this API in `Native.wire`; `Native.data` is a whole output item. */
const RESPONSES = 'responses';

/* The last: reasoning of which the service kept nothing, and brought nothing sealed along. */
const REFUSED = /invalid_encrypted_content|was provided without its required|Items are not persisted/;

/** Makes the wire. */
export function createResponses(options: WireOptions): Wire {
  const send = withoutRefused(REFUSED, (request, connection) => postStream<ResponseStreamEvent>(options, responsesBody(request, options), connection));
  return async function* (request, connection) {
    yield* translate(await send(request, connection));
  };
}

/** Longest cache key that the service takes. */
const KEY_LENGTH = 64;
/** Fewest tokens of an answer that may be asked for. */
const LEAST_OUTPUT = 16;

/** Builds the whole body. Same conversation, same bytes: what was sent before stays as it was. */
function responsesBody(request: ModelRequest, { model, quirks, extra }: Pick<WireOptions, 'model' | 'quirks' | 'extra'>): ResponseCreateParamsStreaming {
  const instructions = request.system.filter((text) => text.trim() !== '').join('\n\n');
  const tools = shownTools(request).map(({ name, description, schema }) => ({ type: 'function' as const, name, description, parameters: wireSchema(schema), strict: false }));
  const reasoning = reasoningOf(request, model);
  return {
    model: request.model,
    stream: true,
    store: false,
    ...(instructions !== '' && { instructions }),
    input: request.messages.flatMap((message) => itemsOf(message, model)),
    ...(tools.length > 0 && { tools }),
    max_output_tokens: Math.max(LEAST_OUTPUT, request.maxTokens),
    ...(reasoning && { reasoning, include: ['reasoning.encrypted_content' as const] }),
    ...(quirks.cacheKey && { prompt_cache_key: request.sessionId.slice(0, KEY_LENGTH) }),
    // Padding against eavesdroppers doubles the bytes.
    stream_options: { include_obfuscation: false },
    ...extra,
  };
}

/** A model that can't be without reasoning reasons as little as it can. */
function reasoningOf({ thinking }: ModelRequest, { efforts }: ModelRow): Reasoning | undefined {
  const wanted = thinking === 'off' ? 'none' : effortOf(thinking);
  if (!efforts && (wanted === undefined || thinking === 'off')) return undefined;
  const effort = wanted === undefined ? undefined : (fitEffort(wanted, efforts) as ReasoningEffort);
  return { ...(effort !== undefined && { effort }), ...(thinking !== 'off' && { summary: 'auto' as const }) };
}

function itemsOf(message: Message, model: ModelRow): ResponseInputItem[] {
  const user: ResponseInputMessageContentList = [];
  const items: ResponseInputItem[] = [];
  for (const [index, part] of message.parts.entries()) {
    if (isOrphan(message.parts, index)) continue;
    if (message.role !== 'assistant' && part.type === 'text' && part.text !== '') user.push({ type: 'input_text', text: part.text });
    else if (message.role !== 'assistant' && part.type === 'image') user.push(imageOf(part, model));
    else items.push(...itemOf(part, model));
  }
  return user.length === 0 ? items : [...items, { role: 'user', content: user }];
}

const isNative = (part: Part | undefined): boolean => part !== undefined && 'native' in part && part.native?.wire === RESPONSES;

/** Reasoning that an answer was cancelled behind: the service refuses it without the item that it led to. */
function isOrphan(parts: readonly Part[], index: number): boolean {
  return parts[index]?.type === 'thinking' && !isNative(parts.slice(index).find((part) => part.type !== 'thinking'));
}

function itemOf(part: Part, model: ModelRow): ResponseInputItem[] {
  if ('native' in part && part.native?.wire === RESPONSES) {
    const item = part.native.data as ResponseInputItem;
    return [item.type === 'function_call' && item.name !== wireName(item.name) ? { ...item, name: wireName(item.name) } : item];
  }
  switch (part.type) {
    case 'text': return part.text === '' ? [] : [{ role: 'assistant', content: part.text }];
    case 'tool_call': return [{ type: 'function_call', call_id: wireId(part.id), name: wireName(part.name), arguments: JSON.stringify(part.input) }];
    case 'tool_result': return [{ type: 'function_call_output', call_id: wireId(part.callId), output: outputOf(part, model) }];
    default: return [];
  }
}

function outputOf({ text, images = [] }: ToolResultPart, model: ModelRow): string | ResponseInputMessageContentList {
  if (images.length === 0) return text;
  return [...(text === '' ? [] : [{ type: 'input_text' as const, text }]), ...images.map((image) => imageOf(image, model))];
}

function imageOf({ mime, base64 }: Image, { images }: ModelRow): ResponseInputMessageContentList[number] {
  if (!images || !isVisible(mime)) return { type: 'input_text', text: `[an image (${mime}) that this model can't see]` };
  return { type: 'input_image', detail: 'auto', image_url: `data:${mime};base64,${base64}` };
}

/** What of an item has been said; `gap`: a blank line is due before the next piece of a summary. */
type OpenItem = { part: StreamPart; streamed: boolean; gap: boolean };

async function* translate(stream: AsyncIterable<ResponseStreamEvent>): AsyncGenerator<ProviderEvent> {
  const items = new Map<number, OpenItem>();
  let refused = false;
  let called = false;
  for await (const event of stream) {
    switch (event.type) {
      case 'response.output_item.added': {
        const start = startOf(event.item);
        if (!start) break;
        items.set(event.output_index, { part: start.part, streamed: false, gap: false });
        yield { type: 'part_start', index: event.output_index, ...start };
        break;
      }
      case 'response.reasoning_summary_part.done': {
        const item = items.get(event.output_index);
        if (item) item.gap = true;
        break;
      }
      case 'response.output_text.delta':
      case 'response.refusal.delta':
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
      case 'response.function_call_arguments.delta': {
        const item = items.get(event.output_index);
        refused ||= event.type === 'response.refusal.delta';
        if (!item || event.delta === '') break;
        yield { type: 'part_delta', index: event.output_index, delta: item.gap ? `\n\n${event.delta}` : event.delta };
        Object.assign(item, { streamed: true, gap: false });
        break;
      }
      case 'response.output_item.done': {
        const start = startOf(event.item);
        if (!start) break;
        const item = items.get(event.output_index);
        if (!item) yield { type: 'part_start', index: event.output_index, ...start };
        const text = item?.streamed ? '' : textOf(event.item);
        if (text !== '') yield { type: 'part_delta', index: event.output_index, delta: text };
        called ||= start.part === 'tool_call';
        yield { type: 'part_end', index: event.output_index, native: { wire: RESPONSES, data: event.item } };
        break;
      }
      case 'response.completed':
      case 'response.incomplete':
        if (event.response.usage) yield { type: 'usage', usage: usageOf(event.response.usage) };
        yield { type: 'end', stop: stopOf(event.response, { refused, called }) };
        break;
      case 'response.failed':
        throw streamError(event.response.error?.code ?? 'server_error', event.response.error?.message ?? 'The response failed.');
    }
  }
}

function startOf(item: ResponseOutputItem): { part: StreamPart; id?: string; name?: string } | undefined {
  switch (item.type) {
    case 'message': return { part: 'text' };
    case 'reasoning': return { part: 'thinking' };
    case 'function_call': return { part: 'tool_call', id: item.call_id, name: item.name };
    default: return undefined;
  }
}

/** The text of a finished item, for services that send no deltas of it. */
function textOf(item: ResponseOutputItem): string {
  switch (item.type) {
    case 'message': return item.content.map((piece) => (piece.type === 'output_text' ? piece.text : piece.refusal)).join('');
    case 'reasoning': return item.summary.map((piece) => piece.text).join('\n\n');
    case 'function_call': return item.arguments;
    default: return '';
  }
}

function stopOf({ status, incomplete_details }: Response, { refused, called }: { refused: boolean; called: boolean }): StopReason {
  if (status === 'incomplete') {
    if (incomplete_details?.reason === 'content_filter') return 'filter';
    return 'max_tokens';
  }
  if (called) return 'tools';
  return refused ? 'refusal' : 'end';
}

function usageOf({ input_tokens, input_tokens_details, output_tokens, output_tokens_details }: ResponseUsage): Usage {
  // Services that speak this API leave details out.
  const cacheRead = input_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = input_tokens_details?.cache_write_tokens ?? 0;
  const reasoning = output_tokens_details?.reasoning_tokens;
  return { input: Math.max(0, input_tokens - cacheRead - cacheWrite), cacheRead, cacheWrite, output: output_tokens, ...(reasoning ? { reasoning } : {}) };
}
