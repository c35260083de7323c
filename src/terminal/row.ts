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

/** A row whose every character takes one column on every terminal, and the SGR parameters of each. */
export type Cells = { text: string; styles: readonly string[] };

/** The cells of a row, or undefined where terminals might see them differently. */
export function cellsOf(row: string, columns: number): Cells | undefined {
  const text = unpainted(row);
  if (text.length > columns || !isPlain(text)) return undefined;
  const styles: string[] = [];
  let style: string | undefined = '';
  for (const [piece, parameters] of row.matchAll(/\x1b\[([\d;]*)m|[^\x1b]+/g)) {
    if (parameters !== undefined) style = addStyle(style, parameters);
    else for (let at = 0; at < piece.length; at += 1) styles.push(style);
    if (style === undefined) return undefined;
  }
  return { text, styles };
}

/** Writes what makes row `before` at line `y` into `after`: from the first cell that differs to the last. */
export function changeRow(y: number, before: Cells, after: Cells): string {
  const { length } = after.text;
  const same = (at: number) => before.text[at] === after.text[at] && before.styles[at] === after.styles[at];
  let from = 0;
  while (from < length && same(from)) from += 1;
  let to = length;
  // What comes behind stands where it stood only when both rows are equally long.
  while (before.text.length === length && to > from && same(to - 1)) to -= 1;
  const erased = before.text.length > length;
  if (from === to && !erased) return '';
  let body = '';
  let style = '';
  for (let at = from; at < to; at += 1) {
    const next = after.styles[at] ?? '';
    if (next !== style) body += next === '' ? '\x1b[m' : style === '' ? `\x1b[${next}m` : `\x1b[0;${next}m`;
    style = next;
    body += after.text[at];
  }
  return `\x1b[${y + 1};${from + 1}H${body}${style === '' ? '' : '\x1b[m'}${erased ? '\x1b[K' : ''}`;
}

/* Few styles follow each other, again and again. */
const added = new Map<string, string | undefined>();

/** SGR parameters that stand for `style` followed by `parameters`; undefined where they are not understood. */
function addStyle(style: string, parameters: string): string | undefined {
  const both = `${style};${parameters}`;
  if (!added.has(both)) {
    if (added.size > 2_000) added.clear();
    added.set(both, sumUp(both.split(';')));
  }
  return added.get(both);
}

function sumUp(codes: readonly string[]): string | undefined {
  let marks = new Set<number>();
  let colours = { fg: '', bg: '' };
  for (let at = 0; at < codes.length; at += 1) {
    const code = Number(codes[at]);
    const ground = (code >= 30 && code < 40) || (code >= 90 && code < 98) ? 'fg' : (code >= 40 && code < 50) || (code >= 100 && code < 108) ? 'bg' : undefined;
    if (code === 0) [marks, colours] = [new Set(), { fg: '', bg: '' }];
    else if (code < 10) marks.add(code);
    else if (code === 22) [1, 2].forEach((mark) => marks.delete(mark));
    else if (code > 22 && code < 30 && code !== 26) marks.delete(code - 20);
    else if (ground === undefined) return undefined;
    else if (code === 38 || code === 48) {
      const length = codes[at + 1] === '5' ? 3 : codes[at + 1] === '2' ? 5 : codes.length + 1;
      if (at + length > codes.length) return undefined;
      colours[ground] = codes.slice(at, at + length).join(';');
      at += length - 1;
    } else colours[ground] = code === 39 || code === 49 ? '' : String(code);
  }
  return [...[...marks].toSorted((a, b) => a - b), colours.fg, colours.bg].filter((code) => code !== '').join(';');
}
