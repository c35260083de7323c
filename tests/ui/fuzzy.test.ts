// Fuzzy matching: what fits, and in which order.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzyFilter, fuzzyScore } from '../../src/ui/fuzzy.ts';

const item = (label: string, detail = '') => ({ label, detail });
const found = (labels: (string | { label: string; detail: string })[], query: string) => fuzzyFilter(labels.map((label) => (typeof label === 'string' ? item(label) : label)), query).map(({ label }) => label);

test.each<[string, string[], string[]]>([
  ['', ['b', 'a'], ['b', 'a']],
  ['mod', ['/compact modes', 'mode: a', 'mode: b'], ['/compact modes', 'mode: a', 'mode: b']],
  ['plan', ['explain', '/plan'], ['/plan', 'explain']],
  ['plan mode', ['mode: plan', 'mode: default'], ['mode: plan']],
  ['acce', ['mode: acceptEdits', '/clear'], ['mode: acceptEdits']],
  ['bp', ['bypassPermissions', 'plan'], ['bypassPermissions']],
  ['c++(', ['a c++( b', 'c'], ['a c++( b']],
  ['zz', ['a'], []],
])('%j', (query, labels, expected) => {
  expect(found(labels, query)).toEqual(expected);
});

test('a label comes before a detail', () => {
  expect(found([item('/do', 'leave plan mode'), item('p l a n'), item('/plan')], 'plan')).toEqual(['/plan', 'p l a n', '/do']);
});

test('every text fits itself and its letters in order', () => {
  fc.assert(fc.property(fc.string({ minLength: 1, maxLength: 20 }), (text) => {
    expect(fuzzyScore(text, text)).not.toBe(null);
  }));
});
