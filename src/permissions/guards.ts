// Layer 2: which paths tools may reach, which writes always ask, which files hold secrets. Pure.
import { relative } from 'node:path';
import ignore from 'ignore';
import type { Policy } from '../types/permission.ts';

/* Places from which code is run later, unasked: git, shells, editors, CI, the session's start. By components, at any depth. */
export const RUNS_LATER = [
  '.git', '.vscode', '.idea', '.husky', '.githooks', '.devcontainer', '.github/workflows', '.github/actions', '.circleci', '.ssh', '.config/fish', '.config/git', '.config/autostart', '.config/systemd', 'Library/LaunchAgents', 'etc/profile.d', 'etc/cron.d',
  '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login', '.inputrc', '.xprofile', '.xinitrc', '.xsessionrc', '.pam_environment', '.envrc',
  '.gitconfig', '.gitlab-ci.yml', '.travis.yml', 'Jenkinsfile', 'azure-pipelines.yml', 'bitbucket-pipelines.yml', '.drone.yml', '.buildkite', '.mcp.json', 'etc/profile', 'etc/bash.bashrc', 'etc/environment', 'etc/crontab',
];
const RUNS_LATER_PATTERN = new RegExp(`/(${RUNS_LATER.map((name) => name.replaceAll('.', '\\.')).join('|')})(/|$)`, 'i');

/** Whether `path` is `folder` or below it, component by component. Both are absolute and resolved. */
export function isInside(path: string, folder: string): boolean {
  if (folder.endsWith('/')) return folder === '/' || isInside(path, folder.replace(/\/+$/, ''));
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/');
}

/** `path` as rules and patterns see it: relative to the root that holds it, else without its first slash. */
export function seenFrom(path: string, roots: readonly string[]): string {
  const root = roots.find((folder) => isInside(path, folder));
  const way = (root === undefined ? path : path.slice(root.length)).replace(/^\/+/, '');
  // A search asks this of every file, and `relative` takes ten times as long.
  return root === undefined || !/(^|\/)\.{0,2}(\/|$)/.test(way) ? way : relative(root, path);
}

/** Why a write to a resolved path asks in every mode, or `undefined`. */
export function whyGuarded(path: string, policy: Policy): string | undefined {
  const runs = RUNS_LATER_PATTERN.exec(path);
  if (runs) return `${runs[1]} can make code run later, so a change to it is always asked for`;
  // Some systems take other letters for the same file.
  const own = policy.ownFiles.find((file) => isInside(path.toLowerCase(), file.toLowerCase()));
  // A root inside our own folder is the session's: tools may write there.
  if (own === undefined || policy.roots.some((root) => root !== own && isInside(root, own) && isInside(path, root))) return undefined;
  return 'this is one of the files that steer what MewCode may do, so a change to it is always asked for';
}

/* The environment and the memory of processes, ours with its keys among them. */
const PROCESS_SECRETS = /^\/proc\/[^/]+\/(task\/[^/]+\/)?(environ|mem)$/;

/** Tells which resolved paths are sensitive by `patterns` (.gitignore syntax, relative to the root that holds the path). */
export function isHidden(patterns: readonly string[], roots: readonly string[]): (path: string) => boolean {
  // `.git/config` means any repository's, not only the one at the root.
  const matcher = ignore().add(patterns.map((pattern) => (/^[^/!*][^/]*\/./.test(pattern) ? `**/${pattern}` : pattern)));
  return (path) => {
    const named = seenFrom(path, roots);
    // The matcher takes no path that leads out of its folder.
    return PROCESS_SECRETS.test(path) || (named !== '' && !/^\.\.(\/|$)/.test(named) && matcher.ignores(named));
  };
}
