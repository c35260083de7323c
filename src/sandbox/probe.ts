// Which sandbox works here: found out by running `true` in it.
import { findProgram } from '../lib/find-program.ts';
import { spawnGroup } from '../lib/spawn.ts';
import { bubblewrap } from './bubblewrap.ts';
import type { Profile } from './profile.ts';
import { seatbelt } from './seatbelt.ts';

/** What keeps commands in. `hint` says what would make it work. */
export type SandboxKind =
  | { kind: 'bubblewrap'; program: string; /** No user namespaces inside: since bubblewrap 0.8. */ disableUserns: boolean; /** A command may clean up when it is ended. */ gentle: boolean }
  | { kind: 'seatbelt' }
  | { kind: 'none'; because: string; hint?: string };

const PATIENCE_MS = 5_000;
const EMPTY: Profile = { writable: [], readOnly: [], hidden: [], shown: [], network: false, env: {} };

/** Never rejects. `env` is what children get; `platform` as Node names it. A program inside of `outside`, folders that commands may write, is none to rely on. */
export async function probe({ env, platform = process.platform, outside = [] }: { env: Readonly<Record<string, string>>; platform?: NodeJS.Platform; outside?: readonly string[] }): Promise<SandboxKind> {
  if (platform === 'darwin') {
    const said = await tries(seatbelt(['/usr/bin/true'], EMPTY), env);
    return said === null ? { kind: 'seatbelt' } : { kind: 'none', because: `sandbox-exec does not work here: ${said}` };
  }
  if (platform !== 'linux') return { kind: 'none', because: `there is none for ${platform}` };
  const program = findProgram('bwrap', env, { outside });
  if (program === undefined) return { kind: 'none', because: 'bwrap is not on the PATH', hint: 'Install bubblewrap (apt install bubblewrap, dnf install bubblewrap).' };
  // The best that works; what the plainest says is what is wrong.
  let said = '';
  for (const [disableUserns, gentle] of [[true, true], [true, false], [false, true], [false, false]] as const) {
    const problem = await tries(bubblewrap(['true'], EMPTY, { program, disableUserns, gentle }), env);
    if (problem === null) return { kind: 'bubblewrap', program, disableUserns, gentle };
    said = problem;
  }
  return { kind: 'none', because: `bubblewrap does not work here: ${said}`, hint: explain(said) };
}

/** What went wrong, or `null`. */
async function tries(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<string | null> {
  let output = '';
  try {
    const { code, signal, timedOut } = await spawnGroup(argv, { cwd: '/', env, timeoutMs: PATIENCE_MS, onOutput: (chunk) => { if (output.length < 1_000) output += chunk.toString(); } }).done;
    if (code === 0) return null;
    return output.trim().split('\n').at(-1) || (timedOut ? 'it did not end' : `it ended with ${code ?? signal}`);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function explain(said: string): string {
  if (/uid map|RTM_NEWADDR|loopback/i.test(said)) return 'AppArmor may keep programs from making user namespaces: install an AppArmor profile for bwrap, or run sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0.';
  if (/proc|No permissions to create|namespace|Operation not permitted|EPERM/i.test(said)) return 'Containers and some systems forbid user namespaces: start the container with them allowed (docker run --security-opt seccomp=unconfined --security-opt systempaths=unconfined), or rely on the container and set security.sandbox: off.';
  return 'Run bwrap --unshare-user --ro-bind / / true to see why.';
}
