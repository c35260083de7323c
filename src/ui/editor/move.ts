// Moves of the cursor. None of them changes the text.
import type { Editor } from './editor.ts';
import { lineAround, nextBorder, previousBorder, toBorder } from './graphemes.ts';
import { columnOf, offsetAt, rowOf, wrapText } from './wrap.ts';

const WORD = /[\p{L}\p{N}\p{M}_]/u;

function moveTo(editor: Editor, at: number): Editor {
  return { ...editor, cursor: toBorder(editor.text, Math.min(Math.max(at, 0), editor.text.length)), goal: null, last: 'move' };
}

export const left = (editor: Editor) => moveTo(editor, previousBorder(editor.text, editor.cursor));
export const right = (editor: Editor) => moveTo(editor, nextBorder(editor.text, editor.cursor));
export const lineStart = (editor: Editor) => moveTo(editor, lineAround(editor.text, editor.cursor).start);
export const lineEnd = (editor: Editor) => moveTo(editor, lineAround(editor.text, editor.cursor).end);
export const wordLeft = (editor: Editor) => moveTo(editor, wordBefore(editor.text, editor.cursor));
export const wordRight = (editor: Editor) => moveTo(editor, wordAfter(editor.text, editor.cursor));

/** Start of the word that ends at or before `at`. */
export function wordBefore(text: string, at: number): number {
  return scan(text, at, previousBorder, (from, to) => text.slice(to, from));
}

/** End of the word that starts at or after `at`. */
export function wordAfter(text: string, at: number): number {
  return scan(text, at, nextBorder, (from, to) => text.slice(from, to));
}

/** Steps over what is no word, then over the word. */
function scan(text: string, start: number, step: (text: string, at: number) => number, between: (from: number, to: number) => string): number {
  let at = start;
  for (const inWord of [false, true]) {
    for (let next = step(text, at); next !== at && WORD.test(between(at, next)) === inWord; next = step(text, at)) at = next;
  }
  return at;
}

/** One row up (-1) or down (1) as drawn at `width`; `null` when there is none, so that the history can take over. */
export function vertical(editor: Editor, by: -1 | 1, width: number): Editor | null {
  const rows = wrapText(editor.text, editor.pastes, width);
  const at = rowOf(rows, editor.cursor);
  const from = rows[at];
  const to = rows[at + by];
  if (!from || !to) return null;
  const goal = editor.goal ?? columnOf(editor, from, editor.cursor);
  return { ...editor, cursor: offsetAt(editor, to, goal), goal, last: 'move' };
}
