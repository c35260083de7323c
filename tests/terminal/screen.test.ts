// The screen writer against a terminal emulator: what it shows always equals a fresh paint of the last frame.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createScreen } from '../../src/terminal/screen.ts';
import { createFakeOutput } from '../helpers/fake-tty.ts';

const tick = (ms = 0) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** A screen without a limit of frames, on a terminal of 20 × 4. */
function start(options: { fps?: number; columns?: number; rows?: number } = {}) {
  const terminal = createFakeOutput(options.columns ?? 20, options.rows ?? 4);
  return { terminal, screen: createScreen(terminal.output, { fps: options.fps ?? Infinity }) };
}

const frame = (first: number, side: string) => ['head', ...Array.from({ length: 6 }, (_, y) => `│ line ${first + y} │ ${side} ${y}`), 'foot'];

describe('frames', () => {
  test('the first frame writes all rows, a changed one only its own, an equal one no byte', async () => {
    const { terminal, screen } = start();
    screen.paint(['one', 'two']);
    await terminal.settle();
    expect({ rows: terminal.rows(), cursor: terminal.cursor().visible }).toEqual({ rows: ['one', 'two', '', ''], cursor: false });
    const first = terminal.written();
    screen.paint(['one', 'zwei']);
    await terminal.settle();
    expect(terminal.written().slice(first.length)).toBe('\x1b[?2026h\x1b[2;1Hzwei\x1b[?2026l');
    const second = terminal.writes();
    screen.paint(['one', 'zwei']);
    screen.stdout.write('one\nzwei');
    await tick(20);
    expect(terminal.writes()).toBe(second);
  });

  test('of a plain row only the part is written that differs, in its style', async () => {
    const { terminal, screen } = start({ rows: 1 });
    const after = async (row: string) => {
      const { length } = terminal.written();
      screen.paint([row]);
      await terminal.settle();
      return terminal.written().slice(length).replace(/^\x1b\[\?2026h(.*)\x1b\[\?2026l$/, '$1');
    };
    const bytes = [
      await after('\x1b[31mred\x1b[0m │ plain'),
      await after('\x1b[31mrod\x1b[0m │ plain'),
      await after('\x1b[31mrod\x1b[39m │ plain and'),
      await after('\x1b[31mrod\x1b[39m │ plain'),
      await after('\x1b[1;31mrod\x1b[22m\x1b[39m │ plain'),
      await after('你好'),
      await after('你'),
      await after('plain \x1b[5;21mtwo'),
      await after('plain \x1b[5;21mtwo!'),
    ];
    expect(bytes).toEqual([
      '\x1b[1;1H\x1b[31mred\x1b[0m │ plain\x1b[m\x1b[K\x1b[?25l',
      '\x1b[1;2H\x1b[31mo\x1b[m',
      '\x1b[1;12H and',
      '\x1b[1;12H\x1b[K',
      '\x1b[1;1H\x1b[1;31mrod\x1b[m',
      '\x1b[1;1H你好\x1b[K',
      '\x1b[1;1H你\x1b[K',
      '\x1b[1;1Hplain \x1b[5;21mtwo\x1b[m\x1b[K',
      '\x1b[1;1Hplain \x1b[5;21mtwo!\x1b[m\x1b[K',
    ]);
  });

  test('rows that move together are moved by the terminal, and what is beside them drawn anew', async () => {
    const { terminal, screen } = start({ rows: 8 });
    const paint = async (rows: string[]) => {
      const { length } = terminal.written();
      screen.paint(rows);
      await terminal.settle();
      expect(terminal.rows()).toEqual(rows);
      return terminal.written().slice(length).replace(/^\x1b\[\?2026h(.*)\x1b\[\?2026l$/, '$1');
    };
    await paint(frame(1, ''));
    const up = await paint(['head', ...frame(1, '').slice(2, 7), '│ line 7 │  6', 'foot']);
    const down = await paint(frame(1, ''));
    expect([up, down]).toEqual(['\x1b[2;7r\x1b[1S\x1b[r\x1b[7;1H│ line 7 │  6', '\x1b[2;7r\x1b[1T\x1b[r\x1b[2;1H│ line 1 │  0']);
    await paint(frame(3, 'x'));
  });

  test('a style does not run into the next row, nor into what is erased', async () => {
    const { terminal, screen } = start({ rows: 2 });
    screen.paint(['\x1b[41mred', 'plain']);
    await terminal.settle();
    expect(terminal.cells()).toEqual([expect.stringMatching(/^1r<[^>]+>1e<[^>]+>1d<[^>]+>(1 ){17}$/), expect.stringMatching(/^1p1l1a1i1n(1 ){15}$/)]);
  });

  test('the cursor comes last in its frame, moves without one, and is written only when it changes', async () => {
    const { terminal, screen } = start();
    screen.paint(['> ']);
    screen.setCursor({ x: 2, y: 0 });
    await terminal.settle();
    expect(terminal.cursor()).toEqual({ x: 2, y: 0, visible: true });
    expect(terminal.written()).toMatch(/\x1b\[1;3H\x1b\[\?25h\x1b\[\?2026l$/);
    const writes = terminal.writes();
    const length = terminal.written().length;
    screen.setCursor({ x: 2, y: 0 });
    await terminal.settle();
    expect(terminal.writes()).toBe(writes);
    screen.setCursor({ x: 0, y: 3 });
    await terminal.settle();
    expect(terminal.written().slice(length)).toBe('\x1b[4;1H');
    screen.setCursor(null);
    await terminal.settle();
    expect(terminal.cursor().visible).toBe(false);
    screen.setCursor({ x: 500, y: 500 });
    await terminal.settle();
    expect(terminal.cursor()).toEqual({ x: 19, y: 3, visible: true });
  });

  test('a frame set in the same turn as its cursor is one write', async () => {
    const { terminal, screen } = start();
    screen.stdout.write('abc');
    screen.setCursor({ x: 3, y: 0 });
    await terminal.settle();
    expect(terminal.writes()).toBe(1);
  });

  test('the first frame is written at once, those that come too fast are one', async () => {
    const { terminal, screen } = start({ fps: 20 });
    screen.paint(['0']);
    await Promise.resolve();
    expect(terminal.writes()).toBe(1);
    for (let frame = 1; frame <= 5; frame++) {
      screen.paint([String(frame)]);
      await terminal.settle();
    }
    while (terminal.rows()[0] !== '5') await tick(5);
    expect(terminal.writes()).toBe(2);
  });

  test('a terminal that takes nothing gets the latest frame when it does again', async () => {
    const { terminal, screen } = start();
    terminal.stall();
    for (let frame = 0; frame <= 50; frame++) {
      screen.paint([`frame ${frame}`]);
      await terminal.settle();
    }
    expect(terminal.writes()).toBe(1);
    terminal.release();
    await tick(5);
    expect({ rows: terminal.rows(), writes: terminal.writes() }).toEqual({ rows: ['frame 50', '', '', ''], writes: 2 });
  });
});

describe('the facade for Ink', () => {
  test('has the size, takes empty writes and modes without painting, calls back', async () => {
    const { terminal, screen } = start();
    const { stdout } = screen;
    expect([stdout.columns, stdout.rows, stdout.isTTY, stdout.writable, stdout.destroyed, stdout.writableEnded]).toEqual([20, 4, true, true, false, false]);
    const calls: string[] = [];
    stdout.write('', () => calls.push('empty'));
    stdout.write('\x1b[?25h', 'utf8', () => calls.push('mode'));
    await terminal.settle();
    expect({ calls, writes: terminal.written() }).toEqual({ calls: ['empty', 'mode'], writes: '' });
  });

  test('a resize is told, and painted in one block even when the old tree comes first', async () => {
    const { terminal, screen } = start();
    screen.paint(['a', 'b', 'c', 'd']);
    await terminal.settle();
    const before = terminal.written().length;
    screen.stdout.on('resize', () => {
      screen.paint(['old tree', 'old tree', 'old tree', 'old tree']);
      setTimeout(() => screen.paint(['new', 'tree']), 2);
    });
    terminal.resize(10, 3);
    while (terminal.rows()[0] !== 'new') await tick(5);
    await tick(30);
    expect(terminal.rows()).toEqual(['new', 'tree', '']);
    expect(terminal.written().slice(before).match(/\x1b\[\?2026h/g)).toHaveLength(1);
  });
});

describe('other programs on the screen', () => {
  test('repaint cures it', async () => {
    const { terminal, screen } = start();
    screen.paint(['one', 'two', 'three', 'four']);
    await terminal.settle();
    await terminal.disturb('\x1b[2;3r\x1b[?6h\x1b[?7h\x1b[31mgarbage\n\n\ngarbage');
    screen.repaint();
    await terminal.settle();
    expect(terminal.rows()).toEqual(['one', 'two', 'three', 'four']);
    screen.paint(['x'.repeat(20), 'two']);
    await terminal.settle();
    expect(terminal.rows()).toEqual(['x'.repeat(20), 'two', '', '']);
  });

  test('suspended nothing is written; resume paints what came meanwhile', async () => {
    const { terminal, screen } = start();
    screen.paint(['one']);
    await terminal.settle();
    screen.suspend();
    const { length } = terminal.written();
    screen.paint(['two']);
    screen.send('\x07');
    screen.setCursor({ x: 0, y: 0 });
    await tick(20);
    expect(terminal.written()).toHaveLength(length);
    await terminal.disturb('\x1b[Hsomething else');
    screen.resume();
    await terminal.settle();
    expect(terminal.rows()[0]).toBe('two');
  });

  test('released it leaves an empty screen and paints no more, but sends', async () => {
    const { terminal, screen } = start();
    screen.paint(['one']);
    screen.setCursor({ x: 3, y: 0 });
    await terminal.settle();
    screen.release();
    screen.paint(['two']);
    screen.suspend();
    screen.resume();
    terminal.resize(10, 4);
    await terminal.settle();
    const { length } = terminal.written();
    screen.send('\x07');
    await tick(30);
    expect({ rows: terminal.rows(), cursor: terminal.cursor(), last: terminal.written().slice(length) }).toEqual({ rows: ['', '', '', ''], cursor: { x: 0, y: 0, visible: true }, last: '\x07' });
  });

  test('closed it writes no more, and does not wait for ever', async () => {
    const { terminal, screen } = start();
    terminal.stall();
    screen.paint(['one']);
    await terminal.settle();
    await screen.close(20);
    screen.paint(['two']);
    screen.resume();
    screen.send('\x07');
    await tick(20);
    expect(terminal.writes()).toBe(1);
  });
});

const rowOf = (pieces: string[]) => fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''));

/** Cuts between whole sequences and characters. */
function splice(row: string, { at, gone, added }: { at: number; gone: number; added: string }): string {
  const pieces = row.match(/\x1b\[[\d;]*m|[^]/gu) ?? [];
  pieces.splice(Math.min(at, pieces.length), gone, added);
  return pieces.join('');
}

describe('fuzz', () => {
  const ASCII = ['a', 'b', ' ', 'word', '─', '│', '•', '…', '⠋', '±', '\x1b[31m', '\x1b[1m', '\x1b[44m', '\x1b[38;2;1;2;3m', '\x1b[7;48;5;17m', '\x1b[22m', '\x1b[39m', '\x1b[0m'];
  const WIDE = ['漢字', '한', 'ｆ', '😀', '🚀', '✅', '❤️', '⚠️', '1️⃣', '👨‍👩‍👧', '👍🏽', '🏳️‍🌈', 'नि', 'ไทย', 'é', 'مرحبا'];
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('paint' as const), rows: fc.array(fc.oneof(rowOf(ASCII), rowOf([...ASCII, ...WIDE])), { maxLength: 9 }) }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('edit' as const), y: fc.nat(6), at: fc.nat(24), gone: fc.nat(4), added: rowOf(ASCII) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('scroll' as const), from: fc.nat(3), by: fc.integer({ min: -3, max: 3 }), added: fc.array(fc.oneof(rowOf(ASCII), rowOf(WIDE)), { minLength: 3, maxLength: 3 }) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('cursor' as const), at: fc.option(fc.record({ x: fc.nat(30), y: fc.nat(9) })) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('resize' as const), columns: fc.integer({ min: 2, max: 30 }), rows: fc.integer({ min: 1, max: 9 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('stall' as const, 'release' as const, 'pause' as const, 'repaint' as const) }) },
  );

  test('the terminal shows what a fresh paint of the last frame shows', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
      const { terminal, screen } = start({ columns: 24, rows: 9 });
      let rows: readonly string[] = [];
      let cursor: { x: number; y: number } | null = null;
      for (const one of steps) {
        if (one.kind === 'paint') screen.paint(rows = one.rows);
        else if (one.kind === 'edit') {
          // As a screen changes: a part of one row of the frame before.
          rows = rows.map((row, y) => (y === one.y ? splice(row, one) : row));
          screen.paint(rows);
          await terminal.settle();
        } else if (one.kind === 'scroll') {
          const { from, by, added } = one;
          const moved = rows.slice(from);
          rows = [...rows.slice(0, from), ...(by > 0 ? [...moved.slice(by), ...added.slice(0, by)] : [...added.slice(0, -by), ...moved])];
          screen.paint(rows);
          await terminal.settle();
        } else if (one.kind === 'cursor') screen.setCursor(cursor = one.at);
        else if (one.kind === 'resize') terminal.resize(one.columns, one.rows);
        else if (one.kind === 'pause') await tick();
        else if (one.kind === 'repaint') screen.repaint();
        else terminal[one.kind]();
      }
      terminal.release();
      if (steps.some((one) => one.kind === 'resize')) await tick(30);
      await terminal.settle();

      const size = screen.size();
      const fresh = start(size);
      fresh.screen.paint(rows);
      fresh.screen.setCursor(cursor);
      fresh.screen.repaint();
      await fresh.terminal.settle();
      expect({ cells: terminal.cells(), cursor: cursor && terminal.cursor() }).toEqual({ cells: fresh.terminal.cells(), cursor: cursor && fresh.terminal.cursor() });
    }), { numRuns: process.env['MEWCODE_LONG'] ? 2_000 : 60 });
  }, 300_000);
});
