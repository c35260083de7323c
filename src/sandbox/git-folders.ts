// Where git keeps what belongs to a folder: links of worktrees and submodules followed.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

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

function linked(file: string, from: string, pattern: RegExp): string | undefined {
  try {
    const target = pattern.exec(readFileSync(file, 'utf8'))?.[1]?.trim();
    return target === undefined ? undefined : resolve(from, target);
  } catch {
    return undefined;
  }
}
