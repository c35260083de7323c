// clean and reveal: no control sequence and no hidden character of untrusted text reaches the terminal.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clean, cleanLine, reveal } from '../../src/lib/clean.ts';

describe('clean', () => {
  test.each<[name: string, text: string, shown: string]>([
    ['plain text', 'a b\tc\nd 漢字 é 🙂', 'a b\tc\nd 漢字 é 🙂'],
    ['colours', '\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mx\x1b[m', 'red x'],
    ['colours with colons', '\x1b[38:2::1:2:3mx', 'x'],
    ['cursor, screen and modes', '\x1b[2J\x1b[H\x1b[10;20Hx\x1b[?1049h\x1b[?25l\x1b[>4;2m', 'x'],
    ['an intermediate byte', '\x1b[2 qx\x1b[!px', 'xx'],
    ['a title, ended by BEL', '\x1b]0;evil\x07x', 'x'],
    ['a title, ended by ST', '\x1b]0;evil\x1b\\x', 'x'],
    ['a link keeps its text', '\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\', 'click'],
    ['the clipboard', '\x1b]52;c;ZXZpbA==\x07x', 'x'],
    ['an unended title ends with its line', '\x1b]0;evil\nnext', '\nnext'],
    ['an unended title at the end', 'x\x1b]0;evil', 'x'],
    ['DCS, APC, PM, SOS', '\x1bPq#0\x1b\\a\x1b_G\x1b\\b\x1b^x\x1b\\c\x1bXx\x1b\\d', 'abcd'],
    ['C1 forms', '\x9b31mred\x9b0m\x9d0;evil\x9cx\x90q\x9cy\x85z', 'redxyz'],
    ['short escapes', '\x1bc\x1b7\x1b8\x1b(B\x1b#8\x1b=x', 'x'],
    ['a sequence cut off', 'x\x1b', 'x'],
    ['a CSI cut off', 'x\x1b[3', 'x'],
    ['a sequence inside a sequence', '\x1b]0;\x1b[31mred', 'red'],
    ['a sequence made by removing one', '\x1b\x1b[31m[31mx', '[31mx'],
    ['bells, NULs, backspaces', 'a\x00\x07\x08b\x7fc', 'abc'],
    ['line ends of Windows', 'a\r\nb\r\n', 'a\nb\n'],
    ['a progress bar', ' 10%\r 50%\r100%\nok', '100%\nok'],
    ['a progress bar that ends with a return', '10%\r100%\r', '100%'],
    ['a return at the end of a line', 'a\r\r\nb', 'a\nb'],
    ['bidi', 'a\u202eevil\u202c\u2066b\u2069\u200fc\u061cd', 'aevilbcd'],
    ['zero width', 'a\u200bb\u2060c\ufeffd\u00ade', 'abcde'],
    ['joiners and selectors stay', '👩\u200d💻 \u0645\u200c\u0647 ❤\ufe0f', '👩\u200d💻 \u0645\u200c\u0647 ❤\ufe0f'],
    ['tags', 'a\u{e0041}\u{e0042}b', 'ab'],
    ['fillers', 'a\u3164\u115f\uffa0b', 'ab'],
    ['line separators', 'a\u2028b\u2029c', 'abc'],
  ])('%s', (_name, text, shown) => {
    expect(clean(text)).toBe(shown);
  });

  /** Text in which what matters here is likely. */
  const hostile = fc.array(fc.oneof(
    fc.constantFrom('\x1b', '\x1b[', '\x1b]', '\x9b', '\x9d', '\x90', '\x9c', '\x07', '\x1b\\', '\r', '\n', '\r\n', '\t', '0;1', 'm', '?', ' ', 'a', '\u202e', '\u200b', '\u200d', '\ufeff', '\u{e0041}', '🙂', '漢'),
    fc.string({ unit: 'binary' }),
  )).map((parts) => parts.join(''));

  test('no control and no hidden character is ever left', () => {
    fc.assert(fc.property(hostile, (text) => {
      // eslint-disable-next-line no-control-regex
      return !/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff]/.test(clean(text));
    }), { numRuns: 2_000 });
  });

  test('cleaning twice changes nothing', () => {
    fc.assert(fc.property(hostile, (text) => clean(clean(text)) === clean(text)), { numRuns: 2_000 });
  });

  test('harmless text is given back as it is', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => clean(text) === text));
  });

  test('lines stay: as many as there were', () => {
    fc.assert(fc.property(hostile, (text) => clean(text).split('\n').length === text.split('\n').length), { numRuns: 1_000 });
  });

  test('no hostile text takes longer than its length', () => {
    // What is quadratic would not come back.
    expect(clean('\x1b]'.repeat(500_000))).toBe('');
    expect(clean('\x1b['.repeat(500_000) + '0'.repeat(500_000))).toBe('');
    expect(clean('a\r'.repeat(500_000))).toBe('a');
  });
});

test('a title is one line', () => {
  expect(cleanLine('  a\n\tb\x1b[31m  c\r\n ')).toBe('a b c');
});

describe('reveal', () => {
  test.each<[text: string, shown: string]>([
    ['ls -la\n\techo', 'ls -la\n\techo'],
    ['a\r\nb', 'a\nb'],
    ['rm\u00a0-rf', 'rm⟨U+00A0⟩-rf'],
    ['a\u202eb', 'a⟨U+202E⟩b'],
    ['a\u200db\ufe0f', 'a⟨U+200D⟩b⟨U+FE0F⟩'],
    ['a\x1b[2K\rb\x9b', 'a⟨U+001B⟩[2K⟨U+000D⟩b⟨U+009B⟩'],
    ['a\u{e0041}b', 'a⟨U+E0041⟩b'],
    ['a\u2800b\u3000c\u1680d', 'a⟨U+2800⟩b⟨U+3000⟩c⟨U+1680⟩d'],
    ['a\u{1d173}b\u180bc', 'a⟨U+1D173⟩b⟨U+180B⟩c'],
    ['漢字 é', '漢字 é'],
  ])('%j', (text, shown) => {
    expect(reveal(text)).toBe(shown);
  });

  test('what is shown has nothing left to clean, and hides nothing', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = reveal(text);
      return clean(shown) === shown && (shown === text || shown.length !== text.length);
    }), { numRuns: 1_000 });
  });
});
