// What the project's git says, asked so that the repository's own configuration runs nothing.
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openGit } from '../lib/git.ts';

const PATIENCE_MS = 2_000;
/** Lines of `git status` that a model is told. */
const STATUS_LINES = 40;

/** The checked-out branch, or the short hash of a detached head, read without starting git. `null` outside a repository. */
export function readBranch(root: string): string | null {
  try {
    const dotGit = join(root, '.git');
    // In a worktree or a submodule .git is a file that names the real folder.
    const folder = statSync(dotGit).isFile() ? resolve(root, readFileSync(dotGit, 'utf8').replace(/^gitdir: /, '').trim()) : dotGit;
    const head = readFileSync(join(folder, 'HEAD'), 'utf8').trim();
    return head.startsWith('ref: ') ? head.slice(5).replace(/^refs\/heads\//, '') : head.slice(0, 7);
  } catch {
    return null;
  }
}

/** Branch and short status for the model; `null` outside a repository, without git, or when git takes too long. */
export async function readGit(root: string, env: Readonly<Record<string, string>>): Promise<{ branch: string; status: string } | null> {
  const branch = readBranch(root);
  if (branch === null) return null;
  const opened = await openGit(root, { env, timeoutMs: PATIENCE_MS }).catch(() => null);
  const asked = opened?.ok ? await opened.git.ask(['status', '--short', '--ignore-submodules=dirty', '--', root]) : null;
  if (asked?.code !== 0) return null;
  const lines = asked.text.trimEnd().split('\n');
  const more = lines.length - STATUS_LINES;
  return { branch, status: [...lines.slice(0, STATUS_LINES), ...(more > 0 ? [`… and ${more} more`] : [])].join('\n') };
}
