// The wire of the Messages API: its server-sent events become provider events, block by block.
import { Anthropic } from '@anthropic-ai/sdk';
import type { ContentBlock, RawMessageStreamEvent, StopReason as ApiStop } from '@anthropic-ai/sdk/resources/messages';
import type { ProviderEvent, StopReason, Usage } from '../types/provider.ts';
import { MESSAGES, messagesBody, type NativeThinking } from './anthropic-request.ts';
import { withoutRefused } from './refused-thinking.ts';
import { QUIET, type Wire, type WireOptions } from './wire.ts';

/* platform.claude.com/docs/build-with-claude/preserved-thinking/prefix-checks */
const REFUSED = /bound to a different conversation|Invalid `signature` in `thinking`|thinking` blocks in the latest assistant message cannot be modified|message cannot be `thinking`/;

/** Makes the wire. The SDK is a client of the socket only: its helpers would repair cut arguments in silence. */
export function createMessages(options: WireOptions): Wire {
  const { url, apiKey } = options;
  const defaultHeaders = { ...options.headers, ...(apiKey === undefined && { Authorization: null }) };
  const send = withoutRefused(REFUSED, async (request, { signal, fetch }) => {
    const client = new Anthropic({ ...QUIET, apiKey: apiKey ?? 'none', baseURL: new URL(url).origin, fetch, defaultHeaders });
    return client.post<AsyncIterable<RawMessageStreamEvent>>(url, { body: messagesBody(request, options), stream: true, signal });
  });
  return async function* (request, connection) {
    yield* translate(await send(request, connection));
  };
}

const STOPS: Record<ApiStop, StopReason> = {
  end_turn: 'end', stop_sequence: 'end', tool_use: 'tools', max_tokens: 'max_tokens', pause_turn: 'pause', refusal: 'refusal', model_context_window_exceeded: 'window',
};

/** What is counted on the way: the start knows the prompt, the end the answer. Later numbers replace earlier ones. */
type Counts = { input_tokens?: number | null; cache_read_input_tokens?: number | null; cache_creation_input_tokens?: number | null; output_tokens?: number; output_tokens_details?: { thinking_tokens: number } | null };

async function* translate(stream: AsyncIterable<RawMessageStreamEvent>): AsyncGenerator<ProviderEvent> {
  const blocks = new Map<number, OpenBlock>();
  const counts: Counts = {};
  let stop: StopReason = 'end';
  let counted = false;
  let failed: { error: unknown } | undefined;
  try {
    for await (const event of stream) {
      switch (event.type) {
        case 'message_start':
          count(counts, event.message.usage);
          break;
        case 'content_block_start': {
          const block = openBlock(event.index, event.content_block);
          if (!block) break;
          blocks.set(event.index, block.open);
          yield* block.events;
          break;
        }
        case 'content_block_delta': {
          const block = blocks.get(event.index);
          if (!block) break;
          const { delta } = event;
          if (delta.type === 'signature_delta') block.signature += delta.signature;
          const text = delta.type === 'text_delta' ? delta.text : delta.type === 'thinking_delta' ? delta.thinking : delta.type === 'input_json_delta' ? delta.partial_json : '';
          if (text === '') break;
          block.streamed = true;
          yield { type: 'part_delta', index: event.index, delta: text };
          break;
        }
        case 'content_block_stop': {
          const block = blocks.get(event.index);
          blocks.delete(event.index);
          if (block) yield* closeBlock(event.index, block);
          break;
        }
        case 'message_delta':
          count(counts, event.usage);
          if (event.delta.stop_reason) stop = STOPS[event.delta.stop_reason] ?? 'end';
          break;
        case 'message_stop':
          counted = true;
          yield { type: 'usage', usage: usageOf(counts) };
          yield { type: 'end', stop };
          break;
      }
    }
  } catch (error) {
    failed = { error };
  }
  // What was read before it broke off is billed all the same.
  if (!counted && counts.input_tokens !== undefined) yield { type: 'usage', usage: usageOf(counts) };
  if (failed) throw failed.error;
}

/** `native` is the block as it came, without its text; `streamed`: some of its content has been passed on. */
type OpenBlock = { native?: NativeThinking; signature: string; streamed: boolean; input: unknown };

/** Blocks of server tools and other kinds that no part can hold are passed over. */
function openBlock(index: number, block: ContentBlock): { open: OpenBlock; events: ProviderEvent[] } | undefined {
  const open: OpenBlock = { signature: '', streamed: false, input: {} };
  const begin = (text: string): ProviderEvent[] => (text === '' ? [] : [{ type: 'part_delta', index, delta: text }]);
  switch (block.type) {
    case 'text':
      return { open, events: [{ type: 'part_start', index, part: 'text' }, ...begin(block.text)] };
    case 'thinking': {
      const { thinking, signature, ...rest } = block;
      return { open: { ...open, signature, native: { ...rest, signature } }, events: [{ type: 'part_start', index, part: 'thinking' }, ...begin(thinking)] };
    }
    case 'redacted_thinking':
      return { open: { ...open, native: block }, events: [{ type: 'part_start', index, part: 'thinking' }] };
    case 'tool_use':
      return { open: { ...open, input: block.input }, events: [{ type: 'part_start', index, part: 'tool_call', id: block.id, name: block.name }] };
    default:
      return undefined;
  }
}

function closeBlock(index: number, { native, signature, streamed, input }: OpenBlock): ProviderEvent[] {
  // Some services give the arguments whole, with the block.
  const whole = !streamed && typeof input === 'object' && input !== null && Object.keys(input).length > 0;
  const events: ProviderEvent[] = whole ? [{ type: 'part_delta', index, delta: JSON.stringify(input) }] : [];
  // A block without its signature can't go back.
  const data = native?.type === 'thinking' ? (signature === '' ? undefined : { ...native, signature }) : native;
  return [...events, { type: 'part_end', index, ...(data && { native: { wire: MESSAGES, data } }) }];
}

function count(counts: Counts, news: Counts): void {
  for (const [name, value] of Object.entries(news)) if (value !== null && value !== undefined) Object.assign(counts, { [name]: value });
}

function usageOf(counts: Counts): Usage {
  const reasoning = counts.output_tokens_details?.thinking_tokens;
  return {
    input: counts.input_tokens ?? 0,
    cacheRead: counts.cache_read_input_tokens ?? 0,
    cacheWrite: counts.cache_creation_input_tokens ?? 0,
    output: counts.output_tokens ?? 0,
    ...(reasoning ? { reasoning } : {}),
  };
}
