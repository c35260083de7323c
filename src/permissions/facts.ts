// Facts: what the disk and the shell grammar say of one call. The only reader of the disk for the decision.
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import picomatch from 'picomatch';
import type { Access, Effect, Facts, RealPath, ShellFacts } from '../types/permission.ts';
import { readShell } from './shell.ts';

/** The kernel gives up after as many links. */
const MOST_LINKS = 40;
/** Patterns that stand for more files are judged as patterns only. */
const MOST_MATCHES = 500;

/**
 * Reads the shell texts among `access` and resolves every path that the accesses and the shell's effects name.
 * Relative targets of tools count from `roots[0]`; `home` is what `~` stands for. Never throws for what it finds on the disk.
 */
export async function gatherFacts(access: readonly Access[], where: { cwd: string; roots: readonly string[]; home: string }): Promise<Facts> {
  const shell: Record<string, ShellFacts> = {};
  // Keyed by what the model says: no name may meet a prototype.
  Object.setPrototypeOf(shell, null);
  const paths = new Map<string, string>([[where.home, where.home], [where.cwd, where.cwd]]);
  for (const { kind, target } of access) {
    if (kind === 'read' || kind === 'write') paths.set(target, resolve(where.roots[0] ?? where.cwd, target));
    if (kind !== 'run' || target in shell) continue;
    // The grammar costs 20 ms to load: only who runs a command pays.
    const read = readShell(target, { cwd: where.cwd, home: where.home, root: where.roots[0] ?? where.cwd, grammar: await import('unbash') });
    if (!read.ok) { shell[target] = read; continue; }
    const commands = await Promise.all(read.commands.map(async (command) => ({ ...command, effects: await withMatches(command.effects) })));
    shell[target] = { ok: true, commands };
    for (const effect of commands.flatMap(({ effects }) => effects)) if (effect.kind !== 'net' && !paths.has(effect.target)) paths.set(effect.target, effect.target);
  }
  const real: Record<string, RealPath> = {};
  Object.setPrototypeOf(real, null);
  const inodes = new Map<string, readonly Inode[]>();
  await Promise.all([...paths].map(async ([named, path]) => { real[named] = withTwins(await findReal(path), where.roots[0] ?? where.cwd, inodes); }));
  return { real, shell, root: where.roots[0] ?? where.cwd, cwd: where.cwd, home: where.home };
}

/** All effects, and behind them those on the files that patterns stand for now. */
async function withMatches(effects: readonly Effect[]): Promise<Effect[]> {
  const matches = await Promise.all(effects.map(async (effect) => (/[*?[]/.test(effect.target) ? (await findMatches(effect.target)).map((target) => ({ ...effect, target })) : [])));
  return [...effects, ...matches.flat()];
}

/** What a shell would make of an absolute pattern; nothing when that is very much. */
async function findMatches(pattern: string): Promise<string[]> {
  let found = [''];
  for (const part of pattern.split('/').filter(Boolean)) {
    if (!/[*?[]/.test(part)) { found = found.map((folder) => `${folder}/${part}`); continue; }
    const matches = picomatch(part, { dot: part.startsWith('.'), nonegate: true });
    const names = await Promise.all(found.map(async (folder) => (await readdir(folder === '' ? '/' : folder).catch(() => [])).filter((name) => matches(name)).map((name) => `${folder}/${name}`)));
    found = names.flat();
    if (found.length > MOST_MATCHES) return [];
  }
  return found;
}

type Inode = { path: string; ino: number; dev: number };

/** With the other names of a file that has several: of hard links none is the original. Each folder is looked through once. */
function withTwins(real: RealPath, root: string, inodes: Map<string, readonly Inode[]>): RealPath {
  const info = real.kind === 'file' ? lstatSync(real.path, { throwIfNoEntry: false }) : undefined;
  if (!info || info.nlink < 2) return real;
  const twins = [...new Set([dirname(real.path), root])].flatMap((folder) => {
    const known = inodes.get(folder) ?? namesIn(folder).flatMap((name): Inode[] => {
      const other = lstatSync(join(folder, name), { throwIfNoEntry: false });
      return other?.isFile() && other.nlink > 1 ? [{ path: join(folder, name), ino: other.ino, dev: other.dev }] : [];
    });
    inodes.set(folder, known);
    return known.filter(({ path, ino, dev }) => path !== real.path && ino === info.ino && dev === info.dev).map(({ path }) => path);
  });
  return twins.length > 0 ? { ...real, twins } : real;
}

/** What stands in a folder; nothing where it may not be looked into. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Follows every link of an absolute path the way the kernel does, `..` after links too; what does not exist stays as named.
 * A loop of links, or a folder that may not be looked into, is `other`. Looks at once: a call resolves some thirty
 * names, and handing each to another thread would cost twenty times as much as the look itself.
 */
export async function findReal(path: string): Promise<RealPath> {
  const rest = path.split('/').filter(Boolean).toReversed();
  let at = '';
  let links = 0;
  let kind: RealPath['kind'] = 'folder';
  for (let name = rest.pop(); name !== undefined; name = rest.pop()) {
    if (name === '.') continue;
    if (name === '..') { at = at.slice(0, at.lastIndexOf('/')); kind = 'folder'; continue; }
    const next = `${at}/${name}`;
    try {
      const info = lstatSync(next);
      if (!info.isSymbolicLink()) {
        at = next;
        kind = info.isFile() ? 'file' : info.isDirectory() ? 'folder' : 'other';
        continue;
      }
      if ((links += 1) > MOST_LINKS) return { path: next, kind: 'other' };
      const target = readlinkSync(next);
      if (isAbsolute(target)) at = '';
      rest.push(...target.split('/').filter(Boolean).toReversed());
      kind = 'folder';
    } catch (error) {
      at = next;
      const { code } = error as NodeJS.ErrnoException;
      // Nothing is there, so nothing below it either; the rest is taken by its names.
      kind = code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'other';
    }
  }
  return { path: at === '' ? '/' : at, kind };
}
