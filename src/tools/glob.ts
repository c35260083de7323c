// Glob: files by name pattern, the newest first.
import { lstat as lstatOf, stat as statOf, type Dirent } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import fastGlob from 'fast-glob';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import type { Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { defineTool } from './define.ts';
import { leadsToFile, openListing, type Listing } from './listing.ts';
import { sayMissing } from './missing.ts';
import { bounded, count, shownPath } from './text.ts';

const input = z.strictObject({
  pattern: z.string().min(1).max(1_000).describe('Like "**/*.ts" or "src/{a,b}/*.json", relative to path'),
  path: z.string().min(1).default('.').describe('Folder to look in; absolute, or relative to the project root'),
  limit: z.int().min(1).max(10_000).default(200),
});
type Input = z.infer<typeof input>;

/** At once enough to keep a disk busy, few enough for its descriptors. */
const SIDE_BY_SIDE = 64;

/** Searches names. */
export function glob(): Tool<Input> {
  return defineTool({
    name: 'Glob',
    description: 'Finds files whose path matches a glob pattern, the most recently changed first. `*` stays within a folder, `**` crosses folders; dotfiles are found. Leaves out what .gitignore names, .git, node_modules and sensitive files. A folder that is named as path is searched even if it is ignored.',
    input,
    title: ({ pattern, path }) => cleanLine(path === '.' ? pattern : `${pattern} in ${path}`),
    access: ({ path }, cwd) => [{ kind: 'read', target: resolve(cwd, path) }],
    run,
  });
}

async function run({ pattern, path, limit }: Input, ctx: ToolContext): Promise<ToolResult> {
  if (/^[/\\~]|^[a-z]:/i.test(pattern) || /(^|[/{,(|])\.\.([/},)|]|$)/.test(pattern)) {
    return { ok: false, text: `The pattern ${pattern} leads out of the folder. Patterns count from path: give the folder there.` };
  }
  const folder = await ctx.files.stat(path);
  if (!folder) return { ok: false, text: await sayMissing(path, ctx) };
  if (folder.kind !== 'folder') return { ok: false, text: `${path} is not a folder.` };

  const listing = await openListing(folder.path, ctx);
  const found: string[] = [];
  for await (const name of fastGlob.stream(pattern, {
    cwd: folder.path, dot: true, followSymbolicLinks: false, suppressErrors: true, fs: diskThrough(listing, ctx),
  })) {
    const file = join(folder.path, String(name));
    // A pattern without wildcards is looked up without any listing.
    if (await listing.sees(file, 'file')) found.push(file);
  }
  ctx.signal.throwIfAborted();
  const newest = await sortByAge(found, ctx);
  if (newest.length === 0) return { ok: true, text: `No file matches ${pattern} in ${path}.` };
  const lines = newest.slice(0, limit).map((file) => shownPath(file, ctx.roots[0] ?? ctx.cwd));
  if (newest.length > limit) lines.push(`[The newest ${limit} of ${count(newest.length, 'file')}. Narrow the pattern or raise limit.]`);
  return { ok: true, text: bounded(lines.join('\n'), 'Narrow the pattern.') };
}

/** The disk as fast-glob may see it: what is ignored is never walked, links stand for the files that they lead to. */
function diskThrough(listing: Listing, ctx: ToolContext): Partial<fastGlob.FileSystemAdapter> {
  const readdir = (folder: string, _options: unknown, done: (error: null, entries: Dirent[]) => void) => {
    const list = async () => {
      const entries = ctx.signal.aborted ? [] : await listing.entries(folder);
      return Promise.all(entries.map(async ({ name, kind, path }) => asDirent(name, folder, kind === 'link' ? ((await leadsToFile(path, ctx)) ? 'file' : 'other') : kind)));
    };
    void list().then((entries) => done(null, entries));
  };
  return { readdir: readdir as unknown as fastGlob.FileSystemAdapter['readdir'], lstat: lstatOf, stat: statOf };
}

function asDirent(name: string, parentPath: string, kind: 'file' | 'folder' | 'other'): Dirent {
  return {
    name, parentPath, isFile: () => kind === 'file', isDirectory: () => kind === 'folder',
    isSymbolicLink: no, isBlockDevice: no, isCharacterDevice: no, isFIFO: no, isSocket: no,
  } as Dirent;
}

const no = () => false;

/** Files that are there and inside the roots: a pattern without wildcards may have gone through a link. */
async function sortByAge(files: readonly string[], ctx: ToolContext): Promise<string[]> {
  const aged: { file: string; at: number | undefined }[] = [];
  for (let start = 0; start < files.length; start += SIDE_BY_SIDE) {
    aged.push(...await Promise.all(files.slice(start, start + SIDE_BY_SIDE).map(async (file) => ({ file, at: (await leadsToFile(file, ctx)) ? (await lstat(file).catch(() => undefined))?.mtimeMs : undefined }))));
  }
  return aged.filter(({ at }) => at !== undefined).sort((a, b) => (b.at ?? 0) - (a.at ?? 0) || (a.file < b.file ? -1 : 1)).map(({ file }) => file);
}
