// The rows of the prompt: wrapped, windowed, with the cursor where the next letter will stand.
import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { createEditor, paste } from '../../src/ui/editor/editor.ts';
import { promptRows } from '../../src/ui/prompt-rows.ts';

const rowsOf = (text: string, cursor: number, width: number, maxRows = 10) => promptRows({ ...createEditor(text), cursor }, width, { maxRows });

test('an empty prompt shows its placeholder', () => {
  expect(promptRows(createEditor(), 20, { maxRows: 5, placeholder: 'type here' })).toEqual({ rows: ['> type here'], cursor: { x: 2, y: 0 } });
});

test('lines and wide letters', () => {
  expect(rowsOf('日本語\nab', 3, 20)).toEqual({ rows: ['> 日本語', '  ab'], cursor: { x: 8, y: 0 } });
});

test('a full row leaves a column for the cursor', () => {
  expect(rowsOf('0123456789', 10, 12)).toEqual({ rows: ['> 012345678', '  9'], cursor: { x: 3, y: 1 } });
});

test('a long prompt shows the rows around the cursor', () => {
  expect(rowsOf('a\nb\nc\nd\ne', 4, 20, 3)).toEqual({ rows: ['  b', '  c', '  d'], cursor: { x: 2, y: 1 } });
});

test('a folded paste is a label', () => {
  const editor = paste(createEditor(), 'x\n'.repeat(120));
  expect(promptRows(editor, 40, { maxRows: 5, chip: (text) => `<${text}>` })).toEqual({ rows: ['> <[pasted 120 lines]>'], cursor: { x: 20, y: 0 } });
});

test('rows never exceed the width, and the cursor stays inside', () => {
  const text = fc.array(fc.constantFrom('a', 'word ', '\n', '日', '👍🏽', '👨‍👩‍👧‍👦', 'e\u0301', '\t'), { maxLength: 80 }).map((list) => list.join(''));
  fc.assert(fc.property(text, fc.integer({ min: 8, max: 60 }), fc.integer({ min: 1, max: 8 }), (value, width, maxRows) => {
    const { rows, cursor } = promptRows(createEditor(value), width, { maxRows });
    expect(rows.length).toBeLessThanOrEqual(maxRows);
    expect(rows.filter((row) => stringWidth(row) > width)).toEqual([]);
    expect(cursor.x < width && cursor.y < rows.length).toBe(true);
  }));
});
