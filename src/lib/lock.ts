// One process at a time: a lock file with the holder's pid and start time. A stale one is taken over.
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

type Holder = { pid: number; started: string };

/** Takes the lock `path` (its folder is made, 0700) and gives how to release it, or tells which process has it: 0 where several are just trying. */
export function takeLock(path: string): { release(): void } | { heldBy: number } {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) ?? '' } satisfies Holder);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    // A link makes the whole file appear at once, or fails because there is one.
    writeFileSync(temporary, mine, { mode: 0o600, flag: 'wx' });
    for (let tries = 0; tries < 3; tries++) {
      if (tryLink(temporary, path)) return { release: () => release(path, mine) };
      const theirs = readText(path);
      if (theirs === undefined) continue;
      const holder = parse(theirs);
      if (holder && isAlive(holder)) return { heldBy: holder.pid };
      takeAway(path, theirs);
    }
    return { heldBy: 0 };
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** How long somebody else's change may take, and the pause between looks at it. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 5;

/** Does `use` while no other process holds the lock `path`; waits for one that does, and goes ahead without it only after five seconds. */
export function withLock<T>(path: string, use: () => T): T {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (const until = Date.now() + PATIENCE_MS; ;) {
    const lock = takeLock(path);
    if ('heldBy' in lock && Date.now() < until) {
      Atomics.wait(pause, 0, 0, PAUSE_MS);
      continue;
    }
    try {
      return use();
    } finally {
      if ('release' in lock) lock.release();
    }
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
