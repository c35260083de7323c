// AgentEvent and Frontend: all that happens, and the one interface through which the agent reaches the outside.
import type { Message, Part, Role, View } from './message.ts';
import type { Call, Decision, Mode } from './permission.ts';
import type { ProviderEvent, StopReason, Usage } from './provider.ts';
import type { Answer, Question } from './question.ts';

export type TurnEnd = StopReason | 'cancelled' | 'limit' | 'error';

export type McpServerState = { name: string; state: 'connecting' | 'ready' | 'failed'; tools: number; problem?: string };

/** A command that goes on in the background, as its call left it. `outcome` says how it ended: `exit code 0`. */
export type BackgroundTask = { id: string; title: string; callId: string; status: 'running' | 'done' | 'failed' | 'ended'; outcome?: string };

/** What happened, without when and to whom. All but `stream`, `tool_output` and `task_output` are logged. */
export type Happening =
  /** Starts a session afresh: every reader forgets what it knew. `configured`: what the configuration says, where that is something else. */
  | { type: 'session_started'; id: string; cwd: string; provider: string; model: string; mode: Mode; window: number; configured?: { provider: string; model: string } }
  /** The session goes on in a new process. */
  | { type: 'session_resumed'; provider: string; model: string; window: number; configured?: { provider: string; model: string } }
  | { type: 'turn_started' }
  | { type: 'turn_ended'; why: TurnEnd; failure?: string }
  /** A whole message. One whose id is known replaces it; one without parts takes it back. */
  | { type: 'message'; message: Message }
  /** A finished part, appended to its message (made with the first part). */
  | { type: 'part'; messageId: string; role: Role; part: Part }
  | { type: 'stream'; messageId: string; event: ProviderEvent }
  | { type: 'usage'; usage: Usage; costUsd?: number; model: string }
  /** A call is known and waits its turn. */
  | { type: 'tool_called'; call: Call; title: string }
  | { type: 'decided'; callId: string; decision: Decision }
  | { type: 'asked'; id: string; question: Question }
  | { type: 'answered'; id: string; answer: Answer }
  /** It runs from now on. `acts`: it may change something, so that this must be on disk before. */
  | { type: 'tool_started'; callId: string; acts: boolean }
  | { type: 'tool_output'; callId: string; text: string }
  | { type: 'tool_ended'; callId: string; outcome: 'done' | 'failed' | 'denied' | 'cancelled'; ms: number }
  /** Work in the background began or ended. */
  | { type: 'task'; task: BackgroundTask }
  | { type: 'task_output'; id: string; text: string }
  | { type: 'queued'; prompts: readonly string[] }
  | { type: 'mode'; mode: Mode }
  | { type: 'model'; provider: string; model: string; window: number }
  | { type: 'view_cut'; fromMessage: string; why: string; before: number; after: number }
  | { type: 'rewound'; toMessage: string }
  | { type: 'mcp'; servers: readonly McpServerState[] }
  /** What keeps commands in: the OS sandbox that a probe at the start found to work, or why there is none. */
  | { type: 'sandbox'; kind: 'bubblewrap' | 'seatbelt' | 'none'; because?: string }
  | { type: 'notice'; level: 'info' | 'warn' | 'error'; text: string; view?: View };

/** `agent` is `main`, or `main/2` for a subagent. `at` is milliseconds since 1970. */
export type AgentEvent = { agent: string; at: number } & Happening;

/** The agent's only way out. The screen, headless output, a parent agent and a test are implementations. */
export type Frontend = {
  emit(event: AgentEvent): void;
  /** Resolves with `deny` or `dismissed` when the signal aborts. */
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
};
