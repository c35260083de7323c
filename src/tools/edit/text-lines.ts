// A file's text with its lines, and the same lines as looser strategies see them: each made once, when first asked for.
import { squeeze } from './quotes.ts';

export type Text = {
  /** LF only. */
  text: string;
  lines: readonly string[];
  trimmed: readonly string[];
  squeezed: readonly string[];
  /** Where a line begins in `text`. */
  startOf(line: number): number;
};

export function linesOfText(text: string): Text {
  const lines = once(() => text.split('\n'));
  const trimmed = once(() => lines().map((line) => line.trim()));
  const squeezed = once(() => lines().map(squeeze));
  const starts = once(() => {
    let at = 0;
    return lines().map((line) => {
      const start = at;
      at += line.length + 1;
      return start;
    });
  });
  return {
    text,
    get lines() { return lines(); },
    get trimmed() { return trimmed(); },
    get squeezed() { return squeezed(); },
    startOf: (line) => starts()[line] ?? text.length,
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The lines of old_string without the line breaks at its two ends; `undefined` when it has only white space. */
export function coreOf(wrote: string): { lines: readonly string[]; breakBefore: boolean; breakBehind: boolean } | undefined {
  if (wrote.trim() === '') return undefined;
  const lines = wrote.split('\n');
  const breakBefore = lines.length > 1 && lines[0] === '';
  const breakBehind = lines.length > 1 && lines.at(-1) === '';
  return { lines: lines.slice(breakBefore ? 1 : 0, breakBehind ? -1 : undefined), breakBefore, breakBehind };
}

/** Where `run` stands in `lines`, in time that grows with their sum (Knuth, Morris and Pratt). */
export function findRuns(lines: readonly string[], run: readonly string[], most: number): number[] {
  const back = [0];
  for (let index = 1, length = 0; index < run.length; index += 1) {
    while (length > 0 && run[index] !== run[length]) length = back[length - 1] ?? 0;
    if (run[index] === run[length]) length += 1;
    back.push(length);
  }
  const found: number[] = [];
  for (let index = 0, length = 0; index < lines.length && found.length < most; index += 1) {
    while (length > 0 && (length === run.length || lines[index] !== run[length])) length = back[length - 1] ?? 0;
    if (lines[index] === run[length]) length += 1;
    if (length === run.length) found.push(index - run.length + 1);
  }
  return found;
}
