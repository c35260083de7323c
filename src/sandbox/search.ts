// Looks through the project for what the sandbox must hide or keep from changing: sensitive files, repositories, places that run code later.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PASSED_OVER, SOCKET_FOLDERS, SOCKET_NAMES } from './places.ts';

export type Found = { hidden: readonly string[]; guarded: readonly string[] };

type Folder = Found & { mtimeMs: number; folders: readonly string[] };

/** Folders looked into; the nearest to the root come first. */
const MOST_FOLDERS = 4_000;
/** Looked into in one go when looking ahead. */
const AT_ONCE = 40;
/** Each is a mount of its own. */
const MOST_FOUND = 300;

export type Search = {
  find(root: string): Found;
  /** Looks ahead, a little at a time: the first look of a large project would hold everything up. */
  warm(root: string): Promise<void>;
};

export type SearchOptions = {
  /** Whether a file is sensitive, by its absolute path. */
  hidden(path: string): boolean;
  /** Names relative to any folder: `.vscode`, `.github/workflows`. */
  guarded: readonly string[];
};

/**
 * A search that remembers what it has seen: a folder is read again only when its time has changed, so that a look
 * before each command costs a few microseconds a folder. Links are not followed; what can't be read is passed over.
 */
export function createSearch({ hidden, guarded }: SearchOptions): Search {
  const known = new Map<string, Folder>();
  const isGuarded = new Set(guarded);

  function read(path: string): Folder | undefined {
    try {
      const { mtimeMs } = statSync(path);
      const before = known.get(path);
      if (before?.mtimeMs === mtimeMs) return before;
      const folder = { mtimeMs, hidden: [] as string[], guarded: [] as string[], folders: [] as string[] };
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const child = join(path, entry.name);
        if (isGuarded.has(entry.name) || isGuarded.has(`${basename(path)}/${entry.name}`)) folder.guarded.push(child);
        else if (entry.isDirectory()) { if (!PASSED_OVER.has(entry.name)) folder.folders.push(child); }
        else if (hidden(child)) folder.hidden.push(child);
      }
      known.set(path, folder);
      return folder;
    } catch {
      return undefined;
    }
  }

  /** Folder by folder, the nearest first. */
  function* walk(root: string): Generator<Folder> {
    const queue = [root];
    for (let at = 0; at < queue.length && at < MOST_FOLDERS; at += 1) {
      const folder = read(queue[at] ?? root);
      if (!folder) continue;
      yield folder;
      queue.push(...folder.folders);
    }
  }

  return {
    find(root) {
      const folders = [...walk(root)];
      return { hidden: folders.flatMap((folder) => folder.hidden).slice(0, MOST_FOUND), guarded: folders.flatMap((folder) => folder.guarded).slice(0, MOST_FOUND) };
    },
    async warm(root) {
      let count = 0;
      for (const _ of walk(root)) if ((count += 1) % AT_ONCE === 0) await new Promise((resolve) => { setTimeout(resolve, 1); });
    },
  };
}

/**
 * Finds the sockets, and the folders of sockets, that programs leave right in these folders, read again only when something has come or gone; and
 * those that a program listens to anywhere but in `own`: a connection passes every mount.
 */
export function createSocketSearch(folders: readonly string[], own: readonly string[] = []): () => string[] {
  const known = new Map<string, { mtimeMs: number; found: string[] }>();
  const found = () => [...new Set(folders)].flatMap((folder) => {
    try {
      const { mtimeMs } = statSync(folder);
      const before = known.get(folder);
      if (before?.mtimeMs === mtimeMs) return before.found;
      const found = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSocket() || (entry.isDirectory() && SOCKET_NAMES.test(entry.name))).map(({ name }) => join(folder, name));
      known.set(folder, { mtimeMs, found });
      return found;
    } catch {
      return [];
    }
  });
  return () => [...new Set([...found(), ...boundSockets().filter((path) => ![...SOCKET_FOLDERS, ...own].some((folder) => path.startsWith(`${folder}/`)))])];
}

/** Linux: what /proc/net/unix names (proc(5); the path is its eighth column). Those of /dev and /proc are not in the sandbox's own. */
function boundSockets(): string[] {
  try {
    return readFileSync('/proc/net/unix', 'utf8').split('\n').flatMap((line) => /^(?:\S+\s+){7}(\/(?!dev\/|proc\/).*)$/.exec(line)?.[1] ?? []);
  } catch {
    return [];
  }
}
