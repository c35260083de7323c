// Command line of bubblewrap for a profile. Pure.
import { foldersAbove, type Profile } from './profile.ts';

type Mount = { path: string; args: readonly string[] };

/** Not looked up on the PATH: a folder that commands may write could stand in it. */
const ENV = '/usr/bin/env';

const bind = (flag: string) => (path: string): Mount => ({ path, args: [flag, path, path] });

/**
 * Puts `bwrap` around `argv`: the disk read-only but for what the profile opens, namespaces of its own for processes,
 * users, IPC and names, the network only where the profile has it. `disableUserns` needs bubblewrap 0.8, `gentle` an `env` that knows
 * signals (coreutils 8.31): TERM then reaches the command alone, which may clean up, and not bubblewrap, whose end kills it. The order of the mounts matters: parents before what is in them, and of one path the strictest last.
 */
export function bubblewrap(argv: readonly string[], profile: Profile, { program = 'bwrap', disableUserns = true, gentle = true }: { program?: string; disableUserns?: boolean; gentle?: boolean } = {}): string[] {
  const { writable, readOnly, hidden, shown } = profile;
  const mounts = [
    // What is a mount itself can't be moved away.
    ...[...writable, ...foldersAbove(profile)].filter((path) => !readOnly.includes(path)).map(bind('--bind')),
    ...readOnly.map(bind('--ro-bind')),
    ...shown.map(bind('--ro-bind')),
    ...hidden.filter(({ path }) => !shown.includes(path)).map(({ path, kind }): Mount => ({ path, args: kind === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path] })),
  ];
  // A stable sort by depth keeps parents before children.
  const ordered = mounts.map((mount) => ({ ...mount, depth: mount.path === '/' ? 0 : mount.path.split('/').length })).sort((a, b) => a.depth - b.depth);
  return [
    ...(gentle ? [ENV, '--ignore-signal=TERM'] : []), program, '--unshare-user', ...(disableUserns ? ['--disable-userns'] : []), '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', ...(profile.network ? [] : ['--unshare-net']),
    // Root would keep its powers inside, and could take mounts away.
    '--cap-drop', 'ALL', '--die-with-parent',
    '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc',
    // Settings of the kernel belong to root by name, which needs no powers to write them.
    '--remount-ro', '/proc',
    ...ordered.flatMap(({ args }) => args),
    // What is hidden must not look as if something could be kept there. Last, since mounts inside need their mount points.
    ...hidden.flatMap(({ path, kind }) => (kind === 'folder' && !shown.includes(path) ? ['--remount-ro', path] : [])),
    ...Object.entries(profile.env).flatMap(([name, value]) => ['--setenv', name, value]),
    '--', ...(gentle ? [ENV, '--default-signal=TERM'] : []), ...argv,
  ];
}
