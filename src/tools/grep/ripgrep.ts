// The search through ripgrep: started with fixed options, read as JSON, and filtered by the same rules as the built-in searcher.
import { dirname, resolve } from 'node:path';
import { spawnGroup } from '../../lib/spawn.ts';
import { SKIPPED } from '../listing.ts';
import type { Errand, Outcome } from './built-in.ts';
import { MAX_FILE, withoutReturn, type Found, type Line } from './search.ts';

/** The parts of ripgrep's --json lines that are used (its grep_printer documentation). */
type Text = { text?: string; bytes?: string };
type Event =
  | { type: 'begin'; data: { path: Text } }
  | { type: 'match' | 'context'; data: { lines: Text; line_number: number } }
  | { type: 'end'; data: { binary_offset: number | null } }
  | { type: 'summary' };

/** Where ripgrep is, and what it is told beyond the errand. */
export type Ripgrep = { program: string; env: Readonly<Record<string, string>>; names: readonly string[]; ignoresStart: boolean };

/** `names` are globs of file names that hold for every file wanted (none: all files). A pattern that ripgrep refuses is a problem; nothing was searched then. */
export async function searchRipgrep({ wanted, start, listing, fits, signal, take }: Errand, { program, env, names, ignoresStart }: Ripgrep): Promise<Outcome> {
  const argv = [
    program, '--no-config', '--json', '--sort=path', '--hidden', '--crlf', '--no-require-git', '--no-ignore-global', '--no-ignore-exclude', '--no-ignore-dot', '--no-ignore-messages', '--no-messages',
    `--max-filesize=${MAX_FILE}`, ...SKIPPED.map((name) => `--glob=!${name}`),
    ...(ignoresStart ? ['--no-ignore-parent'] : []),
    ...names.map((name) => `--type-add=wanted:${name}`), ...(names.length > 0 ? ['--type=wanted'] : []),
    wanted.ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...(wanted.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(wanted.firstOnly ? ['--max-count=1'] : []),
    ...(wanted.context > 0 ? [`--context=${wanted.context}`] : []),
    `--regexp=${wanted.pattern}`, '--', start.kind === 'file' ? start.path : './',
  ];
  const folder = start.kind === 'file' ? dirname(start.path) : start.path;
  let summed = false;
  let enough = false;
  let errors = '';
  let open: Found | undefined;
  let queue = Promise.resolve();

  const running = spawnGroup(argv, {
    cwd: folder, env, signal,
    onOutput: lineReader((line, stream) => {
      if (enough) return;
      if (stream === 'stderr') { errors += `${line}\n`; return; }
      const event = JSON.parse(line) as Event;
      switch (event.type) {
        case 'begin':
          open = { path: resolve(folder, textOf(event.data.path)), count: 0, lines: [] };
          return;
        case 'match':
        case 'context':
          if (open) addLines(open, event, wanted.keep, wanted.context);
          return;
        case 'end': {
          const found = open;
          open = undefined;
          if (!found || found.count === 0 || event.data.binary_offset !== null) return;
          if (wanted.multiline) found.lines = nearMatches(found.lines, wanted.context);
          queue = queue.then(async () => {
            if (enough || !fits(found.path) || (start.kind === 'folder' && !(await listing.sees(found.path, 'file')))) return;
            if (take(found)) return;
            enough = true;
            running.kill();
          });
          return;
        }
        case 'summary':
          summed = true;
      }
    }),
  });
  await running.done;
  await queue;
  return summed || enough || signal.aborted ? { ok: true } : { ok: false, problem: errors.trim() };
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

/** Cuts the output into lines. */
function lineReader(take: (line: string, stream: 'stdout' | 'stderr') => void): (chunk: Buffer, stream: 'stdout' | 'stderr') => void {
  const rest: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
  return (chunk, stream) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      take(Buffer.concat([...rest[stream], chunk.subarray(from, end)]).toString('utf8'), stream);
      rest[stream] = [];
      from = end + 1;
    }
    if (from < chunk.length) rest[stream].push(chunk.subarray(from));
  };
}
