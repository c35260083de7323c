// The ways in which old_string may stand in a file, strictest first.
import { indentPairs, isConsistent } from './indentation.ts';
import { squeeze } from './quotes.ts';
import type { Place } from './places.ts';
import { rebuild, type Rebuilt } from './rebuild.ts';
import { similarity } from './similar.ts';
import { coreOf, findRuns, type Text } from './text-lines.ts';
import { unescapeAlike } from './unescape.ts';

/** A place where a strategy finds old_string. `replacement` is made only for the one that is used. */
export type Found = Place & { replacement(): { ok: true; text: string } | { ok: false; problem: string } };

type Strategy = {
  name: string;
  /** How much it overlooks. Once a strategy has found several places, only one that overlooks less may choose among them. */
  overlooks: number;
  /** In order; places may overlap. `wanted` is what shall stand there. All have LF only. */
  find(text: Text, wrote: string, wanted: string): Found[];
};

/** More places than anyone will look at. */
const MANY = 1_000;
/** How like the middle of a block must be, and how unlike any other block that begins and ends in the same way. */
const ALIKE = 0.8;
const UNLIKE = 0.5;
/** Blocks with the same first and last line; with more of them none is unmistakable. */
const BLOCKS = 50;

export const strategies: readonly Strategy[] = [
  { name: 'exact', overlooks: 0, find: findLiteral },
  { name: 'line-trimmed', overlooks: 2, find: (text, wrote, wanted) => findLines(text, { wrote, wanted, see: 'trimmed' }) },
  { name: 'block anchors', overlooks: 4, find: (text, wrote, wanted) => findBlocks(text, { wrote, wanted, score: likenessOfMiddle, least: ALIKE }) },
  { name: 'whitespace-normalised', overlooks: 3, find: (text, wrote, wanted) => findLines(text, { wrote, wanted, see: 'squeezed' }) },
  { name: 'indentation-flexible', overlooks: 1, find: (text, wrote, wanted) => findLines(text, { wrote, wanted, see: 'trimmed', sameShape: true }) },
  { name: 'escape-normalised', overlooks: 3, find: findUnescaped },
  { name: 'trimmed boundary', overlooks: 3, find: findTrimmed },
  { name: 'context-aware', overlooks: 5, find: (text, wrote, wanted) => findBlocks(text, { wrote, wanted, score: equalInMiddle, least: 0.5 }) },
];

/** All is literal; but lines whose indentation old_string has only the end of are matched as lines, lest new ones stand too far out. */
function findLiteral({ text }: Text, wrote: string, wanted: string): Found[] {
  const places = findExact(text, wrote);
  const [only] = places;
  if (only && places.length === 1 && /^[ \t]+\S/.test(wrote) && wanted.includes('\n') && /(?:^|\n)[ \t]+$/.test(text.slice(Math.max(0, only.start - 200), only.start))) return [];
  return places.map((place) => ({ ...place, replacement: () => ({ ok: true, text: wanted }) }));
}

export function findExact(text: string, wrote: string, { step = 1, most = MANY } = {}): Place[] {
  const places: Place[] = [];
  for (let at = text.indexOf(wrote); at !== -1 && places.length < most; at = text.indexOf(wrote, at + step)) places.push({ start: at, end: at + wrote.length });
  return places;
}

/** Whole lines that are equal but for what `see` overlooks. `sameShape`: as one nests, so must the other, in whatever steps. */
function findLines(text: Text, { wrote, wanted, see, sameShape = false }: { wrote: string; wanted: string; see: 'trimmed' | 'squeezed'; sameShape?: boolean }): Found[] {
  const core = coreOf(wrote);
  if (!core) return [];
  const keys = core.lines.map(see === 'trimmed' ? (line) => line.trim() : squeeze);
  return findRuns(text[see], keys, MANY)
    .filter((first) => !sameShape || isConsistent(indentPairs(core.lines, text.lines.slice(first, first + keys.length))))
    .flatMap((first) => foundLines(text, first, { core, wanted }));
}

/** Blocks of as many lines that begin and end with the same ones, where one of them stands out and no other block is like it. */
function findBlocks(text: Text, { wrote, wanted, score, least }: { wrote: string; wanted: string; score: Score; least: number }): Found[] {
  const core = coreOf(wrote);
  if (!core || core.lines.length < 3) return [];
  const keys = core.lines.map((line) => line.trim());
  const [first, last] = [keys[0] ?? '', keys.at(-1) ?? ''];
  const starts = text.trimmed.flatMap((line, index) => (line === first && text.trimmed[index + keys.length - 1] === last ? [index] : []));
  if (starts.length === 0 || starts.length > BLOCKS || ![first, last].some((line) => standsOut(text, line))) return [];
  const scored = starts.map((start) => ({ start, score: score(text.trimmed.slice(start + 1, start + keys.length - 1), keys.slice(1, -1)) }));
  const like = scored.filter((block) => block.score > UNLIKE || block.score >= least);
  return like.some((block) => block.score >= least) ? like.flatMap(({ start }) => foundLines(text, start, { core, wanted })) : [];
}

