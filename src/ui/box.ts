// Framed boxes and lists for what lies over the screen. Rows are filled to their whole width, so that nothing shows through.
import { columnsOf, unpainted } from '../lib/width.ts';
import { fit, spread, wrap, type Span } from './lines.ts';
import { paint, type Theme } from './themes.ts';

/** Columns that the frame takes from a box. */
export const FRAME = 4;

/** Painted rows in a frame with a title, `width` columns each. The rows must not be wider than `width - FRAME`. */
export function boxRows(rows: readonly string[], title: string, width: number, theme: Theme): string[] {
  const side = paint(theme, 'border', '│');
  const inner = width - FRAME;
  const head = fit([{ text: `─ ${title} `, sgr: theme.sgr.accent }], width - 2);
  const line = (left: string, right: string, middle: string, used: number) => paint(theme, 'border', left) + middle + paint(theme, 'border', '─'.repeat(Math.max(0, width - 2 - used)) + right);
  return [
    line('╭', '╮', head, paintedWidth(head)),
    ...rows.map((row) => `${side} ${row}${' '.repeat(Math.max(0, inner - paintedWidth(row)))} ${side}`),
    line('╰', '╯', '', 0),
  ];
}

/** Columns of a painted row. */
export function paintedWidth(row: string): number {
  return columnsOf(unpainted(row));
}

/** A painted row in one faint colour, for what lies behind a dialog. */
export function dimmed(row: string, theme: Theme): string {
  return row === '' ? row : paint(theme, 'dim', unpainted(row));
}

export type ListItem = { label: readonly Span[]; right?: string };

/** The rows of a list around its selected item, each filled to `width`. */
export function listRows(items: readonly ListItem[], view: { selected: number; width: number; height: number; theme: Theme }): string[] {
  const { selected, width, height, theme } = view;
  const first = Math.max(0, Math.min(selected - Math.floor(height / 2), items.length - height));
  return items.slice(first, first + height).map((item, index) => {
    const on = first + index === selected;
    const look = (span: Span): Span => (on ? { text: span.text, sgr: [theme.sgr.selected, span.sgr].filter(Boolean).join(';') } : span);
    const mark = look({ text: on ? '› ' : '  ', ...(on ? { sgr: theme.sgr.accent } : {}) });
    const right = item.right ? [look({ text: `${item.right} `, sgr: theme.sgr.dim })] : [];
    return spread([mark, ...item.label.map(look)], right, width, look({ text: ' ' }));
  });
}

/** Text wrapped to painted rows in one style. */
export function textRows(theme: Theme, style: keyof Theme['sgr'], text: string, width: number): string[] {
  return wrap([{ text, sgr: theme.sgr[style] }], width);
}
