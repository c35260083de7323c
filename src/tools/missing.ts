// What is said of a path where nothing is: with the names that it was perhaps meant to be.
import { basename, dirname, extname, join, parse, sep } from 'node:path';
import { nearest } from '../lib/nearest.ts';
import type { ToolContext } from '../types/tool.ts';
import { isInside, openListing, walk } from './listing.ts';
import { shownPath } from './text.ts';

const MOST = 5;
/** How long the project is searched for files of the same name. */
const PATIENCE_MS = 150;

/** A sentence. `path` is as the model gave it. */
export async function sayMissing(path: string, ctx: ToolContext): Promise<string> {
  const root = ctx.roots[0] ?? ctx.cwd;
  const full = ctx.files.resolve(path);
  const parent = dirname(full);
  const folder = await ctx.files.stat(parent).catch(() => null);
  const near = folder?.kind === 'folder' ? namesLike(basename(full), folder.path, ctx).map((name) => join(dirname(path), name)) : [];
  const same = near.length > 0 ? [] : await sameNames(full, root, ctx);
  const meant = [...near, ...same].slice(0, MOST);
  const lacks = folder?.kind === 'folder' ? '' : `: the folder ${shownPath(parent, root)} does not exist either`;
  const counts = meant.length === 0 && lacks !== '' ? ` Paths count from ${root}.` : '';
  return `There is no ${path}${lacks}.${meant.length > 0 ? ` Did you mean ${meant.join(' or ')}?` : counts}`;
}

/** Names in the folder that differ by the extension, by case or by a slip of the fingers. */
function namesLike(wanted: string, folder: string, ctx: ToolContext): string[] {
  const names = openListing(folder, ctx).entries(folder).map(({ name }) => name);
  const near = new Set(names.filter((name) => stem(name) === stem(wanted)));
  const alike = nearest(wanted, names);
  if (alike !== undefined) near.add(alike);
  return [...near].toSorted();
}

const stem = (name: string): string => parse(name).name.toLowerCase();

/** Files elsewhere in the project with this name, those first whose folders are called the same as well. */
async function sameNames(full: string, root: string, ctx: ToolContext): Promise<string[]> {
  if (!isInside(full, root) || extname(full) === '') return [];
  const wanted = full.toLowerCase().split(sep);
  const found: { path: string; alike: number }[] = [];
  for await (const piece of walk(root, openListing(root, ctx), AbortSignal.any([ctx.signal, AbortSignal.timeout(PATIENCE_MS)]))) {
    for (const { name, path } of piece) {
      if (name.toLowerCase() !== wanted.at(-1)) continue;
      const parts = path.toLowerCase().split(sep);
      found.push({ path, alike: wanted.toReversed().findIndex((part, index) => part !== parts.at(-1 - index)) });
    }
  }
  return found.toSorted((a, b) => b.alike - a.alike || (a.path < b.path ? -1 : 1)).slice(0, MOST).map(({ path }) => shownPath(path, root));
}
