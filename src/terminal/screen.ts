// Paints whole frames on the terminal, writing only the rows that have changed. Stands behind Ink (`debug: true`, one write a frame).
import { EventEmitter } from 'node:events';
import { findScroll, scrolled, scrollLines } from './scroll.ts';
import { cellsOf, changeRow, rewriteRow, type Cells } from './row.ts';

export type Position = { x: number; y: number };

export type Screen = {
  /** For Ink's option `stdout`, with `debug: true`. */
  stdout: NodeJS.WriteStream;
  size(): { columns: number; rows: number };
  /** The next frame, a string a row, no wider than the terminal. For before React has loaded. */
  paint(rows: readonly string[]): void;
  /** Rows from line `y` on and the cursor, at once: for the echo of a key, which waits for no frame. The next frame should have them too. */
  patch(change: { y: number; rows: readonly string[]; cursor: Position }): void;
  /** Where the real cursor stands, in cells from 0; null hides it. */
  setCursor(position: Position | null): void;
  /** Writes the whole screen anew, whatever another program has left on it. */
  repaint(): void;
  /** A control sequence that paints nothing (title, bell, clipboard, a query), at once. */
  send(sequence: string): void;
  /** Writes nothing until `resume`, which paints all. */
  suspend(): void;
  resume(): void;
  /** Leaves an empty screen to another writer (Ink's own), and paints no more; `send` still works. */
  release(): void;
  /** Writes no more. Resolves once the terminal has taken what was written, or after `limitMs`. */
  close(limitMs?: number): Promise<void>;
};

type Output = NodeJS.WriteStream & { _handle?: { setBlocking?(blocking: boolean): void } };

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
/* Styles, charset, margins, origin, wrapping: all that could make rows land elsewhere; then an empty screen. */
const CLEAN = '\x1b[m\x1b(B\x1b[r\x1b[?6l\x1b[?7l\x1b[2J';
/** After a resize the old tree comes first, at the new size; the new one follows within this. */
const RESIZE_MS = 20;

