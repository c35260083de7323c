// Counts in words.
import { expect, test } from 'vitest';
import { plural } from '../../src/lib/plural.ts';

test.each([[0, '0 lines'], [1, '1 line'], [2, '2 lines'], [1_200, '1,200 lines']])('%i', (count, words) => {
  expect(plural(count, 'line')).toBe(words);
});
