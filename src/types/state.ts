// SessionState: what is so, folded from the events. The screen, resume and the agent read the same state.
import type { Live } from './assemble.ts';
import type { BackgroundTask, McpServerState } from './event.ts';
import type { Message, Todo, View } from './message.ts';
import type { Call, Decision, Mode } from './permission.ts';
import type { Failure, Usage } from './provider.ts';
import type { Question } from './question.ts';

export type ToolStatus = 'waiting' | 'asking' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled';

/** A line of the tool-call log. */
export type ToolEntry = {
  call: Call;
  agent: string;
  title: string;
  status: ToolStatus;
  calledAt: number;
  startedAt?: number;
  /** How long it ran. */
  ms?: number;
  /** The last of its live output. */
  tail: string;
  /** Characters of its result. */
  size?: number;
  decision?: Decision;
};

/** Work in the background with the last of its output; `ms` is how long it ran. */
export type TaskEntry = BackgroundTask & { startedAt: number; ms?: number; tail: string };

export type Notice = {
  id: string;
  level: 'info' | 'warn' | 'error';
  text: string;
  view?: View;
  at: number;
  /** How many messages stood before it. */
  after: number;
};

export type Asked = { id: string; agent: string; question: Question; at: number };

/** What the main agent is doing. `at` is when that began. */
export type Doing =
  | { what: 'idle' }
  | { what: 'requesting' | 'thinking' | 'answering' | 'tools'; at: number }
  | { what: 'retrying'; at: number; until: number; attempt: number; failure: Failure };

/** What was used, and what it cost: `null` once a price was unknown. */
export type Spent = { usage: Usage; costUsd: number | null };

/** Live figures. Tokens as the provider reported them; `pending` is the estimate for what came since. */
export type Meter = {
  window: number;
  /** Tokens of the last request with its answer. */
  context: number;
  pending: number;
  turn: Usage;
  session: Usage;
  /** Sum over the session; `null` once a model's price is unknown. */
  costUsd: number | null;
  /** The same for the running or last turn. */
  turnUsd?: number | null;
  /** By model. */
  models?: Readonly<Record<string, Spent>>;
  /** Output tokens a second of the running or last answer, 0 before. */
  speed: number;
  /** The answer on its way: when its first text came, and the estimate of its tokens, which are in `pending` too. */
  answer: { at: number; tokens: number } | null;
};

export type SessionState = {
  id: string;
  cwd: string;
  startedAt: number;
  provider: string;
  model: string;
  /** What the configuration said when the session was last opened; `provider` and `model` are something else after a switch. */
  configured?: { provider: string; model: string };
  mode: Mode;
  /** The one before, for the way back; absent until it was first changed. */
  modeBefore?: Mode;
  /** The main agent's conversation, finished parts only. */
  messages: readonly Message[];
  /** The answer being streamed; its finished parts stand in `messages` under the same id as well. */
  live: Live | null;
  notices: readonly Notice[];
  /** In the order of the calls, subagents' included. */
  tools: readonly ToolEntry[];
  questions: readonly Asked[];
  queue: readonly string[];
  todos: readonly Todo[];
  turn: { running: boolean; startedAt: number; rounds: number; ended?: { why: string; ms: number } };
  doing: Doing;
  meter: Meter;
  mcp: readonly McpServerState[];
  /** What keeps commands in; absent until that is known. */
  sandbox?: { kind: 'bubblewrap' | 'seatbelt' | 'none'; because?: string };
  tasks: readonly TaskEntry[];
};

/** Something to read and to watch. `subscribe` gives back how to stop. */
export type Readable<S> = { get(): S; subscribe(listener: () => void): () => void };