/** Paints on `output`, at most `fps` times a second. A slow terminal gets the latest frame when it is ready, never a queue of them. */
export function createScreen(output: NodeJS.WriteStream, options: { fps?: number } = {}): Screen {
  const frameMs = 1_000 / (options.fps ?? 120);
  const { _handle: handle } = output as Output;
  // A write to a terminal blocks the whole process while the terminal is stalled. No public interface says otherwise.
  handle?.setBlocking?.(false);

  let wanted: readonly string[] = [];
  // What the terminal shows; undefined where that is not known.
  let shown: (string | undefined)[] = [];
  // Of the rows shown, as far as every terminal sees the same cells.
  let cells: (Cells | undefined)[] = [];
  let cursor: Position | null = null;
  // Undefined: not known.
  let placed: Position | null | undefined;
  let wipe = false;
  let state: 'painting' | 'suspended' | 'released' | 'closed' = 'painting';
  let writing = false;
  let last = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let soon = false;
  let hold = 0;

  const size = () => ({ columns: output.columns || 80, rows: output.rows || 24 });

  const facade = Object.assign(new EventEmitter(), {
    isTTY: true as const,
    writable: true,
    destroyed: false,
    writableEnded: false,
    writableLength: 0,
    write(chunk: string | Uint8Array, encoding?: unknown, callback?: unknown): boolean {
      const text = String(chunk);
      // Ink waits with an empty write, and shows the cursor as it leaves; the modes are not its own here.
      if (text !== '' && !/^\x1b\[[?>=<]?[\d;]*[a-z]$/i.test(text)) want(text.split('\n'));
      const done = typeof encoding === 'function' ? encoding : callback;
      if (typeof done === 'function') queueMicrotask(done as () => void);
      return true;
    },
  });
  Object.defineProperties(facade, { columns: { get: () => size().columns }, rows: { get: () => size().rows } });
  facade.setMaxListeners(0);

  function want(rows: readonly string[]): void {
    wanted = rows;
    schedule();
  }

  /** In a microtask, so that the cursor, which is set after the frame in the same commit, comes with it. */
  function schedule(): void {
    if (state !== 'painting' || writing || soon || timer) return;
    const wait = Math.max(last + frameMs, hold) - performance.now();
    if (wait > 0) {
      timer = setTimeout(() => { timer = undefined; flush(); }, wait);
    } else {
      soon = true;
      queueMicrotask(() => { soon = false; flush(); });
    }
  }

  function flush(): void {
    if (state !== 'painting' || writing) return;
    if (performance.now() < hold) {
      schedule();
      return;
    }
    const { columns, rows } = size();
    let body = '';
    const scroll = findScroll(shown, wanted, rows);
    if (scroll) {
      body = scrollLines(scroll);
      shown = scrolled(shown, scroll, '');
      cells = scrolled(cells, scroll, cellsOf('', columns));
    }
    for (let y = 0; y < rows; y++) {
      const row = wanted[y] ?? '';
      if (row === shown[y]) continue;
      const before = cells[y];
      const after = cellsOf(row, columns);
      body += before && after ? changeRow(y, before, after) : rewriteRow(y, row, columns);
      cells[y] = after;
      shown[y] = row;
    }
    if (wipe) body = CLEAN + body;
    wipe = false;
    const place = cursorChange(body !== '', { columns, rows });
    if (body === '' && place === '') return;
    last = performance.now();
    write(body === '' ? place : BEGIN + body + place + END);
  }

  function cursorChange(moved: boolean, { columns, rows }: { columns: number; rows: number }): string {
    const before = placed;
    const next = cursor === null ? null : { x: Math.min(cursor.x, columns - 1), y: Math.min(cursor.y, rows - 1) };
    placed = next;
    if (next === null) return before === null ? '' : '\x1b[?25l';
    if (!moved && before && before.x === next.x && before.y === next.y) return '';
    return `\x1b[${next.y + 1};${next.x + 1}H${before ? '' : '\x1b[?25h'}`;
  }

  function write(text: string): void {
    writing = true;
    output.write(text, () => {
      writing = false;
      schedule();
    });
  }

  function forget(): void {
    shown = [];
    cells = [];
    placed = undefined;
  }

  function onResize(): void {
    forget();
    hold = performance.now() + RESIZE_MS;
    facade.emit('resize');
    schedule();
  }
  output.on('resize', onResize);
  // A terminal that hung up; the signal that comes with it ends the program.
  output.on('error', () => {});

  const screen: Screen = {
    stdout: facade as unknown as NodeJS.WriteStream,
    size,
    paint: want,
    patch({ y, rows, cursor: place }) {
      if (y + rows.length > wanted.length) return;
      wanted = wanted.toSpliced(y, rows.length, ...rows);
      cursor = place;
      flush();
    },
    setCursor(position) {
      cursor = position;
      schedule();
    },
    repaint() {
      forget();
      wipe = true;
      schedule();
    },
    send: (sequence) => { if (state === 'painting' || state === 'released') output.write(sequence); },
    suspend() {
      if (state === 'painting') state = 'suspended';
      clearTimeout(timer);
      timer = undefined;
    },
    resume() {
      if (state !== 'suspended') return;
      state = 'painting';
      screen.repaint();
    },
    release() {
      screen.suspend();
      state = 'released';
      handle?.setBlocking?.(true);
      output.write(`${CLEAN}\x1b[H`);
    },
    async close(limitMs = 500) {
      if (state === 'closed') return;
      screen.suspend();
      state = 'closed';
      output.off('resize', onResize);
      const until = performance.now() + limitMs;
      while (output.writableLength > 0 && performance.now() < until) await new Promise((resolve) => { setTimeout(resolve, 5); });
      handle?.setBlocking?.(true);
    },
  };
  return screen;
}
