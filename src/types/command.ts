// Command and App: what a user can order, and the running program as commands and screens see it.
import type { Happening } from './event.ts';
import type { Json } from './json.ts';
import type { View } from './message.ts';
import type { Mode, ModeInfo } from './permission.ts';
import type { Answer, Question } from './question.ts';
import type { Readable, SessionState } from './state.ts';
import type { Tool } from './tool.ts';

/** What a command gave: something to show, something for programs, or an exit code that ends the program. */
export type Done = { view?: View; json?: Json; exit?: number };

export type Io = { stdin: AsyncIterable<Uint8Array>; out(text: string): void; err(text: string): void };

type Described = {
  /** Without the slash. */
  name: string;
  aliases?: readonly string[];
  summary: string;
  /** Arguments as `/help` and completion show them: `[MODE]`. */
  usage?: string;
  where: 'chat' | 'shell' | 'both';
  /** May run while the agent works. */
  whileBusy?: boolean;
};

export type Command = Described &
  (
    | { needsApp: false; run(args: readonly string[], io: Io): Promise<Done | void> }
    | { needsApp?: true; run(app: App, args: readonly string[], io: Io): Promise<Done | void> }
  );

/** Facts of this start that never change. */
export type AppInfo = {
  version: string;
  /** Project root, and its name for the title. */
  root: string;
  project: string;
  branch: string | null;
  /** Where the session's log is; `null` with --no-session. */
  sessionDir: string | null;
};

/** The running program. One session at a time; `clear` starts another in the same window. */
export type App = {
  readonly info: AppInfo;
  /**
   * Settles when prompts can be sent: configuration read, trust asked, provider made. With an exit code: the user
   * chose to leave. Rejects with a `UserError`. The screen may be drawn and typed into long before.
   */
  readonly ready: Promise<Done | void>;
  readonly state: Readable<SessionState>;
  tools(): readonly Tool[];
  commands(): readonly Command[];
  modes(): readonly ModeInfo[];
  /** A prompt or a slash command. Resolves when what it started has ended, at once where it was queued; rejects only as `ready` does. */
  submit(text: string): Promise<Done | void>;
  /** Stops the turn; what was streamed is kept. */
  cancel(): void;
  /** Ends the running turn and hands over what is queued at once. */
  sendQueue(): void;
  /** Replaces what is queued; the screen edits and removes with it. */
  setQueue(prompts: readonly string[]): void;
  setMode(mode: Mode): void;
  /** Starts a new session in this window. */
  clear(): void;
  ask(question: Question): Promise<Answer>;
  emit(event: Happening): void;
  /** Stops children, seals the log. */
  close(): Promise<void>;
};
