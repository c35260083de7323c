// What a wire is: one API's way to ask a model and to stream its answer. Which service speaks it is data (vendors).
import type { JsonObject } from '../types/json.ts';
import type { ModelRequest, ProviderEvent } from '../types/provider.ts';
import type { ModelRow } from './catalogue.ts';

/** How a service differs from the API that it speaks. */
export type Quirks = {
  /** Who speaks the system sections in Chat Completions. */
  systemRole?: 'developer';
  /** Name of the output limit in Chat Completions; `max_tokens` when absent. */
  limitField?: 'max_completion_tokens';
  /** Takes `prompt_cache_key`. */
  cacheKey?: boolean;
  /** Takes `thinking: {type: enabled | disabled}` in Chat Completions, with these fields beside an `enabled`. */
  thinkingSwitch?: JsonObject;
  /** Takes `reasoning_effort` in Chat Completions. */
  effort?: boolean;
  /** Reasoning goes back under the name it came with. `always`: this field goes with every assistant message, empty if need be. */
  resendReasoning?: boolean | { always: string };
  /** Reasoning may come inside `<think>` tags of the text. */
  thinkTags?: boolean;
  /** Third parties that speak the API may read the key from this header only. */
  keyHeader?: string;
  /** Loads deferred tools when a result refers to them. */
  toolReferences?: boolean;
};

export type WireOptions = {
  /** Whole address of the endpoint. */
  url: string;
  /** `undefined`: no authorization is sent. */
  apiKey: string | undefined;
  headers: Readonly<Record<string, string>>;
  model: ModelRow;
  quirks: Quirks;
  /** Put into the request's body as it is, over what stands there. */
  extra: JsonObject;
};

/** What one request runs on. `signal` closes the socket; `fetch` counts bytes for the idle watchdog. */
export type Connection = { signal: AbortSignal; fetch: typeof fetch };

/**
 * Streams one try. It throws whatever goes wrong (guard names it) and says `end` only after the API's closing event:
 * a stream that is over without one was cut. It emits no `error`, `waiting` or `retrying`.
 */
export type Wire = (request: ModelRequest, connection: Connection) => AsyncIterable<ProviderEvent>;

/** A finished stream, as a provider and its decorators have it: see `Provider.stream`. */
export type Stream = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ProviderEvent>;

/** An error that the service reported inside its stream, by its code. */
export function streamError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Longest that the SDKs may wait for anything: their own limits are off, guard watches. */
const NO_TIMEOUT_MS = 2_147_483_647;

/** Two SDK options that every wire sets: no retries, nothing printed on the terminal. */
export const QUIET = { maxRetries: 0, logLevel: 'off', timeout: NO_TIMEOUT_MS } as const;

/** The tools that the model sees from the start. */
export function shownTools(request: ModelRequest): ModelRequest['tools'] {
  return request.tools.filter((tool) => !tool.deferred);
}
