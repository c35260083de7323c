// The search through ripgrep: one look with all processors at work, or, where that says too much, file by file in order until it is enough.
import { dirname, resolve, sep } from 'node:path';
import { spawnGroup } from '../../lib/spawn.ts';
import { SKIPPED } from '../listing.ts';
import type { Errand, Outcome } from './built-in.ts';
import { readText } from './read-text.ts';
import { MAX_FILE, withoutReturn, type Found, type Line } from './search.ts';

/** The parts of ripgrep's --json lines that are used (its grep_printer documentation). */
type Text = { text?: string; bytes?: string };
type Event =
  | { type: 'begin'; data: { path: Text } }
  | { type: 'match' | 'context'; data: { lines: Text; line_number: number } }
  | { type: 'end' | 'summary' };

/** Where ripgrep is, and what it is told beyond the errand. */
export type Ripgrep = { program: string; env: Readonly<Record<string, string>>; names: readonly string[] };

/** Longer pieces are not held. */
const MAX_PIECE = 200 * 1024 * 1024;
/** Output of one look at everything: lines of matches, or names of files. Where there is more, the first of it is found soon. */
const MOST_LINES = 8 * 1024 * 1024;
const MOST_NAMES = 256 * 1024;

/** `names` are globs of file names that hold for every file wanted (none: all files). A pattern that ripgrep refuses is a problem; nothing was searched then. */
export async function searchRipgrep(errand: Errand, how: Ripgrep): Promise<Outcome> {
  const { start, listing, fits, take, told } = errand;
  // What is no text for the built-in searcher is none here.
  const isWanted = ({ path }: Found) => start.kind === 'file' || (fits(path) && listing.sees(path, 'file') && readText(path) !== undefined);
  if (start.kind === 'folder') {
    const all: Found[] = [];
    const look = await runRipgrep(errand, how, 'quick', (found) => {
      all.push(found);
      if (all.length <= TOLD && fits(found.path) && listing.sees(found.path, 'file')) told(found.path);
      return true;
    });
    if (!look.ok) return look;
    if (!look.tooMuch) {
      const sorted = all.map((found) => ({ found, key: found.path.split(sep).join('\0') })).sort((a, b) => (a.key < b.key ? -1 : 1));
      sorted.every(({ found }) => !isWanted(found) || take(found));
      return look;
    }
  }
  return runRipgrep(errand, how, 'in order', (found) => !isWanted(found) || take(found));
}

/** Files that are told of at once. */
const TOLD = 1_000;

/** Runs it over the start. `quick`: with all processors, in no order, and ended when it says very much; `each` gives false when it is enough. */
async function runRipgrep({ wanted, start, listing, signal }: Errand, { program, env, names }: Ripgrep, way: 'quick' | 'in order', each: (found: Found) => boolean): Promise<{ ok: true; tooMuch: boolean } | { ok: false; problem: string }> {
  const onlyNames = wanted.firstOnly && !wanted.multiline;
  const argv = [
    program, '--no-config', '--no-messages', '--crlf', '--color=never', ...(way === 'quick' ? [] : ['--sort=path']),
    wanted.ignoreCase ? '--ignore-case' : '--case-sensitive', ...(wanted.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(onlyNames ? ['--files-with-matches', '--null'] : ['--json']),
    // Across lines it would count matches instead of lines.
    ...(wanted.keep > 0 && !wanted.multiline ? [`--max-count=${wanted.keep}`] : []), ...(wanted.context > 0 ? [`--context=${wanted.context}`] : []),
    '--hidden', '--no-require-git', '--no-ignore-global', '--no-ignore-dot', '--no-ignore-messages', `--max-filesize=${MAX_FILE}`, ...SKIPPED.map((name) => `--glob=!${name}`),
    ...(listing.aloof ? ['--no-ignore-parent'] : []), ...names.map((name) => `--type-add=wanted:${name}`), ...(names.length > 0 ? ['--type=wanted'] : []),
    `--regexp=${wanted.pattern}`, '--', start.kind === 'file' ? start.path : './',
  ];
  const folder = start.kind === 'file' ? dirname(start.path) : start.path;
  let errors = '';
  let size = 0;
  let over: 'enough' | 'too much' | undefined;
  let open: Found | undefined;
  const give = (found: Found) => { if (!over && !each(found)) over = 'enough'; };
  const read = onlyNames ? pieces(0, (name) => give({ path: resolve(folder, name), count: 1, lines: [] })) : pieces(10, (line) => {
    if (over) return;
    const event = JSON.parse(line) as Event;
    if (event.type === 'begin') open = { path: resolve(folder, textOf(event.data.path)), count: 0, lines: [] };
    else if (event.type === 'match' || event.type === 'context') { if (open) addLines(open, event, wanted.keep, wanted.context); }
    else if (event.type === 'end' && open && open.count > 0) give(wanted.multiline ? { ...open, lines: nearMatches(open.lines, wanted.context) } : open);
  });
  const running = spawnGroup(argv, {
    cwd: folder, env, signal,
    onOutput(chunk, stream) {
      if (stream === 'stderr') { errors += chunk.toString('utf8'); return; }
      size += chunk.length;
      if (way === 'quick' && size > (onlyNames ? MOST_NAMES : MOST_LINES)) over ??= 'too much';
      else read(chunk);
      if (over) running.kill();
    },
  });
  const { code } = await running.done;
  // 1: no match; 2 where something was found: some files could not be read.
  return code === 2 && size === 0 && errors !== '' ? { ok: false, problem: errors.trim() } : { ok: true, tooMuch: over === 'too much' };
}

function addLines(found: Found, { type, data }: Extract<Event, { type: 'match' | 'context' }>, keep: number, context: number): void {
  const matched = type === 'match';
  const whole = textOf(data.lines);
  // Across lines it finds the empty text behind the last newline too, which is no line.
  if (whole === '') return;
  const lines = whole.replace(/\n$/, '').split('\n');
  for (const [index, text] of lines.entries()) {
    const number = data.line_number + index;
    if (matched) found.count += 1;
    // Behind the last match that is kept only its own context follows.
    const last = found.lines.findLast((line) => line.matched)?.number ?? Infinity;
    const full = keep === 0 || (found.count > keep && number > last + context);
    if (!full) found.lines.push({ number, text: withoutReturn(text), matched });
  }
}

/** Without the lines around what was no match after all. */
function nearMatches(lines: readonly Line[], context: number): Line[] {
  const matched = new Set(lines.filter((line) => line.matched).map(({ number }) => number));
  return lines.filter(({ number }) => Array.from({ length: 2 * context + 1 }, (_, step) => number - context + step).some((near) => matched.has(near)));
}

const textOf = ({ text, bytes }: Text): string => (text ?? Buffer.from(bytes ?? '', 'base64').toString('utf8')).replace(/^\ufeff/, '');

/** Cuts output into the pieces that end with the byte `border`; one that no string could hold is left out. */
function pieces(border: number, take: (piece: string) => void): (chunk: Buffer) => void {
  let rest: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(border); end !== -1; end = chunk.indexOf(border, from)) {
      if (size <= MAX_PIECE) take(Buffer.concat([...rest, chunk.subarray(from, end)]).toString('utf8'));
      [rest, size] = [[], 0];
      from = end + 1;
    }
    size += chunk.length - from;
    if (size > MAX_PIECE) rest = [];
    else if (from < chunk.length) rest.push(chunk.subarray(from));
  };
}
