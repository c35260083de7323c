// Reads unified diffs: of diff, of git, and as models write them, with wrong or missing numbers of lines.
// The format: https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html and git-diff(1).
import { toLf } from '../edit/line-endings.ts';
import { parseMarked } from './parse-marked.ts';
import { namesOf, unquote } from './names.ts';
import type { FilePatch, Hunk, ParsedPatch, PatchLine } from './types.ts';

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@|^@@/;
const MARKED = '*** Begin Patch';

/** The files that a patch speaks of; a sentence where it can't be read. */
export function parsePatch(patch: string): ParsedPatch {
  const text = /^(?:---|\+\+\+|@@|diff ).*\r$/m.test(patch) ? toLf(patch) : patch;
  // What stands behind the last line feed is no line.
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.some((line) => line.trim() === MARKED)) return parseMarked(lines);
  const files: FilePatch[] = [];
  try {
    for (let at = 0; at < lines.length;) at = readPart(lines, at, files);
  } catch (error) {
    if (error instanceof PatchProblem) return { ok: false, problem: error.message };
    throw error;
  }
  if (files.length === 0) return { ok: false, problem: 'has no file header (--- a/path and +++ b/path)' };
  const empty = files.find((file) => file.hunks.length === 0 && file.from === file.to && file.mode === undefined);
  if (empty) return { ok: false, problem: `says nothing of what to change in ${empty.from}` };
  return { ok: true, files };
}

/** A patch that can't be read; `message` follows the words "the patch". */
class PatchProblem extends Error {}

/** Reads a file's part from `at` on, or passes over a line between them; gives where to go on. */
function readPart(lines: readonly string[], at: number, files: FilePatch[]): number {
  const line = lines[at] ?? '';
  const isGit = line.startsWith('diff --git ');
  if (!isGit && !isHeader(lines, at)) {
    if (HUNK.test(line)) throw new PatchProblem(`has a hunk (line ${at + 1}) before any file header (--- a/path and +++ b/path)`);
    return at + 1;
  }
  const git = isGit ? readGitLines(lines, at + 1) : { next: at, is: new Map<string, string>() };
  const { is } = git;
  let next = git.next;
  if (is.has('copy from')) throw new PatchProblem(`copies ${is.get('copy from')}; make the copy as a new file instead`);
  const mode = is.get('new mode') ?? is.get('new file mode');
  if (mode !== undefined && !/^100\d{3}$/.test(mode)) throw new PatchProblem(`makes something that is not a regular file (mode ${mode})`);
  const [moved, target] = [is.get('rename from'), is.get('rename to')];
  let names = moved !== undefined && target !== undefined ? { from: unquote(moved), to: unquote(target) } : isGit ? namesOf({ git: line.slice('diff --git '.length) }) : undefined;
  const header = isHeader(lines, next) ? namesOf({ from: (lines[next] ?? '').slice(4), to: (lines[next + 1] ?? '').slice(4) }) : undefined;
  // A part of git's without lines may stand right before another file's header.
  if (isHeader(lines, next) && (!names || !header || ((header.from ?? names.from) === names.from && (header.to ?? names.to) === names.to))) {
    names = header;
    next += 2;
  } else if (names) {
    names = { from: is.has('new file mode') ? null : names.from, to: is.has('deleted file mode') ? null : names.to };
  }
  if (!names) throw new PatchProblem(`has a header that names no file (line ${at + 1})`);
  const hunks: Hunk[] = [];
  for (;;) {
    while (lines[next] === '' && HUNK.test(lines[next + 1] ?? '')) next += 1;
    if (!HUNK.test(lines[next] ?? '')) break;
    next = readHunk(lines, next, hunks);
  }
  files.push({ ...names, hunks, ...(mode !== undefined && { mode: Number.parseInt(mode.slice(-3), 8) }) });
  return next;
}

const GIT_LINE = /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|similarity index|dissimilarity index|index) (.*)$/;

function readGitLines(lines: readonly string[], from: number): { next: number; is: Map<string, string> } {
  const is = new Map<string, string>();
  let next = from;
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    if (/^(?:Binary files .* differ|GIT binary patch)$/.test(line)) throw new PatchProblem(`changes a binary file (line ${next + 1}), which can't be done`);
    const found = GIT_LINE.exec(line);
    if (!found) break;
    is.set(found[1] ?? '', found[2] ?? '');
  }
  return { next, is };
}

const isHeader = (lines: readonly string[], at: number): boolean => (lines[at] ?? '').startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ ');

/** The counts in its header are believed as far as they fit what follows. */
function readHunk(lines: readonly string[], from: number, hunks: Hunk[]): number {
  const header = lines[from] ?? '';
  const [, line, old, added] = HUNK.exec(header) ?? [];
  const counts = line === undefined ? undefined : { old: Number(old ?? 1), new: Number(added ?? 1) };
  const left = { old: counts?.old ?? 0, new: counts?.new ?? 0 };
  const body: PatchLine[] = [];
  let at = from + 1;
  for (; at < lines.length; at += 1) {
    const text = lines[at] ?? '';
    const done = left.old <= 0 && left.new <= 0;
    if (isHeader(lines, at) && (done || (lines[at + 2] ?? '').startsWith('@@'))) break;
    if (/^(?:diff --git |@@|```)/.test(text) || (done && text === '-- ')) break;
    if (text.startsWith('\\')) { endOf(body); continue; }
    if (text === '' && done && restIsEmpty(lines, at)) break;
    // Models leave the blank of an empty line out.
    const sign = text === '' || text === '\r' ? ' ' : text[0];
    if (sign !== ' ' && sign !== '-' && sign !== '+') {
      if (done && counts) break;
      throw new PatchProblem(`has a line in the hunk ${header} that begins with none of blank, - and + (line ${at + 1}): ${JSON.stringify(text.slice(0, 100))}`);
    }
    body.push({ sign, text: text.slice(text === '' || text === '\r' ? 0 : 1) });
    if (sign !== '+') left.old -= 1;
    if (sign !== '-') left.new -= 1;
  }
  // Empty lines between a hunk and what follows belong to it only where they were counted.
  if (left.old !== 0 || left.new !== 0) while (body.at(-1)?.text === '' && body.at(-1)?.sign === ' ' && lines[at - 1] === '' && body.length > 1) { body.pop(); at -= 1; }
  if (!body.some(({ sign }) => sign !== ' ')) throw new PatchProblem(`has a hunk that changes nothing (${header})`);
  hunks.push({ header, lines: body, ...(line !== undefined && { line: Number(line) }) });
  while (lines[at] === '' && restIsEmpty(lines, at)) at += 1;
  return at;
}

function endOf(body: PatchLine[]): void {
  const line = body.at(-1);
  if (line) body[body.length - 1] = { ...line, last: true };
}

/** Whether only empty lines stand before the next part or the end. */
function restIsEmpty(lines: readonly string[], from: number): boolean {
  let at = from;
  while (at < lines.length && lines[at] === '') at += 1;
  return at >= lines.length || isHeader(lines, at) || !/^[ +\-\\]/.test(lines[at] ?? '');
}
