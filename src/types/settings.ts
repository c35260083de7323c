// Settings that cross rooms: what config reads and providers or the app take.
import type { JsonObject } from './json.ts';
import type { Verdict } from './permission.ts';
import type { Thinking } from './provider.ts';

/** Dollars per million tokens. */
export type Price = { input: number; output: number; cacheRead?: number; cacheWrite?: number };

/** One configured model backend, merged and checked: keys and limits are final, `undefined` means that nobody said. */
export type ProviderSettings = {
  /** The entry's name under `providers:`, or its protocol. */
  name: string;
  /** A row of providers/vendors. */
  protocol: string;
  /** `undefined`: the protocol's default model. */
  model: string | undefined;
  baseUrl: string | undefined;
  apiKey: string | undefined;
  thinking: Thinking;
  contextWindow: number | undefined;
  maxTokens: number | undefined;
  /** Milliseconds without a byte before a request is given up. */
  timeoutMs: number;
  toolProtocol: 'native' | 'text';
  extra: JsonObject;
  price: Price | undefined;
  /** Address of the GitHub API, where the key is a login there; absent: the public one. */
  githubApi?: string;
};

/** A rule as a file, a flag or an answer spells it, with where it came from. */
export type RuleText = { text: string; verdict: Verdict; from: string; rank: number; final?: boolean; match?: readonly string[]; notMatch?: readonly string[] };
