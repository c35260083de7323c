// Starts programs: each in a process group of its own, with an allow-list environment and no terminal.
import { spawn, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { mark, type EndStrays } from './strays.ts';

/** Variables that any child may have. Everything else, keys above all, stays with us. */
const ALLOWED = ['PATH', 'HOME', 'LANG', 'LANGUAGE', 'TERM', 'SHELL', 'USER', 'LOGNAME', 'TMPDIR', 'TMP', 'TEMP', 'TZ', 'COLORTERM', 'NO_COLOR',
  'SystemRoot', 'ComSpec', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'ProgramFiles'];

/** The environment for children: the allow-list, `LC_*`, and the names in `pass`. */
export function childEnv(source: NodeJS.ProcessEnv, pass: readonly string[] = []): Record<string, string> {
  const names = new Set([...ALLOWED, ...pass]);
  const env: Record<string, string> = { AI_AGENT: 'mewcode' };
  for (const [name, value] of Object.entries(source)) {
    if (value !== undefined && (names.has(name) || name.startsWith('LC_'))) env[name] = value;
  }
  return env;
}

export type Exit = { code: number | null; signal: NodeJS.Signals | null; timedOut: boolean; aborted: boolean };

export type SpawnOptions = {
  cwd: string;
  env: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** Milliseconds until the group is ended; absent: no limit. */
  timeoutMs?: number;
  /** Given to the program, then its input is closed; absent: closed at once. */
  input?: string | Uint8Array;
  /** The program's input stays open as `Running.stdin`, for a talk with it. */
  openInput?: boolean;
  /** What it starts is ended with it even where it has left the group (setsid, daemons), also when this process is killed. Linux; costs a look at all processes at the end. */
  thorough?: boolean;
  onOutput?(chunk: Buffer, stream: 'stdout' | 'stderr'): void;
};

export type Running = {
  pid: number;
  /** Resolves once the program has ended and its output is in; never waits for stragglers that hold a pipe open. Rejects when it could not be started. */
  done: Promise<Exit>;
  /** Ends the whole group: TERM, then KILL after the grace. */
  kill(): void;
  /** Takes no more of its output until `resume`: the program waits once the pipe is full. */
  pause(): void;
  resume(): void;
  /** With `openInput` only. What is written after the program has ended is lost without an error. */
  stdin: Writable | null;
};

/** How long a group may take to obey TERM. */
const GRACE_MS = 2_000;
/** How long output is awaited after the program itself has ended. */
const DRAIN_MS = 150;

/** Starts `argv` in its own group. Whatever is left of the group when the program ends is ended too. Starts nothing once the signal has aborted. */
export function spawnGroup(argv: readonly string[], options: SpawnOptions): Running {
  if (options.signal?.aborted) return { pid: -1, done: Promise.resolve({ code: null, signal: null, timedOut: false, aborted: true }), kill: () => {}, pause: () => {}, resume: () => {}, stdin: null };
  const [file = '', ...args] = argv;
  const marked = options.thorough ? mark(options.env) : undefined;
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: marked?.env ?? options.env,
    detached: process.platform !== 'win32',
    stdio: [options.input === undefined && !options.openInput ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let timedOut = false;
  let aborted = false;
  const ending = new Ending(child, marked?.end);

  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => { timedOut = true; ending.begin(); }, options.timeoutMs);
  const onAbort = () => { aborted = true; ending.begin(); };
  options.signal?.addEventListener('abort', onAbort, { once: true });

  child.stdout?.on('data', (chunk: Buffer) => options.onOutput?.(chunk, 'stdout'));
  child.stderr?.on('data', (chunk: Buffer) => options.onOutput?.(chunk, 'stderr'));
  // A program that does not read its input closes the pipe; that is its right.
  child.stdin?.on('error', () => {});
  if (options.input !== undefined) child.stdin?.end(options.input);

  const done = new Promise<Exit>((resolve, reject) => {
    let settled = false;
    const settle = (code: number | null, signal: NodeJS.Signals | null) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
      child.stdout?.destroy();
      child.stderr?.destroy();
      ending.sweep();
      resolve({ code, signal, timedOut, aborted });
    };
    child.on('error', (error) => { settled = true; clearTimeout(timer); options.signal?.removeEventListener('abort', onAbort); reject(error); });
    child.on('close', settle);
    child.on('exit', (code, signal) => { setTimeout(() => settle(code, signal), DRAIN_MS); });
  });
  return { pid: child.pid ?? -1, done, kill: () => ending.begin(), pause: () => { child.stdout?.pause(); child.stderr?.pause(); }, resume: () => { child.stdout?.resume(); child.stderr?.resume(); }, stdin: options.openInput ? child.stdin : null };
}

/** Runs a program of the user's own (an editor) on our terminal, which must have been handed over before. Gives its exit code, `null` where a signal ended it. Rejects when it could not be started. */
export function runOnTerminal(argv: readonly string[], options: Pick<SpawnOptions, 'cwd' | 'env'>): Promise<number | null> {
  const [file = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', resolve);
  });
}

/** Signals a whole group; false when there is none any more. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** The end of one group, begun at most once. */
class Ending {
  readonly #child: ChildProcess;
  readonly #endStrays: EndStrays | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** From then on the id may be another program's. */
  #over = false;

  constructor(child: ChildProcess, endStrays?: EndStrays) {
    this.#child = child;
    this.#endStrays = endStrays;
    live.add(this);
    child.once('error', () => live.delete(this));
  }

  begin(): void {
    if (this.#timer || this.#over) return;
    this.#timer = setTimeout(() => this.#signal('SIGKILL'), GRACE_MS);
    this.#signal('SIGTERM');
  }

  /** The program has ended: nothing of its group may stay behind. */
  sweep(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#signal('SIGKILL', { thorough: true });
    live.delete(this);
  }

  #signal(signal: NodeJS.Signals, how?: { thorough: boolean }): void {
    if (this.#child.pid === undefined) return;
    signalGroup(this.#child.pid, signal);
    this.#endStrays?.(signal, how);
  }
}

const live = new Set<Ending>();

/** Ends every group that is still running, at once. For the way out of the program. */
export function killAllGroups(): void {
  for (const ending of live) ending.sweep();
}
