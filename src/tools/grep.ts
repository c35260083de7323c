// Grep: lines by regular expression, with ripgrep where it is installed and the built-in searcher elsewhere.
import { basename, relative, resolve } from 'node:path';
import picomatch from 'picomatch';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import { plural } from '../lib/plural.ts';
import type { FileInfo, Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { defineTool } from './define.ts';
import { findProgram } from '../lib/find-program.ts';
import { searchBuiltIn, type Errand, type Outcome } from './grep/built-in.ts';
import { fileTypes } from './grep/file-types.ts';
import { wantsNewline } from './grep/pattern.ts';
import { readText } from './grep/read-text.ts';
import { searchRipgrep } from './grep/ripgrep.ts';
import { MAX_FILE, type Found } from './grep/search.ts';
import { openListing } from './listing.ts';
import { tellLive } from './live.ts';
import { sayMissing } from './missing.ts';
import { cutLine, MAX_RESULT, shownPath } from './text.ts';

const LINE_LIMIT = 1_000;
/** Room for the line that says that there is more. */
const NOTE = 150;

const input = z.strictObject({
  pattern: z.string().min(1).max(1_000).describe('Regular expression, as ripgrep has them; escape ( { [ . to mean themselves'),
  path: z.string().min(1).default('.').describe('Folder or file to search; absolute, or relative to the project root'),
  glob: z.string().min(1).max(1_000).optional().describe('Only files that fit: "*.ts" at any depth, "src/**/*.ts" counted from path, "!*.test.ts" all others'),
  type: z.string().optional().describe('Only files of this type: ts, js, py, go, rust, java, md, yaml …'),
  output: z.enum(['content', 'files', 'count']).default('content').describe('Matching lines, paths of matching files, or their numbers of matching lines'),
  context: z.int().min(0).max(50).default(0).describe('Lines shown around each match'),
  ignore_case: z.boolean().default(false),
  multiline: z.boolean().default(false).describe('Matches may span lines, and `.` matches newlines'),
  limit: z.int().min(1).max(10_000).default(100).describe('How many matching lines, or files'),
});
type Input = z.infer<typeof input>;

/** Searches contents. `ripgrep: false` leaves an installed one alone. */
export function grep({ ripgrep = true, timeoutMs = 20_000 }: { ripgrep?: boolean; timeoutMs?: number } = {}): Tool<Input> {
  return defineTool({
    name: 'Grep',
    description: 'Searches the contents of text files by regular expression. Gives `file:line:text` (lines around a match as `file-line-text`), or paths, or counts, in the order of the paths. Leaves out what .gitignore names, .git, node_modules, sensitive and binary files, links and files over 50 MB; a folder that is named as path is searched even if it is ignored. Gives up after 20 seconds with what it has.',
    input,
    title: ({ pattern, path }) => cleanLine(`"${pattern}" in ${path}`),
    access: ({ path }, cwd) => [{ kind: 'read', target: resolve(cwd, path) }],
    run: (args, ctx) => run(args, ctx, { ripgrep, timeoutMs }),
  });
}

async function run(args: Input, ctx: ToolContext, { ripgrep, timeoutMs }: { ripgrep: boolean; timeoutMs: number }): Promise<ToolResult> {
  const { pattern, path, type } = args;
  const names = type === undefined ? undefined : fileTypes[type];
  if (type !== undefined && names === undefined) return { ok: false, text: `There is no file type ${type}. Known are ${Object.keys(fileTypes).join(', ')}. Use glob for others.` };
  if (!args.multiline && wantsNewline(pattern)) return { ok: false, text: 'The pattern asks for a newline, which no single line has. Set multiline to search across lines.' };
  const start = await ctx.files.stat(path);
  if (!start) return { ok: false, text: await sayMissing(path, ctx) };
  const unfit = start.kind === 'folder' ? undefined : whyUnfit(start, ctx);
  if (unfit !== undefined) return { ok: false, text: `${path} is not searched: ${unfit}.` };

  const report = startReport(args, ctx);
  const deadline = AbortSignal.timeout(timeoutMs);
  const outcome = await search(args, { start, names, take: report.take, signal: AbortSignal.any([ctx.signal, deadline]), ctx, ripgrep });
  ctx.signal.throwIfAborted();
  if (!outcome.ok) return { ok: false, text: `The pattern ${JSON.stringify(pattern)} can't be searched: ${outcome.problem}.` };
  if (!deadline.aborted) return { ok: true, text: report.text() || `No match for ${JSON.stringify(pattern)}${path === '.' ? '' : ` in ${path}`}.` };
  return { ok: false, text: `The search was given up after ${timeoutMs / 1000} s. Search a smaller folder, or simplify the pattern.${report.text() && `\nFound until then:\n${report.text()}`}` };
}

type Search = { start: FileInfo; names: readonly string[] | undefined; take(found: Found): boolean; signal: AbortSignal; ctx: ToolContext; ripgrep: boolean };

async function search(args: Input, { start, names, take, signal, ctx, ripgrep }: Search): Promise<Outcome> {
  const kind = start.kind === 'folder' ? 'folder' : 'file';
  const errand: Errand = {
    wanted: {
      pattern: args.pattern, ignoreCase: args.ignore_case, multiline: args.multiline,
      context: args.output === 'content' ? args.context : 0, keep: args.output === 'content' ? args.limit + 1 : 0, firstOnly: args.output === 'files',
    },
    start: { path: start.path, kind }, listing: openListing(start.path, ctx), signal, take,
    told: tellLive(ctx),
    fits: fitter(kind === 'folder' ? start.path : undefined, args.glob, names),
  };
  const program = ripgrep ? findProgram('rg', ctx.env, { outside: ctx.roots }) : undefined;
  if (program !== undefined) {
    const outcome = await searchRipgrep(errand, { program, env: ctx.env, names: names ?? lastName(args.glob) });
    // Look-around and back references are JavaScript's alone.
    if (outcome.ok || signal.aborted) return outcome;
  }
  return searchBuiltIn(errand);
}

/** Why the one file that was named can't be searched, if so; among others it would simply be left out. */
function whyUnfit({ path, kind, size }: FileInfo, ctx: ToolContext): string | undefined {
  if (kind === 'other') return 'it is not a regular file';
  if (ctx.files.hidden(path)) return 'it is a sensitive file';
  if (size > MAX_FILE) return `it has ${plural(size, 'byte')}, and files over 50 MB are left out. Search it with a program through Bash`;
  return readText(path) === undefined ? 'it is a binary file' : undefined;
}

/** Whether a file's path fits both globs. A glob without a slash is one of names. */
function fitter(folder: string | undefined, glob: string | undefined, names: readonly string[] | undefined): (path: string) => boolean {
  const options = { dot: true, noextglob: true };
  const isNamed = names ? picomatch([...names], options) : () => true;
  if (glob === undefined) return (path) => isNamed(basename(path));
  const bare = glob.replace(/^!/, '').replace(/\/$/, '/**');
  const isMatch = picomatch(bare.includes('/') ? bare.replace(/^(\.?\/)+/, '') : `**/${bare}`, options);
  const wanted = !glob.startsWith('!');
  return (path) => isNamed(basename(path)) && isMatch(folder === undefined ? basename(path) : relative(folder, path)) === wanted;
}

/** The globs of names that every file wanted fits: the last part of a plain glob. Spares ripgrep the reading of others. */
function lastName(glob: string | undefined): string[] {
  const name = glob?.slice(glob.lastIndexOf('/') + 1) ?? '';
  const plain = /^[\w.*?-]+$|^[\w.*?-]*\{[\w.*?,-]+\}[\w.*?-]*$/.test(name) && name !== '**' && !/[!()[\]\\]/.test(glob ?? '');
  return plain ? [name] : [];
}

/** Gathers what is found as the text of the result, up to the limit and to what a result may hold. */
function startReport({ output, limit, context }: Input, ctx: ToolContext): { take(found: Found): boolean; text(): string } {
  const rows: string[] = [];
  let taken = 0;
  let room = MAX_RESULT - NOTE;
  let cut: 'limit' | 'size' | undefined;
  const add = (row: string, counts: boolean): boolean => {
    room -= row.length + 1;
    cut ??= counts && taken === limit ? 'limit' : room < 0 ? 'size' : undefined;
    if (cut) return false;
    rows.push(row);
    if (counts) taken += 1;
    return true;
  };
  const addLines = (path: string, lines: Found['lines']): void => {
    let before = context > 0 && rows.length > 0 ? -1 : undefined;
    for (const { number, text, matched } of lines) {
      const mark = matched ? ':' : '-';
      const row = `${path}${mark}${number}${mark}${cutLine(text, LINE_LIMIT)}`;
      const gap = context > 0 && before !== undefined && number > before + 1;
      if (!add(gap ? `--\n${row}` : row, matched)) return;
      before = number;
    }
  };
  return {
    take(found) {
      const path = shownPath(found.path, ctx.roots[0] ?? ctx.cwd);
      if (output === 'content') addLines(path, found.lines);
      else add(output === 'files' ? path : `${path}:${found.count}`, true);
      return !cut;
    },
    text() {
      const note = cut ? [`[The first ${plural(taken, output === 'content' ? 'matching line' : 'file')}; there are more. Narrow the search${cut === 'limit' ? ' or raise limit' : ''}.]`] : [];
      return [...rows, ...note].join('\n');
    },
  };
}
