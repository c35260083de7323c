// A unified patch as coloured rows: line numbers, signs, and marks on the words that changed.
import { diffWordsWithSpace } from 'diff';
import { clean } from '../lib/clean.ts';
import { wrap, type Span } from './lines.ts';
import type { Theme } from './themes.ts';

type Line = { sign: '+' | '-' | ' '; text: string; number: number };
/** A hunk, or with `title` the header of a file. */
type Hunk = { lines: Line[]; title?: string };

/** Longer lines, and pairs of lines that have little in common, get no word marks. */
const MARKED_CHARS = 600;
const LEAST_COMMON = 0.4;
const MOVES = ' → ';

/** Rows of at most `width` columns. `patch` is untrusted; file headers are left out where one file stays where it is, other text is shown as it is. */
export function diffRows(patch: string, options: { width: number; theme: Theme }): string[] {
  const { width, theme } = options;
  const parts = parseHunks(clean(patch));
  const titles = parts.flatMap(({ title }) => title ?? []);
  const hunks = titles.length > 1 || titles[0]?.includes(MOVES) ? parts : parts.filter(({ title }) => title === undefined);
  const digits = String(Math.max(0, ...hunks.flatMap(({ lines }) => lines.map(({ number }) => number)))).length;
  return hunks.flatMap(({ lines, title }, at) => title !== undefined ? wrap([{ text: title, sgr: theme.sgr.strong }], width) : [
    ...(at > 0 && hunks[at - 1]?.title === undefined ? wrap([{ text: '⋯'.padStart(digits), sgr: theme.sgr.hunk }], width) : []),
    ...marked(lines, theme).flatMap(({ line, spans }) => lineRows(line, spans, digits, width, theme)),
  ]);
}

function lineRows(line: Line, spans: readonly Span[], digits: number, width: number, theme: Theme): string[] {
  const fill = line.sign === '+' ? theme.sgr.added : line.sign === '-' ? theme.sgr.removed : undefined;
  const gutter = (number: string, sign: string): Span[] => [{ text: `${number.padStart(digits)} `, sgr: theme.sgr.lineNumber }, { text: `${sign} ` }];
  // Without colours the sign alone tells; blanks to the edge would be no use.
  const filled = fill === undefined || fill === '' ? {} : { fill };
  return wrap(spans, width, { how: 'hard', first: gutter(String(line.number), line.sign), rest: gutter('', ' '), ...filled });
}

function parseHunks(patch: string): Hunk[] {
  const hunks: Hunk[] = [];
  let left = { old: 0, new: 0 };
  let at = { old: 0, new: 0 };
  let from = '';
  for (const text of patch.split('\n')) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (header && left.old <= 0 && left.new <= 0) {
      at = { old: Number(header[1]), new: Number(header[3]) };
      left = { old: Number(header[2] ?? 1), new: Number(header[4] ?? 1) };
      hunks.push({ lines: [] });
      continue;
    }
    // Outside the counted lines stand file headers and "no newline" remarks.
    if (left.old <= 0 && left.new <= 0) {
      if (text.startsWith('--- ')) from = text.slice(4);
      if (text.startsWith('+++ ')) hunks.push({ lines: [], title: titleOf(from, text.slice(4)) });
      continue;
    }
    const sign = text[0] ?? ' ';
    if (sign !== '+' && sign !== '-' && sign !== ' ') continue;
    hunks.at(-1)?.lines.push({ sign, text: text.slice(1), number: sign === '-' ? at.old : at.new });
    if (sign !== '+') { at.old += 1; left.old -= 1; }
    if (sign !== '-') { at.new += 1; left.new -= 1; }
  }
  return hunks;
}

/** Both names, where they are not the same; git writes a/ and b/ before them. */
function titleOf(from: string, to: string): string {
  const name = to.replace(/^b\//, '');
  if (from === to) return to;
  if (from === '/dev/null' || from.replace(/^a\//, '') === name) return name;
  return `${from}${MOVES}${to === '/dev/null' ? 'deleted' : to}`;
}

/** Lines with their spans; a run of removed lines and the run of added ones behind it are compared pair by pair. */
function marked(lines: readonly Line[], theme: Theme): { line: Line; spans: Span[] }[] {
  const rows = lines.map((line) => ({ line, spans: [{ text: line.text }] as Span[] }));
  for (let start = 0; start < rows.length;) {
    const removed = runLength(lines, start, '-');
    const added = runLength(lines, start + removed, '+');
    for (let pair = 0; pair < Math.min(removed, added); pair += 1) {
      const [before, after] = [rows[start + pair], rows[start + removed + pair]];
      const spans = before && after && wordMarks(before.line.text, after.line.text, theme);
      if (spans) [before.spans, after.spans] = spans;
    }
    start += Math.max(1, removed + added);
  }
  return rows;
}

function runLength(lines: readonly Line[], from: number, sign: Line['sign']): number {
  let to = from;
  while (lines[to]?.sign === sign) to += 1;
  return to - from;
}

function wordMarks(before: string, after: string, theme: Theme): [Span[], Span[]] | undefined {
  if (Math.max(before.length, after.length) > MARKED_CHARS) return undefined;
  const changes = diffWordsWithSpace(before, after, { maxEditLength: 200 });
  if (!changes) return undefined;
  const common = changes.reduce((total, { added, removed, value }) => total + (added || removed ? 0 : value.trim().length), 0);
  if (common < LEAST_COMMON * Math.min(before.trim().length, after.trim().length)) return undefined;
  const side = (other: 'added' | 'removed', sgr: string): Span[] =>
    changes.filter((change) => !change[other]).map(({ value, added, removed }) => (added || removed ? { text: value, sgr } : { text: value }));
  return [side('added', theme.sgr.removedWord), side('removed', theme.sgr.addedWord)];
}
