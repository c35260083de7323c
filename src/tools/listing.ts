// Folders as searches see them: without what .gitignore files, the permissions and plain habit leave out, and never through a link.
import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import type { ToolContext } from '../types/tool.ts';

/** What stands in a folder, by its real path. Devices and the like are left out. */
export type Entry = { name: string; path: string; kind: 'file' | 'folder' | 'link' };

/** A folder and what is below it. */
export type Listing = {
  /** What is seen in a folder at or below the start, sorted by name; nothing where it can't be read. */
  entries(folder: string): Promise<Entry[]>;
  /** Whether a path at or below the start is seen, going by the rules alone. */
  sees(path: string, kind: 'file' | 'folder'): Promise<boolean>;
};

/** Never of use to a search, whatever a .gitignore says. */
export const SKIPPED: readonly string[] = ['.git', '.hg', '.svn', 'node_modules'];
const MAX_RULES = 1_000_000;

/**
 * A listing of the folder `start` (a real path). The .gitignore files from the root down count; who names an ignored
 * folder itself as the start sees what is in it.
 */
export async function openListing(start: string, ctx: Pick<ToolContext, 'roots' | 'files'>): Promise<Listing & { ignoresStart: boolean }> {
  const top = ctx.roots.find((root) => isInside(start, root)) ?? start;
  const cache = new Map<string, Promise<Ignore | null>>();
  const rulesOf = (folder: string): Promise<Ignore | null> => {
    const known = cache.get(folder);
    if (known) return known;
    const read = readRules(folder);
    cache.set(folder, read);
    return read;
  };

  /** The nearest file that has something to say decides. */
  const isIgnored = async (path: string, kind: Entry['kind'], highest: string): Promise<boolean> => {
    for (let folder = dirname(path); isInside(folder, highest); folder = dirname(folder)) {
      const rules = await rulesOf(folder);
      const said = rules?.test(`${relative(folder, path).split(sep).join('/')}${kind === 'folder' ? '/' : ''}`);
      if (said?.unignored) return false;
      if (said?.ignored) return true;
      if (folder === dirname(folder)) break;
    }
    return false;
  };

  let ignoresStart = false;
  for (let folder = start; folder !== top && isInside(folder, top); folder = dirname(folder)) ignoresStart ||= await isIgnored(folder, 'folder', top);
  const highest = ignoresStart ? start : top;
  const isSeen = async (path: string, kind: Entry['kind']): Promise<boolean> => !SKIPPED.includes(basename(path)) && !ctx.files.hidden(path) && !(await isIgnored(path, kind, highest));

  return {
    ignoresStart,
    async entries(folder) {
      // A pattern may name a folder that is reached through a link.
      if (!isInside(folder, start) || (await realpath(folder).catch(() => undefined)) !== folder) return [];
      const found: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
      const entries = found.flatMap((entry): Entry[] => {
        const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : undefined;
        return kind ? [{ name: entry.name, path: join(folder, entry.name), kind }] : [];
      });
      const seen = await Promise.all(entries.map(({ path, kind }) => isSeen(path, kind)));
      return entries.filter((_, index) => seen[index]).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    async sees(path, kind) {
      if (!isInside(path, start)) return false;
      for (let at = path; at !== start; at = dirname(at)) {
        if (!(await isSeen(at, at === path ? kind : 'folder'))) return false;
      }
      return true;
    },
  };
}

/** Whether a link leads to a regular file inside the roots that may be seen. */
export async function leadsToFile(link: string, ctx: Pick<ToolContext, 'roots' | 'files'>): Promise<boolean> {
  try {
    const target = await realpath(link);
    return ctx.roots.some((root) => isInside(target, root)) && !ctx.files.hidden(target) && (await stat(target)).isFile();
  } catch {
    return false;
  }
}

/** Compares by path components. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way.split(sep)[0] !== '..' && !isAbsolute(way));
}

async function readRules(folder: string): Promise<Ignore | null> {
  const path = join(folder, '.gitignore');
  try {
    const info = await lstat(path);
    return info.isFile() && info.size <= MAX_RULES ? ignore({ ignorecase: false, allowRelativePaths: true }).add(await readFile(path, 'utf8')) : null;
  } catch {
    return null;
  }
}
