// Unified diffs: they apply, however they were made.
import { applyPatch } from 'diff';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffTexts } from '../../src/tools/unified-diff.ts';

test('equal texts have no diff', () => {
  expect(diffTexts('f', 'a', 'a')).toEqual({ patch: '', added: 0, removed: 0 });
});

test('a diff applied to the old text gives the new one', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', '\n', 'c\r\n', '-\n', '+ x\n', 'end'), { maxLength: 12 }).map((lines) => lines.join(''));
  fc.assert(fc.property(text, text, (before, after) => {
    const { patch } = diffTexts('f', before, after);
    expect(patch === '' ? before : applyPatch(before, patch, { autoConvertLineEndings: false })).toBe(after);
  }));
});

const lines = (name: string): string => Array.from({ length: 30_000 }, (_, n) => `${name} ${(n * 7919) % 30_011}\n`).join('');

test.each([['', ''], ['same start\n'.repeat(5), 'same end\n'.repeat(5)], ['', 'no newline']])('so does one of texts too different to compare in time (%j … %j)', (start, end) => {
  const [before, after] = [start + lines('old') + end, start + lines('new') + end];
  const { patch, added, removed } = diffTexts('f', before, after);
  expect(applyPatch(before, patch, { autoConvertLineEndings: false })).toBe(after);
  expect([added, removed]).toEqual([30_000, 30_000]);
});
