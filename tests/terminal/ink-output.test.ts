// Keeping rows between frames must not be seen: the same frames through Ink's own Output give the same bytes.
import * as fc from 'fast-check';
import InkOutput from '../../node_modules/ink/build/output.js';
import { expect, test } from 'vitest';
import { keepingRows, type InkOperation, type MakeInkOutput } from '../../src/terminal/ink-output.ts';

const Whole = InkOutput as unknown as MakeInkOutput;

const pieces = ['a', 'word ', '你', '👍🏽', 'é', '│', ' ', '\n', '\x1b[31m', '\x1b[1;44m', '\x1b[0m', '\x1b[39m', '\x1b]8;;http://x\x07', '\x1b]8;;\x07', '\x1b[38;2;1;2;3mx\x1b[0m'];
const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));
/** Ink clips a direction at both ends or not at all. */
const edges = fc.option(fc.tuple(fc.integer({ min: -2, max: 14 }), fc.integer({ min: -2, max: 14 })), { nil: [undefined, undefined] });
const transformer = fc.constantFrom(
  (line: string) => line,
  (line: string) => `\x1b[4m${line}\x1b[24m`,
  (line: string, index: number) => `${index}${line}`,
);
const write: fc.Arbitrary<InkOperation> = fc.record({ type: fc.constant('write' as const), x: fc.integer({ min: -3, max: 12 }), y: fc.integer({ min: -2, max: 7 }), text, transformers: fc.array(transformer, { maxLength: 2 }) });
const operation: fc.Arbitrary<InkOperation> = fc.oneof(
  { weight: 5, arbitrary: write },
  { weight: 2, arbitrary: fc.tuple(edges, edges).map(([[x1, x2], [y1, y2]]) => ({ type: 'clip' as const, clip: { x1, x2, y1, y2 } })) },
  { weight: 1, arbitrary: fc.constant({ type: 'unclip' as const }) },
);
const frame = fc.record({ width: fc.integer({ min: 1, max: 14 }), height: fc.integer({ min: 0, max: 6 }), operations: fc.array(operation, { maxLength: 10 }) });
/** Frames that have much in common, as those of a screen. */
const frames = fc.array(fc.record({ frame, repeats: fc.integer({ min: 1, max: 2 }), moved: fc.integer({ min: -1, max: 1 }) }), { minLength: 1, maxLength: 4 });

function get(Make: MakeInkOutput, { width, height }: { width: number; height: number }, operations: readonly InkOperation[]) {
  const output = new Make({ width, height });
  output.operations.push(...operations);
  return output.get();
}

test('frames are those of Ink, whatever stood there before', () => {
  fc.assert(fc.property(frames, (all) => {
    const Kept = keepingRows(Whole);
    for (const { frame: one, repeats, moved } of all) {
      for (let time = 0; time < repeats; time += 1) {
        const operations = one.operations.map((each) => (each.type === 'write' ? { ...each, y: each.y + time * moved } : each));
        expect(get(Kept, one, operations)).toEqual(get(Whole, one, operations));
      }
    }
  }), { numRuns: process.env['MEWCODE_LONG'] ? 50_000 : 600 });
});

test('a row that has been there is not drawn again, wherever it stands now', () => {
  let drawn = 0;
  const Counting = class extends Whole {
    override get() { drawn += this.height; return super.get(); }
  };
  const Kept = keepingRows(Counting);
  const paint = (rows: readonly string[]) => {
    const output = new Kept({ width: 10, height: rows.length });
    for (const [y, row] of rows.entries()) output.operations.push({ type: 'write', x: 0, y, text: row, transformers: [] });
    return output.get().output;
  };
  const shown = [paint(['one', 'two', 'three']), paint(['one', 'two', 'three']), paint(['two', 'three', 'four']), paint(['two', 'x', 'x'])];
  expect({ shown, drawn }).toEqual({ shown: ['one\ntwo\nthree', 'one\ntwo\nthree', 'two\nthree\nfour', 'two\nx\nx'], drawn: 5 });
});
