// Why an edit's old_string is not in the file: the region that comes closest, and what differs there.
import { plural } from '../../lib/plural.ts';
import { cutLine } from '../text.ts';
import { indentOf } from './indentation.ts';
import { plainMarks } from './quotes.ts';

/** A difference that is easily overlooked, and how to look past it; the last one overlooks all that the others do. */
const lenses: readonly { says: string; see(line: string): string }[] = [
  { says: 'blanks at the ends of lines', see: (line) => line.trimEnd() },
  { says: 'tabs and blanks at the beginnings of lines', see: (line) => line.trim() },
  { says: 'white space', see: (line) => line.replace(/\s+/g, '') },
  { says: 'quotes or dashes', see: (line) => plainMarks(line).replace(/\s+/g, '') },
  { says: 'upper and lower case', see: bare },
];
function bare(line: string): string {
  return plainMarks(line).replace(/\s+/g, '').toLowerCase();
}
const NUMBERED = /^ *\d+\t/;
const SHOWN_LINES = 20;
const SHOWN_WIDTH = 300;
/** Below this share of common letter pairs two lines have nothing to do with each other. */
const ALIKE = 0.5;
/** Lines that are looked at closely, and comparisons of lines: a refusal must be quick. */
const CLOSE_LOOKS = 200;
const COMPARISONS = 3_000_000;

/** One or more sentences and the closest lines with their numbers. Both texts have LF only; `source` is what `wanted` comes from. */
export function explainMissing(text: string, wanted: string, source = 'old_string'): string {
  const file = text.split('\n');
  const lines = trimEnds(wanted.split('\n'));
  if (lines.length === 0) return `${source} has nothing but white space, which stands differently in the file.`;
  if (lines.every((line) => line === '' || NUMBERED.test(line)) && text.includes(wanted.split('\n').map((line) => line.replace(NUMBERED, '')).join('\n'))) {
    return 'It has the line numbers that ReadFile prints; leave them and the tab behind them out.';
  }
  if (lines.length > 1 && text.includes(lines.join('\\n'))) return 'It matches if its line breaks are written as \\n, as the file has them.';
  const start = findBlock(file.map(bare), lines.map(bare));
  if (start !== -1) {
    const block = file.slice(start, start + lines.length);
    const lens = lenses.find(({ see }) => findBlock(block.map(see), lines.map(see)) === 0);
    const spaces = spacesOfTabs(block, lines);
    return `It ${spaces === undefined ? `would match but for ${lens?.says ?? 'its form'}` : `matches if tabs stand for ${spaces} spaces`}. ${differences(file, lines, { start, source })}\n${show(file, start, lines.length)}`;
  }
  const near = closest(file, lines);
  if (near === -1) return 'Nothing in the file resembles it. Read the file again.';
  return `The closest lines are these. ${differences(file, lines, { start: near, source })}\n${show(file, near, lines.length)}`;
}

/** How many blanks the model wrote for each tab of the file, where it is always the same number and all that differs. */
function spacesOfTabs(has: readonly string[], lines: readonly string[]): number | undefined {
  const first = has.findIndex((line, index) => /^\t+\S/.test(line) && /^ +\S/.test(lines[index] ?? ''));
  if (first === -1) return undefined;
  const width = indentOf(lines[first] ?? '').length / indentOf(has[first] ?? '').length;
  const fitting = lines.every((line, index) => fits(has[index]?.replace(/^\t+/, (tabs) => ' '.repeat(tabs.length * width)), line, { first: index === 0, last: index === lines.length - 1 }));
  return Number.isInteger(width) && fitting ? width : undefined;
}

function trimEnds(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

/** Where `lines` stand in `file`; -1 when nowhere. */
function findBlock(file: readonly string[], lines: readonly string[]): number {
  let left = COMPARISONS;
  return file.findIndex((_, start) => lines.every((line, index) => left-- > 0 && fits(file[start + index], line, { first: index === 0, last: index === lines.length - 1 })));
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
  const candidates = worthALook(file, lines[anchor] ?? '')
    .map((index) => ({ start: index - anchor, score: likeness(anchorPairs, pairsOf(file[index] ?? '')) }))
    .filter(({ score }) => score >= ALIKE)
    .sort((a, b) => b.score - a.score)
    .slice(0, 20)
    .map(({ start }) => ({ start, score: lines.slice(0, 200).reduce((sum, line, index) => sum + likeness(pairsOf(line), pairsOf(file[start + index] ?? '')), 0) }));
  const best = candidates.sort((a, b) => b.score - a.score || a.start - b.start)[0];
  return best === undefined ? -1 : Math.max(0, best.start);
}

/** In a large file only lines with the most of the line's words. */
function worthALook(file: readonly string[], line: string): number[] {
  if (file.length <= CLOSE_LOOKS) return [...file.keys()];
  const words = [...new Set(line.match(/[\p{L}\p{N}_]{2,}/gu))].sort((a, b) => b.length - a.length).slice(0, 6);
  return file
    .map((other, index) => ({ index, common: words.reduce((sum, word) => sum + (other.includes(word) ? 1 : 0), 0) }))
    .filter(({ common }) => common > 0 || words.length === 0)
    .sort((a, b) => b.common - a.common)
    .slice(0, CLOSE_LOOKS)
    .map(({ index }) => index);
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
function differences(file: readonly string[], lines: readonly string[], { start, source }: { start: number; source: string }): string {
  const said: string[] = [];
  for (const [index, line] of lines.entries()) {
    const has = file[start + index];
    if (fits(has, line, { first: index === 0, last: index === lines.length - 1 })) continue;
    said.push(`Line ${start + index + 1}: ${difference(has, line, source)}.`);
    if (said.length === 3) break;
  }
  return said.join(' ');
}

function difference(has: string | undefined, line: string, source: string): string {
  if (has === undefined) return 'the file ends before it';
  if (has.trim() === line.trim()) {
    if (indentOf(has) !== indentOf(line)) return `the file has ${say(indentOf(has))} at the beginning, ${source} has ${say(indentOf(line))}`;
    return `the file has ${say(has.slice(has.trimEnd().length))} at the end, ${source} has ${say(line.slice(line.trimEnd().length))}`;
  }
  // Marks are replaced one by one, so both forms have the same places.
  const at = plainMarks(has).indexOf(plainMarks(line));
  if (at !== -1) {
    const odd = line.split('').findIndex((char, index) => has[at + index] !== char);
    return `${has[at + odd]} instead of ${line[odd]}`;
  }
  if (has.replace(/\s+/g, '') === line.replace(/\s+/g, '')) return 'the white space inside the line differs';
  return `${source} has ${JSON.stringify(cutLine(line, SHOWN_WIDTH))}`;
}

/** White space in words: `2 tabs`, `4 blanks`. */
function say(space: string): string {
  if (space === '') return 'nothing';
  const name = /^\t+$/.test(space) ? 'tab' : /^ +$/.test(space) ? 'blank' : undefined;
  return name === undefined ? JSON.stringify(space) : plural(space.length, name);
}

function show(file: readonly string[], start: number, length: number): string {
  const shown = file.slice(start, start + Math.min(length, SHOWN_LINES)).map((line, index) => `${String(start + index + 1).padStart(6)}\t${cutLine(line, SHOWN_WIDTH)}`);
  return length > SHOWN_LINES ? `${shown.join('\n')}\n[${length - SHOWN_LINES} more lines]` : shown.join('\n');
}
