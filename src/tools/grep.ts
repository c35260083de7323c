// Grep: lines by regular expression, with ripgrep where it is installed and the built-in searcher elsewhere.
import { basename, relative, resolve } from 'node:path';
import picomatch from 'picomatch';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import type { FileInfo, Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { defineTool } from './define.ts';
import { findProgram } from '../lib/find-program.ts';
import { searchBuiltIn, type Errand, type Outcome } from './grep/built-in.ts';
import { fileTypes } from './grep/file-types.ts';
import { wantsNewline } from './grep/pattern.ts';
import { searchRipgrep } from './grep/ripgrep.ts';
import type { Found } from './grep/search.ts';
import { openListing } from './listing.ts';
import { sayMissing } from './missing.ts';
import { bounded, count, cutLine, shownPath } from './text.ts';

const LINE_LIMIT = 1_000;

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
  if (start.kind === 'other' || (start.kind === 'file' && ctx.files.hidden(start.path))) return { ok: false, text: `${path} is not searched: it is ${start.kind === 'other' ? 'not a regular file' : 'a sensitive file'}.` };

  const report = startReport(args, ctx);
  const deadline = AbortSignal.timeout(timeoutMs);
  const outcome = await search(args, { start, names, take: report.take, signal: AbortSignal.any([ctx.signal, deadline]), ctx, ripgrep });
  ctx.signal.throwIfAborted();
  if (!outcome.ok) return { ok: false, text: `The pattern ${JSON.stringify(pattern)} can't be searched: ${outcome.problem}.` };
  if (!deadline.aborted) return { ok: true, text: report.text() || `No match for ${JSON.stringify(pattern)} in ${path}.` };
  return { ok: false, text: `The search was given up after ${timeoutMs / 1000} s. Search a smaller folder, or simplify the pattern.${report.text() && `\nFound until then:\n${report.text()}`}` };
}

type Search = { start: FileInfo; names: readonly string[] | undefined; take(found: Found): boolean; signal: AbortSignal; ctx: ToolContext; ripgrep: boolean };

async function search(args: Input, { start, names, take, signal, ctx, ripgrep }: Search): Promise<Outcome> {
  const kind = start.kind === 'folder' ? 'folder' : 'file';
  const listing = await openListing(start.path, ctx);
  const errand: Errand = {
    wanted: {
      pattern: args.pattern, ignoreCase: args.ignore_case, multiline: args.multiline,
      context: args.output === 'content' ? args.context : 0, keep: args.output === 'content' ? args.limit + 1 : 0, firstOnly: args.output === 'files',
    },
    start: { path: start.path, kind }, listing, signal, take,
    fits: fitter(kind === 'folder' ? start.path : undefined, args.glob, names),
  };
  const program = ripgrep ? findProgram('rg', ctx.env) : undefined;
  if (program !== undefined) {
    const outcome = await searchRipgrep(errand, { program, env: ctx.env, names: names ?? lastName(args.glob), ignoresStart: listing.ignoresStart });
    // It knows no look-around; JavaScript may know the pattern all the same.
    if (outcome.ok) return outcome;
  }
  return searchBuiltIn(errand);
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

/** Gathers what is found as the text of the result, up to the limit. */
function startReport({ output, limit, context }: Input, ctx: ToolContext): { take(found: Found): boolean; text(): string } {
  const rows: string[] = [];
  let taken = 0;
  let cut = false;
  const add = (path: string, found: Found) => {
    if (output !== 'content') {
      rows.push(output === 'files' ? path : `${path}:${found.count}`);
      taken += 1;
      return;
    }
    let before: number | undefined;
    if (context > 0 && rows.length > 0) rows.push('--');
    for (const { number, text, matched } of found.lines) {
      if (matched && taken === limit) { cut = true; return; }
      if (context > 0 && before !== undefined && number > before + 1) rows.push('--');
      if (matched) taken += 1;
      const mark = matched ? ':' : '-';
      rows.push(`${path}${mark}${number}${mark}${cutLine(text, LINE_LIMIT)}`);
      before = number;
    }
  };
  return {
    take(found) {
      if (taken === limit) cut = true;
      else add(shownPath(found.path, ctx.roots[0] ?? ctx.cwd), found);
      return !cut;
    },
    text() {
      const note = cut ? [`[The first ${count(limit, output === 'content' ? 'matching line' : 'file')}; there are more. Narrow the search or raise limit.]`] : [];
      return bounded([...rows, ...note].join('\n'), 'Narrow the search.');
    },
  };
}
