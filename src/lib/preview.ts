// What is shown of a text that is too long: its beginning, its end, and the lines between that look like errors.
import { head, tail } from './cut.ts';

/** The most of each, in UTF-16 units and lines. */
export type Sizes = { head: number; tail: number; errors: number };

/** What is shown of a text that can be read elsewhere. */
export const PREVIEW: Sizes = { head: 2_000, tail: 1_000, errors: 20 };

/** Takes a text of any length piece by piece and keeps what a preview may need. */
export type Trimmer = {
  /** Pieces should end where lines end: a line that is cut between two may go unnoticed as an error. */
  add(text: string): void;
  /** UTF-16 units so far. */
  readonly size: number;
  /** All of it while it has no more than was to be kept. */
  whole(): string | undefined;
  /** Whole lines, no character cut; what is left out is said, and the lines there that look like errors are given with their numbers. */
  preview(sizes?: Sizes): string;
};

type Found = { start: number; line: number; text: string };

const LOOKS_WRONG = /(?:error|exception)s?\b|\b(?:fail(?:ed|ure|ures|s|ing)?|fatal|panic(?:ked)?|traceback|denied|cannot|undefined reference|not found|no such|assertion|segmentation fault|core dumped|out of memory)\b|[✗✖✘]/gi;
const LOOKS_FINE = /\b(?:0|no) (?:\w+ )?(?:errors?|failures?|failed)\b/i;
/** Lines that are kept while nobody knows yet which of them will stand in the middle. */
const MOST_FOUND = 200;
const LONGEST_LINE = 300;
const SHORTEST_PIECE = 4_096;

/** A trimmer that keeps up to `keep` units whole, and as many from the end. */
export function createTrimmer(keep: number): Trimmer {
  let first = '';
  /** The end, in pieces: joined with each new one they would be copied again and again. */
  const last: string[] = [];
  let held = 0;
  let size = 0;
  let lines = 1;
  const found: Found[] = [];

  const look = (text: string) => {
    let at = 0;
    for (const match of text.matchAll(LOOKS_WRONG)) {
      // A line counts once.
      if (match.index < at) continue;
      const start = text.lastIndexOf('\n', match.index) + 1;
      lines += newlines(text, at, start);
      const end = text.indexOf('\n', match.index);
      at = end < 0 ? text.length : end;
      const line = text.slice(start, Math.min(at, start + LONGEST_LINE + 1));
      if (!LOOKS_FINE.test(line)) found.push({ start: size + start, line: lines, text: line.length > LONGEST_LINE ? `${head(line, LONGEST_LINE)}…` : line.trimEnd() });
      if (found.length >= MOST_FOUND) break;
    }
    lines += newlines(text, at, text.length);
  };

  return {
    add(text) {
      if (found.length < MOST_FOUND) look(text);
      size += text.length;
      const room = keep - first.length;
      if (room > 0) first += text.slice(0, room);
      const end = last.at(-1);
      if (end !== undefined && end.length + text.length < SHORTEST_PIECE) last[last.length - 1] = end + text;
      else last.push(text);
      held += text.length;
      for (let next = last[0]; next !== undefined && held - next.length >= keep; next = last[0]) {
        held -= next.length;
        last.shift();
      }
    },
    get size() { return size; },
    whole: () => (size <= keep ? first : undefined),
    preview(sizes = PREVIEW) {
      if (size <= keep && size <= sizes.head + sizes.tail) return first;
      const [start, end] = [headLines(first, sizes.head), tailLines(last.join(''), sizes.tail)];
      const hidden = size - start.length - end.length;
      const wrong = found.filter((line) => line.start >= start.length && line.start < size - end.length).slice(0, sizes.errors);
      const said = `${hidden.toLocaleString('en')} characters left out`;
      const middle = wrong.length === 0 ? `[… ${said} …]` : `[… ${said}; lines there that look like errors, by number:]\n${wrong.map(({ line, text }) => `${line}: ${text}`).join('\n')}\n[…]`;
      return `${start}${start.endsWith('\n') ? '' : '\n'}${middle}\n${end}`;
    },
  };
}

/** The preview of a text that is there as a whole. */
export function preview(text: string, sizes: Sizes = PREVIEW): string {
  const trimmer = createTrimmer(Math.max(sizes.head, sizes.tail, Math.min(text.length, sizes.head + sizes.tail)));
  trimmer.add(text);
  return trimmer.preview(sizes);
}

/** Whole lines from the start; a part of a line where that would leave out more than half. */
function headLines(text: string, limit: number): string {
  const cut = head(text, limit);
  const whole = cut.lastIndexOf('\n') + 1;
  return cut.length === text.length || whole <= limit / 2 ? cut : cut.slice(0, whole);
}

function tailLines(text: string, limit: number): string {
  const cut = tail(text, limit);
  if (cut.length === text.length || text[text.length - cut.length - 1] === '\n') return cut;
  const whole = cut.indexOf('\n') + 1;
  return whole === 0 || cut.length - whole < limit / 2 ? cut : cut.slice(whole);
}

function newlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
