// Puts hunks into a text: at the line they name, or where else they can only be meant.
import { explainMissing } from '../edit/explain.ts';
import type { Place } from '../edit/places.ts';
import { findRuns, linesOfText, type Text } from '../edit/text-lines.ts';
import type { Hunk, PatchLine } from './types.ts';

/** Up to so many of the outermost context lines may differ, as in patch(1). */
const FUZZ = 2;
const MANY = 1_000;
/** Hunks of a file whose failure is explained; more take long and say little. */
const EXPLAINED = 5;

type Applied =
  /** `notes` say of each hunk that did not fit exactly where it went. */
  | { ok: true; places: readonly (Place & { text: string })[]; notes: readonly string[] }
  | { ok: false; problems: readonly string[] };

/** Where the hunks go in `text` (LF only), in the order of the text. */
export function applyHunks(text: string, hunks: readonly Hunk[]): Applied {
  const file = linesOfText(text);
  const places: (Place & { text: string })[] = [];
  const notes: string[] = [];
  const problems: string[] = [];
  let shift = 0;
  for (const [index, hunk] of hunks.entries()) {
    const name = `hunk ${index + 1} of ${hunks.length} (${hunk.header.trim()})`;
    const fit = findFit(file, hunk, { shift, taken: places, explains: problems.length < EXPLAINED });
    if (typeof fit === 'string') { problems.push(`${name}: ${fit}`); continue; }
    if (hunk.line !== undefined) shift = fit.line - fit.lead - (hunk.line - 1);
    if (fit.note !== '') notes.push(`${name} ${fit.note}`);
    places.push(placeOf(file, fit, hunk));
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, places: places.sort((a, b) => a.start - b.start), notes };
}

/** `line` is the first line (from 0) of what is left of the hunk without `lead` and `tail` context lines. */
type Fit = { line: number; length: number; lead: number; tail: number; note: string };

function findFit(file: Text, hunk: Hunk, { shift, taken, explains }: { shift: number; taken: readonly Place[]; explains: boolean }): Fit | string {
  const old = hunk.lines.filter(({ sign }) => sign !== '+').map(bare);
  const count = file.text.endsWith('\n') || file.text === '' ? file.lines.length - 1 : file.lines.length;
  if (old.length === 0) return file.text === '' || hunk.atEnd || hunk.behind ? findInsertion(file, hunk, count) : 'it has no line of the file by which its place could be told; give lines of context';
  const [leading, trailing] = [contextLength(hunk.lines), contextLength(hunk.lines.toReversed())];
  const after = hunk.behind ? findBehind(file, hunk.behind) : 0;
  if (typeof after === 'string') return after;
  const ends = hunk.atEnd || hunk.lines.some(({ last }) => last);
  for (let fuzz = 0; fuzz <= FUZZ; fuzz += 1) {
    // As patch(1) does: context is given up at the end that has more of it first.
    const context = Math.max(leading, trailing);
    const [lead, tail] = [Math.max(0, fuzz + leading - context), Math.max(0, fuzz + trailing - context)];
    const rest = old.slice(lead, old.length - tail);
    if (fuzz > 0 && (lead > leading || tail > trailing || !rest.some((line) => /[\p{L}\p{N}]/u.test(line)))) break;
    const expected = hunk.line === undefined ? -1 : hunk.line - 1 + shift + lead;
    for (const exact of [true, false]) {
      const see = (line: string) => (exact ? line : line.trimEnd());
      const found = findRuns(exact ? file.lines : file.lines.map(see), rest.map(see), MANY)
        .filter((line) => line >= after && line + rest.length <= count && (!ends || tail > 0 || line + rest.length === count) && !taken.some((place) => overlaps(file, place, line, rest.length)));
      // Once a line number was wrong, those that follow are no proof.
      const named = shift === 0 && found.includes(expected);
      const line = named ? expected : found[0];
      if (line === undefined) continue;
      if (found.length > 1 && !named) {
        const where = `${hunk.behind ? ` behind ${JSON.stringify(hunk.behind.at(-1))}` : ''} (lines ${found.slice(0, 10).map((at) => at + 1).join(', ')})`;
        return `its lines stand in ${found.length} places${where}${hunk.line === undefined ? '' : ', and none is certainly the one that it names'}; give more lines of context`;
      }
      const moved = expected === -1 || line === expected ? '' : `fitted in line ${line + 1} instead of ${expected + 1}`;
      const loose = fuzz === 0 ? '' : `fitted without ${fuzz} of its outermost context lines`;
      return { line, length: rest.length, lead, tail, note: [moved, loose].filter((note) => note !== '').join(', ') };
    }
  }
  return explains ? `it does not fit. ${explainMissing(file.text, old.join('\n'), 'the patch')}` : 'it does not fit.';
}

/** Lines without anything around them, for an empty file or at a place that is told in another way. */
function findInsertion(file: Text, hunk: Hunk, count: number): Fit | string {
  const after = hunk.behind && !hunk.atEnd ? findBehind(file, hunk.behind) : count;
  return typeof after === 'string' ? after : { line: after, length: 0, lead: 0, tail: 0, note: '' };
}

/** The line behind those that are named, each of which must be the only one of its kind; its beginning is enough. */
function findBehind(file: Text, names: readonly string[]): number | string {
  let at = 0;
  for (const name of names) {
    const behind = (fits: (line: string) => boolean) => file.trimmed.flatMap((line, index) => (index >= at && fits(line) ? [index] : []));
    const whole = behind((line) => line === name);
    const found = whole.length > 0 ? whole : behind((line) => line.startsWith(name));
    const [first] = found;
    if (first === undefined || found.length > 1) return `the line ${JSON.stringify(name)} that it names stands in the file ${first === undefined ? 'nowhere' : `${found.length} times`}`;
    at = first + 1;
  }
  return at;
}

/** Context lines stay as the file has them. */
function placeOf(file: Text, { line, length, lead, tail }: Fit, hunk: Hunk): Place & { text: string } {
  const used = hunk.lines.slice(lead, hunk.lines.length - tail);
  let at = line;
  const lines = used.flatMap((part) => {
    if (part.sign === '+') return [bare(part)];
    at += 1;
    return part.sign === ' ' ? [file.lines[at - 1] ?? ''] : [];
  });
  const start = Math.min(file.startOf(line), file.text.length);
  const end = Math.min(file.startOf(line + length), file.text.length);
  const reachesEnd = end === file.text.length;
  const hadNewline = file.text.endsWith('\n') || file.text === '';
  const [oldLast, newLast] = [used.findLast(({ sign }) => sign !== '+'), used.findLast(({ sign }) => sign !== '-')];
  const newline = newLast?.last ? false : hadNewline || Boolean(oldLast?.last);
  const text = lines.map((content) => `${content}\n`).join('');
  // A last line without a newline gets one before anything can stand behind it.
  const glue = length === 0 && start > 0 && !hadNewline && start === file.text.length ? '\n' : '';
  return { start, end, text: glue + (reachesEnd && !newline ? text.replace(/\n$/, '') : text) };
}

const bare = ({ text }: PatchLine): string => text.replace(/\r$/, '');

function contextLength(lines: readonly PatchLine[]): number {
  const first = lines.findIndex(({ sign }) => sign !== ' ');
  return first === -1 ? lines.length : first;
}

function overlaps(file: Text, place: Place, line: number, length: number): boolean {
  return place.start < file.startOf(line + length) && file.startOf(line) < place.end;
}
