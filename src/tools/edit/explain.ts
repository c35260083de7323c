// Why an edit's old_string is not in the file: the region that comes closest, and what differs there.
import { cutLine } from '../text.ts';

/** A difference that is easily overlooked, and how to look past it. */
const lenses: readonly { says: string; see(line: string): string }[] = [
  { says: 'blanks at the ends of lines', see: (line) => line.trimEnd() },
  { says: 'tabs and blanks at the beginnings of lines', see: (line) => line.trim() },
  { says: 'white space', see: (line) => line.replace(/\s+/g, '') },
  { says: 'quotes or dashes', see: (line) => plainMarks(line).replace(/\s+/g, '') },
  { says: 'upper and lower case', see: (line) => plainMarks(line).replace(/\s+/g, '').toLowerCase() },
];
const NUMBERED = /^ *\d+\t/;
const SHOWN_LINES = 20;
const SHOWN_WIDTH = 300;
/** Below this share of common letter pairs two lines have nothing to do with each other. */
const ALIKE = 0.5;

/** One or more sentences and the closest lines with their numbers. Both texts have LF only. */
export function explainMissing(text: string, wanted: string): string {
  const file = text.split('\n');
  const lines = trimEnds(wanted.split('\n'));
  if (lines.length === 0) return 'old_string has nothing but white space, which stands differently in the file.';
  if (lines.every((line) => line === '' || NUMBERED.test(line)) && text.includes(wanted.split('\n').map((line) => line.replace(NUMBERED, '')).join('\n'))) {
    return 'It has the line numbers that ReadFile prints; leave them and the tab behind them out.';
  }
  for (const { says, see } of lenses) {
    const start = findBlock(file.map(see), lines.map(see));
    if (start !== -1) return `It would match but for ${says}. ${differences(file, lines, start)}\n${show(file, start, lines.length)}`;
  }
  const start = closest(file, lines);
  if (start === -1) return 'Nothing in the file resembles it. Read the file again.';
  return `The closest lines are these. ${differences(file, lines, start)}\n${show(file, start, lines.length)}`;
}

function trimEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

/** Where `lines` stand in `file`; -1 when nowhere. */
function findBlock(file: readonly string[], lines: readonly string[]): number {
  return file.findIndex((_, start) => lines.every((line, index) => fits(file[start + index], line, { first: index === 0, last: index === lines.length - 1 })));
}

/** Whole lines, but the first may begin and the last end inside one. */
function fits(has: string | undefined, line: string, { first, last }: { first: boolean; last: boolean }): boolean {
  if (has === undefined) return false;
  if (first) return last ? has.includes(line) : has.endsWith(line);
  return last ? has.startsWith(line) : has === line;
}

/** The start of the region most like `lines`, found through its longest line. */
function closest(file: readonly string[], lines: readonly string[]): number {
  const anchor = lines.reduce((best, line, index) => (line.trim().length > (lines[best] ?? '').trim().length ? index : best), 0);
  const anchorPairs = pairsOf(lines[anchor] ?? '');
  const candidates = file
    .map((line, index) => ({ start: index - anchor, score: likeness(anchorPairs, pairsOf(line)) }))
    .filter(({ score }) => score >= ALIKE)
    .sort((a, b) => b.score - a.score)
    .slice(0, 20)
    .map(({ start }) => ({ start, score: lines.slice(0, 200).reduce((sum, line, index) => sum + likeness(pairsOf(line), pairsOf(file[start + index] ?? '')), 0) }));
  const best = candidates.sort((a, b) => b.score - a.score || a.start - b.start)[0];
  return best === undefined ? -1 : Math.max(0, best.start);
}

/** Pairs of neighbouring letters, blanks left out. Long lines are judged by their beginning. */
function pairsOf(line: string): Map<string, number> {
  const letters = line.replace(/\s+/g, '').slice(0, 400);
  const pairs = new Map<string, number>();
  for (let at = 0; at < Math.max(1, letters.length - 1); at++) {
    const pair = letters.slice(at, at + 2);
    if (pair !== '') pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Dice's coefficient, 0 to 1. */
function likeness(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  const total = sum(a) + sum(b);
  if (total === 0) return 1;
  let common = 0;
  for (const [pair, times] of a) common += Math.min(times, b.get(pair) ?? 0);
  return (2 * common) / total;
}

const sum = (pairs: ReadonlyMap<string, number>): number => [...pairs.values()].reduce((total, times) => total + times, 0);

/** A sentence for the first lines that differ. */
function differences(file: readonly string[], lines: readonly string[], start: number): string {
  const said: string[] = [];
  for (const [index, line] of lines.entries()) {
    const has = file[start + index];
    if (fits(has, line, { first: index === 0, last: index === lines.length - 1 })) continue;
    said.push(`Line ${start + index + 1}: ${difference(has, line)}.`);
    if (said.length === 3) break;
  }
  return said.join(' ');
}

function difference(has: string | undefined, line: string): string {
  if (has === undefined) return 'the file ends before it';
  if (has.trim() === line.trim()) {
    if (indent(has) !== indent(line)) return `the file has ${say(indent(has))} at the beginning, old_string has ${say(indent(line))}`;
    return `the file has ${say(has.slice(has.trimEnd().length))} at the end, old_string has ${say(line.slice(line.trimEnd().length))}`;
  }
  // Marks are replaced one by one, so both forms have the same places.
  const at = plainMarks(has).indexOf(plainMarks(line));
  if (at !== -1) {
    const odd = line.split('').findIndex((char, index) => has[at + index] !== char);
    return `${has[at + odd]} instead of ${line[odd]}`;
  }
  if (has.replace(/\s+/g, '') === line.replace(/\s+/g, '')) return 'the white space inside the line differs';
  return `old_string has ${JSON.stringify(cutLine(line, SHOWN_WIDTH))}`;
}

const indent = (line: string): string => line.slice(0, line.length - line.trimStart().length);

/** White space in words: `2 tabs`, `4 blanks`. */
function say(space: string): string {
  if (space === '') return 'nothing';
  const name = /^\t+$/.test(space) ? 'tab' : /^ +$/.test(space) ? 'blank' : undefined;
  return name === undefined ? JSON.stringify(space) : `${space.length} ${name}${space.length === 1 ? '' : 's'}`;
}

/** Typographic quotes and dashes as a keyboard has them. */
function plainMarks(line: string): string {
  return line.replace(/[\u2018\u2019\u201a\u201b\u2032]/g, "'").replace(/[\u201c-\u201f\u2033]/g, '"').replace(/[\u2010-\u2015\u2212]/g, '-').replace(/\u00a0/g, ' ');
}

function show(file: readonly string[], start: number, length: number): string {
  const shown = file.slice(start, start + Math.min(length, SHOWN_LINES)).map((line, index) => `${String(start + index + 1).padStart(6)}\t${cutLine(line, SHOWN_WIDTH)}`);
  return length > SHOWN_LINES ? `${shown.join('\n')}\n[${length - SHOWN_LINES} more lines]` : shown.join('\n');
}
