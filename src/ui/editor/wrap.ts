// How the prompt's text breaks into rows, and which place of the text stands where.
import { columnsOf } from '../../lib/width.ts';
import { graphemes } from './graphemes.ts';
import { drawn } from './paste.ts';

/** One row: the text between two offsets. After a `soft` one the line goes on in the next row. */
export type TextRow = { from: number; to: number; soft: boolean };

type Drawable = { text: string; pastes: readonly string[] };

/** Rows of at most `width` columns, one column kept free for the cursor. There is always one. */
export function wrapText(text: string, pastes: readonly string[], width: number): TextRow[] {
  const most = Math.max(1, width - 1);
  const rows: TextRow[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    let from = at;
    let used = 0;
    for (const grapheme of graphemes(line)) {
      const wide = Math.min(widthOf(grapheme, pastes), most);
      if (used + wide > most) {
        rows.push({ from, to: at, soft: true });
        from = at;
        used = 0;
      }
      used += wide;
      at += grapheme.length;
    }
    rows.push({ from, to: at, soft: false });
    at += 1;
  }
  return rows;
}

/** Columns of one grapheme as it is drawn. */
export function widthOf(grapheme: string, pastes: readonly string[]): number {
  return columnsOf(drawn(grapheme, pastes).text);
}

/** Index of the row that the offset stands in; at a soft break that is the later row. */
export function rowOf(rows: readonly TextRow[], at: number): number {
  return Math.max(0, rows.findLastIndex((row) => row.from <= at));
}

/** Column of an offset within its row. */
export function columnOf({ text, pastes }: Drawable, row: TextRow, at: number): number {
  return graphemes(text.slice(row.from, at)).reduce((sum, grapheme) => sum + widthOf(grapheme, pastes), 0);
}

/** The offset in `row` that is nearest to a column. */
export function offsetAt({ text, pastes }: Drawable, row: TextRow, column: number): number {
  let at = row.from;
  let used = 0;
  for (const grapheme of graphemes(text.slice(row.from, row.to))) {
    used += widthOf(grapheme, pastes);
    // The end of a soft row is the start of the next one, so it is no place on this one.
    if (used > column || (row.soft && at + grapheme.length === row.to)) break;
    at += grapheme.length;
  }
  return at;
}
