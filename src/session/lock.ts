// One process a session: a lock file with the holder's pid and start time. A stale one is taken over.
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../types/user-error.ts';

type Holder = { pid: number; started: string };

/** Takes the lock of the session in `dir`, or throws a `UserError` when another process has it. Gives back how to release it. */
export function lockSession(dir: string): () => void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, 'lock');
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) ?? '' } satisfies Holder);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    // A link makes the whole file appear at once, or fails because there is one.
    writeFileSync(temporary, mine, { mode: 0o600, flag: 'wx' });
    for (let tries = 0; tries < 3; tries++) {
      if (tryLink(temporary, path)) return () => release(path, mine);
      const theirs = readText(path);
      if (theirs === undefined) continue;
      const holder = parse(theirs);
      if (holder && isAlive(holder)) throw new UserError(`This session is open in another process (${holder.pid}).`, 'Use it there, or start a new session.');
      takeAway(path, theirs);
    }
    throw new UserError('Other processes are opening this session at this moment.', 'Try again, or start a new session.');
  } finally {
    rmSync(temporary, { force: true });
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the stale lock, unless someone else has put a fresh one in its place meanwhile: that one goes back. */
function takeAway(path: string, stale: string): void {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readText(aside) !== stale) tryLink(aside, path);
  rmSync(aside, { force: true });
}

function release(path: string, mine: string): void {
  if (readText(path) === mine) rmSync(path, { force: true });
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // It may have ended without anybody having taken note (a container without an init), or its number gone to another.
  if (/^[ZX]/.test(statOf(holder.pid)?.[0] ?? '')) return false;
  const started = startOf(holder.pid);
  return started === undefined || holder.started === '' || started === holder.started;
}

/** The fields of proc(5) stat from the third (the state) on; `undefined` where the system has none. */
function statOf(pid: number): string[] | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** When a process began, in a form to compare only; `undefined` where the system does not say (field 22, and the boot it counts from). */
function startOf(pid: number): string | undefined {
  const ticks = statOf(pid)?.[19];
  return ticks && `${readText('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}/${ticks}`;
}

function parse(text: string): Holder | undefined {
  try {
    const { pid, started } = JSON.parse(text) as Partial<Holder>;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
