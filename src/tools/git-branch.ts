// GitBranch: the branches, the last used first.
import { resolve } from 'node:path';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import type { Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { defineTool } from './define.ts';
import { failureOf, openRepository, pathInput } from './git/repository.ts';
import { bounded } from './text.ts';

const input = z.strictObject({
  path: pathInput,
  remote: z.boolean().default(false).describe('Those of the remotes as well, as they were last fetched'),
  limit: z.int().min(1).max(1_000).default(50),
});
type Input = z.infer<typeof input>;

const FORMAT = ['%(HEAD)', '%(refname:short)', '%(objectname:short)', '%(committerdate:short)', '%(upstream:short)', '%(upstream:track,nobracket)', '%(worktreepath)', '%(contents:subject)'].join('%1f');

/** Reads branches. */
export function gitBranch(): Tool<Input> {
  return defineTool({
    name: 'GitBranch',
    description: 'Lists the branches of a git repository, those with the newest commits first, the current one marked with *: last commit, its date and subject, the upstream and how far it is away. Changes nothing.',
    input,
    title: ({ path }) => cleanLine(path),
    access: ({ path }, cwd) => [{ kind: 'read', target: resolve(cwd, path) }],
    run,
  });
}

async function run({ path, remote, limit }: Input, ctx: ToolContext): Promise<ToolResult> {
  const opened = await openRepository(path, ctx);
  if (!opened.ok) return opened.result;
  const { git } = opened.seen;
  const asked = await git.ask(['for-each-ref', '--sort=-committerdate', `--count=${limit + 1}`, `--format=${FORMAT}`, 'refs/heads', ...(remote ? ['refs/remotes'] : [])]);
  ctx.signal.throwIfAborted();
  const failure = failureOf(asked);
  if (failure) return failure;
  const head = (await git.ask(['symbolic-ref', '--quiet', '--short', 'HEAD'])).text.trim();
  const at = (await git.ask(['rev-parse', '--quiet', '--verify', '--short', 'HEAD'])).text.trim();
  const lines = asked.text.split('\n').filter((line) => line !== '').map(showBranch);
  const cut = lines.length > limit ? [...lines.slice(0, limit), '[There are more. Raise limit.]'] : lines;
  const where = head === '' ? [`On no branch, at commit ${at}.`] : at === '' ? [`On branch ${head}, which has no commit yet.`] : [];
  return { ok: true, text: bounded([...where, ...cut].join('\n'), 'Lower limit.') };
}

function showBranch(line: string): string {
  const [mark, name, hash, date, upstream, track, elsewhere, subject] = line.split('\x1f');
  const way = upstream === '' ? '' : ` [${upstream}${track === '' ? '' : `: ${track}`}]`;
  return `${mark === '*' ? '*' : ' '} ${name} ${hash} ${date}${way}${mark !== '*' && elsewhere !== '' ? ` (checked out in ${elsewhere})` : ''} ${subject}`;
}
