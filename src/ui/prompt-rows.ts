// The prompt as rows of text with the place of the cursor: drawn by the first paint, before React is there, and by PromptBox alike.
import type { Editor } from './editor/editor.ts';
import { graphemes } from './editor/graphemes.ts';
import { drawn } from './editor/paste.ts';
import { columnOf, rowOf, wrapText } from './editor/wrap.ts';

/** Colours its text; must not change the width. */
export type Paint = (text: string) => string;

export type PromptLook = {
  /** Most rows drawn; a longer prompt shows those around the cursor. */
  maxRows: number;
  /** What an empty prompt says. */
  placeholder?: string;
  mark?: Paint;
  chip?: Paint;
  faint?: Paint;
};

const MARK = '> ';

/** Columns before the text. */
export const MARK_WIDTH = 2;
const plain: Paint = (text) => text;

/** Rows of at most `width` columns, and the cursor in columns and rows from the top left of them. */
export function promptRows(editor: Pick<Editor, 'text' | 'cursor' | 'pastes'>, width: number, look: PromptLook): { rows: string[]; cursor: { x: number; y: number } } {
  const { mark = plain, chip = plain, faint = plain } = look;
  const room = Math.max(2, width - MARK_WIDTH);
  const all = wrapText(editor.text, editor.pastes, room);
  const at = rowOf(all, editor.cursor);
  const first = Math.max(0, Math.min(at - Math.floor(look.maxRows / 2), all.length - look.maxRows));
  const rows = all.slice(first, first + look.maxRows).map((row, index) => {
    const lead = first + index === 0 ? mark(MARK) : ' '.repeat(MARK_WIDTH);
    const text = graphemes(editor.text.slice(row.from, row.to)).map((grapheme) => {
      const shown = drawn(grapheme, editor.pastes);
      return shown.chip ? chip(shown.text.slice(0, room - 1)) : shown.text;
    });
    return lead + text.join('');
  });
  if (editor.text === '' && look.placeholder) rows[0] = mark(MARK) + faint(look.placeholder.slice(0, room - 1));
  const row = all[at];
  const x = MARK_WIDTH + (row ? Math.min(columnOf(editor, row, editor.cursor), room - 1) : 0);
  return { rows, cursor: { x, y: at - first } };
}
