// A tool call in the chat: one line with its state and primary argument, and under it what its result shows.
import { cleanLine } from '../lib/clean.ts';
import { plural } from '../lib/plural.ts';
import type { ToolCallPart, ToolResultPart, View } from '../types/message.ts';
import type { ToolEntry, ToolStatus } from '../types/state.ts';
import { formatMs, toolMarks } from './format.ts';
import { wrap, type Span } from './lines.ts';
import { paint, type Theme } from './themes.ts';
import { textRows, viewRows } from './views.ts';

export type CallOptions = { width: number; theme: Theme; open: boolean };

/** Rows of a view that are shown while it is folded. */
const FOLDED: Readonly<Record<View['type'], number>> = { text: 3, diff: 30, terminal: 5, todos: 20, table: 10 };
const LIVE_ROWS = 3;
/** What ran for a shorter time says nothing of it. */
const NOTABLE_MS = 1_000;

/** `entry` and `result` are missing for what is not known (yet). */
export function callRows(call: ToolCallPart, entry: ToolEntry | undefined, result: ToolResultPart | undefined, options: CallOptions): string[] {
  const status = entry?.status ?? (result === undefined ? 'waiting' : result.ok ? 'done' : 'failed');
  return [...titleRows(call, entry, result, status, options), ...indented(bodyRows(entry, result, status, options), options)];
}

function titleRows(call: ToolCallPart, entry: ToolEntry | undefined, result: ToolResultPart | undefined, status: ToolStatus, { width, theme, open }: CallOptions): string[] {
  const { glyph, style, word } = toolMarks[status];
  const name = cleanLine(entry?.call.name ?? call.name);
  const title = cleanLine(entry?.title || primaryArgument(call.input));
  const said = [
    ...(status === 'denied' || status === 'cancelled' || status === 'asking' ? [word] : []),
    ...(result?.ok && !result.view && result.text !== '' ? [plural(result.text.trimEnd().split('\n').length, 'line')] : []),
    ...(entry?.ms !== undefined && entry.ms >= NOTABLE_MS ? [formatMs(entry.ms)] : []),
  ];
  const spans: Span[] = [
    { text: name, sgr: theme.sgr.strong },
    ...(title === '' || title === name ? [] : [{ text: `: ${title}` }]),
    ...said.map((text) => ({ text: ` · ${text}`, sgr: theme.sgr.dim })),
  ];
  return wrap(spans, width, { how: open ? 'words' : 'cut', first: [{ text: `${glyph} `, sgr: theme.sgr[style] }] });
}

function bodyRows(entry: ToolEntry | undefined, result: ToolResultPart | undefined, status: ToolStatus, { width, theme, open }: CallOptions): string[] {
  const inner = { width: bodyWidth(width), theme };
  if (!result) return status === 'running' && entry?.tail ? viewRows({ type: 'terminal', command: '', output: entry.tail }, { ...inner, maxRows: LIVE_ROWS }) : [];
  const { view } = result;
  if (view) {
    const shown = view.type === 'terminal' ? { ...view, command: '' } : view;
    return viewRows(shown, open ? inner : { ...inner, maxRows: FOLDED[view.type] });
  }
  if (result.ok) return open ? textRows(result.text, { ...inner, style: 'dim' }) : [];
  return textRows(result.text, { ...inner, style: status === 'failed' ? 'danger' : 'dim', ...(open ? {} : { maxRows: FOLDED.text }) });
}

/** A narrow screen has no room for indentation. */
function bodyWidth(width: number): number {
  return width < 20 ? width : width - 4;
}

function indented(rows: readonly string[], { width, theme }: CallOptions): string[] {
  if (width < 20) return [...rows];
  return rows.map((row, at) => paint(theme, 'border', at === 0 ? '  └ ' : '    ') + row);
}

/** For a call that nothing else is known of: its first short text. */
function primaryArgument(input: unknown): string {
  const values = typeof input === 'object' && input !== null ? Object.values(input) : [];
  return (values.find((value) => typeof value === 'string') ?? '').slice(0, 200);
}
