// Where git keeps what belongs to a folder: links of worktrees and submodules followed.
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** What `.git` at `path` stands for: itself, or where its file leads, with the repository that this one shares. Empty where there is none. */
export function gitFoldersOf(path: string): string[] {
  const own = statSync(path, { throwIfNoEntry: false });
  if (!own) return [];
  const folder = own.isDirectory() ? path : linked(path, dirname(path), /^gitdir: (.+)$/m);
  if (folder === undefined || !existsSync(folder)) return [path];
  const shared = linked(join(folder, 'commondir'), folder, /^(.+)$/m);
  return [...new Set([folder, ...(shared !== undefined && existsSync(shared) ? [shared] : [])])];
}

/** The `.git` that git would find from `folder`. */
export function findGit(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return join(at, '.git');
    if (dirname(at) === at) return undefined;
  }
}

/**
 * The real folders that git must write for `path`, a `.git`. A file or a link there could lead anywhere, and a command may have put it there: what
 * lies where `known` says counts, and elsewhere only what itself says that it belongs to this working tree.
 */
export function writableGit(path: string, known: (folder: string) => boolean): string[] {
  return resolved(gitFoldersOf(path).slice(0, 1)).flatMap((folder) => {
    if (!existsSync(join(folder, 'HEAD'))) return [];
    // `gitdir` of a worktree names its `.git`, `core.worktree` of a submodule its folder.
    const mine = [linked(join(folder, 'gitdir'), folder, /^(.+)$/m), linked(join(folder, 'config'), folder, /^\s*worktree\s*=\s*(.+)$/m)].some((named) => named !== undefined && (named === path || named === dirname(path)));
    if (!known(folder) && !mine) return [];
    const shared = dirname(dirname(folder));
    return [folder, ...(basename(dirname(folder)) === 'worktrees' && existsSync(join(shared, 'HEAD')) && existsSync(join(shared, 'objects')) ? [shared] : [])];
  });
}

/** Real paths, those that are there, each once. */
export function resolved(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => {
    try {
      return [realpathSync.native(path)];
    } catch {
      return [];
    }
  }))];
}

function linked(file: string, from: string, pattern: RegExp): string | undefined {
  try {
    const target = pattern.exec(readFileSync(file, 'utf8'))?.[1]?.trim();
    return target === undefined ? undefined : resolve(from, target);
  } catch {
    return undefined;
  }
}
