// Asks git so that a repository can make it run nothing and fetch nothing: its configuration is a stranger's.
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { findProgram } from './find-program.ts';
import { spawnGroup } from './spawn.ts';

/** Where a repository's data are, and the folder that it is checked out in; a bare one has none. */
export type Repository = { gitDir: string; top: string | null };

/** `code` is git's own; `null` where it was ended, `late` because it took too long. */
export type GitExit = { code: number | null; errors: string; late: boolean };

export type Git = Repository & {
  /** Runs one command of git's that only reads, in the top folder. `onOutput` gets what it says, as it comes. */
  run(args: readonly string[], onOutput: (chunk: Buffer) => void, options?: { signal?: AbortSignal }): Promise<GitExit>;
  /** The same with all it said as text; cut off at 32 MiB. */
  ask(args: readonly string[], options?: { signal?: AbortSignal }): Promise<GitExit & { text: string }>;
};

/** `why`, where a repository is not looked at, is the end of a sentence about the folder. */
export type Opened = { ok: true; git: Git } | { ok: false; why: string };

/*
 * What makes git run a program while it reads: the file monitor, hooks, pagers, signature checks, summaries of
 * submodules. External diffs and text conversions have options of their own, filters are listed by name below.
 */
const HARMLESS = [
  'core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.pager=cat', 'core.untrackedCache=false', 'core.quotePath=false', 'log.showSignature=false',
  'status.submoduleSummary=false', 'diff.external=', 'diff.submodule=short', 'diff.ignoreSubmodules=dirty', 'protocol.allow=never', 'credential.helper=', 'core.askPass=', 'core.sshCommand=false', 'gpg.program=false',
];
/** For commands that show differences. */
export const PLAIN_DIFF: readonly string[] = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-relative', '--src-prefix=a/', '--dst-prefix=b/', '--submodule=short', '--ignore-submodules=dirty'];

const MOST_TEXT = 32 * 1024 * 1024;
const PATIENCE_MS = 20_000;

/** Opens the repository that holds `folder` (a real path). `env` is for git itself; its own variables in there are left out. */
export async function openGit(folder: string, { env, timeoutMs = PATIENCE_MS, signal }: { env: Readonly<Record<string, string>>; timeoutMs?: number; signal?: AbortSignal }): Promise<Opened> {
  const found = findRepository(folder);
  if (!found) return { ok: false, why: 'is in no git repository' };
  const program = findProgram('git', env, { outside: [found.top ?? found.gitDir] });
  if (program === undefined) return { ok: false, why: "can't be asked for: git is not on the PATH" };
  const environment = {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))), LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_PAGER: 'cat', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_NO_REPLACE_OBJECTS: '1',
  };
  // Named instead of found, neither core.worktree nor a bare repository inside a project has a say.
  const where = [`--git-dir=${found.gitDir}`, ...(found.top === null ? [] : [`--work-tree=${found.top}`])];
  const gitWith = (settings: readonly string[]): Git => {
    const start = [program, ...settings.flatMap((setting) => ['-c', setting]), '--no-pager', '--no-optional-locks', ...where];
    const run: Git['run'] = async (args, onOutput, options = {}) => {
      let errors = '';
      const running = spawnGroup([...start, ...args], {
        cwd: found.top ?? found.gitDir, env: environment, timeoutMs, signal: options.signal ?? signal,
        onOutput: (chunk, stream) => { if (stream === 'stdout') onOutput(chunk); else if (errors.length < 2_000) errors += chunk.toString('utf8'); },
      });
      const { code, timedOut } = await running.done;
      return { code, errors: errors.trim(), late: timedOut };
    };
    return {
      ...found, run,
      async ask(args, options) {
        const chunks: Buffer[] = [];
        let size = 0;
        const exit = await run(args, (chunk) => { if ((size += chunk.length) <= MOST_TEXT) chunks.push(chunk); }, options);
        return { ...exit, text: Buffer.concat(chunks).toString('utf8') };
      },
    };
  };

  const { code, text, errors } = await gitWith(HARMLESS).ask(['config', '--list', '--null']);
  if (code !== 0) return { ok: false, why: `has a repository that git can't read: ${errors || 'it gave no answer'}` };
  const settings = text.split('\0').map((entry) => ({ key: entry.split('\n', 1)[0] ?? '', value: entry.slice(entry.indexOf('\n') + 1) }));
  const workTree = settings.findLast(({ key }) => key === 'core.worktree')?.value;
  if (!isOwn(found, workTree)) return { ok: false, why: `has a .git that names the repository of another folder (${found.gitDir})` };
  const filters = [...new Set(settings.flatMap(({ key }) => /^filter\.(.+)\.(?:clean|smudge|process|required)$/s.exec(key)?.[1] ?? []))];
  // Such a name can't be said on a command line.
  const odd = filters.find((name) => name.includes('=') || name.includes('\n'));
  if (odd !== undefined) return { ok: false, why: `has a repository with a filter that can't be switched off (${JSON.stringify(odd)})` };
  return { ok: true, git: gitWith([...HARMLESS, ...filters.flatMap((name) => [`filter.${name}.clean=`, `filter.${name}.smudge=`, `filter.${name}.process=`, `filter.${name}.required=false`])]) };
}

/** The nearest repository that holds `folder`, going by what is on the disk. */
function findRepository(folder: string): Repository | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const gitDir = dataOf(join(at, '.git'));
    if (gitDir !== undefined) return { gitDir, top: at };
    if (at === dirname(at)) break;
  }
  return ['HEAD', 'objects', 'refs'].every((name) => exists(join(folder, name))) ? { gitDir: folder, top: null } : undefined;
}

/** In a worktree or a submodule `.git` is a file that names the real folder. */
function dataOf(dotGit: string): string | undefined {
  try {
    const path = statSync(dotGit).isFile() ? resolve(dirname(dotGit), readFileSync(dotGit, 'utf8').replace(/^gitdir: /, '').trim()) : dotGit;
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** What of a repository's data a link could lead to another's. */
const PARTS = ['HEAD', 'index', 'packed-refs', 'refs', 'objects'];

/** Whether the data belong to the folder, all of them: they lie in it, or name it in turn as those of worktrees and submodules do. */
function isOwn({ gitDir, top }: Repository, workTree: string | undefined): boolean {
  try {
    const common = exists(join(gitDir, 'commondir')) ? realpathSync(resolve(gitDir, readFileSync(join(gitDir, 'commondir'), 'utf8').trim())) : gitDir;
    if (!isNear(gitDir, common) && !isNear(common, top)) return false;
    const paths = [gitDir, common].flatMap((folder) => PARTS.map((name) => join(folder, name))).filter(exists).map((path) => realpathSync(path));
    if (!paths.every((path) => isNear(path, gitDir) || isNear(path, common))) return false;
    if (top === null || isNear(gitDir, top)) return true;
    const back = exists(join(gitDir, 'gitdir')) ? dirname(resolve(gitDir, readFileSync(join(gitDir, 'gitdir'), 'utf8').trim())) : workTree;
    return back !== undefined && realpathSync(resolve(gitDir, back)) === top;
  } catch {
    return false;
  }
}

const isNear = (path: string, folder: string | null): boolean => folder !== null && (path === folder || path.startsWith(folder + sep));
const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
