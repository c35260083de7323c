// The door to file contents: opens what was judged and nothing else, however the disk changes meanwhile.
import { closeSync, constants, fstatSync, lstatSync, openSync, read, readlinkSync, readSync } from 'node:fs';
import { lstat, mkdir, open, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { writeAtomic } from '../lib/atomic.ts';
import type { Facts, RealPath } from '../types/permission.ts';
import type { FileInfo, Files, Seen } from '../types/tool.ts';
import { UserError } from '../types/user-error.ts';
import { findReal, namesIn } from './facts.ts';
import { isInside } from './guards.ts';

/* Half of the same door: searches pass over what is hidden. */
export { isHidden } from './guards.ts';

/** Pieces up to this are read at once: handing them to another thread costs more than reading them. */
const PIECE = 256 * 1024;
/** A file above this is read in ranges only. */
const LARGEST = 256 * 1024 * 1024;

export type OpenFilesOptions = { roots: readonly string[]; facts: Facts; seen: Map<string, Seen>; hidden(path: string): boolean };

/**
 * The files that one judged call may use. A path named by the call must still lead where it led when it was judged.
 * Others may only be read or looked at, inside the roots and where not hidden: what a search finds below the folder it was given.
 */
export function openFiles({ roots, facts, seen, hidden }: OpenFilesOptions): Files {
  const root = roots[0] ?? facts.cwd;
  const absolute = (path: string) => resolve(root, path);
  const judged = new Map(Object.entries(facts.real).map(([path, real]) => [absolute(path), real]));

  /** Where a path leads now. */
  const follow = async (path: string): Promise<RealPath> => {
    const real = await findReal(absolute(path));
    if (!roots.some((folder) => isInside(real.path, folder))) throw new UserError(`${path} is outside the project.`, 'Files can be reached in the project, in folders given with --add-dir, and in the temporary folder.');
    const before = judged.get(absolute(path));
    if (before && before.path !== real.path) throw changed(path);
    return real;
  };

  /** The same for what is to be changed. */
  const followJudged = (path: string): Promise<RealPath> => {
    if (!judged.has(absolute(path))) throw new UserError(`${path} is not among the files that this call was judged for.`);
    return follow(path);
  };

  /** Gives the descriptor; whoever gets it closes it. */
  const openChecked = async (path: string): Promise<number> => {
    const real = await follow(path);
    if (real.kind === 'folder') throw new UserError(`${path} is a folder, not a file.`);
    if (real.kind === 'other') throw explainOther(real.path, path);
    if (!judged.has(absolute(path)) && (hidden(real.path) || hidden(absolute(path)))) throw new UserError(`${path} may hold secrets (security.ignore_patterns) and is passed over.`);
    let file: number;
    try {
      // NONBLOCK: a pipe put there meanwhile must not hold us up.
      file = openSync(real.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      throw explain(error, path);
    }
    try {
      if (!fstatSync(file).isFile()) throw new UserError(`${path} is not a regular file.`);
      if (!(await leadsTo(file, real.path))) throw changed(path);
      const twin = hiddenTwin(file, real.path);
      if (twin !== undefined) throw new UserError(`${path} is the same file as ${twin}, which may hold secrets (security.ignore_patterns).`);
      return file;
    } catch (error) {
      closeSync(file);
      throw error;
    }
  };

  /** Another name of an open file that is hidden, beside it or at the root: of hard links none is the original. */
  const hiddenTwin = (file: number, path: string): string | undefined => {
    const { nlink, dev, ino } = fstatSync(file);
    if (nlink < 2 || hidden(path)) return undefined;
    return [...new Set([dirname(path), root])].flatMap((folder) => namesIn(folder).map((name) => join(folder, name))).find((other) => {
      const info = hidden(other) ? lstatSync(other, { throwIfNoEntry: false }) : undefined;
      return info?.dev === dev && info.ino === ino;
    });
  };

  return {
    seen,
    hidden,
    resolve: absolute,
    async stat(path): Promise<FileInfo | null> {
      const real = await follow(path);
      if (real.kind === 'missing') return null;
      try {
        const info = await lstat(real.path);
        return { path: real.path, kind: info.isFile() ? 'file' : info.isDirectory() ? 'folder' : 'other', size: info.size, mtimeMs: info.mtimeMs, mode: info.mode & 0o7777 };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw explain(error, path);
      }
    },
    async read(path, range) {
      const file = await openChecked(path);
      try {
        const { size } = fstatSync(file);
        if (!range && size > LARGEST) throw new UserError(`${path} has ${Math.ceil(size / 1024 / 1024)} MiB; whole files are read up to 256 MiB.`, 'Read a part of it.');
        return await readFrom(file, range ?? { start: 0, end: Infinity });
      } finally {
        closeSync(file);
      }
    },
    async write(path, bytes, options = {}) {
      const real = await followJudged(path);
      if (real.kind === 'folder') throw new UserError(`${path} is a folder; a file can't be written over it.`);
      if (real.kind === 'other') throw explainOther(real.path, path);
      try {
        const mode = options.mode ?? (real.kind === 'file' ? (await lstat(real.path)).mode & 0o7777 : undefined);
        await makeFolder(dirname(real.path), path);
        await inFolder(dirname(real.path), path, (folder) => writeAtomic(join(folder, basename(real.path)), bytes, mode === undefined ? {} : { mode }));
      } catch (error) {
        throw explain(error, path);
      }
    },
    async remove(path) {
      const real = await followJudged(path);
      if (real.kind !== 'file') throw new UserError(`${path} is not a file that could be deleted.`);
      const folder = await findReal(dirname(absolute(path)));
      if (real.path !== join(folder.path, basename(absolute(path)))) throw new UserError(`${path} is a link; only files are deleted.`);
      try {
        await inFolder(folder.path, path, (checked) => unlink(join(checked, basename(real.path))));
      } catch (error) {
        throw explain(error, path);
      }
    },
  };
}

/** Makes a folder and those above it, each through the checked one that holds it. */
async function makeFolder(folder: string, shown: string): Promise<void> {
  if ((await findReal(folder)).kind !== 'missing') return;
  await makeFolder(dirname(folder), shown);
  await inFolder(dirname(folder), shown, async (parent) => {
    await mkdir(join(parent, basename(folder))).catch((error: NodeJS.ErrnoException) => { if (error.code !== 'EEXIST') throw error; });
  });
}

/** Runs `use` with a name for the folder that no swapped link can bend: its descriptor, where the system has such names. */
async function inFolder<T>(folder: string, shown: string, use: (folder: string) => Promise<T>): Promise<T> {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    if (!(await leadsTo(handle.fd, folder))) throw changed(shown);
    return await use(process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : folder);
  } finally {
    await handle.close();
  }
}

/** Whether what was opened is what stands at `path`, links in its folders included. */
async function leadsTo(file: number, path: string): Promise<boolean> {
  if (process.platform === 'linux') return readlinkSync(`/proc/self/fd/${file}`) === path;
  const [mine, there, real] = [fstatSync(file), lstatSync(path), await findReal(path)];
  return real.path === path && mine.dev === there.dev && mine.ino === there.ino;
}

const readAside = promisify(read);

/** The bytes from `start` to before `end`, or to where the file ends now. The first piece is read at once, the rest aside. */
async function readFrom(file: number, { start, end }: { start: number; end: number }): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for (let at = start; at < end;) {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, end - at));
    const count = pieces.length === 0 ? readSync(file, piece, 0, piece.length, at) : (await readAside(file, piece, 0, piece.length, at)).bytesRead;
    pieces.push(piece.subarray(0, count));
    // A regular file gives less than it was asked for at its end only.
    if (count < piece.length) break;
    at += count;
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
}

/** Why there is neither file nor folder at a resolved path. */
function explainOther(path: string, shown: string): unknown {
  try {
    if (lstatSync(path).isSymbolicLink()) return new UserError(`${shown} is a link that leads in a circle, or through too many others.`);
  } catch (error) {
    return explain(error, shown);
  }
  return new UserError(`${shown} is not a regular file.`);
}

function changed(path: string): UserError {
  return new UserError(`${path} leads elsewhere than when this call was judged.`, 'Nothing was done; try again.');
}

function explain(error: unknown, path: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT': case 'ENOTDIR': return new UserError(`There is no file ${path}.`);
    case 'ELOOP': case 'ENXIO': case 'EISDIR': return changed(path);
    case 'EACCES': case 'EPERM': return new UserError(`The system does not permit access to ${path}.`);
    case 'EROFS': return new UserError(`${path} is on a disk that can't be written.`);
    case 'ENOSPC': case 'EDQUOT': return new UserError(`${path} was not written: the disk is full.`);
    case 'ERR_INVALID_ARG_VALUE': case 'EILSEQ': return new UserError('The name of the file holds a character that no name may have.');
    case 'ENAMETOOLONG': return new UserError('The name of the file is too long for this system.');
    default: return error;
  }
}
