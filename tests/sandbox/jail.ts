// A project in a folder of its own and a shell inside the real sandbox around it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findProgram } from '../../src/lib/find-program.ts';
import { childEnv, spawnGroup, type Running } from '../../src/lib/spawn.ts';
import { gatherFacts } from '../../src/permissions/facts.ts';
import { isHidden, RUNS_LATER } from '../../src/permissions/guards.ts';
import { confine, type Confined } from '../../src/sandbox/confine.ts';
import { probe, type SandboxKind } from '../../src/sandbox/probe.ts';
import { createSearch, createSocketSearch } from '../../src/sandbox/search.ts';
import { defaults } from '../../src/config/defaults.ts';

export const env = childEnv(process.env);
export const kind: SandboxKind = await probe({ env });
/** Why the tests with a real sandbox can't run; they are skipped with this in their name. */
export const without = kind.kind === 'bubblewrap' ? '' : ` (skipped: ${kind.kind === 'none' ? kind.because : kind.kind})`;
export const installed = findProgram('bwrap', env) !== undefined;

export type Ran = { code: number | null; signal: string | null; text: string };

export type Jail = {
  root: string;
  home: string;
  confined: Confined;
  /** Runs shell text, judged as if it was allowed; with `as`, another text was judged: what runs is inside a script, say. */
  sh(text: string, options?: { as?: string; network?: boolean; cwd?: string; timeoutMs?: number; signal?: AbortSignal; env?: Record<string, string> }): Promise<Ran>;
  start(text: string): Promise<Running>;
  /** Writes a file below the root. */
  put(path: string, text: string): string;
  dispose(): void;
};

/** `base` is where the project and the home are made: not in the temporary folder, which anybody may write. */
export function makeJail({ git = true, base = '/var/tmp', name = 'project', auto = false }: { git?: boolean; base?: string; name?: string; auto?: boolean } = {}): Jail {
  const folder = realpathSync(mkdtempSync(join(base, 'mewcode-jail-')));
  const [home, root] = [join(folder, 'home'), join(folder, name)];
  mkdirSync(home);
  mkdirSync(root);
  if (git) {
    execFileSync('git', ['init', '-q', '-b', 'main', root]);
    execFileSync('git', ['-C', root, 'config', 'user.name', 'A']);
    execFileSync('git', ['-C', root, 'config', 'user.email', 'a@b.c']);
  }
  const roots = [root, realpathSync(tmpdir())];
  const jailEnv = { ...env, HOME: home };
  const hidden = isHidden(defaults.security.ignore_patterns, roots);
  const place = {
    roots, searched: [root], home, caches: join(realpathSync(tmpdir()), 'mewcode-caches-test'), guarded: RUNS_LATER, own: [], secrets: [], env: jailEnv,
    search: createSearch({ hidden, guarded: RUNS_LATER }), sockets: createSocketSearch([realpathSync(tmpdir()), '/tmp']), readable: () => false,
  };
  const confined = confine({ kind, place, networkForAll: () => auto });
  const start = async (text: string, options: Parameters<Jail['sh']>[1] & { onOutput?(chunk: Buffer): void } = {}) => {
    const cwd = options.cwd ?? root;
    const facts = await gatherFacts([{ kind: 'run', target: options.as ?? text }], { cwd, roots, home });
    return spawnGroup(confined.wrap(['bash', '-c', text], { facts, network: options.network }), { cwd, env: { ...jailEnv, ...options.env }, timeoutMs: options.timeoutMs ?? 20_000, ...(options.signal && { signal: options.signal }), ...(options.onOutput && { onOutput: options.onOutput }) });
  };
  return {
    root, home, confined, start,
    async sh(text, options) {
      const pieces: Buffer[] = [];
      const running = await start(text, { ...options, onOutput: (chunk: Buffer) => pieces.push(chunk) });
      const { code, signal } = await running.done;
      return { code, signal, text: Buffer.concat(pieces).toString() };
    },
    put(path, text) {
      const full = join(root, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, text);
      return full;
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
