// Which theme is taken: by name, by what the terminal answers, by what the environment says.
import { expect, test } from 'vitest';
import { chooseTheme } from '../../src/ui/theme-choice.ts';

test.each<[string, NodeJS.ProcessEnv, string | undefined, string]>([
  ['contrast', {}, undefined, 'contrast'],
  ['auto', {}, undefined, 'dark'],
  ['auto', { COLORFGBG: '0;15' }, undefined, 'light'],
  ['auto', { COLORFGBG: '15;0' }, undefined, 'dark'],
  ['auto', { COLORFGBG: '0;15' }, '\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\', 'dark'],
  ['auto', {}, '\x1b]11;rgb:ffff/fafa/f0f0\x07', 'light'],
  ['auto', {}, '\x1b]11;rgb:ff/ff/ff\x07', 'light'],
  ['auto', {}, '\x1b[?62c', 'dark'],
  ['purple', {}, undefined, 'dark'],
])('%s, %o, %j: %s', (wanted, env, reply, theme) => {
  expect(chooseTheme(wanted, env, reply)).toBe(theme);
});
