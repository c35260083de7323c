// Tool: something the model can do. It says what it touches and returns what to show.
import type { Image, View } from './message.ts';
import type { Access, Call } from './permission.ts';
import type { ToolSpec } from './provider.ts';
import type { Answer, Question } from './question.ts';

export type Parsed<I> = { ok: true; value: I } | { ok: false; problem: string };

/** What was known of a file when it was last read or written in this session; of small ones the bytes, to tell what others changed since. */
export type Seen = { mtimeMs: number; hash: string; bytes?: Uint8Array };

/** `mode`: the permission bits. */
export type FileInfo = { path: string; kind: 'file' | 'folder' | 'other'; size: number; mtimeMs: number; mode: number };

/**
 * The only door to file contents. Paths are absolute or relative to the project root. Each method throws a
 * `UserError` (a sentence for the model and the user) on a path outside the roots, a link that appeared since
 * the call was judged, or what is not a regular file.
 */
export type Files = {
  /** Absolute form of a path given by the model. */
  resolve(path: string): string;
  /** `null` when there is nothing. Links are followed. */
  stat(path: string): Promise<FileInfo | null>;
  /** The file's bytes, or those from `start` to before `end`. */
  read(path: string, range?: { start: number; end: number }): Promise<Uint8Array>;
  /** Atomic: a temporary file in the same folder, flushed, renamed. Creates parents; keeps the mode, where none is given. */
  write(path: string, bytes: Uint8Array, options?: { mode?: number }): Promise<void>;
  /** Takes a file away. Links are not followed but refused. */
  remove(path: string): Promise<void>;
  /** Whether searches and listings pass it over (sensitive, `.mewignore`). */
  hidden(path: string): boolean;
  /** By real path, over the whole session. */
  seen: Map<string, Seen>;
};

export type ToolContext = {
  callId: string;
  /** Absolute. Relative paths of the model count from the project root, `roots[0]`. */
  cwd: string;
  roots: readonly string[];
  signal: AbortSignal;
  files: Files;
  /** Live output for the tool log; not part of the result. */
  progress(text: string): void;
  ask(question: Question): Promise<Answer>;
  /** Environment for children: an allow-list, never provider keys. */
  env: Readonly<Record<string, string>>;
  /** Puts the OS sandbox around a command line. The network is on in it where the call was allowed to use it, or with `network`, which takes the user's word. */
  wrap(argv: readonly string[], options?: { network?: boolean }): string[];
  /** What keeps commands in that `wrap` wraps; absent where nothing does. */
  confined?: { network: boolean };
  /** Where all of an output that is too long for a result is kept (its folder may not exist yet); `null` when nothing is to be kept on disk. */
  spillFile: string | null;
  /** Hides keys in what is written there. */
  mask(text: string): string;
};

/** `text` goes to the model, `view` to the screen (absent: the text). */
export type ToolResult = { ok: boolean; text: string; images?: Image[]; found?: string[]; view?: View; /** The file that holds the whole text, where `text` is a preview. */ spill?: string };

export type Tool<I = unknown> = ToolSpec & {
  parse(raw: unknown): Parsed<I>;
  /** One line with the primary argument, without the tool's name: `src/a.ts`, `npm test`. */
  title(input: I): string;
  /** Pure. What the call will touch. */
  access(input: I, cwd: string): Access[];
  /** Folder of the next run, where it is not the project root: a shell keeps its `cd`. The call is judged there, and gets it as `ctx.cwd`. */
  cwd?(): string | undefined;
  /** It looks at something that goes on: the same call again and again is no circle. */
  polls?: true;
  /** The call that this one stands for; everything that judges, logs or shows looks at that one. */
  unwrap?(input: I): Omit<Call, 'id'>;
  /** What the permission dialog shows. */
  preview?(input: I, ctx: ToolContext): Promise<View>;
  /** The argument that a user who is asked may edit as plain text, such as a command; absent: all of them as JSON. */
  editable?: string;
  /** May throw: the pipeline turns it into a failed result. */
  run(input: I, ctx: ToolContext): Promise<ToolResult>;
};
