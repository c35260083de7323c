// Indentation: how the model's stands for the file's, and what a new line gets.

export const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length);

/** `{ char: ' ', width: 4 }`; `undefined` where blanks and tabs are mixed. */
type Indent = { char: ' ' | '\t' | ''; width: number };

function measure(indent: string): Indent | undefined {
  if (indent === '') return { char: '', width: 0 };
  if (/^ +$/.test(indent)) return { char: ' ', width: indent.length };
  return /^\t+$/.test(indent) ? { char: '\t', width: indent.length } : undefined;
}

/** One step of indentation, as most lines of a text show it; no width where none is indented. */
function usualStep(lines: readonly string[]): Indent {
  let tabs = 0;
  const steps = new Map<number, number>();
  let last = 0;
  for (const line of lines) {
    // The stars of a comment stand one column further in.
    if (line.trim() === '' || /^\s+\*/.test(line)) continue;
    if (line.startsWith('\t')) { tabs += 1; continue; }
    const width = line.search(/[^ ]/);
    const step = Math.abs(width - last);
    last = width;
    if (step > 1 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const [width, times] = [...steps].reduce((best, step) => (step[1] > best[1] ? step : best), [0, 0]);
  if (tabs === 0 && times === 0) return { char: '', width: 0 };
  return tabs * 2 > times || (tabs > 0 && times === 0) ? { char: '\t', width: 1 } : { char: ' ', width };
}

/** The file's step of indentation, the width of the model's, and all widths that the model used. */
export type Steps = { has: Indent; wrote: number; widths: ReadonlySet<number> };

/** What one line of the file has where the model's line has something else. */
type IndentPair = { wrote: string; has: string };

/**
 * The file's form of an indentation that the model wrote, told from lines that the two share; `undefined` where it
 * can't be told for certain.
 */
export function translateIndent(wrote: string, pairs: readonly IndentPair[], steps: Steps): string | undefined {
  // A first line is often quoted from its first letter on: it says nothing of the others then.
  const cut = pairs.length > 1 && pairs[0]?.wrote === '' && !isConsistent(pairs) && pairs.slice(1).every((pair) => pair.wrote !== '');
  const known = cut ? pairs.slice(1) : pairs;
  if (!isConsistent(known)) return undefined;
  const same = known.find((pair) => pair.wrote === wrote);
  if (same) return same.has;

  const target = measure(wrote);
  const measured = known.map((pair) => [measure(pair.wrote), measure(pair.has)] as const);
  const straight = measured.flatMap(([from, to]) => (from && to ? [{ from, to }] : []));
  if (!target || straight.length === 0 || mixes(straight.map(({ to }) => to)) || mixes(straight.map(({ from }) => from))) return undefined;
  const char = straight.find(({ to }) => to.char !== '')?.to.char ?? (steps.has.char || target.char);
  const wroteChar = straight.find(({ from }) => from.char !== '')?.from.char ?? target.char;
  if (target.char !== '' && wroteChar !== '' && target.char !== wroteChar) return undefined;
  const through = lineThrough(straight);
  const line = through ?? slope(straight[0], { char, wroteChar, steps });
  if (!line) return undefined;
  const width = line.has + (target.width - line.wrote) * line.ratio;
  // Inwards one goes step by step, outwards many at once: then the steps' width is known only where the proportion agrees.
  if (!through && target.width < line.wrote && width * line.wrote !== target.width * line.has) return undefined;
  const grid = char === steps.has.char ? steps.has.width : 1;
  return width >= 0 && Number.isInteger((width - line.has) / grid) ? char.repeat(width) : undefined;
}

/** Pairs of the lines that are not empty. */
export function indentPairs(wrote: readonly string[], has: readonly string[]): IndentPair[] {
  return wrote.flatMap((line, index) => (line.trim() === '' ? [] : [{ wrote: indentOf(line), has: indentOf(has[index] ?? '') }]));
}

/** Whether the same indentation always stands for the same one, in one proportion. */
export function isConsistent(pairs: readonly IndentPair[]): boolean {
  const map = new Map<string, string>();
  for (const { wrote, has } of pairs) {
    if ((map.get(wrote) ?? has) !== has) return false;
    map.set(wrote, has);
  }
  const measured = [...map].map(([wrote, has]) => ({ from: measure(wrote), to: measure(has) }));
  const straight = measured.flatMap(({ from, to }) => (from && to ? [{ from, to }] : []));
  const line = lineThrough(straight);
  // Two depths that the model tells apart and the file does not are no proportion.
  return !line || (line.ratio > 0 && straight.every(({ from, to }) => Math.abs(line.has + (from.width - line.wrote) * line.ratio - to.width) < 1e-9));
}

const mixes = (indents: readonly Indent[]): boolean => new Set(indents.map(({ char }) => char).filter((char) => char !== '')).size > 1;

type Line = { wrote: number; has: number; ratio: number };
type Straight = { from: Indent; to: Indent };

/** From two different indentations the proportion is known. */
function lineThrough(pairs: readonly Straight[]): Line | undefined {
  const [first] = pairs;
  const other = pairs.find(({ from }) => first && from.width !== first.from.width);
  if (!first || !other) return undefined;
  return { wrote: first.from.width, has: first.to.width, ratio: (other.to.width - first.to.width) / (other.from.width - first.from.width) };
}

/** From one, it is that of the steps. */
function slope(pair: Straight | undefined, { char, wroteChar, steps }: { char: string; wroteChar: string; steps: Steps }): Line | undefined {
  if (!pair) return undefined;
  const { from, to } = pair;
  const at = { wrote: from.width, has: to.width };
  // What agrees where it can be seen agrees elsewhere.
  if (char === wroteChar && from.width === to.width && (from.width > 0 || steps.has.width === 0)) return { ...at, ratio: 1 };
  const width = char === steps.has.char ? steps.has.width : char === '\t' ? 1 : 4;
  // A step is known from a line that is one step away.
  const known = steps.wrote > 0 && [-1, 1].some((way) => steps.widths.has(from.width + way * steps.wrote));
  return known ? { ...at, ratio: width / steps.wrote } : undefined;
}

/** The file's step and the model's: that of which all its indentations are multiples. */
export function stepsOf(file: readonly string[], model: readonly string[]): Steps {
  const widths = new Set(model.filter((line) => line.trim() !== '' && !/^\s+\*/.test(line)).map((line) => measure(indentOf(line))?.width ?? 0));
  return { has: usualStep(file), wrote: [...widths].reduce(gcd, 0), widths };
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
