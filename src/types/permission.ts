// Access, Facts, Policy, Decision: what a call touches, what the disk says of it, and what was decided.

/** One thing a call touches. `target` is a path, a command text, a URL, a server's tool or an agent type. */
export type AccessKind = 'read' | 'write' | 'run' | 'net' | 'mcp' | 'agent' | 'none';
export type Access = { kind: AccessKind; target: string; /** An MCP tool that a trusted server marks read-only counts as reading in the mode table. */ readOnly?: true };

export type Call = { id: string; name: string; input: unknown };

export type Verdict = 'allow' | 'ask' | 'deny';

/** One step of a decision: `pass` means that the layer had nothing to say. */
export type TraceStep = { layer: string; verdict: Verdict | 'pass'; because: string; /** The command or target it speaks of. */ about?: string };

export type Decision = { verdict: Verdict; layer: string; rule?: string; because: string; trace: readonly TraceStep[] };

/** A rule `tool(glob)`; `glob` is `*` where none was given. `from` names the file, flag or session it came from. */
export type Rule = { tool: string; glob: string; verdict: Verdict; from: string; /** Files are ranked; a later one overrides. */ rank: number; /** `always_deny` of the user's own file. */ final?: boolean };

export type Mode = string;

/** A mode as the palette, `/mode` and the status bar show it. */
export type ModeInfo = { name: Mode; summary: string; /** Place in the Shift+Tab round; absent: not in it. */ cycle?: number; tone: 'normal' | 'safe' | 'danger' };

/** A path as the disk has it: every link resolved, the deepest existing ancestor for a new file. */
export type RealPath = { path: string; kind: 'file' | 'folder' | 'missing' | 'other'; /** Other names of the same file in its folder or at the root: hard links. */ twins?: readonly string[] };

/**
 * What a command does to a file. `redirect`: the shell itself opens it, so it is judged as a read or write of its own;
 * else the program is known to do it, and it counts for the floor. `append`: what was there stays.
 */
export type Effect = Access & { redirect?: true; append?: true };

/** One simple command of a shell text, at any depth. */
export type ShellCommand = {
  /** Words with quotes removed; a word that can't be known before it runs is `null`. */
  words: readonly (string | null)[];
  /** What the rules match: the words joined with single blanks, wrappers taken off. */
  text: string;
  /** Source text, for the dialog. */
  source: string;
  /** Folder it runs in, as far as `cd` could be followed; `null` when not known. */
  cwd: string | null;
  /** Files it reads from or writes to by redirection or by what the program is known to do. */
  effects: readonly Effect[];
  /** The words with the wrappers still on (`timeout 5 npm test`); absent where there were none. Denies match it too. */
  wrapped?: string;
  /** Programs whose output it takes in: by pipe, substitution or variable. */
  inputs?: readonly string[];
  /** A function that starts itself in a pipe or in the background. */
  bomb?: true;
  /** In a container, run by code of another language, or a tool that its runner (`npx`) is allowed for: only the floor, denies and asks judge it. */
  apart?: true;
  /** Why an allow rule must not cover it (a dynamic name, a steering variable, a flag that runs things …). */
  doubts: readonly string[];
};

export type ShellFacts = { ok: true; commands: readonly ShellCommand[] } | { ok: false; problem: string };

/** What the disk and the shell grammar say of one call. Made by permissions/facts, read by decide. */
export type Facts = {
  /** By path as the accesses and effects name it. */
  real: Readonly<Record<string, RealPath>>;
  /** By command text. */
  shell: Readonly<Record<string, ShellFacts>>;
  /** The project root, resolved. */
  root: string;
  cwd: string;
  home: string;
};

export type Category = 'read' | 'write' | 'run' | 'net' | 'mcp';

export type Policy = {
  mode: Mode;
  /** Resolved folders that file tools may reach; the first is the project root. */
  roots: readonly string[];
  rules: readonly Rule[];
  /** What mode `custom` says. */
  custom: Readonly<Partial<Record<Category, Verdict>>>;
  /** Globs of sensitive files. */
  ignorePatterns: readonly string[];
  /** Files of MewCode's own that steer permissions; a write to one always asks. */
  ownFiles: readonly string[];
  /** Tools whose definition has changed since the user allowed them: allow rules don't cover them until confirmed. */
  unconfirmed?: readonly string[];
};
