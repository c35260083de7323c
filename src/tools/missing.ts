// What is said of a path where nothing is: with the names that it was perhaps meant to be.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, parse } from 'node:path';
import { nearest } from '../lib/nearest.ts';
import type { ToolContext } from '../types/tool.ts';
import { shownPath } from './text.ts';

/** A sentence. `path` is as the model gave it. */
export async function sayMissing(path: string, ctx: ToolContext): Promise<string> {
  const full = ctx.files.resolve(path);
  const parent = dirname(full);
  const folder = await ctx.files.stat(parent).catch(() => null);
  if (folder?.kind !== 'folder') return `There is no ${path}: the folder ${shownPath(parent, ctx.roots[0] ?? ctx.cwd)} does not exist either.`;
  const names = (await readdir(folder.path).catch(() => [])).filter((name) => !ctx.files.hidden(join(folder.path, name)));
  const wanted = basename(full);
  const near = new Set(names.filter((name) => parse(name).name.toLowerCase() === parse(wanted).name.toLowerCase()));
  const alike = nearest(wanted, names);
  if (alike !== undefined) near.add(alike);
  const meant = [...near].sort().slice(0, 5).map((name) => join(dirname(path), name));
  return `There is no ${path}.${meant.length > 0 ? ` Did you mean ${meant.join(' or ')}?` : ''}`;
}
