// One row of the screen as bytes that leave nothing of the old row, on any terminal.
import { columnsOf, isPlain, unpainted } from '../lib/width.ts';

/* Text whose width terminals do not agree on: joiners, variation selectors, keycaps, emoji, and scripts whose marks take room. */
const DISPUTED = /[\u200b-\u200d\u20e3\ufe00-\ufe0f\u0900-\u0dff\u1000-\u109f\u1780-\u17ff\u{1f000}-\u{1faff}]|\p{Emoji_Presentation}|\p{Mc}/u;

/** Writes `row` at line `y`. The text goes first and the rest of the line is erased behind it, so that nothing blinks where frames are not synchronized. */
export function rewriteRow(y: number, row: string, columns: number): string {
  const start = `\x1b[${y + 1};1H`;
  const end = row.includes('\x1b') ? '\x1b[m' : '';
  if (row === '') return `${start}\x1b[K`;
  const text = unpainted(row);
  if (columnsOf(text) < columns) return `${start}${row}${end}\x1b[K`;
  // Behind a full row the cursor stands on its last cell, and erasing would take that. Where its width is sure there is nothing to erase.
  return !isPlain(text) && DISPUTED.test(text) ? `${start}\x1b[K${row}${end}` : `${start}${row}${end}`;
}
