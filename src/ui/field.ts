// One-line fields: the part of a long line that is in sight, and where the cursor stands in it.
import type { Editor } from './editor/editor.ts';
import { graphemes } from './editor/graphemes.ts';
import { columnsOf } from '../lib/width.ts';

/** What a field of `width` columns shows, the cursor always in sight. */
export function fieldWindow({ text, cursor }: Pick<Editor, 'text' | 'cursor'>, width: number): { text: string; x: number } {
  const before = graphemes(text.slice(0, cursor).replaceAll('\t', ' '));
  let x = 0;
  let from = before.length;
  while (from > 0 && x + columnsOf(before[from - 1] ?? '') < width) x += columnsOf(before[--from] ?? '');
  let shown = before.slice(from).join('');
  let used = x;
  for (const grapheme of graphemes(text.slice(cursor).replaceAll('\t', ' '))) {
    used += columnsOf(grapheme);
    if (used > width) break;
    shown += grapheme;
  }
  return { text: shown, x };
}
