// Glob: files by name pattern, the newest first.
import { lstatSync, type Dirent, type Stats } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fastGlob from 'fast-glob';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import { plural } from '../lib/plural.ts';
import type { Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { defineTool } from './define.ts';
import { isInside, leadsToFile, openListing, type Listing } from './listing.ts';
import { tellLive } from './live.ts';
import { sayMissing } from './missing.ts';
import { bounded, shownPath } from './text.ts';

const input = z.strictObject({
  pattern: z.string().min(1).max(1_000).describe('Like "**/*.ts" or "src/{a,b}/*.json", relative to path; absolute ones must lie in path'),
  path: z.string().min(1).default('.').describe('Folder to look in; absolute, or relative to the project root'),
  limit: z.int().min(1).max(10_000).default(200),
});
type Input = z.infer<typeof input>;

/** How long the disk may be looked at before the rest of the program has its turn. */
const TURN_MS = 10;

/** Searches names. */
export function glob(): Tool<Input> {
  return defineTool({
    name: 'Glob',
    description: 'Finds files whose path matches a glob pattern, the most recently changed first. `*` stays within a folder, `**` crosses folders; dotfiles are found. Leaves out what .gitignore and .git/info/exclude name, .git, node_modules and sensitive files. A folder that is named as path is searched even if it is ignored.',
    input,
    title: ({ pattern, path }) => cleanLine(path === '.' ? pattern : `${pattern} in ${path}`),
    access: ({ path }, cwd) => [{ kind: 'read', target: resolve(cwd, path) }],
    run,
  });
}

async function run({ pattern, path, limit }: Input, ctx: ToolContext): Promise<ToolResult> {
  const folder = await ctx.files.stat(path);
  if (!folder) return { ok: false, text: await sayMissing(path, ctx) };
  if (folder.kind !== 'folder') return { ok: false, text: `${path} is not a folder.` };
  const within = belowFolder(pattern, folder.path);
  if (within === undefined) return { ok: false, text: `The pattern ${pattern} leads out of the folder. Patterns count from path: give the folder there.` };

  const listing = openListing(folder.path, ctx);
  const tell = tellLive(ctx);
  const prefix = join(folder.path, sep);
  const found: { path: string; at: number }[] = [];
  let since = performance.now();
  const names: AsyncIterable<unknown> = fastGlob.stream(within, { cwd: folder.path, dot: true, followSymbolicLinks: false, suppressErrors: true, fs: diskThrough(listing, ctx) });
  for await (const name of names) {
    const file = prefix + String(name);
    const info = listing.shows(file, 'file') ? lstatSync(file, { throwIfNoEntry: false }) : undefined;
    if (!info || (info.isSymbolicLink() && !leadsToFile(file, ctx))) continue;
    found.push({ path: file, at: info.mtimeMs });
    tell(file);
    if (performance.now() - since < TURN_MS) continue;
    await nextTurn();
    ctx.signal.throwIfAborted();
    since = performance.now();
  }
  ctx.signal.throwIfAborted();
  if (found.length === 0) return { ok: true, text: `No file matches ${pattern}${path === '.' ? '' : ` in ${path}`}.` };
  found.sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1));
  const lines = found.slice(0, limit).map((file) => shownPath(file.path, ctx.roots[0] ?? ctx.cwd));
  if (found.length > limit) lines.push(`[The newest ${limit} of ${plural(found.length, 'file')}. Narrow the pattern or raise limit.]`);
  return { ok: true, text: bounded(lines.join('\n'), 'Narrow the pattern.') };
}

/** The pattern as it counts from the folder; `undefined` where it leads out of it. */
function belowFolder(pattern: string, folder: string): string | undefined {
  if (/(^|[/{,(|])\.\.([/},)|]|$)/.test(pattern)) return undefined;
  if (!/^[/\\~]|^[a-z]:/i.test(pattern)) return pattern.replace(/^(\.\/+)+/, '');
  // Absolute: what stands before the first wildcard must be the folder or below it.
  const plain = pattern.slice(0, pattern.search(/[*?[{(!]|$/)).split('/').slice(0, -1).join('/');
  if (!plain.startsWith('/') || !isInside(plain, folder)) return undefined;
  return [relative(folder, plain), pattern.slice(plain.length + 1)].filter(Boolean).join('/');
}

/** The disk as fast-glob may see it: folders that are ignored are never walked. Of files and links only those that match are looked at. */
function diskThrough(listing: Listing, ctx: ToolContext): Partial<fastGlob.FileSystemAdapter> {
  const readdir = (folder: string, _options: unknown, done: (error: null, entries: Dirent[]) => void) => {
    // Not at once: a walk that never waits would keep everything else waiting.
    setImmediate(() => {
      const entries = ctx.signal.aborted ? [] : listing.entries(folder, { unchecked: true });
      done(null, entries.map(({ name, kind }) => asDirent(name, folder, kind === 'folder')));
    });
  };
  /** Patterns without wildcards are looked up without any listing. */
  const look = (path: string, done: (error: Error | null, stats: Stats) => void) => {
    const info = lstatSync(path, { throwIfNoEntry: false });
    const seen = info !== undefined && leadsToFile(path, ctx) && listing.sees(path.split('/').join(sep), 'file');
    setImmediate(() => (seen ? done(null, info) : done(new Error('not seen'), info as unknown as Stats)));
  };
  return { readdir, lstat: look, stat: look } as unknown as Partial<fastGlob.FileSystemAdapter>;
}

function asDirent(name: string, parentPath: string, isFolder: boolean): Dirent {
  return {
    name, parentPath, isFile: () => !isFolder, isDirectory: () => isFolder,
    isSymbolicLink: no, isBlockDevice: no, isCharacterDevice: no, isFIFO: no, isSocket: no,
  } as Dirent;
}

const no = () => false;
