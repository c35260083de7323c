// Pages: as many numbered lines, cells or PDF pages as one result holds, and where to go on.
import { plural } from '../../lib/plural.ts';
import type { ToolResult } from '../../types/tool.ts';
import { cutLine, MAX_RESULT } from '../text.ts';

/** What is asked for. `offset` counts from 1. */
export type Page = { path: string; offset: number; limit: number };

/** Longer lines are cut. */
export const LINE_LIMIT = 2_000;
/** Characters of a page; what is left is for the line that says where to go on. */
export const MAX_PAGE = MAX_RESULT - 200;

/** A line as it is shown: without the carriage return of a CRLF file, and cut where it is long. */
export const shownLine = (line: string): string => cutLine(line.endsWith('\r') ? line.slice(0, -1) : line, LINE_LIMIT);

/** Numbered lines. `lines` are those from `offset` on as they are shown, `total` is how many the file has. */
export function showLines(lines: readonly string[], total: number, { path, offset, limit }: Page): ToolResult {
  if (total === 0) return { ok: true, text: `${path} is empty.` };
  if (offset > total) return behindEnd({ path, offset, total, noun: 'line' });
  const numbered = lines.slice(0, limit).map((line, index) => `${String(offset + index).padStart(6)}\t${line}`);
  return { ok: true, text: fill(numbered, { offset, total, noun: 'line' }) };
}

/** As many of the items as fit, at least one, and the line that says where to go on. The first of them has the number `offset`. */
export function fill(items: Iterable<string>, { offset, total, noun }: { offset: number; total: number; noun: 'line' | 'cell' | 'page' }): string {
  const shown: string[] = [];
  let room = MAX_PAGE;
  for (const item of items) {
    room -= item.length + 1;
    if (room < 0 && shown.length > 0) break;
    shown.push(item);
  }
  const next = offset + shown.length;
  if (next <= total) shown.push(`[${noun[0]?.toUpperCase()}${noun.slice(1)}s ${offset} to ${next - 1} of ${total}. Go on with offset=${next}.]`);
  return shown.join('\n');
}

export function behindEnd({ path, offset, total, noun }: { path: string; offset: number; total: number; noun: string }): ToolResult {
  return { ok: false, text: `${path} has only ${plural(total, noun)}; offset=${offset} is behind its end.` };
}
