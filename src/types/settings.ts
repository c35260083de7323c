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

/** A rule as a file, a flag or an answer spells it, with where it came from: a file with its line. */
export type RuleText = { text: string; verdict: Verdict; from: string; rank: number; final?: boolean; match?: readonly string[]; notMatch?: readonly string[] };

/** An MCP server as a file configures it: checked, variables put in. */
export type McpServerSettings = {
  name: string;
  /** The file that says it, as the user knows it. */
  from: string;
  /** Whose file that is: a project's server is another one in each project. */
  scope: 'user' | 'project' | 'flag';
  enabled: boolean;
  /** How it is reached. `cwd` is absolute. */
  via:
    | { kind: 'stdio'; command: string; args: readonly string[]; env: Readonly<Record<string, string>>; cwd: string }
    /** `sse`: the older transport at once; else Streamable HTTP first. */
    | { kind: 'http'; url: string; headers: Readonly<Record<string, string>>; sse: boolean };
  /** Milliseconds without an answer or progress before a request is given up. */
  timeoutMs: number;
  /** Its word that a tool only reads is believed. */
  trustReadOnly: boolean;
  /** Its tools are offered by name only, until they are looked for. */
  defer: boolean;
  /** Which of its tools count, by their own names with `*`; absent: all. */
  allow?: readonly string[];
  deny?: readonly string[];
};
