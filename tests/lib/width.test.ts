// The short cuts for widths say what string-width says.
import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { columnsOf, isPlain, segment, unpainted } from '../../src/lib/width.ts';

test('each plain character is one column and one grapheme, alone and beside another', () => {
  const plain = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(isPlain);
  expect(plain.length).toBeGreaterThan(1_500);
  expect(plain.filter((char) => stringWidth(char) !== 1)).toEqual([]);
  expect([...segment(plain.join(''))].length).toBe(plain.length);
});

test('columnsOf is string-width of anything', () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', '─', '│', '日', '😀', '❤️', 'é', 'e\u0301', '→', '✓', ' ') }), (text) => {
    expect(columnsOf(text)).toBe(stringWidth(text));
  }));
});

test('unpainted takes styles off', () => {
  expect(unpainted('\x1b[1;38;2;1;2;3mab\x1b[m c')).toBe('ab c');
  expect(unpainted('plain')).toBe('plain');
});
