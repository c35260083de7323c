// What the git tools share: the repository of a path, names that can't be taken for options, and what is said when git refuses.
import { basename, dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { openGit, type Git, type GitExit } from '../../lib/git.ts';
import type { ToolContext, ToolResult } from '../../types/tool.ts';

/** A repository as one call sees it. */
export type Seen = {
  git: Git;
  /** Arguments that keep git to the path asked for; none where that is all. */
  only: readonly string[];
  isFile: boolean;
  /** Whether a path, counted from the top, is passed over. */
  isHidden(name: string): boolean;
};

/** Text without line breaks and controls, which could stand on a command line. */
export const plainText = () => z.string().min(1).max(1_000).refine((text) => !/[\0-\x1f\x7f]/.test(text), 'must be one line without control characters');
export const pathInput = plainText().default('.').describe('Folder or file in the repository; absolute, or relative to the project root');

/** The repository that holds a path, which need not exist any more. Throws a `UserError` outside the roots. */
export async function openRepository(path: string, ctx: ToolContext): Promise<{ ok: true; seen: Seen } | { ok: false; result: ToolResult }> {
  let at = ctx.files.resolve(path);
  let info = await ctx.files.stat(at);
  const isFile = info?.kind === 'file';
  const rest: string[] = [];
  while (info?.kind !== 'folder') {
    if (at === dirname(at)) return refuse(`There is no ${path}.`);
    rest.unshift(basename(at));
    at = dirname(at);
    info = await ctx.files.stat(at);
  }
  const folder = info.path;
  const opened = await openGit(folder, { env: ctx.env, signal: ctx.signal });
  ctx.signal.throwIfAborted();
  if (!opened.ok) return refuse(`${path === '.' ? 'The project' : path} ${opened.why}.`);
  const { git } = opened;
  const name = git.top === null ? '' : relative(git.top, join(folder, ...rest)).split(sep).join('/');
  return { ok: true, seen: { git, isFile, only: name === '' ? [] : [`:(top,literal)${name}`], isHidden: (shown) => ctx.files.hidden(join(git.top ?? git.gitDir, shown)) } };
}

const refuse = (text: string): { ok: false; result: ToolResult } => ({ ok: false, result: { ok: false, text } });

/** The result of a command that git did not carry out; `undefined` where all is well. */
export function failureOf({ code, errors, late }: GitExit): ToolResult | undefined {
  if (code === 0) return undefined;
  return { ok: false, text: late ? 'git took longer than 20 s and was ended. Narrow it by path.' : `git could not do that: ${errors || `it ended with code ${code}`}` };
}

/** A range as commits: no branch, file or option can hide in it. `A..B`, `A...B`, `A^!` (what A changed) or one commit. */
export type Range = { ok: true; from?: string; to: string; symmetric?: true } | { ok: false; result: ToolResult };

export async function resolveRange(git: Git, range: string): Promise<Range> {
  const alone = range.endsWith('^!') ? range.slice(0, -2) : undefined;
  const dots = /^(.*?)(\.{2,3})(.*)$/s.exec(range);
  if (alone !== undefined) {
    const to = await resolveCommit(git, alone);
    if (to === undefined) return refuse(`There is no commit ${alone}.`);
    return { ok: true, from: (await resolveCommit(git, `${alone}^1`)) ?? await emptyTree(git), to };
  }
  const [left, right] = dots ? [dots[1] || 'HEAD', dots[3] || 'HEAD'] : [undefined, range];
  const to = await resolveCommit(git, right);
  if (to === undefined) return refuse(`There is no commit ${right}.`);
  if (left === undefined) return { ok: true, to };
  const from = await resolveCommit(git, left);
  if (from === undefined) return refuse(`There is no commit ${left}.`);
  return { ok: true, from, to, ...(dots?.[2] === '...' && { symmetric: true }) };
}

/** The full hash of a commit; `undefined` where the name stands for none. */
async function resolveCommit(git: Git, name: string): Promise<string | undefined> {
  // `--end-of-options` would do as well, where git is new enough.
  if (name.startsWith('-')) return undefined;
  const { code, text } = await git.ask(['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
  return code === 0 && /^[0-9a-f]{40,64}\n$/.test(text) ? text.trim() : undefined;
}

async function emptyTree(git: Git): Promise<string> {
  return (await git.ask(['hash-object', '-t', 'tree', '--stdin'])).text.trim();
}
