// Whether git has a file just as it is: then hiding it from git hides nothing, and would only make it look changed.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { findGit, gitFoldersOf } from './git-folders.ts';

/** Larger ones are taken as not known. */
const LARGEST_INDEX = 64 * 1024 * 1024;
const LARGEST_FILE = 1024 * 1024;

/**
 * True when the index of the repository that holds `path` names it with its very contents. Entries as
 * git's index-format describes version 2: the SHA-1 of the blob, two bytes with the length of the name, the name, NUL.
 * In doubt (other versions, filters, a name marked for a merge) false.
 */
export function isInIndex(path: string): boolean {
  const git = findGit(dirname(path));
  const [folder] = git === undefined ? [] : gitFoldersOf(git);
  if (git === undefined || folder === undefined) return false;
  try {
    const file = join(folder, 'index');
    if (statSync(file).size > LARGEST_INDEX || statSync(path).size > LARGEST_FILE) return false;
    const name = Buffer.from(relative(dirname(git), path));
    const entry = Buffer.concat([Buffer.from([name.length >> 8, name.length & 0xff]), name, Buffer.from([0])]);
    const index = readFileSync(file);
    const at = index.indexOf(entry);
    const content = readFileSync(path);
    return at >= 20 && index.subarray(at - 20, at).equals(createHash('sha1').update(`blob ${content.length}\0`).update(content).digest());
  } catch {
    return false;
  }
}
