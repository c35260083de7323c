// Borders between what people see as characters: emoji, combined letters and CJK count as one each.
import { isPlain, segment } from '../../lib/width.ts';

/** The graphemes of a text without newlines. */
export function graphemes(line: string): string[] {
  return isPlain(line) ? [...line] : Array.from(segment(line), (found) => found.segment);
}

/** Offset where the line around `at` begins, and where it ends (before its newline). */
export function lineAround(text: string, at: number): { start: number; end: number } {
  const end = text.indexOf('\n', at);
  return { start: at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1, end: end < 0 ? text.length : end };
}

/** The next border after `at`; the end of the text at its end. */
export function nextBorder(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const { start, end } = lineAround(text, at);
  const found = at === end ? undefined : segment(text.slice(start, end)).containing(at - start);
  return found ? start + found.index + found.segment.length : at + 1;
}

/** The last border before `at`; 0 at the start. */
export function previousBorder(text: string, at: number): number {
  if (at <= 0) return 0;
  if (text[at - 1] === '\n') return at - 1;
  const { start, end } = lineAround(text, at);
  const found = segment(text.slice(start, end)).containing(at - 1 - start);
  return found ? start + found.index : at - 1;
}

/** `at` itself where it is a border, else the next one. */
export function toBorder(text: string, at: number): number {
  if (at <= 0) return 0;
  return nextBorder(text, previousBorder(text, at)) === at ? at : nextBorder(text, previousBorder(text, at));
}