/** Whether a line says something, and stands in the file once. */
function standsOut(text: Text, line: string): boolean {
  return /[\p{L}\p{N}]{2}/u.test(line) && text.trimmed.indexOf(line) === text.trimmed.lastIndexOf(line);
}

type Score = (has: readonly string[], wrote: readonly string[]) => number;

/** Levenshtein similarity of the lines, long ones counting for more. */
const likenessOfMiddle: Score = (has, wrote) => {
  const weights = wrote.map((line, index) => Math.max(line.length, (has[index] ?? '').length));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return total === 0 ? 1 : wrote.reduce((sum, line, index) => sum + (weights[index] ?? 0) * similarity(line, has[index] ?? ''), 0) / total;
};

/** How many of the lines are equal, empty ones left out. */
const equalInMiddle: Score = (has, wrote) => {
  const filled = wrote.map((line, index) => ({ line, there: has[index] ?? '' })).filter(({ line, there }) => line !== '' || there !== '');
  return filled.length === 0 ? 1 : filled.filter(({ line, there }) => squeeze(line) === squeeze(there)).length / filled.length;
};

type Core = NonNullable<ReturnType<typeof coreOf>>;

/** The place of lines from `first` on, where the line breaks around them are there too. */
function foundLines(text: Text, first: number, { core, wanted }: { core: Core; wanted: string }): Found[] {
  const end = first + core.lines.length;
  if ((core.breakBefore && first === 0) || (core.breakBehind && end >= text.lines.length)) return [];
  return [{
    start: text.startOf(first) - (core.breakBefore ? 1 : 0),
    end: text.startOf(end - 1) + (text.lines[end - 1] ?? '').length + (core.breakBehind ? 1 : 0),
    replacement: () => replaceLines(text.lines.slice(first, end), { core, wanted, file: text.lines }),
  }];
}

function replaceLines(has: readonly string[], { core, wanted, file }: { core: Core; wanted: string; file: readonly string[] }): { ok: true; text: string } | { ok: false; problem: string } {
  const lines = wanted === '' ? [] : wanted.split('\n');
  // What goes takes one line break along; of the breaks that stay both strings must know.
  const same = wanted === '' ? !(core.breakBefore && core.breakBehind) : (!core.breakBefore || (lines.length > 1 && lines[0] === '')) && (!core.breakBehind || (lines.length > 1 && lines.at(-1) === ''));
  if (!same) return { ok: false, problem: 'old_string begins or ends with a line break that new_string does not have' };
  const made: Rebuilt = rebuild({ has, wrote: core.lines, wanted: lines.slice(core.breakBefore ? 1 : 0, core.breakBehind ? -1 : undefined), file });
  if (made.ok && wanted === '') return { ok: true, text: '' };
  return made.ok ? { ok: true, text: `${core.breakBefore ? '\n' : ''}${made.lines.join('\n')}${core.breakBehind ? '\n' : ''}` } : made;
}

/** Both strings were escaped once more than the file is. */
function findUnescaped({ text }: Text, wrote: string, wanted: string): Found[] {
  const plain = unescapeAlike(wrote, wanted);
  if (!plain) return [];
  return findExact(text, plain.wrote).map((place) => ({ ...place, replacement: () => plain.wanted === undefined ? { ok: false, problem: 'old_string is escaped once more than the file, and new_string is not escaped in the same way' } : { ok: true, text: plain.wanted } }));
}

const blank = (char: string | undefined): boolean => char === undefined || /\s/.test(char);

/** White space at the two ends of old_string is other than in the file; there must be some. */
function findTrimmed({ text }: Text, wrote: string, wanted: string): Found[] {
  const inner = wrote.trim();
  if (inner === '' || inner === wrote) return [];
  const [before, behind] = [wrote.slice(0, wrote.indexOf(inner)), wrote.slice(wrote.indexOf(inner) + inner.length)];
  const replacement = (start: number): ReturnType<Found['replacement']> => {
    const same = wanted.trim() !== '' && wanted.startsWith(before) && wanted.endsWith(behind) && wanted.length >= before.length + behind.length;
    const bare = wanted.slice(before.length, wanted.length - behind.length);
    const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
    // Lines behind the first one stand as far in as that one, and that may be otherwise in the file.
    if (bare.includes('\n') && indent !== before.slice(before.lastIndexOf('\n') + 1)) return { ok: false, problem: 'it begins with other white space than old_string, and it can\'t be told how far the new lines should be' };
    return same && bare.trim() === bare ? { ok: true, text: bare } : { ok: false, problem: 'old_string and new_string begin or end with different white space, which the file does not have' };
  };
  return findExact(text, inner)
    .filter(({ start, end }) => (before === '' || blank(text[start - 1])) && (behind === '' || blank(text[end])))
    .map((place) => ({ ...place, replacement: () => replacement(place.start) }));
}
