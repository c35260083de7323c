// The body of a Chat Completions request, for the many services that speak this API each in its own way.
import type { ChatCompletionAssistantMessageParam, ChatCompletionContentPart, ChatCompletionCreateParamsStreaming, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { JsonObject } from '../types/json.ts';
import type { Image, Message, ToolCallPart } from '../types/message.ts';
import type { ModelRequest } from '../types/provider.ts';
import { effortOf, fitEffort, type ModelRow } from './catalogue.ts';
import { shownTools, type Quirks, type WireOptions } from './wire.ts';
import { isVisible, wireName, wireSchema } from './wire-tools.ts';

/** Name of this API in `Native.wire`. */
export const CHAT = 'chat';

/** Longest name of a tool, and longest cache key. */
const LONGEST = 64;

/** The text of a call's arguments as it came, where it is not what `JSON.stringify` makes of them: the service has cached that text. */
export type NativeCall = { arguments: string };

/** The field that reasoning came in, and goes back in. Its text stands in the part. */
export type NativeReasoning = { field: string };

type Body = ChatCompletionCreateParamsStreaming & { thinking?: JsonObject };
/** Services add the reasoning under names of their own. */
type Reasoned = ChatCompletionAssistantMessageParam & { [field: string]: unknown };

/** Builds the whole body. Same conversation, same bytes: what was sent before stays as it was. */
export function chatBody(request: ModelRequest, { model, quirks, extra }: Pick<WireOptions, 'model' | 'quirks' | 'extra'>): Body {
  const system = request.system.filter((text) => text.trim() !== '').join('\n\n');
  const messages: ChatCompletionMessageParam[] = system === '' ? [] : [{ role: quirks.systemRole ?? 'system', content: system }];
  for (const message of request.messages) addMessage(messages, message, { model, quirks });
  const tools = shownTools(request).map(({ name, description, schema }) => ({ type: 'function' as const, function: { name, description, parameters: wireSchema(schema) } }));
  return {
    model: request.model,
    messages,
    ...(tools.length > 0 && { tools }),
    stream: true,
    stream_options: { include_usage: true },
    [quirks.limitField ?? 'max_tokens']: request.maxTokens,
    ...(quirks.cacheKey && { prompt_cache_key: request.sessionId.slice(0, LONGEST) }),
    ...thinkingOf(request, model, quirks),
    ...extra,
  };
}

function thinkingOf({ thinking }: ModelRequest, { thinking: kinds = [], efforts }: ModelRow, quirks: Quirks): Pick<Body, 'thinking' | 'reasoning_effort'> {
  const off = thinking === 'off';
  const locked = off && !kinds.includes('disabled');
  // What can't be switched off thinks as little as it can.
  const wanted = off ? (locked && efforts ? 'none' : undefined) : effortOf(thinking);
  const effort = quirks.effort && wanted !== undefined && !(kinds.length > 0 && !efforts) ? { reasoning_effort: fitEffort(wanted, efforts) as Body['reasoning_effort'] } : {};
  if (!quirks.thinkingSwitch || kinds.length === 0) return effort;
  return off && !locked ? { thinking: { type: 'disabled' } } : { thinking: { type: 'enabled', ...quirks.thinkingSwitch }, ...effort };
}

type Where = { model: ModelRow; quirks: Quirks };

function addMessage(messages: ChatCompletionMessageParam[], message: Message, where: Where): void {
  if (message.role === 'assistant') {
    const reply = assistantMessage(message, where.quirks);
    if (reply) messages.push(reply);
    return;
  }
  const pieces: ChatCompletionContentPart[] = [];
  for (const part of message.parts) {
    if (part.type === 'tool_result') {
      messages.push({ role: 'tool', tool_call_id: part.callId, content: part.text });
      // Results are text only in this API: their images follow in the name of the user.
      if (part.images?.length) pieces.push({ type: 'text', text: `Images of the result of ${part.name}:` }, ...part.images.map((image) => imageOf(image, where.model)));
    } else if (part.type === 'text' && part.text !== '') pieces.push({ type: 'text', text: part.text });
    else if (part.type === 'image') pieces.push(imageOf(part, where.model));
  }
  addUser(messages, pieces);
}

/** Neighbouring user messages become one, since some templates want the roles in turn; text alone is a plain string, since some servers take nothing else. */
function addUser(messages: ChatCompletionMessageParam[], pieces: ChatCompletionContentPart[]): void {
  if (pieces.length === 0) return;
  const last = messages.at(-1);
  const before = last?.role === 'user' ? last.content : [];
  const all = [...(typeof before === 'string' ? [{ type: 'text' as const, text: before }] : before), ...pieces];
  const content = all.every((piece) => piece.type === 'text') ? all.map((piece) => piece.text).join('\n\n') : all;
  if (last?.role === 'user') last.content = content;
  else messages.push({ role: 'user', content });
}

function assistantMessage({ parts }: Message, { resendReasoning }: Quirks): Reasoned | undefined {
  const texts = parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : []));
  const calls = parts.flatMap((part) => (part.type === 'tool_call' ? [{ id: part.id, type: 'function' as const, function: { name: wireName(part.name, LONGEST), arguments: argumentsOf(part) } }] : []));
  if (texts.length === 0 && calls.length === 0) return undefined;
  const reasoning: Record<string, string> = typeof resendReasoning === 'object' ? { [resendReasoning.always]: '' } : {};
  for (const part of parts) {
    if (!resendReasoning || part.type !== 'thinking' || part.native?.wire !== CHAT) continue;
    const { field } = part.native.data as NativeReasoning;
    reasoning[field] = (reasoning[field] ?? '') + part.text;
  }
  return { role: 'assistant', content: texts.length === 0 ? null : texts.join(''), ...reasoning, ...(calls.length > 0 && { tool_calls: calls }) };
}

function argumentsOf({ input, native, problem }: ToolCallPart): string {
  return native?.wire === CHAT && problem === undefined ? (native.data as NativeCall).arguments : JSON.stringify(input);
}

function imageOf({ mime, base64 }: Image, { images }: ModelRow): ChatCompletionContentPart {
  if (!images || !isVisible(mime)) return { type: 'text', text: `[an image (${mime}) that this model can't see]` };
  return { type: 'image_url', image_url: { url: `data:${mime};base64,${base64}` } };
}
