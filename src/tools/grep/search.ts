// What a search is asked and what it finds in a text: the part that both searchers share, pure.

/** A line, counted from 1, without its end. */
export type Line = { number: number; text: string; matched: boolean };

/** The matches of one file, in order, with the lines around them. `count` is the number of all its matching lines, also of those not kept. */
export type Found = { path: string; count: number; lines: Line[] };

/** What is looked for and how much of it is kept. */
export type Wanted = {
  pattern: string;
  ignoreCase: boolean;
  multiline: boolean;
  /** Lines around each match. */
  context: number;
  /** How many matching lines of a file are kept; 0 when only their number counts. */
  keep: number;
  /** One matching line of a file is enough. */
  firstOnly: boolean;
};

/** Files over this are not searched. */
export const MAX_FILE = 50 * 1024 * 1024;

/** Searches one text. `regex` is from `compilePattern`. `undefined` when nothing matches. */
export function searchText(path: string, text: string, regex: RegExp, wanted: Wanted): Found | undefined {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const matched = wanted.multiline ? matchWhole(text, regex, lines.length) : matchLines(lines, regex, wanted.firstOnly);
  if (matched.length === 0) return undefined;
  return { path, count: matched.length, lines: linesAround(lines, matched.slice(0, wanted.keep), matched, wanted.context) };
}

/** Indices of the lines that match by themselves. */
function matchLines(lines: readonly string[], regex: RegExp, firstOnly: boolean): number[] {
  const matched: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (!regex.test(withoutReturn(line))) continue;
    matched.push(index);
    if (firstOnly) break;
  }
  return matched;
}

/** Indices of all lines that a match touches. */
function matchWhole(text: string, regex: RegExp, lineCount: number): number[] {
  const matched = new Set<number>();
  let line = 0;
  let lineEnd = endOf(text, 0);
  for (const match of text.matchAll(regex)) {
    const last = Math.max(match.index, match.index + match[0].length - 1);
    while (lineEnd < match.index) { line += 1; lineEnd = endOf(text, lineEnd + 1); }
    if (line < lineCount) matched.add(line);
    while (lineEnd < last) { line += 1; lineEnd = endOf(text, lineEnd + 1); matched.add(line); }
  }
  return [...matched];
}

function endOf(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.length : end;
}

function linesAround(lines: readonly string[], kept: readonly number[], all: readonly number[], context: number): Line[] {
  const matching = new Set(all);
  const wanted = new Set(kept.flatMap((index) => Array.from({ length: 2 * context + 1 }, (_, step) => index - context + step)));
  return [...wanted].filter((index) => index >= 0 && index < lines.length).sort((a, b) => a - b)
    .map((index) => ({ number: index + 1, text: withoutReturn(lines[index] ?? ''), matched: matching.has(index) }));
}

/** A line without the carriage return of a CRLF file. */
export const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);
