// Conversation: the one list of what the loop is given, and the few things that it says in several places.
import type { Facts, Policy } from '../types/permission.ts';
import type { Message, Part } from '../types/message.ts';
import type { Provider, Thinking, ToolSpec } from '../types/provider.ts';
import type { SessionState } from '../types/state.ts';
import type { Files, Tool } from '../types/tool.ts';
import type { Voice } from './frontend.ts';
import type { Verify } from './verify.ts';

export type Conversation = {
  sessionId: string;
  voice: Voice;
  state(): SessionState;
  /** May change between two requests (`/model`). */
  provider(): Provider;
  thinking: Thinking;
  maxTokens: number;
  /** Frozen for the whole conversation, as are `offered`: a provider's cache and its thinking hang on them. */
  system: readonly string[];
  offered: readonly ToolSpec[];
  /** Every tool there is now; more than `offered` once servers have come. */
  tools(): readonly Tool[];
  /** Those that the configuration has switched off. */
  disabled(): readonly Tool[];
  policy(): Policy;
  /** Adds a rule to this session's answers, with `always` to a file as well; rejects when it can't be kept there. */
  allow(rule: string, keep: 'session' | 'always'): Promise<void>;
  /** The disk for one call, judged by `facts`. */
  files(facts: Facts): Files;
  cwd: string;
  home: string;
  env: Readonly<Record<string, string>>;
  /** Puts the OS sandbox around a command line; with the facts of its call it may do what that was judged for. */
  wrap(argv: readonly string[], options: { network?: boolean | undefined; facts?: Facts }): string[];
  /** The OS sandbox; absent where nothing keeps commands in. */
  sandbox?: {
    /** Settles once `wrap` may be used: with why commands must not run at all, or `null`. */
    ready(): Promise<string | null>;
    /** What keeps the commands of a call in; `undefined` where nothing does. */
    confined(facts: Facts): { network: boolean } | undefined;
    /** Whether a call that would only be asked for because of the mode stays inside and need not be asked for. */
    contains(facts: Facts): boolean;
    /** What came to be at places that run code later, since the call of `watch`. */
    watch(facts: Facts): () => string[];
  };
  /** Folder for results that are too long to send whole; `null` when nothing is kept on disk. */
  spillDir: string | null;
  /** Hides keys in what is written there. */
  mask(text: string): string;
  /** Characters over which a result, and all results of one message together, are too long. */
  spillOver: { result: number; message: number };
  /** Checks what was changed; `null` when it is switched off. */
  verify: Verify | null;
  /** Said before a turn's prompt, hidden on the screen. */
  reminders(): Promise<readonly string[]>;
  /** Takes what has happened in the background since the last time, said between two requests and hidden on the screen. */
  news(): readonly string[];
  /** What a prompt refers to, said behind it and hidden on the screen. */
  attach?(prompt: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Takes what the user queued meanwhile. */
  takeQueue(): readonly string[];
  maxRounds: number;
  /** Dollars that the session may cost; no request is sent once they are spent. */
  maxCostUsd: number | undefined;
  /** After so many repetitions of the same calls the model is told, at the next one the user is asked. */
  repeats: number;
  parallel: boolean;
  clock: () => number;
  newId: () => string;
};

/** Appends a user message: the person's, or with `source` somebody else's. */
export function say(c: Conversation, text: string, source?: string): void {
  const parts: Part[] = [{ type: 'text', text }];
  const message: Message = { id: c.newId(), role: 'user', parts, at: c.clock(), ...(source === undefined ? {} : { source }) };
  c.voice.emit({ type: 'message', message });
}

/** Appends what only the model sees. */
export function remind(c: Conversation, text: string): void {
  say(c, `<system-reminder>\n${text}\n</system-reminder>`, 'reminder');
}
