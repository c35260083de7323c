// Folders as searches see them: without what git, the permissions and plain habit leave out, and never through a link.
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import ignore, { type Ignore } from 'ignore';
import type { ToolContext } from '../types/tool.ts';

/** What stands in a folder, by its real path. Devices and the like are left out. */
export type Entry = { name: string; path: string; kind: 'file' | 'folder' | 'link' };

/** A folder and what is below it. The disk is looked at directly: handing each look to another thread costs ten times as much. */
export type Listing = {
  /** What is seen in a folder at or below the start, sorted by name; nothing where it can't be read. With `unchecked` what is no folder is there whether it is seen or not. */
  entries(folder: string, how?: { unchecked?: boolean }): Entry[];
  /** Whether something in a folder that is seen is seen itself. */
  shows(path: string, kind: Entry['kind']): boolean;
  /** Whether a path at or below the start is seen, going by the rules alone. */
  sees(path: string, kind: 'file' | 'folder'): boolean;
  /** Whether the ignore files above the start have no say in what is below it. */
  aloof: boolean;
};

/** The rules that hold in a folder, nearest first: those of .gitignore files, behind them those of .git/info/exclude. */
type Rules = { shared: readonly RuleFile[]; own: readonly RuleFile[] };
type RuleFile = { folder: string; matcher: Ignore };

/** Never of use to a search, whatever a .gitignore says. */
export const SKIPPED: readonly string[] = ['.git', '.hg', '.svn', 'node_modules'];
const MAX_RULES = 1_000_000;
const NO_RULES: Rules = { shared: [], own: [] };

/**
 * A listing of the folder `start` (a real path). What counts are the ignore files from the top of its repository down,
 * outside of one those from the root down; who names an ignored folder itself as the start sees what is in it.
 */
export function openListing(start: string, ctx: Pick<ToolContext, 'roots' | 'files'>): Listing {
  const top = ctx.roots.find((root) => isInside(start, root)) ?? start;
  const known = new Map<string, Rules>();
  const rulesOf = (folder: string, highest: string): Rules => {
    let rules = known.get(folder);
    if (rules) return rules;
    const isRepository = exists(join(folder, '.git'));
    const above = isRepository || folder === highest || folder === dirname(folder) ? NO_RULES : rulesOf(dirname(folder), highest);
    rules = { shared: withFile(above.shared, folder, '.gitignore'), own: isRepository ? withFile(above.own, folder, '.git/info/exclude') : above.own };
    known.set(folder, rules);
    return rules;
  };
  const isIgnored = (path: string, kind: Entry['kind'], highest: string): boolean => {
    const { shared, own } = rulesOf(dirname(path), highest);
    return decideIgnored(shared, path, kind) ?? decideIgnored(own, path, kind) ?? false;
  };

  const repository = repositoryTop(start);
  const highest = repository ?? top;
  let ignored = false;
  for (let folder = start; folder !== highest && isInside(folder, highest); folder = dirname(folder)) ignored ||= isIgnored(folder, 'folder', highest);
  known.clear();
  const limit = ignored ? start : highest;
  const isSeen = (path: string, kind: Entry['kind']): boolean => !SKIPPED.includes(basename(path)) && !ctx.files.hidden(path) && !isIgnored(path, kind, limit);
  const sees = (path: string, kind: Entry['kind']): boolean => {
    if (!isInside(path, start)) return false;
    for (let at = path; at !== start; at = dirname(at)) if (!isSeen(at, at === path ? kind : 'folder')) return false;
    return true;
  };

  return {
    aloof: ignored || repository === undefined,
    shows: isSeen,
    entries(folder, { unchecked = false } = {}) {
      // A pattern may name a folder that is ignored or reached through a link.
      if (!sees(folder, 'folder') || !isReal(folder)) return [];
      const prefix = join(folder, sep);
      return readEntries(folder).flatMap((entry): Entry[] => {
        const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : undefined;
        const path = prefix + entry.name;
        return kind && ((unchecked && kind !== 'folder') || isSeen(path, kind)) ? [{ name: entry.name, path, kind }] : [];
      }).sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    sees,
  };
}

/** All files and links below, in the order of their paths, in pieces: between two the rest of the program has its turn. Links are not followed. */
export async function* walk(folder: string, listing: Listing, signal: AbortSignal): AsyncGenerator<Entry[]> {
  let piece: Entry[] = [];
  let since = performance.now();
  const waiting = listing.entries(folder).toReversed();
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    if (entry.kind !== 'folder') { piece.push(entry); continue; }
    for (const inner of listing.entries(entry.path).toReversed()) waiting.push(inner);
    if (performance.now() - since < 10) continue;
    yield piece;
    await nextTurn();
    if (signal.aborted) return;
    [piece, since] = [[], performance.now()];
  }
  yield piece;
}

/** Whether a link leads to a regular file inside the roots that may be seen. */
export function leadsToFile(link: string, ctx: Pick<ToolContext, 'roots' | 'files'>): boolean {
  try {
    const target = realpathSync.native(link);
    return ctx.roots.some((root) => isInside(target, root)) && !ctx.files.hidden(target) && statSync(target).isFile();
  } catch {
    return false;
  }
}

/** Compares by path components. */
export function isInside(path: string, folder: string): boolean {
  if (path.startsWith(folder) && (path.length === folder.length || path[folder.length] === sep)) return true;
  const way = relative(folder, path);
  return way === '' || (way.split(sep)[0] !== '..' && !isAbsolute(way));
}

/** The nearest folder with a repository, the start itself included. */
function repositoryTop(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    if (exists(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** The nearest file that has something to say decides. */
function decideIgnored(files: readonly RuleFile[], path: string, kind: Entry['kind']): boolean | undefined {
  for (const { folder, matcher } of files) {
    const way = path.slice(folder.endsWith(sep) ? folder.length : folder.length + 1);
    const said = matcher.test(`${sep === '/' ? way : way.replaceAll(sep, '/')}${kind === 'folder' ? '/' : ''}`);
    if (said.unignored) return false;
    if (said.ignored) return true;
  }
  return undefined;
}

function withFile(above: readonly RuleFile[], folder: string, name: string): readonly RuleFile[] {
  const path = join(folder, name);
  try {
    const info = lstatSync(path, { throwIfNoEntry: false });
    if (!info?.isFile() || info.size > MAX_RULES) return above;
    return [{ folder, matcher: ignore({ ignorecase: false, allowRelativePaths: true }).add(readFileSync(path, 'utf8')) }, ...above];
  } catch {
    return above;
  }
}

const exists = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
};

function isReal(folder: string): boolean {
  try {
    return realpathSync.native(folder) === folder;
  } catch {
    return false;
  }
}

function readEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
