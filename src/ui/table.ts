// Tables as painted rows: columns as wide as they need, the widest made narrower until all fit.
import { widthOf, wrap, type Span } from './lines.ts';
import type { Theme } from './themes.ts';
import { paint } from './themes.ts';

export type Cell = readonly Span[];
export type Align = 'left' | 'right' | 'center' | null;

/** A narrower column would break words into letters. */
const NARROWEST = 4;

/** Rows of at most `width` columns. Where the columns can't stand side by side, each row becomes a list of `head: cell`. */
export function tableRows(head: readonly Cell[], body: readonly (readonly Cell[])[], options: { width: number; theme: Theme; align?: readonly Align[] }): string[] {
  const { width, theme, align = [] } = options;
  const count = Math.max(head.length, ...body.map((row) => row.length));
  const natural = Array.from({ length: count }, (_, at) => Math.max(1, ...[head, ...body].map((row) => widestLine(row[at] ?? []))));
  const widths = shrink(natural, width - 3 * (count - 1));
  if (!widths) return listed(head, body, options);

  const line = (row: readonly Cell[], base: string): string[] => {
    const cells = widths.map((room, at) => wrap((row[at] ?? []).map((span) => ({ ...span, sgr: join(base, span.sgr) })), room));
    const height = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, y) => widths.map((room, at) => pad(cells[at]?.[y] ?? '', room, align[at] ?? 'left', at === count - 1)).join(paint(theme, 'border', ' │ ')));
  };
  const rule = paint(theme, 'border', widths.map((room) => '─'.repeat(room)).join('─┼─'));
  return [...(head.length > 0 ? [...line(head, theme.sgr.strong), rule] : []), ...body.flatMap((row) => line(row, ''))];
}

/** SGR parameters of one style on top of another. */
export function join(outer: string, inner: string | undefined): string {
  return inner ? (outer ? `${outer};${inner}` : inner) : outer;
}

function listed(head: readonly Cell[], body: readonly (readonly Cell[])[], { width, theme }: { width: number; theme: Theme }): string[] {
  return body.flatMap((row, y) => [
    ...(y > 0 ? [''] : []),
    ...row.flatMap((cell, at) => wrap([...(head[at] ? [...head[at].map((span) => ({ ...span, sgr: join(theme.sgr.strong, span.sgr) })), { text: ': ' }] : []), ...cell], width)),
  ]);
}

/** Widths that add up to `room` at most, taken from the widest first; `undefined` where even the narrowest do not fit. */
function shrink(natural: readonly number[], room: number): number[] | undefined {
  const least = natural.map((width) => Math.min(width, NARROWEST));
  if (least.reduce((total, width) => total + width, 0) > room) return undefined;
  const widths = [...natural];
  for (let over = widths.reduce((total, width) => total + width, 0) - room; over > 0;) {
    const widest = Math.max(...widths);
    const at = widths.indexOf(widest);
    // Down to the second widest at once: a cell may be thousands of columns wide.
    const second = Math.max(NARROWEST, ...widths.filter((_, other) => other !== at));
    const less = Math.min(over, Math.max(1, widest - second));
    widths[at] = widest - less;
    over -= less;
  }
  return widths;
}

function widestLine(cell: Cell): number {
  const lines = cell.map(({ text }) => text).join('').split('\n');
  return Math.max(...lines.map((text) => widthOf([{ text }])));
}

function pad(row: string, room: number, align: Align, last: boolean): string {
  const gap = Math.max(0, room - widthOf([{ text: row }]));
  const before = align === 'right' ? gap : align === 'center' ? Math.floor(gap / 2) : 0;
  // Blanks at the very end are no use.
  return ' '.repeat(before) + row + (last ? '' : ' '.repeat(gap - before));
}
