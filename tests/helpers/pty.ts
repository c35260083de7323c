// Runs a program in a real PTY and reads it as a terminal would show it.
import { spawn } from '@lydell/node-pty';
import type { Terminal as HeadlessTerminal } from '@xterm/headless';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The package is CommonJS whose names the module loader cannot see.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as typeof import('@xterm/headless');
const onTestFinished = process.env['VITEST'] ? (await import('vitest')).onTestFinished : undefined;

export type PtyOptions = {
  file: string;
  args?: readonly string[];
  /** Added to a clean environment; undefined takes a variable away. */
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
  columns?: number;
  rows?: number;
  /** Lives on when the test in which it was started ends; until the process does. */
  outlives?: boolean;
};

/** A colour is an index of the palette, `#rrggbb`, or undefined for the terminal's own. */
export type Cell = { char: string; fg?: number | string; bg?: number | string; bold: boolean; dim: boolean; italic: boolean; underline: boolean; inverse: boolean };

export type Exited = { code: number; signal: number | undefined };

export type Pty = {
  pid: number;
  /** The folder made for this program: its HOME. */
  home: string;
  /** Sends keys, as the bytes a terminal sends for them. */
  write(keys: string): void;
  /** What is visible, a line a row, without blanks at the ends of the rows. */
  text(): string;
  row(index: number): string;
  cell(column: number, row: number): Cell;
  cursor(): { x: number; y: number; visible: boolean };
  buffer(): 'normal' | 'alternate';
  /** All of the normal buffer, scrolled-out lines too, without the blank end. */
  normalText(): string;
  /** Resolves as soon as the visible text contains, matches or satisfies `wanted`; rejects with the screen. */
  waitFor(wanted: string | RegExp | ((pty: Pty) => boolean), options?: { timeoutMs?: number }): Promise<void>;
  /** Resolves once no byte has come for `quietMs`. */
  settled(quietMs?: number): Promise<void>;
  resize(columns: number, rows: number): void;
  /** Bytes the program has written so far. */
  bytes(): number;
  /** All of them, as text. */
  raw(): string;
  /** Private modes that are on now: `2004` bracketed paste, `1049` alternate screen …; and `kitty` for a pushed keyboard, `otherKeys`. */
  modes(): string[];
  /** Every mode that was ever switched on. */
  modesSeen(): string[];
  /** Stops and starts reading, as a terminal that stalls. */
  pause(): void;
  resume(): void;
  exited: Promise<Exited>;
  kill(signal?: NodeJS.Signals): void;
};

/** The modes that a fresh terminal has on: no wonder to see them. */
const USUAL = new Set(['7', '25']);

/** What is still to be ended and removed when this process ends. */
const sweeps = new Set<() => void>();
process.once('exit', () => sweeps.forEach((sweep) => sweep()));

/** Starts `file` in a PTY of 120 × 40. It is killed and its HOME removed when the test ends (or the process, outside of a test). */
export function startPty(options: PtyOptions): Pty {
  const columns = options.columns ?? 120;
  const rows = options.rows ?? 40;
  const home = mkdtempSync(join(tmpdir(), 'mewcode-pty-'));
  const term = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 5_000 });
  const child = spawn(options.file, [...(options.args ?? [])], { name: 'xterm-256color', cols: columns, rows, cwd: options.cwd ?? home, env: cleanEnv(home, options.env), encoding: null });

  const chunks: Buffer[] = [];
  let bytes = 0;
  let last = Date.now();
  let gone = false;
  const waiters = new Set<() => void>();
  const notify = () => { for (const check of waiters) check(); };
  const modes = watchModes(term);

  // With `encoding: null` the typed string is a Buffer.
  child.onData((data: string | Buffer) => {
    const chunk = Buffer.from(data as Buffer);
    chunks.push(chunk);
    bytes += chunk.length;
    last = Date.now();
    term.write(chunk, notify);
  });
  term.onData((reply) => { if (!gone) child.write(reply); });

  const exited = new Promise<Exited>((resolve) => {
    child.onExit(({ exitCode, signal }) => {
      gone = true;
      term.write('', () => { resolve({ code: exitCode, signal: signal === 0 ? undefined : signal }); notify(); });
    });
  });

  const kill = (signal: NodeJS.Signals = 'SIGKILL') => {
    if (gone) return;
    try {
      child.kill(signal);
    } catch {
      // It has just ended.
    }
  };
  const sweep = () => { sweeps.delete(sweep); kill(); rmSync(home, { recursive: true, force: true }); };
  sweeps.add(sweep);
  try {
    if (!options.outlives) onTestFinished?.(async () => { kill(); await exited; sweep(); });
  } catch {
    // Started outside of a test, in beforeAll say: the end of the process sweeps.
  }

  const line = (buffer: 'active' | 'normal', index: number) => term.buffer[buffer].getLine(index)?.translateToString(true, 0, term.cols) ?? '';
  const pty: Pty = {
    pid: child.pid,
    home,
    write: (keys) => child.write(keys),
    text: () => Array.from({ length: term.rows }, (_, index) => pty.row(index)).join('\n'),
    row: (index) => line('active', term.buffer.active.viewportY + index),
    cell: (column, row) => readCell(term, column, row),
    cursor: () => ({ x: term.buffer.active.cursorX, y: term.buffer.active.cursorY, visible: modes.on.has('25') }),
    buffer: () => term.buffer.active.type,
    normalText: () => Array.from({ length: term.buffer.normal.length }, (_, index) => line('normal', index)).join('\n').trimEnd(),
    waitFor(wanted, { timeoutMs = 10_000 } = {}) {
      const met = () => typeof wanted === 'function' ? wanted(pty) : typeof wanted === 'string' ? pty.text().includes(wanted) : wanted.test(pty.text());
      return new Promise<void>((resolve, reject) => {
        const finish = (error?: Error) => {
          waiters.delete(check);
          clearTimeout(timer);
          clearInterval(poll);
          if (error) reject(error);
          else resolve();
        };
        const check = () => {
          try {
            if (met()) finish();
            else if (gone) finish(new Error(`The program ended while waiting for ${describe(wanted)}.\n${picture(pty)}`));
          } catch (error) {
            finish(error instanceof Error ? error : new Error(String(error)));
          }
        };
        const timer = setTimeout(() => finish(new Error(`${timeoutMs} ms passed while waiting for ${describe(wanted)}.\n${picture(pty)}`)), timeoutMs);
        // A predicate may look at more than the screen.
        const poll = setInterval(check, 50);
        waiters.add(check);
        check();
      });
    },
    async settled(quietMs = 100) {
      const from = Date.now();
      const busy = () => !gone && Date.now() - Math.max(last, from) < quietMs;
      while (busy()) await new Promise((resolve) => { setTimeout(resolve, 10); });
    },
    resize(width, height) {
      term.resize(width, height);
      child.resize(width, height);
    },
    bytes: () => bytes,
    raw: () => Buffer.concat(chunks).toString('utf8'),
    modes: () => [...modes.on].filter((mode) => !USUAL.has(mode)).sort(),
    modesSeen: () => [...modes.seen].filter((mode) => !USUAL.has(mode)).sort(),
    pause: () => child.pause(),
    resume: () => child.resume(),
    exited,
    kill,
  };
  return pty;
}

