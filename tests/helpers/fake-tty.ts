// Both ends of a terminal inside the test: an output that a real terminal emulator reads, and an input to type into.
import type { Terminal as HeadlessTerminal } from '@xterm/headless';
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import { Writable } from 'node:stream';

// The package is CommonJS whose names the module loader cannot see.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as typeof import('@xterm/headless');

export type FakeOutput = {
  output: NodeJS.WriteStream;
  /** All that was written so far. */
  written(): string;
  /** How many writes that took. */
  writes(): number;
  resize(columns: number, rows: number): void;
  /** Takes nothing until `release`, as a terminal that has stopped. */
  stall(): void;
  release(): void;
  /** What the terminal shows, a string a row: text alone, or every cell with its style. */
  rows(): string[];
  cells(): string[];
  cursor(): { x: number; y: number; visible: boolean };
  /** Resolves once the terminal shows all that was written. */
  settle(): Promise<void>;
  /** Puts text of another program on the terminal. */
  disturb(text: string): Promise<void>;
};

/** A terminal of the given size on its alternate screen with wrapping off, as the full screen has it. */
export function createFakeOutput(columns: number, rows: number): FakeOutput {
  const term = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 });
  let visible = true;
  const watch = (value: boolean) => (params: (number | number[])[]) => { if (params[0] === 25) visible = value; return false; };
  term.parser.registerCsiHandler({ prefix: '?', final: 'h' }, watch(true));
  term.parser.registerCsiHandler({ prefix: '?', final: 'l' }, watch(false));
  term.write('\x1b[?1049h\x1b[?7l');
  const log: string[] = [];
  let held: (() => void) | undefined;
  let stalled = false;
  const output = Object.assign(new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      log.push(chunk);
      const pass = () => term.write(chunk, () => done());
      if (stalled) held = pass;
      else pass();
    },
  }), { isTTY: true, columns, rows });
  const lines = () => Array.from({ length: term.rows }, (_, y) => term.buffer.active.getLine(y));
  return {
    output: output as unknown as NodeJS.WriteStream,
    written: () => log.join(''),
    writes: () => log.length,
    resize(width, height) {
      term.resize(width, height);
      Object.assign(output, { columns: width, rows: height });
      output.emit('resize');
    },
    stall: () => { stalled = true; },
    release() {
      stalled = false;
      const pass = held;
      held = undefined;
      pass?.();
    },
    rows: () => lines().map((line) => line?.translateToString(true, 0, term.cols) ?? ''),
    cells: () => lines().map((line) => cellsOf(line, term.cols)),
    cursor: () => ({ x: term.buffer.active.cursorX, y: term.buffer.active.cursorY, visible }),
    async settle() {
      await new Promise((resolve) => { setTimeout(resolve, 0); });
      await new Promise<void>((resolve) => { term.write('', resolve); });
      if (output.writableLength > 0 && !stalled) await this.settle();
    },
    disturb: (text) => new Promise((resolve) => { term.write(text, resolve); }),
  };
}

/** One row as text that tells every difference of content and style. */
function cellsOf(line: ReturnType<HeadlessTerminal['buffer']['active']['getLine']>, columns: number): string {
  return Array.from({ length: columns }, (_, x) => {
    const cell = line?.getCell(x);
    if (!cell) return '?';
    const style = [cell.getFgColorMode(), cell.getFgColor(), cell.getBgColorMode(), cell.getBgColor(), cell.isBold(), cell.isInverse()].join(',');
    return `${cell.getWidth()}${cell.getChars() || ' '}${style === '0,-1,0,-1,0,0' || style === '0,0,0,0,0,0' ? '' : `<${style}>`}`;
  }).join('');
}

export type FakeInput = {
  source: NodeJS.ReadStream;
  /** Bytes as they come in one read. */
  send(bytes: string | Uint8Array): void;
};

/** An input that gives what is sent at once, as one read. */
export function createFakeInput(): FakeInput {
  const source = Object.assign(new EventEmitter(), { isTTY: true, setRawMode: () => source, pause: () => source, resume: () => source, unref: () => source });
  return { source: source as unknown as NodeJS.ReadStream, send: (bytes) => { source.emit('data', Buffer.from(bytes as string)); } };
}
