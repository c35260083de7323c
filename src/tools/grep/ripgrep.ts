// The search through ripgrep: it names the files with a match, all processors at work; then it tells the lines of those that are shown.
import { dirname, resolve, sep } from 'node:path';
import { spawnGroup } from '../../lib/spawn.ts';
import { SKIPPED } from '../listing.ts';
import type { Errand, Outcome } from './built-in.ts';
import { readText } from './read-text.ts';
import { MAX_FILE, withoutReturn, type Found, type Line, type Wanted } from './search.ts';

/** The parts of ripgrep's --json lines that are used (its grep_printer documentation). */
type Text = { text?: string; bytes?: string };
type Event =
  | { type: 'begin'; data: { path: Text } }
  | { type: 'match' | 'context'; data: { lines: Text; line_number: number } }
  | { type: 'end' | 'summary' };

/** Where ripgrep is, and what it is told beyond the errand. */
export type Ripgrep = { program: string; env: Readonly<Record<string, string>>; names: readonly string[] };

const MAX_PIECE = 200 * 1024 * 1024;
/** Files whose lines are asked for at once: a command line has its limits. */
const BATCH_FILES = 500;
const BATCH_CHARS = 60_000;
/** Files that are told of at once. */
const TOLD = 1_000;
/** Of the time that there is, the part for naming the files. */
const NAMING = 0.9;

/** `names` are globs of file names that hold for every file wanted (none: all files). A pattern that ripgrep refuses is a problem; nothing was searched then. */
export async function searchRipgrep(errand: Errand, how: Ripgrep): Promise<Outcome> {
  const named = errand.start.kind === 'file' ? { ok: true as const, files: [errand.start.path], late: false } : await nameFiles(errand, how);
  if (!named.ok) return named;
  const { wanted, listing, start, signal, take } = errand;
  const shown = named.files.map((path) => ({ path, key: path.split(sep).join('\0') })).sort((a, b) => (a.key < b.key ? -1 : 1)).values()
    .filter(({ path }) => start.kind === 'file' || listing.sees(path, 'file')).map(({ path }) => path);

  for (let batch = nextBatch(shown); batch.length > 0; batch = nextBatch(shown)) {
    if (signal.aborted) return { ok: true };
    // What is no text for the built-in searcher is none here.
    const texts = batch.filter((path) => readText(path) !== undefined);
    // ripgrep has found a match in each of them already.
    const found = wanted.firstOnly && !wanted.multiline && start.kind === 'folder' ? texts.map((path): Found => ({ path, count: 1, lines: [] })) : await readMatches(texts, errand, how);
    if (!Array.isArray(found)) return found;
    if (!found.every((one) => take(one))) return { ok: true };
  }
  return { ok: true, late: named.late };
}

function nextBatch(paths: Iterator<string>): string[] {
  const batch: string[] = [];
  for (let chars = 0; batch.length < BATCH_FILES && chars < BATCH_CHARS;) {
    const { done, value } = paths.next();
    if (done) break;
    batch.push(value);
    chars += value.length;
  }
  return batch;
}

/** All files with a match that fit, in no order. What was found when the time is up is given. */
async function nameFiles({ wanted, start, listing, fits, signal, told, timeoutMs }: Errand, { program, env, names }: Ripgrep): Promise<{ ok: true; files: string[]; late: boolean } | { ok: false; problem: string }> {
  const argv = [
    program, ...commonOptions(wanted), '--files-with-matches', '--null', '--hidden', '--no-require-git', '--no-ignore-global', '--no-ignore-dot', '--no-ignore-messages',
    `--max-filesize=${MAX_FILE}`, ...SKIPPED.map((name) => `--glob=!${name}`),
    ...(listing.aloof ? ['--no-ignore-parent'] : []),
    ...names.map((name) => `--type-add=wanted:${name}`), ...(names.length > 0 ? ['--type=wanted'] : []),
    `--regexp=${wanted.pattern}`, '--', './',
  ];
  const files: string[] = [];
  const add = (name: string) => {
    const path = resolve(start.path, name);
    if (!fits(path)) return;
    files.push(path);
    if (files.length <= TOLD && listing.sees(path, 'file')) told(path);
  };
  let errors = '';
  const onName = pieces(0, add);
  const running = spawnGroup(argv, {
    cwd: start.path, env, signal, timeoutMs: timeoutMs * NAMING,
    onOutput: (chunk, stream) => { if (stream === 'stdout') onName(chunk); else errors += chunk.toString('utf8'); },
  });
  const { code, timedOut } = await running.done;
  // 1: no match; 2 with names: some files could not be read.
  return code === 2 && files.length === 0 && errors !== '' ? { ok: false, problem: errors.trim() } : { ok: true, files, late: timedOut };
}

/** The matches of the files, in their order. */
async function readMatches(files: readonly string[], { wanted, signal }: Errand, { program, env }: Ripgrep): Promise<Found[] | Extract<Outcome, { ok: false }>> {
  const [first] = files;
  if (first === undefined) return [];
  const argv = [
    program, ...commonOptions(wanted), '--json', '--threads=1', '--no-mmap', '--no-ignore', '--hidden',
    // Across lines it would count matches instead of lines.
    ...(wanted.keep > 0 && !wanted.multiline ? [`--max-count=${wanted.keep}`] : []),
    ...(wanted.context > 0 ? [`--context=${wanted.context}`] : []),
    `--regexp=${wanted.pattern}`, '--', ...files,
  ];
  const all: Found[] = [];
  let errors = '';
  let open: Found | undefined;
  const lines = pieces(10, (line) => {
    const event = JSON.parse(line) as Event;
    if (event.type === 'begin') open = { path: textOf(event.data.path), count: 0, lines: [] };
    else if (event.type === 'match' || event.type === 'context') { if (open) addLines(open, event, wanted.keep, wanted.context); }
    else if (event.type === 'end' && open && open.count > 0) all.push(wanted.multiline ? { ...open, lines: nearMatches(open.lines, wanted.context) } : open);
  });
  const running = spawnGroup(argv, { cwd: dirname(first), env, signal, onOutput: (chunk, stream) => { if (stream === 'stdout') lines(chunk); else errors += chunk.toString('utf8'); } });
  const { code } = await running.done;
  return code === 2 && all.length === 0 && errors !== '' ? { ok: false, problem: errors.trim() } : all;
}

const commonOptions = (wanted: Wanted): string[] => [
  '--no-config', '--no-messages', '--crlf', '--color=never', wanted.ignoreCase ? '--ignore-case' : '--case-sensitive', ...(wanted.multiline ? ['--multiline', '--multiline-dotall'] : []),
];

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
