// clean: carriage returns overwrite, and long lines cost what they are long.
import { expect, test } from 'vitest';
import { clean } from '../../src/lib/clean.ts';

test.each([
  ['10%\r20%\r30%\n', '30%\n'],
  ['10%\r20%\r', '20%'],
  ['a\r\nb\r\n', 'a\nb\n'],
  ['a\r\r\nb', 'a\nb'],
  ['\r', ''],
  ['\r\rx', 'x'],
  ['one\ntwo\rTWO\nthree', 'one\nTWO\nthree'],
])('%j is shown as %j', (text, shown) => {
  expect(clean(text)).toBe(shown);
});

test('a long line with control characters does not hang', () => {
  // Quadratic, this took a quarter of an hour.
  expect(clean(`\x01${'a'.repeat(1_000_000)}`)).toBe('a'.repeat(1_000_000));
  expect(clean('\0'.repeat(1_000_000))).toBe('');
});
