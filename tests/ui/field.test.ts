// One-line fields: the cursor is always in sight.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphemes } from '../../src/ui/editor/graphemes.ts';
import { fieldWindow } from '../../src/ui/field.ts';
import { columnsOf } from '../../src/lib/width.ts';

test.each<[string, number, number, { text: string; x: number }]>([
  ['abc', 3, 10, { text: 'abc', x: 3 }],
  ['abcdef', 6, 4, { text: 'def', x: 3 }],
  ['abcdef', 0, 4, { text: 'abcd', x: 0 }],
  ['日本語', 3, 4, { text: '語', x: 2 }],
  ['a\tb', 3, 10, { text: 'a b', x: 3 }],
])('%j at %d in %d columns', (text, cursor, width, shown) => {
  expect(fieldWindow({ text, cursor }, width)).toEqual(shown);
});

test('never wider than the field', () => {
  const pieces = fc.array(fc.constantFrom('a', '日', '👍🏽', 'e\u0301', ' '), { maxLength: 40 });
  fc.assert(fc.property(pieces, fc.nat(40), fc.integer({ min: 2, max: 30 }), (list, at, width) => {
    const text = list.join('');
    const cursor = graphemes(text).slice(0, at).join('').length;
    const shown = fieldWindow({ text, cursor }, width);
    expect(columnsOf(shown.text)).toBeLessThanOrEqual(width);
    expect(shown.x).toBeLessThan(width);
  }));
});
