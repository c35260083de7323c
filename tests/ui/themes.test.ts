// Themes: complete at every level, and what the environment says of colour.
import { expect, test } from 'vitest';
import { colourLevel, createTheme, paint, themeNames, type ColourLevel } from '../../src/ui/themes.ts';

test.each<[NodeJS.ProcessEnv, ColourLevel]>([
  [{}, 'ansi16'],
  [{ TERM: 'xterm-256color' }, 'ansi256'],
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 'truecolor'],
  [{ TERM: 'xterm-kitty' }, 'truecolor'],
  [{ TERM: 'dumb', COLORTERM: 'truecolor' }, 'none'],
  [{ NO_COLOR: '1', COLORTERM: 'truecolor' }, 'mono'],
  [{ NO_COLOR: '', COLORTERM: 'truecolor' }, 'truecolor'],
  [{ NO_COLOR: '1', FORCE_COLOR: '3' }, 'truecolor'],
  [{ FORCE_COLOR: '0', COLORTERM: 'truecolor' }, 'mono'],
  [{ FORCE_COLOR: '1', TERM: 'dumb' }, 'ansi16'],
  [{ FORCE_COLOR: '2' }, 'ansi256'],
])('%j is %s', (env, level) => {
  expect(colourLevel(env)).toBe(level);
});

test('a style at each level', () => {
  const levels: ColourLevel[] = ['none', 'mono', 'ansi16', 'ansi256', 'truecolor'];
  expect(levels.map((level) => paint(createTheme('contrast', level), 'danger', 'x'))).toEqual([
    'x', '\x1b[1mx\x1b[0m', '\x1b[1;91mx\x1b[0m', '\x1b[1;38;5;203mx\x1b[0m', '\x1b[1;38;2;255;96;96mx\x1b[0m',
  ]);
});

test('every theme has well-formed parameters for every style at every level', () => {
  for (const name of themeNames) {
    for (const level of ['none', 'mono', 'ansi16', 'ansi256', 'truecolor'] as const) {
      for (const parameters of Object.values(createTheme(name, level).sgr)) expect(parameters).toMatch(/^$|^\d+(;\d+)*$/);
    }
  }
  expect(paint(createTheme('dark', 'truecolor'), 'danger', '')).toBe('');
});
