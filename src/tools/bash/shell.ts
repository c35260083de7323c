// How a command text becomes a program: bash, else sh, PowerShell on Windows; and how its last folder is learned.
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../lib/find-program.ts';

type Env = Readonly<Record<string, string>>;

export type Shell = {
  argv: string[];
  env: Record<string, string>;
  /** Where the shell was at its end; `undefined` while it runs, or where it could not say. */
  folder(): Promise<string | undefined>;
  /** Removes what was needed to run it. */
  dispose(): Promise<void>;
};

/* Like the list of living children: for the way out of the program, which waits for nobody. */
const scratches = new Set<string>();
/* Who is killed leaves one behind; after a day nobody misses it. */
const PREFIX = 'mewcode-bash-';
const STALE_MS = 24 * 60 * 60 * 1_000;
let swept = false;
process.once('exit', () => { for (const scratch of scratches) rmSync(scratch, { recursive: true, force: true }); });

/**
 * Before the command stderr joins stdout (which keeps their order) and a trap notes the folder however the shell ends;
 * `exec` and a trap of the command's own lose the note, nothing else. The command is an argument of its own, so that it
 * stays as it was judged and errors name its own lines. No file has a part in it: another command could write that.
 */
export async function prepareShell(command: string, env: Env): Promise<Shell> {
  if (process.platform === 'win32') return powerShell(command, env);
  if (!swept) void sweep(tmpdir(), Date.now()).catch(() => {});
  swept = true;
  const scratch = await mkdtemp(join(tmpdir(), PREFIX));
  scratches.add(scratch);
  const note = join(scratch, 'folder');
  const before = `exec 2>&1; trap ${quote(`{ pwd -P >|${quote(note)}; } 2>/dev/null`)} EXIT`;
  const shell = findProgram('bash', env) ?? 'sh';
  return {
    argv: [shell, '-c', `${before}; eval "set --; $1"`, shell, command],
    env: { ...env },
    async folder() {
      const text = await readFile(note, 'utf8').catch(() => '');
      return text.endsWith('\n') ? text.slice(0, -1) : undefined;
    },
    async dispose() {
      await rm(scratch, { recursive: true, force: true });
      scratches.delete(scratch);
    },
  };
}

/** Removes from `folder` what runs that were killed more than a day before `now` have left there. What belongs to others stays. */
export async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.startsWith(PREFIX) && now - (await stat(path)).mtimeMs > STALE_MS) await rm(path, { recursive: true }).catch(() => {});
  }
}

/** Every command runs in the project root there: PowerShell has no such hook. */
function powerShell(command: string, env: Env): Shell {
  const program = findProgram('pwsh', env) ?? findProgram('powershell', env) ?? 'powershell';
  return { argv: [program, '-NoLogo', '-NoProfile', '-NonInteractive', '-Command', command], env: { ...env }, folder: async () => undefined, dispose: async () => {} };
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
