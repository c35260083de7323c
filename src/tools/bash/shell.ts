// How a command text becomes a program: bash, else sh, PowerShell on Windows; and how its last folder is learned.
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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
process.once('exit', () => { for (const scratch of scratches) rmSync(scratch, { recursive: true, force: true }); });

/**
 * bash reads BASH_ENV before the command, so that the command itself stays as it was judged and errors name its own
 * lines: there stderr joins stdout (which keeps their order) and a trap notes the folder however the shell ends.
 * `exec` and a trap of the command's own lose the note, nothing else.
 */
export async function prepareShell(command: string, env: Env): Promise<Shell> {
  if (process.platform === 'win32') return powerShell(command, env);
  const scratch = await mkdtemp(join(tmpdir(), 'mewcode-bash-'));
  scratches.add(scratch);
  const note = join(scratch, 'folder');
  const before = `exec 2>&1\nunset BASH_ENV\ntrap ${quote(`{ pwd -P >|${quote(note)}; } 2>/dev/null`)} EXIT\n`;
  const bash = findProgram('bash', env);
  if (bash !== undefined) await writeFile(join(scratch, 'before'), before);
  return {
    argv: bash === undefined ? ['sh', '-c', before + command] : [bash, '-c', command],
    env: bash === undefined ? { ...env } : { ...env, BASH_ENV: join(scratch, 'before') },
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

/** Every command runs in the project root there: PowerShell has no such hook. */
function powerShell(command: string, env: Env): Shell {
  const program = findProgram('pwsh', env) ?? findProgram('powershell', env) ?? 'powershell';
  return { argv: [program, '-NoLogo', '-NoProfile', '-NonInteractive', '-Command', command], env: { ...env }, folder: async () => undefined, dispose: async () => {} };
}

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
