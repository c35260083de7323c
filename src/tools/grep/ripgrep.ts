// The search through ripgrep, all processors at work: in one look, or, where that says too much, first the files with a match and then the lines of those that are shown.
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
/** Files whose lines are asked for at once: a command line has its limits. */
const BATCH_FILES = 500;
const BATCH_CHARS = 60_000;
/** Output of one look at everything; a pattern that gives more is better asked for in two steps. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Files that are told of at once. */
const TOLD = 1_000;
/** Of the time that there is, the part for looking at everything. */
const LOOKING = 0.9;

type Matches = { ok: true; found: Found[]; late: boolean; tooMuch: boolean } | { ok: false; problem: string };

/** `names` are globs of file names that hold for every file wanted (none: all files). A pattern that ripgrep refuses is a problem; nothing was searched then. */
export async function searchRipgrep(errand: Errand, how: Ripgrep): Promise<Outcome> {
  const { wanted, start, signal, take } = errand;
  if (start.kind === 'file') {
    const matches = await readMatches([start.path], errand, how);
    if (matches.ok) matches.found.every((one) => take(one));
    return matches;
  }
  if (!wanted.firstOnly) {
    const matches = await readMatches('all', errand, how);
    if (!matches.ok) return matches;
    if (!matches.tooMuch) {
      inOrder(matches.found, errand).filter(isText).every((one) => take(one));
      return matches;
    }
  }
  const named = await nameFiles(errand, how);
  if (!named.ok) return named;
  const texts = inOrder(named.files.map((path) => ({ path })), errand).filter(isText);
  for (let batch = nextBatch(texts); batch.length > 0 && !signal.aborted; batch = nextBatch(texts)) {
    // In each of them ripgrep has found a match already.
    const matches: Matches = wanted.firstOnly && !wanted.multiline ? { ok: true, found: batch.map((path) => ({ path, count: 1, lines: [] })), late: false, tooMuch: false } : await readMatches(batch, errand, how);
    if (!matches.ok) return matches;
    if (!matches.found.every((one) => take(one))) return { ok: true };
  }
  return named;
}

/** What is no text for the built-in searcher is none here. */
const isText = ({ path }: { path: string }): boolean => readText(path) !== undefined;

/** What is seen of it, in the order of the paths. */
function inOrder<T extends { path: string }>(all: readonly T[], { listing }: Errand): IteratorObject<T> {
  return all.map((one) => ({ one, key: one.path.split(sep).join('\0') })).sort((a, b) => (a.key < b.key ? -1 : 1)).values().map(({ one }) => one).filter(({ path }) => listing.sees(path, 'file'));
}

function nextBatch(files: Iterator<{ path: string }>): string[] {
  const batch: string[] = [];
  for (let chars = 0; batch.length < BATCH_FILES && chars < BATCH_CHARS;) {
    const { done, value } = files.next();
    if (done) break;
    batch.push(value.path);
    chars += value.path.length;
  }
  return batch;
}

/** All files with a match that fit, in no order. What was found when the time is up is given. */
async function nameFiles(errand: Errand, how: Ripgrep): Promise<{ ok: true; files: string[]; late: boolean } | { ok: false; problem: string }> {
  const files: string[] = [];
  const hear = listener(errand);
  const ended = await runRipgrep(['--files-with-matches', '--null', ...treeOptions(errand, how)], './', errand, how, pieces(0, (name) => {
    const path = resolve(errand.start.path, name);
    if (errand.fits(path)) { files.push(path); hear(path); }
  }));
  return ended.ok ? { ...ended, files } : ended;
}

/** The matches of the files, in their order, or of all that fit in the folder, in none. */
async function readMatches(files: readonly string[] | 'all', errand: Errand, how: Ripgrep): Promise<Matches> {
  const { wanted, fits, start } = errand;
  if (files.length === 0) return { ok: true, found: [], late: false, tooMuch: false };
  const found: Found[] = [];
  const hear = listener(errand);
  let open: Found | undefined;
  const options = [
    '--json', ...(files === 'all' ? treeOptions(errand, how) : ['--threads=1', '--no-mmap', '--no-ignore', '--hidden']),
    // Across lines it would count matches instead of lines.
    ...(wanted.keep > 0 && !wanted.multiline ? [`--max-count=${wanted.keep}`] : []),
    ...(wanted.context > 0 ? [`--context=${wanted.context}`] : []),
  ];
  const ended = await runRipgrep(options, files === 'all' ? './' : files, errand, how, pieces(10, (line) => {
    const event = JSON.parse(line) as Event;
    if (event.type === 'begin') {
      const path = files === 'all' ? resolve(start.path, textOf(event.data.path)) : textOf(event.data.path);
      open = files !== 'all' || fits(path) ? { path, count: 0, lines: [] } : undefined;
    } else if (event.type === 'match' || event.type === 'context') { if (open) addLines(open, event, wanted.keep, wanted.context); }
    else if (event.type === 'end' && open && open.count > 0) {
      found.push(wanted.multiline ? { ...open, lines: nearMatches(open.lines, wanted.context) } : open);
      if (files === 'all') hear(open.path);
    }
  }), files === 'all' ? MOST_BYTES : Infinity);
  return ended.ok ? { ...ended, found } : ended;
}

/** Runs it over the paths; ended when it says more than `most` bytes. */
async function runRipgrep(options: readonly string[], paths: string | readonly string[], { wanted, start, signal, timeoutMs }: Errand, { program, env }: Ripgrep, take: (chunk: Buffer) => void, most = Infinity): Promise<{ ok: true; late: boolean; tooMuch: boolean } | { ok: false; problem: string }> {
  let errors = '';
  let size = 0;
  const argv = [
    program, '--no-config', '--no-messages', '--crlf', '--color=never', wanted.ignoreCase ? '--ignore-case' : '--case-sensitive', ...(wanted.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...options, `--regexp=${wanted.pattern}`, '--', ...[paths].flat(),
  ];
  const running = spawnGroup(argv, {
    cwd: start.kind === 'file' ? dirname(start.path) : start.path, env, signal, timeoutMs: timeoutMs * LOOKING,
    onOutput: (chunk, stream) => {
      if (stream === 'stderr') { errors += chunk.toString('utf8'); return; }
      size += chunk.length;
      if (size <= most) take(chunk);
      else running.kill();
    },
  });
  const { code, timedOut } = await running.done;
  // 1: no match; 2 where something was found: some files could not be read.
  return code === 2 && size === 0 && errors !== '' ? { ok: false, problem: errors.trim() } : { ok: true, late: timedOut, tooMuch: size > most };
}

/** What keeps it to the files that are seen, as far as it knows them. */
const treeOptions = ({ listing }: Errand, { names }: Ripgrep): string[] => [
  '--hidden', '--no-require-git', '--no-ignore-global', '--no-ignore-dot', '--no-ignore-messages', `--max-filesize=${MAX_FILE}`, ...SKIPPED.map((name) => `--glob=!${name}`),
  ...(listing.aloof ? ['--no-ignore-parent'] : []), ...names.map((name) => `--type-add=wanted:${name}`), ...(names.length > 0 ? ['--type=wanted'] : []),
];

/** Tells of files while the search goes on. */
function listener({ listing, told }: Errand): (path: string) => void {
  let count = 0;
  return (path) => { if (count++ < TOLD && listing.sees(path, 'file')) told(path); };
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
