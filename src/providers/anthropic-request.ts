// The body of a Messages request (platform.claude.com/docs/en/api/messages, API version 2026-10-21).
import type { CacheControlEphemeral, ContentBlockParam, ImageBlockParam, MessageCreateParamsStreaming, MessageParam, OutputConfig, TextBlockParam, ThinkingConfigParam, Tool, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { Image, Message, Part, ToolResultPart } from '../types/message.ts';
import type { ModelRequest, ToolSpec } from '../types/provider.ts';
import { effortOf, fitEffort, type ModelRow } from './catalogue.ts';
import type { WireOptions } from './wire.ts';
import { IMAGES, wireName, wireSchema, withoutProperties } from './wire-tools.ts';

/** Name of this API in `Native.wire`. */
export const MESSAGES = 'messages';

/** A thinking block as it came, without its text, which stands in the part. */
export type NativeThinking = { type: 'thinking'; signature: string } | { type: 'redacted_thinking'; data: string };

/** Builds the whole body. Same conversation, same bytes: what was sent before stays as it was, but for the cache marks. */
export function messagesBody(request: ModelRequest, { model, quirks, extra }: Pick<WireOptions, 'model' | 'quirks' | 'extra'>): MessageCreateParamsStreaming {
  const system = request.system.filter((text) => text.trim() !== '').map((text): TextBlockParam => ({ type: 'text', text }));
  const tools = request.tools.filter((tool) => quirks.toolReferences || !tool.deferred).map(toolParam);
  // Only what stands in this very list may be referred to: a tool that came later, or is gone since, is told as text.
  const known = new Set(quirks.toolReferences ? request.tools.map(({ name }) => name) : []);
  const messages = messagesOf(request, model, known);
  markPrefix(system, tools);
  markEnds(messages);
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    stream: true,
    ...(system.length > 0 && { system }),
    ...(tools.length > 0 && { tools }),
    messages,
    ...continued(thinkingOf(request, model), messages),
    ...extra,
  };
}

/* platform.claude.com/docs/en/agents-and-tools/tool-use */
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

function toolParam({ name, description, schema, deferred }: ToolSpec): Tool {
  return { name, description, input_schema: { ...withoutProperties(wireSchema(schema), PROPERTY), type: 'object' }, ...(deferred && { defer_loading: true }) };
}

const CACHED: CacheControlEphemeral = { type: 'ephemeral' };

/** One mark behind tools and system: they come first and stay the same for the whole conversation. */
function markPrefix(system: TextBlockParam[], tools: Tool[]): void {
  const last = system.at(-1) ?? tools.findLast((tool) => !tool.defer_loading);
  if (last) last.cache_control = CACHED;
}

/**
 * Marks the ends of the last three user messages. The newest writes; the one before stands exactly where the request
 * before wrote, so that it is found even when a round was longer than the 20 blocks that the service looks back.
 * With the prefix that makes the four marks that are allowed.
 */
function markEnds(messages: MessageParam[]): void {
  for (const { content } of messages.filter((message) => message.role === 'user').slice(-3)) {
    const last = typeof content === 'string' ? undefined : content.at(-1);
    if (last && last.type !== 'thinking' && last.type !== 'redacted_thinking') last.cache_control = CACHED;
  }
}

/** Neighbours of one role become one message, results before everything else in it. */
function messagesOf(request: ModelRequest, model: ModelRow, references: ReadonlySet<string>): MessageParam[] {
  // Thinking from before the cut is bound to a view that is no more.
  const cut = model.bindsThinking && request.cut !== undefined ? request.messages.findIndex((message) => message.id === request.cut) : 0;
  const merged: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = [];
  for (const [index, message] of request.messages.entries()) {
    const content = message.parts.flatMap((part) => blocksOf(part, { message, model, references, thinking: index >= cut }));
    // Refused: an answer that was stopped behind its thinking.
    while (message.role === 'assistant' && isThinking(content.at(-1))) content.pop();
    const end = content.at(-1);
    // An answer that goes on must not end in white space; the others lose theirs too, since none may change later.
    if (message.role === 'assistant' && end?.type === 'text') end.text = end.text.trimEnd();
    if (content.length === 0) continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...content);
    else merged.push({ role, content });
  }
  for (const message of merged) {
    if (message.role === 'user') message.content.sort((a, b) => Number(b.type === 'tool_result') - Number(a.type === 'tool_result'));
  }
  return merged;
}

const isThinking = (block: ContentBlockParam | undefined): boolean => block?.type === 'thinking' || block?.type === 'redacted_thinking';

type Where = { message: Message; model: ModelRow; references: ReadonlySet<string>; thinking: boolean };

