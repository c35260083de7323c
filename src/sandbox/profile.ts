// The profile of one command: what it may write, what stays as it is, what it does not see. Read from the disk as it is now.
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findGit, gitFoldersOf, resolved, writableGit } from './git-folders.ts';
import { isInIndex } from './git-index.ts';
import type { Needs } from './needs.ts';
import { CACHES, KEYS, SHOWN, SOCKET_FOLDERS, SOCKETS, STORES, SYSTEM_KEYS } from './places.ts';
import type { Found, Search } from './search.ts';

/** All paths are absolute, resolved, and there. A deeper path overrides one above it; of the same path the strictest counts. */
export type Profile = {
  writable: readonly string[];
  readOnly: readonly string[];
  hidden: readonly { path: string; kind: 'file' | 'folder' }[];
  /** Read-only inside of what is hidden. */
  shown: readonly string[];
  network: boolean;
  /** Variables that replace those of the environment. */
  env: Readonly<Record<string, string>>;
};

export type Place = {
  /** What tools may reach; the project first. */
  roots: readonly string[];
  /** Those of the roots that hold the user's work and are searched. */
  searched: readonly string[];
  home: string;
  /** Folder for caches of package managers. */
  caches: string;
  /** Names of places that run code later. */
  guarded: readonly string[];
  /** Files and folders that steer MewCode, and the logs of sessions. */
  own: readonly string[];
  /** Files of ours that hold keys. */
  secrets: readonly string[];
  /** What children get: variables that are set there are left alone. */
  env: Readonly<Record<string, string>>;
  search: Search;
  /** Sockets in the temporary folders, and folders of them. */
  sockets(): readonly string[];
  /** A rule names this sensitive file, so that it may be read. */
  readable(path: string): boolean;
};

export function profileFor(place: Place, needs: Needs, network: boolean): Profile {
  const { roots, home } = place;
  const found = place.searched.map((root) => place.search.find(root));
  const git = findGitFolders(place, found, needs);
  const outside = resolved(needs.writes.filter((path) => !roots.some((root) => isInside(path, root))).flatMap(opened)).filter((path) => path !== '/');
  const guarded = [
    ...found.flatMap((one) => one.guarded), ...git.all, ...git.all.flatMap((folder) => [join(folder, 'hooks'), join(folder, 'config'), join(folder, 'config.worktree'), join(folder, 'commondir')]),
    ...outside.flatMap((folder) => place.guarded.map((name) => join(folder, name))), ...place.own,
  ];
  // What the command's own words write was judged with it. Into a repository only git writes; and who copies into a folder does not mean all that is in it.
  const judged = (path: string) => needs.writes.some((written) => isInside(written, path) && !git.all.some((folder) => isInside(path, folder)))
    || needs.removes.some((removed) => isInside(path, removed) && !roots.includes(removed) && !place.own.some((own) => removed !== own && isInside(own, removed)));
  const configures = needs.git === 'configures' ? git.opened.map((folder) => join(folder, 'config')) : [];
  const open = new Set([...git.opened, ...configures]);
  const readOnly = resolved(guarded).filter((path) => !open.has(path) && !judged(path));

  const hides = (path: string) => !needs.reads.includes(path) && !needs.writes.includes(path) && !roots.includes(path);
  const keys = KEYS.filter(({ of }) => of === undefined || !needs.programs.some((program) => of.test(program))).map(({ path }) => join(home, path));
  const sensitive = found.flatMap((one) => one.hidden).filter((path) => !place.readable(path) && !(needs.gitOnly && isInIndex(path)) && !(path.endsWith('/.npmrc') && needs.programs.some((program) => /^(npm|npx|pnpm|pnpx|yarn|bun|bunx)$/.test(program))));
  // Those beside keys are shown and hidden with them.
  const sockets = [...SOCKET_FOLDERS, ...place.sockets().filter((path) => !KEYS.some((key) => isInside(path, join(home, key.path))))];
  const hidden = resolved([...keys, ...SYSTEM_KEYS, ...sensitive, ...place.secrets, ...sockets]).filter(hides).map((path) => ({ path, kind: statSync(path).isDirectory() ? 'folder' as const : 'file' as const }))
    // What is hidden with its folder needs nothing more.
    .filter((one, _, all) => !all.some(({ path, kind }) => kind === 'folder' && path !== one.path && isInside(one.path, path)));

  const stores = network ? STORES.filter(({ of }) => needs.programs.some((program) => of.test(program))).map(({ path }) => join(home, path)) : [];
  const own = SOCKETS.filter(({ of }) => needs.programs.some((program) => of.test(program))).map(({ path }) => path.replace('~', `/run/user/${process.getuid?.()}`));
  const agent = needs.programs.some((program) => /^(ssh|scp|sftp|rsync|git|mosh|ssh-add)$/.test(program)) && place.env['SSH_AUTH_SOCK'] !== undefined ? [place.env['SSH_AUTH_SOCK']] : [];
  const readInHidden = needs.reads.filter((path) => hidden.some((one) => path !== one.path && isInside(path, one.path)));
  return {
    network, hidden, readOnly,
    writable: [...new Set([...resolved([...roots, ...git.opened, ...stores]), ...outside])],
    shown: resolved([...SHOWN, ...own, ...agent, ...readInHidden]),
    env: Object.fromEntries(Object.entries(CACHES).filter(([name]) => !(name in place.env)).map(([name, folder]) => [name, join(place.caches, folder)])),
  };
}

/** Every repository of the project, and what git must write for this command. */
function findGitFolders(place: Place, found: readonly Found[], needs: Needs): { all: string[]; opened: string[] } {
  const inside = found.flatMap((one) => one.guarded).filter((path) => path.endsWith('/.git'));
  // A root may be a folder of a repository that begins above it.
  const above = place.searched.flatMap((root) => findGit(root) ?? []);
  const used = needs.git === 'no' ? [] : needs.gitFolders.flatMap((folder) => findGit(folder) ?? []);
  const all = resolved([...inside, ...above, ...used].flatMap(gitFoldersOf));
  const out = above.filter((path) => !place.roots.some((root) => isInside(path, root)));
  return { all, opened: used.flatMap((path) => writableGit(path, (folder) => out.includes(folder) || place.roots.some((root) => isInside(folder, root)))) };
}

/** What is bound so that `path`, outside of the roots, can be written: the folder where nothing is there yet. */
function opened(path: string): string[] {
  if (/^\/(dev|proc|sys)(\/|$)/.test(path)) return [];
  if (existsSync(path)) return [path];
  const folder = dirname(path);
  return folder !== '/' && existsSync(folder) ? [folder] : [];
}

/** Whether `path` is `folder` or below it. Both are absolute and resolved. */
export function isInside(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`);
}

/** Folders between what is kept and what it is kept from: they could be moved away and made anew with other contents. */
export function foldersAbove({ writable, readOnly }: Pick<Profile, 'writable' | 'readOnly'>): string[] {
  const folders = readOnly.flatMap((path) => {
    const between: string[] = [];
    let at = dirname(path);
    for (; at !== '/' && !writable.includes(at) && !readOnly.includes(at); at = dirname(at)) between.push(at);
    return writable.includes(at) && !readOnly.includes(at) ? between : [];
  });
  return [...new Set(folders)];
}

/** What stands at a guarded place, so that a change shows: nothing, where its link leads, or that it is there. */
export function standing(path: string): string {
  try {
    const info = lstatSync(path);
    return info.isSymbolicLink() ? `link ${realpathSync(path)} ${info.ino}` : 'there';
  } catch {
    return 'nothing';
  }
}
