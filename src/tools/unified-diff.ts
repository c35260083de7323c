// Unified diffs of one file, made in bounded time.
import { createTwoFilesPatch } from 'diff';

/** How long a minimal diff is looked for. */
const TIMEOUT_MS = 200;
const CONTEXT = 3;

/** A unified diff of one file, and how many lines it adds and removes. */
export type FileDiff = { patch: string; added: number; removed: number };

/** The diff with `---` and `+++` headers; an empty patch when nothing differs. `from` is another name that the file had before. */
export function diffTexts(path: string, before: string, after: string, { from = path }: { from?: string } = {}): FileDiff {
  if (before === after && from === path) return { patch: '', added: 0, removed: 0 };
  const made = createTwoFilesPatch(from, path, before, after, undefined, undefined, { context: CONTEXT, timeout: TIMEOUT_MS });
  // The library begins with a line of equal signs.
  const patch = made === undefined ? coarsePatch({ from, path }, before, after) : made.slice(made.indexOf('--- '));
  const lines = patch.split('\n').slice(2);
  return { patch, added: lines.filter((line) => line.startsWith('+')).length, removed: lines.filter((line) => line.startsWith('-')).length };
}

/** `+3 −1` of a diff. */
export function sumOf({ added, removed }: FileDiff): string {
  return `+${added} −${removed}`;
}

/** One hunk from the first to the last line that differ: never minimal, always quick. */
function coarsePatch({ from: oldPath, path }: { from: string; path: string }, before: string, after: string): string {
  const a = linesOf(before);
  const b = linesOf(after);
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1;
  let same = 0;
  while (same < Math.min(a.length, b.length) - start && a.at(-1 - same) === b.at(-1 - same)) same += 1;
  const from = Math.max(0, start - CONTEXT);
  const trailing = Math.min(same, CONTEXT);
  const rows = [
    ...mark(' ', a.slice(from, start)),
    ...mark('-', a.slice(start, a.length - same)),
    ...mark('+', b.slice(start, b.length - same)),
    ...mark(' ', a.slice(a.length - same, a.length - same + trailing)),
  ];
  const range = (lines: string[]) => {
    const length = lines.length - same + trailing - from;
    return `${length === 0 ? from : from + 1},${length}`;
  };
  return `--- ${oldPath}\n+++ ${path}\n@@ -${range(a)} +${range(b)} @@\n${rows.join('')}`;
}

/** Lines with their ends. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const mark = (sign: string, lines: string[]): string[] => lines.map((line) => `${sign}${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`);
