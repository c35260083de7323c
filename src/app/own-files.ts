// Files and folders that steer MewCode, or from which git runs code: a write to one asks in every mode.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Loaded } from '../config/load.ts';
import type { Paths } from '../config/paths.ts';

/** Absolute, as named and as the disk has them. */
export function ownFiles(loaded: Pick<Loaded, 'files'>, paths: Paths): string[] {
  const ours = ['mcp.json', 'hooks', 'config.yaml', 'permissions.yaml', 'permissions.local.yaml'].flatMap((name) => [join(paths.userDir, name), join(paths.projectDir, name)]);
  const ofOthers = [paths.home, paths.root].flatMap((folder) => ['settings.json', 'settings.local.json'].map((name) => join(folder, '.claude', name)));
  const all = [...ours, ...ofOthers, paths.trustFile, paths.trustTexts, paths.credentials, ...loaded.files, ...gitPlaces(paths)];
  // One may be a link: what it leads to steers as much.
  return [...new Set(all.flatMap((path) => (existsSync(path) ? [path, realpathSync(path)] : [path])))];
}

/** Where git keeps and runs things under another name than .git: what a `.git` file leads to (worktrees, submodules), and core.hooksPath. */
function gitPlaces({ root, home }: Paths): string[] {
  const dotGit = join(root, '.git');
  const pointed = firstIn(dotGit, /^gitdir: *(.+)$/m);
  const gitDir = pointed === undefined ? dotGit : resolve(root, pointed);
  const common = firstIn(join(gitDir, 'commondir'), /^(.+)$/m);
  const shared = common === undefined ? gitDir : resolve(gitDir, common);
  const hooks = firstIn(join(shared, 'config'), /^[ \t]*hooksPath[ \t]*=[ \t]*"?([^"\n]+?)"?[ \t]*$/im)?.replace(/^~(?=\/)/, home);
  const places = [gitDir, shared, ...(hooks === undefined ? [] : [resolve(root, hooks)])];
  // A project that is its own folder of hooks can't be asked about file by file.
  return places.filter((place) => place !== root && !root.startsWith(`${place}/`));
}

/** What the first group of `pattern` finds in a file; nothing where there is no such file. */
function firstIn(path: string, pattern: RegExp): string | undefined {
  try {
    return pattern.exec(readFileSync(path, 'utf8'))?.[1]?.trim();
  } catch {
    return undefined;
  }
}
