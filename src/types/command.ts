// Command and App: what a user can order, and the running program as commands and screens see it.
import type { Happening } from './event.ts';
import type { Json } from './json.ts';
import type { ToolResultPart, View } from './message.ts';
import type { Mode, ModeInfo, Rule, Verdict } from './permission.ts';
import type { Answer, Question } from './question.ts';
import type { Failure, Thinking, Usage } from './provider.ts';
import type { Price } from './settings.ts';
import type { Readable, SessionState } from './state.ts';
import type { Tool } from './tool.ts';

/** What a command gave: something to show, something for programs, or an exit code that ends the program. */
export type Done = { view?: View; json?: Json; exit?: number };

/** `typed` is what stood behind the command's name in the chat, as it was typed. */
export type Io = { stdin: AsyncIterable<Uint8Array>; out(text: string): void; err(text: string): void; typed?: string };

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

/** A configured model backend. `model` is absent where the configuration names none. */
export type BackendInfo = { name: string; protocol: string; model?: string; active: boolean };

/** What answers at the moment. `price` is absent where nobody knows it, `baseUrl` where there is no address. */
export type ModelDetails = {
  provider: string;
  protocol: string;
  model: string;
  baseUrl?: string;
  thinking: Thinking;
  /** Whether the model can think at all. */
  thinks: boolean;
  window: number;
  maxOutput: number;
  tools: 'native' | 'text';
  price?: Price;
};

/** How a short question was answered. `firstMs` is absent where no text came. */
export type Ping = { ok: true; firstMs?: number; totalMs: number; usage?: Usage } | { ok: false; failure: Failure };

/** One line of `mewcode doctor`. `hint` says what to do. */
export type Check = { level: 'ok' | 'warn' | 'fail'; what: string; text: string; hint?: string };

/** The rules of a run: those of files and flags, and the answers given in its session. */
export type RuleDesk = {
  /** The strongest first. */
  list(): readonly Rule[];
  /** Adds an answer of this session; `always` writes it down as well. Rejects with a `UserError` on what is no rule, or where it can't be written: then it holds for the session all the same. */
  add(rule: { text: string; verdict: Verdict }, keep: 'session' | 'always'): Promise<void>;
  /** Takes back the answers of this session, and tells how many there were. */
  clear(): number;
  /** Takes away an answer of this session, or a line of a permission file. Rejects with a `UserError` where a rule stands elsewhere. */
  remove(rule: Rule): Promise<void>;
};

/** A configured MCP server as it is now. */
export type McpServerInfo = {
  name: string;
  /** The file that says it. */
  from: string;
  kind: 'stdio' | 'http';
  /** Its command line or address. */
  what: string;
  state: 'off' | 'connecting' | 'ready' | 'failed';
  problem?: string;
  tools: readonly { name: string; description: string }[];
  /** Tools whose definition has changed and was not confirmed. */
  changed: readonly string[];
};

/** The MCP servers of a run. Methods reject with a `UserError` on a name that is none. */
export type McpDesk = {
  /** Logs in to a server in the browser, then connects again. `say` takes lines for the user. Rejects with a `UserError`. */
  login(name: string, say: (text: string) => void): Promise<void>;
  list(): readonly McpServerInfo[];
  /** Resolves when it is connected or has failed; switches it on where it was off. */
  reconnect(name: string): Promise<void>;
  /** For this session. */
  switchOff(name: string): Promise<void>;
  /** Takes the tools of a server, or one tool by name, for what they are now. Gives their names. */
  confirm(name: string): readonly string[];
};

/** A tool as `/tools` lists it. `permission` is absent where it hangs on the arguments. */
export type ToolInfo = { name: string; description: string; kind: 'built-in' | 'skill' | 'MCP'; permission: Verdict | undefined; deferred: boolean; disabled: boolean };

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
  /** Every tool, those that are switched off behind the others. Throws a `UserError` before `ready`. */
  listTools(): readonly ToolInfo[];
  /** Runs a tool for the user: judged and logged as a call of the model, but not told to it. Rejects with a `UserError` while something else runs. */
  call(name: string, input: unknown): Promise<ToolResultPart>;
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
  /** Throws a `UserError` before `ready`. */
  rules(): RuleDesk;
  mcp(): McpDesk;
  /** The configured backends, the active one among them. */
  backends(): readonly BackendInfo[];
  /** What answers now. Throws a `UserError` before `ready`. */
  model(): ModelDetails;
  /** Another backend or another model of one; the conversation stays. Rejects with a `UserError` and leaves everything as it was. */
  switchModel(choice: { provider?: string; model?: string }): Promise<void>;
  /** Asks the model for next to nothing, to see how it answers. */
  ping(): Promise<Ping>;
  /** Dollars per million tokens; `undefined` when nobody knows. */
  priceOf(model: string): Price | undefined;
  /** Runs the checkers on files (relative to the root), or on what was changed and the project; gives all that they find. Rejects with a `UserError` when they are switched off. */
  verify(paths: readonly string[]): Promise<string>;
  /** What works here and what does not. */
  examine(): Promise<readonly Check[]>;
  /** Starts a new session in this window. */
  clear(): void;
  ask(question: Question): Promise<Answer>;
  emit(event: Happening): void;
  /** Stops children, seals the log. */
  close(): Promise<void>;
};
