// Rows of a view: what a result, a preview or a notice shows.
import { clean, cleanLine } from '../lib/clean.ts';
import { plural } from '../lib/plural.ts';
import type { Todo, View } from '../types/message.ts';
import { diffRows } from './diff.ts';
import { wrap, type Span } from './lines.ts';
import { tableRows } from './table.ts';
import type { Style, Theme } from './themes.ts';

export type ViewOptions = { width: number; theme: Theme; /** Absent: all of them. */ maxRows?: number };

/** No more than this is drawn of anything; a result in full can be read from the file or the session. */
const MOST_ROWS = 2_000;

/** Of what checkers found below a diff. */
const MOST_FOUND = 12;

/**
 * The view as painted rows of at most `width` columns. Over `maxRows` the rest is left out and counted in one row:
 * the beginning of what a terminal showed (its command stays, on top of them), the end of everything else.
 */
export function viewRows(view: View, options: ViewOptions): string[] {
  const { width, theme, maxRows = MOST_ROWS } = options;
  switch (view.type) {
    case 'text':
      return textRows(view.text, options);
    case 'diff':
      return [
        ...headOf(diffRows(view.patch, options), maxRows, options),
        ...(view.found === undefined ? [] : textRows(view.found, { ...options, style: 'danger', maxRows: Math.min(maxRows, MOST_FOUND) })),
      ];
    case 'terminal':
      return terminalRows(view, options);
    case 'todos':
      return headOf(view.items.flatMap((item) => todoRows(item, width, theme)), maxRows, options);
    case 'table':
      return headOf(tableRows(view.head.map(cellOf), view.rows.slice(0, maxRows).map((row) => row.map(cellOf)), options), maxRows, options);
  }
}

/** Untrusted text, wrapped; over `maxRows` the end is left out. */
export function textRows(text: string, options: ViewOptions & { style?: Style }): string[] {
  const { width, theme, maxRows = MOST_ROWS, style = 'text' } = options;
  const lines = clean(text).replace(/\n+$/, '').split('\n');
  const rows = wrap([{ text: lines.slice(0, maxRows + 1).join('\n'), sgr: theme.sgr[style] }], width);
  return headOf(rows, maxRows, options, Math.max(0, lines.length - maxRows - 1));
}

/** One todo: open, at work, or done. */
export function todoRows(todo: Todo, width: number, theme: Theme): string[] {
  const [glyph, mark, style]: [string, Style, Style] =
    todo.status === 'completed' ? ['✓', 'success', 'dim'] : todo.status === 'in_progress' ? ['●', 'running', 'strong'] : ['○', 'dim', 'text'];
  return wrap([{ text: cleanLine(todo.content), sgr: theme.sgr[style] }], width, { first: [{ text: `${glyph} `, sgr: theme.sgr[mark] }] });
}

function terminalRows(view: Extract<View, { type: 'terminal' }>, { width, theme, maxRows = MOST_ROWS }: ViewOptions): string[] {
  const lines = clean(view.output).replace(/\n+$/, '').split('\n');
  const shown = lines.slice(-maxRows);
  const output = lines.length === 1 && lines[0] === '' ? [] : wrap([{ text: shown.join('\n'), sgr: theme.sgr.dim }], width, { how: 'hard' });
  const command = view.command === '' ? [] : wrap([{ text: cleanLine(view.command) }], width, { first: [{ text: '$ ', sgr: theme.sgr.accent }] });
  const end = view.exit ? wrap([{ text: `exit ${view.exit}`, sgr: theme.sgr.danger }], width) : [];
  const room = Math.max(1, maxRows - end.length);
  const hidden = lines.length - shown.length + Math.max(0, output.length - room);
  const more = hidden > 0 ? [moreRow(hidden, width, theme, 'earlier ')] : [];
  return [...command, ...more, ...output.slice(-room), ...end];
}

/** The first `maxRows` rows, and how many more there are (besides those never made). */
function headOf(rows: readonly string[], maxRows: number, { width, theme }: ViewOptions, unmade = 0): string[] {
  const hidden = Math.max(0, rows.length - maxRows) + unmade;
  // A row that says "1 more line" could as well be the line.
  if (hidden === 0 || (hidden === 1 && unmade === 0)) return [...rows];
  return [...rows.slice(0, maxRows), moreRow(hidden, width, theme)];
}

function moreRow(hidden: number, width: number, theme: Theme, which = 'more '): string {
  return wrap([{ text: `… ${hidden} ${which}${plural(hidden, 'line').replace(/^\S+ /, '')}`, sgr: theme.sgr.dim }], width, { how: 'cut' })[0] ?? '';
}

function cellOf(text: string): Span[] {
  return [{ text: clean(text) }];
}
