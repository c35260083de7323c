// The PTY reader itself: what it sees of a small shell program.
import { describe, expect, test } from 'vitest';
import { startPty } from '../helpers/pty.ts';

describe('startPty', () => {
  test('shows text, colours, cursor and modes, takes keys, tells the exit', async () => {
    const pty = startPty({
      file: '/bin/sh', columns: 40, rows: 5,
      args: ['-c', String.raw`printf 'before\n'; printf '\033[?1049h\033[?2004h\033[>1u\033[H\033[1;38;2;1;2;3mA\033[0mé\033[?25l'; read x; printf '\033[<u\033[?2004l\033[?1049l\033[?25hgot %s\n' "$x"; stty size; exit 3`],
    });
    await pty.waitFor('Aé');
    await pty.waitFor((screen) => !screen.cursor().visible);
    expect({ buffer: pty.buffer(), row: pty.row(0), cell: pty.cell(0, 0), modes: pty.modes(), cursor: pty.cursor(), normal: pty.normalText() }).toEqual({
      buffer: 'alternate', row: 'Aé', modes: ['1049', '2004', 'kitty'], cursor: { x: 2, y: 0, visible: false }, normal: 'before',
      cell: { char: 'A', fg: '#010203', bg: undefined, bold: true, dim: false, italic: false, underline: false, inverse: false },
    });
    pty.resize(50, 6);
    pty.write('yes\r');
    expect(await pty.exited).toEqual({ code: 3, signal: undefined });
    expect({ modes: pty.modes(), seen: pty.modesSeen(), cursor: pty.cursor().visible, buffer: pty.buffer() }).toEqual({ modes: [], seen: ['1049', '2004', 'kitty'], cursor: true, buffer: 'normal' });
    expect(pty.normalText()).toMatch(/^before\n(yes\n)?got yes\n6 50$/);
    expect(pty.bytes()).toBe(Buffer.byteLength(pty.raw()));
  });

  test('a wait that is not met fails with the screen, and so does one that the end overtakes', async () => {
    const pty = startPty({ file: '/bin/sh', args: ['-c', 'echo here; read x'], columns: 40, rows: 5 });
    await pty.waitFor('here');
    await expect(pty.waitFor('there', { timeoutMs: 100 })).rejects.toThrow(/100 ms passed while waiting for "there".\n.*\nhere/);
    const waiting = pty.waitFor('there');
    pty.kill();
    await expect(waiting).rejects.toThrow('ended while waiting');
    expect(await pty.exited).toEqual({ code: 0, signal: 9 });
  });
});
