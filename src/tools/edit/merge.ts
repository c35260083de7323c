// Two changes of the same text made side by side, as one.
import { hunksOf, type Hunk } from './align.ts';

/** `base` with what `mine` and `theirs` make of it; `undefined` where both touch the same or neighbouring lines. */
export function merge(base: string, mine: string, theirs: string): string | undefined {
  const lines = linesOf(base);
  const [own, others] = [hunksOf(lines, linesOf(mine)), hunksOf(lines, linesOf(theirs))];
  if (own.some((a) => others.some((b) => touch(a, b)))) return undefined;
  const pieces: string[] = [];
  let at = 0;
  for (const { from, end, lines: put } of [...own, ...others].sort((a, b) => a.from - b.from)) {
    for (const line of lines.slice(at, from)) pieces.push(line);
    for (const line of put) pieces.push(line);
    at = end;
  }
  return pieces.join('') + lines.slice(at).join('');
}

/** Whether no untouched line lies between two changes. */
const touch = (a: Hunk, b: Hunk): boolean => a.from <= b.end && b.from <= a.end;

/** Lines with their ends, of whatever kind. */
const linesOf = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
