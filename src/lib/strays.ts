// Ends what a program has started and moved out of its process group (setsid, daemons): found by a mark in the environment. Linux only.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

const NAME = 'MEWCODE_GROUP';
/** Tells the children of this process from those of another MewCode. */
const TOKEN = randomBytes(8).toString('hex');
/** A stray may fork between the look and the kill. */
const ROUNDS = 5;

/*
 * Waits for the end of its input, which comes when MewCode is gone, however it went. Then ends all that still bears the
 * mark. grep's exit code tells nothing: some processes are always gone before it has read them.
 */
const GUARD = `trap '' HUP INT TERM
read -r _
for _ in 1 2 3 4 5; do
  found=$(grep -laF "${NAME}=$1." /proc/[0-9]*/environ 2>/dev/null)
  [ -n "$found" ] || exit 0
  for file in $found; do file=\${file%/environ}; kill -KILL "\${file#/proc/}" 2>/dev/null; done
done`;

/** Signals whoever bears a mark; `thorough`: until nobody new is found. */
export type EndStrays = (signal: NodeJS.Signals, how?: { thorough: boolean }) => void;

let marks = 0;

/** What a program's environment must hold so that nothing it starts is lost sight of. From the first call on a guard outlives a kill of this process. */
export function mark(env: Readonly<Record<string, string>>): { env: Record<string, string>; end: EndStrays } {
  if (process.platform !== 'linux') return { env: { ...env }, end: () => {} };
  marks += 1;
  if (marks === 1) startGuard(env);
  const value = `${TOKEN}.${marks}`;
  return { env: { ...env, [NAME]: value }, end: (signal, how) => endMarked(`${NAME}=${value}\0`, signal, how?.thorough ? ROUNDS : 1) };
}

function endMarked(marked: string, signal: NodeJS.Signals, rounds: number): void {
  const reached = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const strays = readdirSync('/proc').filter((pid) => /^\d/.test(pid) && !reached.has(pid) && environmentOf(pid).includes(marked));
    for (const pid of strays) {
      reached.add(pid);
      signalProcess(Number(pid), signal);
    }
    if (strays.length === 0) return;
  }
}

function environmentOf(pid: string): string {
  try {
    return `${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`;
  } catch {
    // It is another user's, or gone.
    return '';
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself.
  }
}

function startGuard(env: Readonly<Record<string, string>>): void {
  const guard = spawn('/bin/sh', ['-c', GUARD, 'mewcode-guard', TOKEN], { cwd: '/', env: { PATH: `/usr/bin:/bin:${env['PATH'] ?? ''}` }, detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  // Its pipe must not keep this process alive; its end is what the guard waits for.
  if ('unref' in guard.stdin && typeof guard.stdin.unref === 'function') guard.stdin.unref();
}
