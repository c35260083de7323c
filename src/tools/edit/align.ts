// Which lines of a text go on as which lines of another: what an edit keeps keeps the file's own bytes.
import { diffArrays } from 'diff';

/** Texts further apart than this count as wholly different: alignment must stay quick. */
const BOUND = { maxEditLength: 2_000, timeout: 150 };

/** Lines `from` to before `end` of the old text, with `lines` in their place. */
export type Hunk = { from: number; end: number; at: number; lines: readonly string[] };

/** What differs, in order. `at` is where the lines stand in `b`. Two hunks have an equal line between them. */
export function hunksOf(a: readonly string[], b: readonly string[]): Hunk[] {
  let start = 0;
  const least = Math.min(a.length, b.length);
  while (start < least && a[start] === b[start]) start += 1;
  let same = 0;
  while (same < least - start && a[a.length - 1 - same] === b[b.length - 1 - same]) same += 1;
  const [middleA, middleB] = [a.slice(start, a.length - same), b.slice(start, b.length - same)];
  if (middleA.length === 0 && middleB.length === 0) return [];
  const whole: Hunk[] = [{ from: start, end: a.length - same, at: start, lines: middleB }];
  if (middleA.length === 0 || middleB.length === 0) return whole;

  const hunks: Hunk[] = [];
  let [from, at] = [start, start];
  let open: { from: number; end: number; at: number; lines: string[] } | undefined;
  for (const { value, added, removed } of diffArrays(middleA, middleB, BOUND) ?? []) {
    if (!added && !removed) {
      open = undefined;
      from += value.length;
      at += value.length;
      continue;
    }
    if (!open) hunks.push((open = { from, end: from, at, lines: [] }));
    if (removed) open.end = from += value.length;
    else {
      for (const line of value) open.lines.push(line);
      at += value.length;
    }
  }
  return hunks.length > 0 ? hunks : whole;
}

/** Of each line of `b`: the line of `a` that it is (`kept`), or the one whose place it takes (`instead`); -1 where there is none. */
export type Alignment = { kept: readonly number[]; instead: readonly number[] };

export function align(a: readonly string[], b: readonly string[]): Alignment {
  const kept: number[] = [];
  const instead: number[] = [];
  const keep = (until: number) => { while (kept.length < until) { kept.push(kept.length + shift); instead.push(-1); } };
  let shift = 0;
  for (const { from, end, at, lines } of hunksOf(a, b)) {
    keep(at);
    for (const index of lines.keys()) {
      kept.push(-1);
      instead.push(from + index < end ? from + index : -1);
    }
    shift = end - (at + lines.length);
  }
  keep(b.length);
  return { kept, instead };
}
