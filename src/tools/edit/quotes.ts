// Typographic marks: which ones stand for which plain ones, and what a new line gets in a file that has them.

const SINGLE = '\u2018\u2019\u201a\u201b\u2032';
const DOUBLE = '\u201c\u201d\u201e\u201f\u2033';
const SPECIAL = /[\u2018-\u201f\u2032\u2033\u2010-\u2015\u2212\u00a0]/;

/** Typographic quotes, dashes and blanks as a keyboard has them; each keeps its place. */
export function plainMarks(line: string): string {
  if (!SPECIAL.test(line)) return line;
  return line.replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'").replace(/[\u201c-\u201f\u2033]/g, '"').replace(/[\u2010-\u2015\u2212]/g, '-').replace(/\u00a0/g, ' ');
}

/** A line as it is compared loosely: runs of white space count as one blank, typographic marks as plain ones. */
export function squeeze(line: string): string {
  const plain = plainMarks(line).trim();
  return /\s\s|[^\S ]/.test(plain) ? plain.replace(/\s+/g, ' ') : plain;
}

/** How the file writes the marks that the model wrote: `'` may be `‘’`. */
export type Marks = ReadonlyMap<string, ReadonlySet<string>>;

/** `pairs` of lines that are equal when squeezed. */
export function learnMarks(pairs: readonly { wrote: string; has: string }[]): Marks {
  const marks = new Map<string, Set<string>>();
  for (const { wrote, has } of pairs) {
    const [a, b] = [[...wrote.replace(/\s+/g, '')], [...has.replace(/\s+/g, '')]];
    if (a.length !== b.length) continue;
    for (const [index, char] of a.entries()) {
      const there = b[index] ?? char;
      if (isMark(char) || char !== there) marks.set(char, (marks.get(char) ?? new Set()).add(there));
    }
  }
  return marks;
}

/** A new line with the file's quotes; `undefined` where it can't be told which ones it would have. */
export function translateMarks(line: string, marks: Marks): string | undefined {
  let problem = false;
  const text = [...line].map((char, index, chars) => {
    const has = marks.get(char);
    if (!has || (has.size === 1 && has.has(char))) return char;
    const typographic = [...has].every((mark) => SINGLE.includes(mark)) ? '\u2018\u2019' : [...has].every((mark) => DOUBLE.includes(mark)) ? '\u201c\u201d' : undefined;
    if (typographic) return typographic[opens(chars[index - 1]) ? 0 : 1] ?? char;
    const [only] = has;
    if (has.size === 1 && only !== undefined && `'"`.includes(only)) return only;
    problem = true;
    return char;
  }).join('');
  return problem ? undefined : text;
}

const isMark = (char: string): boolean => char === "'" || char === '"' || SPECIAL.test(char);

/** Whether a quote behind this character begins something. */
const opens = (before: string | undefined): boolean => before === undefined || /[\s([{<\u2013\u2014/-]/.test(before);
