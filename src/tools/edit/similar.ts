// How much two lines have in common, in bounded time.

/** Longer lines are compared by their beginnings. */
const LONGEST = 400;

/** Levenshtein similarity, 0 to 1. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1;
  const longest = Math.max(a.length, b.length);
  if (longest > LONGEST) return similarity(a.slice(0, LONGEST), b.slice(0, LONGEST)) * (Math.min(a.length, b.length) / longest);
  return 1 - distance(a, b) / longest;
}

function distance(a: string, b: string): number {
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) { endA -= 1; endB -= 1; }
  let row = Array.from({ length: endB - start + 1 }, (_, index) => index);
  for (let i = start; i < endA; i += 1) {
    const next = [i - start + 1];
    for (let j = start; j < endB; j += 1) {
      next.push(Math.min((row[j - start] ?? 0) + (a[i] === b[j] ? 0 : 1), (row[j - start + 1] ?? 0) + 1, (next[j - start] ?? 0) + 1));
    }
    row = next;
  }
  return row[endB - start] ?? 0;
}

/** Lines that can be nothing but comments or headings. */
const COMMENT = /^(?:\/\/|\/\*|\*(?=[\s/]|$)|<!--|(?:#+|--|;+|%)\s)/;

/**
 * Whether `wrote` is `has` with a slip of the pen: a comment in slightly other words, or code with a misspelt word
 * that the file knows nowhere. Numbers, operators and names that stand elsewhere in the file are never slips.
 */
export function isSlip(has: string, wrote: string, file: readonly string[]): boolean {
  const [a, b] = [has.trim(), wrote.trim()];
  const [wordsA, wordsB] = [wordsOf(a), wordsOf(b)];
  if (COMMENT.test(a) && COMMENT.test(b)) return similarity(a, b) >= 0.75 && numbersOf(a) === numbersOf(b);
  if (a.replace(WORD, '_') !== b.replace(WORD, '_') || wordsA.length !== wordsB.length) return false;
  return wordsA.every((word, index) => {
    const other = wordsB[index] ?? '';
    if (word === other) return true;
    return Math.min(word.length, other.length) >= 4 && similarity(word, other) >= 0.7 && !/\d/.test(word + other) && !file.some((line) => line.includes(other));
  });
}

const WORD = /[\p{L}_][\p{L}\p{N}_]*/gu;
const wordsOf = (line: string): string[] => line.match(WORD) ?? [];
const numbersOf = (line: string): string => (line.match(/\d+/g) ?? []).join(' ');
