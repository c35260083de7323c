// Provider: a model behind an API. It turns one request into a stream of events and knows nothing of the agent.
import type { JsonObject } from './json.ts';
import type { Message, Native } from './message.ts';

/** Tokens of one request. `input` excludes what was read from or written to the cache: all three add up to the prompt. */
export type Usage = { input: number; cacheRead: number; cacheWrite: number; output: number; reasoning?: number };

export type StopReason = 'end' | 'tools' | 'max_tokens' | 'refusal' | 'filter' | 'pause' | 'window';

export type FailureKind =
  | 'auth' | 'rate_limit' | 'overloaded' | 'context_overflow' | 'invalid_request' | 'content_filter'
  | 'network' | 'timeout' | 'server' | 'aborted' | 'unknown';

/** An expected failure. `message` is a sentence for the user that says what happened and what to do. */
export type Failure = { kind: FailureKind; message: string; status?: number; retryAfterMs?: number };

/** A tool as a model sees it. `schema` is JSON Schema 2020-12 with `type: object` at its root. */
export type ToolSpec = { name: string; description: string; schema: JsonObject; deferred?: boolean };

export type Thinking = 'off' | 'auto' | { budget: number } | { effort: string };

export type ModelRequest = {
  model: string;
  /** Sections in order; the same bytes in every request of a conversation. */
  system: readonly string[];
  tools: readonly ToolSpec[];
  messages: readonly Message[];
  /** Id of the first message after the last cut: thinking bound to what stood before it is left out. */
  cut?: string;
  thinking: Thinking;
  maxTokens: number;
  sessionId: string;
};

export type Abilities = {
  tools: 'native' | 'text';
  images: boolean;
  thinking: boolean;
  /** The service refuses thinking when anything before it has changed. */
  bindsThinking: boolean;
  /** The service loads deferred tools by itself when a result names them. */
  toolReferences: boolean;
  /** Context window in tokens. */
  window: number;
  maxOutput: number;
  cacheLifeMs: number;
};

export type StreamPart = 'text' | 'thinking' | 'tool_call';

/**
 * What a stream says, in the service's own order. A part's `index` is unique within the try.
 * `retrying` takes back every part so far. Exactly one `end` or `error` comes, and it comes last.
 * A tool call's deltas are the raw text of its arguments; `problem` says why the whole call can't be read.
 */
export type ProviderEvent =
  | { type: 'part_start'; index: number; part: StreamPart; id?: string; name?: string }
  | { type: 'part_delta'; index: number; delta: string }
  | { type: 'part_end'; index: number; native?: Native; problem?: string }
  | { type: 'usage'; usage: Usage; costUsd?: number }
  | { type: 'waiting'; seconds: number }
  | { type: 'retrying'; failure: Failure; attempt: number; waitMs: number }
  | { type: 'end'; stop: StopReason }
  | { type: 'error'; error: Failure };

export type Provider = {
  /** The vendor row's or the configured entry's name, for the screen. */
  readonly name: string;
  readonly model: string;
  readonly abilities: Abilities;
  /** Never throws; an abort ends with `error` of kind `aborted`. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ProviderEvent>;
  /** Loads what the first request will need, so that it does not have to wait. Sends nothing. */
  warm?(): void;
};