function blocksOf(part: Part, { message, model, references, thinking }: Where): ContentBlockParam[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
    case 'thinking': {
      if (!thinking || part.native?.wire !== MESSAGES) return [];
      const native = part.native.data as NativeThinking;
      return [native.type === 'thinking' ? { ...native, thinking: part.text } : native];
    }
    case 'image':
      return message.role === 'assistant' ? [] : [imageBlock(part, model)];
    case 'tool_call':
      return [{ type: 'tool_use', id: callId(part.id), name: wireName(part.name), input: part.input }];
    case 'tool_result':
      return [resultBlock(part, model, references)];
  }
}

function resultBlock(part: ToolResultPart, model: ModelRow, references: ReadonlySet<string>): ToolResultBlockParam {
  const block = { type: 'tool_result', tool_use_id: callId(part.callId) } as const;
  // Errors are text only, and never empty.
  if (!part.ok) return { ...block, content: part.text.trim() === '' ? 'The call failed.' : part.text, is_error: true };
  if (part.found && part.found.length > 0 && part.found.every((name) => references.has(name))) return { ...block, content: part.found.map((tool_name) => ({ type: 'tool_reference', tool_name })) };
  if (!part.images || part.images.length === 0) return { ...block, content: part.text.trim() === '' ? '' : part.text };
  const text: TextBlockParam[] = part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
  return { ...block, content: [...text, ...part.images.map((image) => imageBlock(image, model))] };
}

function imageBlock({ mime, base64 }: Image, model: ModelRow): ImageBlockParam | TextBlockParam {
  const media_type = IMAGES.find((known) => known === mime);
  if (!model.images || media_type === undefined) return { type: 'text', text: `[an image (${mime}) that this model can't see]` };
  return { type: 'image', source: { type: 'base64', media_type, data: base64 } };
}

/** Ids of other services' calls may hold what this one refuses. */
const callId = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, '_');

const DEFAULT_BUDGET = 16_000;
const LEAST_BUDGET = 1_024;

type ThinkingFields = { thinking?: ThinkingConfigParam; output_config?: OutputConfig };

/** What is asked for, as far as the model takes it; of a model that nobody knows, what is asked for. */
function thinkingOf({ thinking, maxTokens }: ModelRequest, { thinking: kinds = [], efforts }: ModelRow): ThinkingFields {
  if (thinking === 'off') {
    if (kinds.includes('disabled')) return { thinking: { type: 'disabled' } };
    if (kinds.includes('between_tools')) return { thinking: { type: 'between_tools' } };
    // It can't be without: it thinks as little as it can.
    return kinds.includes('adaptive') ? adaptive(fitEffort('low', efforts)) : {};
  }
  const asked = kinds.length === 0 && thinking !== 'auto';
  const effort = effortOf(thinking);
  if (typeof thinking === 'object' && 'budget' in thinking && (asked || kinds.includes('enabled'))) return budgeted(Math.min(thinking.budget, maxTokens - 1), maxTokens);
  if (asked || kinds.includes('adaptive')) return adaptive(effort && fitEffort(effort, efforts));
  // A budget that nobody asked for leaves at least half of the limit to the answer.
  return kinds.includes('enabled') ? budgeted(Math.min(BUDGETS[effort ?? ''] ?? DEFAULT_BUDGET, maxTokens >> 1), maxTokens) : {};
}

/**
 * With a budget a turn must go on as it began. One that began without thinking (at another model, or before it was
 * switched on) ends without.
 */
function continued(fields: ThinkingFields, messages: readonly MessageParam[]): ThinkingFields {
  if (fields.thinking?.type !== 'enabled') return fields;
  const said = messages.findLastIndex(({ role, content }) => role === 'user' && (typeof content === 'string' || content.some((block) => block.type !== 'tool_result')));
  const first = messages[said + 1]?.content;
  return typeof first === 'object' && !isThinking(first[0]) ? {} : fields;
}

/** `{}` where the limit is too small for the least budget. */
function budgeted(budget: number, maxTokens: number): ThinkingFields {
  const budget_tokens = Math.max(LEAST_BUDGET, budget);
  return budget_tokens < maxTokens ? { thinking: { type: 'enabled', budget_tokens } } : {};
}

/** What an effort means to a model that only knows budgets. */
const BUDGETS: Readonly<Record<string, number>> = { minimal: LEAST_BUDGET, low: 4_096, medium: 10_000, high: DEFAULT_BUDGET, xhigh: 32_000, max: 60_000 };

/* Without `summarized` newer models send thinking without its text, and the screen would stand still. */
function adaptive(effort: string | undefined): ThinkingFields {
  return { thinking: { type: 'adaptive', display: 'summarized' }, ...(effort !== undefined && { output_config: { effort: effort as OutputConfig['effort'] } }) };
}
