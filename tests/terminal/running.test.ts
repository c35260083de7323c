// A small program on our terminal in a real PTY: how it starts, takes keys, is resized, stalls, and lends the terminal.
import { describe, expect, test } from 'vitest';
import { startPty } from '../helpers/pty.ts';
import { APP, logged, newLog, RESTORED, start, state } from './fixtures/start.ts';

describe('running', () => {
  test('paints before React has loaded, enters the modes, places the cursor', async () => {
    const pty = await start();
    expect(pty.raw()).toMatch(/early prompt >[^]*╭/);
    await pty.waitFor((screen) => screen.cursor().visible);
    expect({ modes: pty.modes(), buffer: pty.buffer(), cursor: pty.cursor() }).toEqual({ modes: ['1002', '1004', '1006', '1049', '2004', 'kitty', 'otherKeys'], buffer: 'alternate', cursor: { x: 2, y: 11, visible: true } });
    expect(pty.row(11)).toBe(`╰${'─'.repeat(58)}╯`);
  });

  test('keys, pastes, mouse, focus and replies arrive', async () => {
    const pty = await start();
    pty.write('a\x1b[200~two\rlines\x1b[201~\x1b[<0;3;4M\x1b[Od');
    await pty.waitFor('reply');
    for (const shown of ['key "a"', 'paste "two\\nlines"', 'mouse press 2,3', 'focus false', 'key "d"', 'reply "\\u001b[?1;2c"']) await pty.waitFor(shown);
  });

  test('what is typed while the program starts is not lost, and its Enter is one', async () => {
    const pty = startPty({ file: process.execPath, args: ['--disable-warning=ExperimentalWarning', APP], columns: 60, rows: 12, env: { NODE_ENV: 'production' } });
    pty.write('soon\r');
    await pty.waitFor(/(key "[son]"[^]*){4}key "\\r"/);
  });

  test('idle it writes nothing', async () => {
    const pty = await start();
    await pty.waitFor((screen) => screen.cursor().visible);
    await pty.settled();
    const before = pty.bytes();
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    expect(pty.bytes()).toBe(before);
  });

  test('a key changes only its rows', async () => {
    const pty = await start();
    await pty.settled();
    const before = pty.bytes();
    pty.write('a');
    await pty.waitFor('key "a"');
    await pty.settled();
    expect(pty.bytes() - before).toBeLessThan(400);
  });

  test('a resize is painted at the new size, and leaves nothing of the old', async () => {
    const pty = await start();
    await pty.settled();
    for (const [columns, rows] of [[40, 8], [90, 20], [61, 11]] as const) {
      pty.resize(columns, rows);
      await pty.waitFor(`size ${columns}x${rows}`);
      await pty.settled(60);
      expect(pty.text().split('\n').map((row) => row.length)).toEqual(Array.from({ length: rows }, () => columns));
      expect(pty.text().match(/[╭╰]/g)).toEqual(['╭', '╰']);
    }
  });

  test('while nobody reads the terminal the program lives on, and the last frame comes when somebody does', async () => {
    const log = newLog();
    const pty = await start({ log, columns: 200, rows: 50 });
    pty.pause();
    pty.write('f');
    // Far more than what a PTY holds back.
    await logged(log, 'frame 60');
    pty.resume();
    await pty.waitFor('frame 60');
    await pty.settled();
    expect(pty.bytes()).toBeLessThan(30 * 10_000);
    expect(pty.text().split('\n').every((row) => row.includes('frame 60') && !/frame (?!60)\d+ /.test(row))).toBe(true);
  });

  test('the mouse is switched while running', async () => {
    const pty = await start({ mouse: 'wheel' });
    expect(pty.modes()).toContain('1000');
    pty.write('m');
    await pty.waitFor((screen) => !screen.modes().includes('1000'));
    expect(pty.modes()).toEqual(['1004', '1007', '1049', '2004', 'kitty', 'otherKeys']);
  });
});

describe('the terminal is lent', () => {
  test('to a program, and taken back', async () => {
    const pty = await start();
    pty.write('!');
    await pty.waitFor('the child has the terminal');
    expect(state(pty)).toEqual(RESTORED);
    pty.write('hello\r');
    await pty.waitFor('child said hello');
    expect({ buffer: pty.buffer(), modes: pty.modes() }).toEqual({ buffer: 'alternate', modes: ['1002', '1004', '1006', '1049', '2004', 'kitty', 'otherKeys'] });
    pty.write('a');
    await pty.waitFor('key "a"');
  });

  test('to the shell, by stopping the job, and taken back by fg', async () => {
    const pty = startPty({ file: '/bin/bash', args: ['--norc', '-i'], columns: 80, rows: 12, env: { PS1: '$ ', NODE_ENV: 'production' } });
    await pty.waitFor('$');
    pty.write(`${process.execPath} --disable-warning=ExperimentalWarning ${APP}\r`);
    await pty.waitFor('size 80x12');
    pty.write('z');
    await pty.waitFor('Stopped');
    expect({ ...state(pty), modes: pty.modes().filter((mode) => mode !== '2004') }).toEqual(RESTORED);
    pty.write('fg\r');
    await pty.waitFor('size 80x12');
    pty.write('a');
    await pty.waitFor('key "a"');
    pty.write('q');
    await pty.waitFor('goodbye');
  });
});
