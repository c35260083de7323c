// The OS sandbox of a run: probed once behind everything else, then around every command of its sessions.
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from '../agent/conversation.ts';
import type { Loaded } from '../config/load.ts';
import { isHidden, RUNS_LATER } from '../permissions/guards.ts';
import { findRule, namesFile } from '../permissions/match.ts';
import type { Confined } from '../sandbox/confine.ts';
import type { SandboxKind } from '../sandbox/probe.ts';
import type { Happening } from '../types/event.ts';
import type { Facts, Policy } from '../types/permission.ts';
import type { Start } from './start.ts';

/** What a probe at the start may wait until the first frames are drawn; a command that comes earlier starts it. */
const PROBE_AFTER_MS = 250;

export type Sandbox = {
  /** Settles once it is known what keeps commands in. Never rejects. */
  found: Promise<Extract<Happening, { type: 'sandbox' }>>;
  /** For one session: its folders and its rules. */
  around(session: { dir: string | null; roots: readonly string[]; policy(): Policy }): Pick<Conversation, 'wrap' | 'sandbox'>;
};

type Surroundings = Pick<Start, 'paths' | 'addDirs'> & { loaded: Loaded; env: Readonly<Record<string, string>> };

/** Starts the probe behind the first frames; nothing of the room is loaded before. */
export function holdSandbox({ paths, addDirs = [], loaded, env }: Surroundings): Sandbox {
  const setting = loaded.config.security?.sandbox ?? 'auto';
  let looked: Promise<SandboxKind> | undefined;
  let confine: typeof import('../sandbox/confine.ts').confine | undefined;
  let search: typeof import('../sandbox/search.ts') | undefined;
  const look = () => (looked ??= (async (): Promise<SandboxKind> => {
    if (setting === 'off') return { kind: 'none', because: 'security.sandbox is off' };
    const [{ probe }] = await Promise.all([
      import('../sandbox/probe.ts'),
      import('../sandbox/confine.ts').then((room) => { confine = room.confine; }),
      import('../sandbox/search.ts').then((room) => { search = room; }),
    ]);
    // A folder may be gone by now.
    return probe({ env, outside: [paths.root, ...addDirs, tmpdir()].map((path) => (existsSync(path) ? realpathSync(path) : path)) });
  })());
  const found = new Promise<SandboxKind>((resolve) => { setTimeout(() => resolve(look()), PROBE_AFTER_MS).unref(); });
  const hidden = isHidden(loaded.ignorePatterns, [paths.root, ...addDirs]);

  return {
    found: found.then((kind) => ({ type: 'sandbox', kind: kind.kind, ...(kind.kind === 'none' && { because: kind.because }) })),
    around({ dir, roots, policy }) {
      const searched = [paths.root, ...addDirs].map((path) => realpathSync(path));
      let kind: SandboxKind | undefined;
      let confined: Confined | undefined;
      const hold = (): Confined | undefined => {
        if (confined || !confine || !search || !kind) return confined;
        const place = {
          roots, searched, home: paths.home, env, caches: kind.kind === 'none' ? '' : cacheFolder(),
          guarded: RUNS_LATER,
          own: [paths.userDir, paths.projectDir, ...policy().ownFiles, ...(dir === null ? [] : [join(dir, 'events.jsonl')])],
          secrets: [paths.credentials, ...[paths.userConfig, ...loaded.files].filter((file) => holdsSecret(file, loaded.secrets))],
          search: search.createSearch({ hidden, guarded: RUNS_LATER }), sockets: search.createSocketSearch([realpathSync(tmpdir()), '/tmp'], searched),
          readable: (path: string) => mayRead(path, policy(), paths),
        };
        confined = confine({ kind, place, networkForAll: () => isNetworkAllowed(policy()) });
        return confined;
      };
      void found.then((it) => { kind = it; return hold()?.warm(); });
      return {
        wrap(argv, options) {
          if (!kind) throw new Error('A command was to start before it was known which sandbox there is.');
          return hold()?.wrap(argv, options) ?? [...argv];
        },
        sandbox: {
          async ready() {
            kind = await look();
            if (kind.kind !== 'none' || setting !== 'require') return null;
            return `Commands are not run: security.sandbox is "require", and there is no sandbox here (${kind.because}).${kind.hint === undefined ? '' : ` ${kind.hint}`}`;
          },
          confined: (facts) => hold()?.confined(facts),
          contains: (facts) => loaded.config.security?.sandbox_auto_allow === true && (hold()?.contains(facts) ?? false),
          watch: (facts) => hold()?.watch(facts) ?? (() => []),
        },
      };
    },
  };
}

/** A folder of this user alone, the same in every session: what was downloaded once is there the next time. */
function cacheFolder(): string {
  const user = process.getuid?.();
  const path = join(realpathSync(tmpdir()), `mewcode-caches-${user ?? 'user'}`);
  try {
    mkdirSync(path, { mode: 0o700, recursive: true });
    const info = lstatSync(path);
    if (info.isDirectory() && (user === undefined || info.uid === user)) return path;
  } catch {
    // Another one's, or no room: one of our own then.
  }
  return mkdtempSync(join(tmpdir(), 'mewcode-caches-'));
}

function holdsSecret(file: string, secrets: readonly string[]): boolean {
  try {
    const text = readFileSync(file, 'utf8');
    return secrets.some((secret) => text.includes(secret));
  } catch {
    return false;
  }
}

/** A rule that names this very file allows reading it. */
function mayRead(path: string, policy: Policy, { root, home }: { root: string; home: string }): boolean {
  const facts: Facts = { real: { [path]: { path, kind: 'file' } }, shell: {}, root, cwd: root, home };
  const rule = findRule({ kind: 'path', name: 'Bash', access: { kind: 'read', target: path }, shell: true }, { facts, policy });
  return rule?.verdict === 'allow' && namesFile(rule);
}

/** An allow rule for the net as a whole, or a mode that says so. */
function isNetworkAllowed({ rules, mode, custom }: Policy): boolean {
  if (mode === 'custom' && custom.net === 'allow') return true;
  const speaking = rules.filter(({ tool, glob }) => tool === 'WebFetch' && glob === '*').sort((a, b) => b.rank - a.rank);
  const strictest = speaking.filter(({ rank }) => rank === speaking[0]?.rank);
  return strictest.length > 0 && strictest.every(({ verdict }) => verdict === 'allow');
}
