// However the program ends, the terminal is what it was before.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Pty } from '../helpers/pty.ts';
import { logged, newLog, RESTORED, start, state } from './fixtures/start.ts';

describe('every way out', () => {
  const WAYS: [how: string, leave: (pty: Pty) => void, exited: object, text: RegExp][] = [
    ['in order', (pty) => pty.write('q'), { code: 0 }, /^goodbye$/],
    ['process.exit', (pty) => pty.write('x'), { code: 7 }, /^$/],
    ['a throw while rendering', (pty) => pty.write('t'), { code: 1 }, /thrown on purpose/],
    ['an exception that nobody caught', (pty) => pty.write('u'), { code: 1 }, /Error: thrown on purpose/],
    ['a rejection that nobody caught', (pty) => pty.write('r'), { code: 1 }, /Error: rejected on purpose/],
    ['SIGTERM', (pty) => pty.kill('SIGTERM'), { code: 143 }, /^$/],
    ['SIGHUP', (pty) => pty.kill('SIGHUP'), { code: 129 }, /^$/],
    ['SIGINT, with a closing that hangs', (pty) => pty.kill('SIGINT'), { code: 130 }, /^$/],
  ];
  test.each(WAYS)('%s', async (_how, leave, exited, text) => {
    const pty = await start();
    leave(pty);
    expect(await pty.exited).toEqual({ signal: undefined, ...exited });
    expect(state(pty)).toEqual(RESTORED);
    expect(pty.normalText()).toMatch(text);
    expect(pty.normalText()).not.toMatch(/[╭╰]|early prompt/);
  });

  test('SIGTERM while nobody reads the terminal', async () => {
    const log = newLog();
    const pty = await start({ log, columns: 200, rows: 50 });
    pty.pause();
    pty.write('f');
    await logged(log, 'frame 50');
    pty.kill('SIGTERM');
    const alive = () => {
      try {
        return process.kill(pty.pid, 0);
      } catch {
        return false;
      }
    };
    while (alive()) await new Promise((resolve) => { setTimeout(resolve, 20); });
    expect(readFileSync(log, 'utf8')).toContain('closing on SIGTERM');
    pty.resume();
  });

  test('a signal lets the owner close first', async () => {
    const log = newLog();
    const pty = await start({ log });
    pty.kill('SIGTERM');
    await pty.exited;
    expect(readFileSync(log, 'utf8')).toBe('closing on SIGTERM\n');
  });
});
