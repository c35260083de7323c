// Rows never exceed their width, whatever the text; wrapping keeps the words, cutting marks the cut.
import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { anyText } from './texts.ts';
import { fit, spread, wrap, type Span } from '../../src/ui/lines.ts';

const spans = fc.array(fc.record({ text: anyText, sgr: fc.constantFrom('', '1', '38;5;12') }), { maxLength: 5 });
const bare = (value: string) => value.replace(/[ \n\t]/g, '');
const plain = (row: string) => row.replace(/\x1b\[[\d;]*m/g, '');

test('no row is wider than it may be, and each closes its colours', () => {
  fc.assert(fc.property(spans, fc.integer({ min: 1, max: 40 }), fc.constantFrom('words', 'hard', 'cut'), fc.constantFrom('', '> '), (given, width, how, prefix) => {
    for (const row of wrap(given, width, { how, first: [{ text: prefix }] })) {
      expect(stringWidth(row)).toBeLessThanOrEqual(width);
      expect(row).not.toMatch(/[\n\t]/);
      expect(row).toMatch(/^([^\x1b]*\x1b\[[\d;]+m[^\x1b]+\x1b\[0m)*[^\x1b]*$/);
    }
  }));
});

test('a filled row is exactly as wide as the pane', () => {
  fc.assert(fc.property(fc.array(fc.constantFrom('a', ' ', '你', '\t', 'long words')), fc.integer({ min: 2, max: 40 }), (words, width) => {
    for (const row of wrap([{ text: words.join('') }], width, { fill: '41' })) expect(stringWidth(row)).toBe(width);
  }));
});

test('wrapping at words loses nothing but blanks', () => {
  fc.assert(fc.property(anyText, fc.integer({ min: 3, max: 40 }), (given, width) => {
    expect(bare(wrap([{ text: given }], width).join(''))).toBe(bare(given));
  }));
});

test.each<[string, string, number, Parameters<typeof wrap>[2], string[]]>([
  ['words', 'the quick brown fox', 10, {}, ['the quick', 'brown fox']],
  ['exact fit', 'abc def', 7, {}, ['abc def']],
  ['a long word', 'ab abcdefghij', 5, {}, ['ab ab', 'cdefg', 'hij']],
  ['indentation is kept', '  two words', 6, {}, ['  two', 'words']],
  ['blanks at the edge', 'abcde     f', 5, {}, ['abcde', 'f']],
  ['wide characters break anywhere', '你好世界', 5, {}, ['你好', '世界']],
  ['wide characters after words', 'ab你好', 4, {}, ['ab你', '好']],
  ['lines', 'a\n\nb', 5, {}, ['a', '', 'b']],
  ['tabs', 'a\tb\n\tc', 20, {}, ['a   b', '    c']],
  ['hard', 'a  b  c', 3, { how: 'hard' }, ['a  ', 'b  ', 'c']],
  ['cut', 'abcdef\nab', 4, { how: 'cut' }, ['abc…', 'ab']],
  ['prefixes', 'one two', 5, { first: [{ text: '- ' }] }, ['- one', '  two']],
  ['a prefix without room', 'one', 2, { first: [{ text: '>> ' }] }, ['on', 'e']],
  ['too wide for any row', '你', 1, {}, ['?']],
])('wraps %s', (_name, given, width, options, rows) => {
  expect(wrap([{ text: given }], width, options).map(plain)).toEqual(rows);
});

test('neighbours of one look are painted once, and colours are closed on every row', () => {
  const given: Span[] = [{ text: 'a', sgr: '1' }, { text: 'b c', sgr: '1' }, { text: ' d' }];
  expect(wrap(given, 3)).toEqual(['\x1b[1mab\x1b[0m', '\x1b[1mc\x1b[0m d']);
});

test('a minified line is cut', () => {
  expect(wrap([{ text: 'x'.repeat(50_000) }], 100).length).toBe(201);
});

test('fit and spread', () => {
  expect(fit([{ text: 'two\nlines' }], 6)).toBe('two l…');
  expect(fit([{ text: 'x' }], 0)).toBe('');
  expect(spread([{ text: 'left' }], [{ text: 'right' }], 12)).toBe('left   right');
  expect(spread([{ text: 'left' }], [{ text: 'right' }], 7)).toBe('l…right');
  expect(spread([{ text: 'left' }], [{ text: 'right' }], 3)).toBe('ri…');
});
