// Waits for a process to be gone, for tests of what is ended.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Whether process `pid` ends within two seconds. A dead one that waits to be reaped counts as gone. */
export async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      process.kill(pid, 0);
      if (/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return true;
    } catch (error) {
      // ENOENT where there is a process but no /proc: it lives.
      if ((error as NodeJS.ErrnoException).syscall === 'kill' || process.platform === 'linux') return true;
    }
    await setTimeout(10);
  }
  return false;
}

/** Whether within two seconds no process has `mark` in its command line. Ids that a command says of itself are its sandbox's. */
export async function isNowhere(mark: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    if (countOf(mark) === 0) return true;
    await setTimeout(20);
  }
  return false;
}

/** How many processes have `mark` in their command line. */
export function countOf(mark: string): number {
  return execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n').filter((line) => line.includes(mark)).length;
}