function cleanEnv(home: string, extra: PtyOptions['env'] = {}): Record<string, string> {
  const env: Record<string, string | undefined> = {
    PATH: process.env['PATH'], HOME: home, MEWCODE_HOME: join(home, '.mewcode'), LANG: 'C.UTF-8', TERM: 'xterm-256color', COLORTERM: 'truecolor',
    // Set but empty would count as CI, and Ink would draw nothing.
    CI: 'false',
    ...extra,
  };
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Follows what is switched on and off; the terminal itself tells only some of it. */
function watchModes(term: HeadlessTerminal): { on: Set<string>; seen: Set<string> } {
  const on = new Set<string>(USUAL);
  const seen = new Set<string>();
  const set = (mode: string, value: boolean) => {
    if (value) { on.add(mode); seen.add(mode); } else on.delete(mode);
    return false;
  };
  let pushed = 0;
  term.parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => { params.forEach((mode) => set(String(mode), true)); return false; });
  term.parser.registerCsiHandler({ prefix: '?', final: 'l' }, (params) => { params.forEach((mode) => set(String(mode), false)); return false; });
  term.parser.registerCsiHandler({ prefix: '>', final: 'u' }, () => { pushed += 1; return set('kitty', true); });
  term.parser.registerCsiHandler({ prefix: '<', final: 'u' }, () => { pushed = Math.max(0, pushed - 1); return set('kitty', pushed > 0); });
  term.parser.registerCsiHandler({ prefix: '>', final: 'm' }, (params) => params[0] === 4 && set('otherKeys', Number(params[1] ?? 0) > 0));
  return { on, seen };
}

const colour = (value: number, isRgb: boolean, isIndex: boolean) => isRgb ? `#${value.toString(16).padStart(6, '0')}` : isIndex ? value : undefined;

function readCell(term: HeadlessTerminal, column: number, row: number): Cell {
  const cell = term.buffer.active.getLine(term.buffer.active.viewportY + row)?.getCell(column);
  if (!cell) throw new Error(`There is no cell ${column}, ${row}.`);
  return {
    char: cell.getChars(),
    fg: colour(cell.getFgColor(), cell.isFgRGB(), cell.isFgPalette()),
    bg: colour(cell.getBgColor(), cell.isBgRGB(), cell.isBgPalette()),
    bold: cell.isBold() !== 0, dim: cell.isDim() !== 0, italic: cell.isItalic() !== 0, underline: cell.isUnderline() !== 0, inverse: cell.isInverse() !== 0,
  };
}

const describe = (wanted: unknown) => typeof wanted === 'string' ? JSON.stringify(wanted) : String(wanted);

const picture = (pty: Pty) => `--- screen (${pty.buffer()}) ---\n${pty.text().trimEnd()}\n--- normal ---\n${pty.buffer() === 'alternate' ? pty.normalText() : ''}`;
