// A real git repository in a temporary folder, made with plain git and none of the user's settings.
import { execFileSync } from 'node:child_process';
import { childEnv } from '../../src/lib/spawn.ts';

/** Environment for git: fixed names and dates, no configuration but the repository's. */
export const gitEnv: Record<string, string> = {
  ...childEnv(process.env), GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_ALLOW_PROTOCOL: 'file',
  GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.com', GIT_COMMITTER_NAME: 'Bob', GIT_COMMITTER_EMAIL: 'bob@example.com', GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z', GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
};

/** Runs git in a folder; gives what it says. */
export function gitIn(folder: string, env: Record<string, string> = {}): (...args: string[]) => string {
  return (...args) => execFileSync('git', args, { cwd: folder, env: { ...gitEnv, ...env }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 20_000 }).trim();
}
