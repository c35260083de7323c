// GitLog: commits, the newest first.
import { resolve } from 'node:path';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import { PLAIN_DIFF } from '../lib/git.ts';
import type { Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { defineTool } from './define.ts';
import { failureOf, openRepository, pathInput, plainText, resolveRange } from './git/repository.ts';
import { bounded } from './text.ts';

const input = z.strictObject({
  path: pathInput,
  range: plainText().optional().describe('"A..B" (in B and not in A), "A...B" (in one of them only), or one commit to begin with; absent: HEAD'),
  limit: z.int().min(1).max(1_000).default(20),
  skip: z.int().min(0).default(0).describe('How many of the newest are passed over'),
  author: plainText().optional().describe('Only commits whose author has this in name or address'),
  search: plainText().optional().describe('Only commits whose message has this text'),
  since: plainText().optional().describe('Like "2026-01-31" or "2 weeks ago"'),
  until: plainText().optional(),
  full: z.boolean().default(false).describe('With the whole message, and the files with their numbers of lines'),
});
type Input = z.infer<typeof input>;

/** Reads history. */
export function gitLog(): Tool<Input> {
  return defineTool({
    name: 'GitLog',
    description: 'Lists commits of a git repository, the newest first: hash, date, author, branches and tags, subject; with full also the message and the files. Of a single file its history is followed through renames. What one commit changed is shown by GitDiff with range "HASH^!". Changes nothing.',
    input,
    title: ({ path, range, search }) => cleanLine([range, ...(search === undefined ? [] : [`"${search}"`]), ...(path === '.' ? [] : [path])].filter((part) => part !== undefined).join(' ') || 'HEAD'),
    access: ({ path }, cwd) => [{ kind: 'read', target: resolve(cwd, path) }],
    run,
  });
}

async function run({ path, range, limit, skip, author, search, since, until, full }: Input, ctx: ToolContext): Promise<ToolResult> {
  const opened = await openRepository(path, ctx);
  if (!opened.ok) return opened.result;
  const { git, only, isFile, isHidden } = opened.seen;
  const head = await resolveRange(git, range ?? 'HEAD');
  if (!head.ok) return range === undefined ? { ok: true, text: 'There is no commit yet.' } : head.result;
  const commits = head.from === undefined ? [head.to] : head.symmetric ? [`${head.from}...${head.to}`] : [head.to, `^${head.from}`];
  const asked = await git.ask([
    'log', ...PLAIN_DIFF, '--no-show-signature', '--no-notes', '--no-mailmap', '--date=format:%Y-%m-%d %H:%M', `--format=%x1e%h%x1f%ad%x1f%an%x1f%D%x1f%s%x1f${full ? '%b' : ''}%x1f`,
    `--max-count=${limit + 1}`, `--skip=${skip}`, ...(full ? ['--numstat', '--no-renames', '--diff-merges=first-parent'] : ['--no-patch']), ...(isFile && !full ? ['--follow'] : []),
    ...(author === undefined ? [] : [`--author=${author}`, '--fixed-strings', '--regexp-ignore-case']), ...(search === undefined ? [] : [`--grep=${search}`, '--fixed-strings', '--regexp-ignore-case']),
    ...(since === undefined ? [] : [`--since=${since}`]), ...(until === undefined ? [] : [`--until=${until}`]),
    ...commits, '--', ...only,
  ]);
  ctx.signal.throwIfAborted();
  const failure = failureOf(asked);
  if (failure) return failure;
  const found = asked.text.split('\x1e').slice(1).map((record) => showCommit(record, isHidden));
  if (found.length === 0) return { ok: true, text: 'No commit fits.' };
  if (found.length > limit) found[limit] = `[There are more. Go on with skip=${skip + limit}.]`;
  return { ok: true, text: bounded(found.join(full ? '\n\n' : '\n'), 'Lower limit, or narrow it by path.') };
}

function showCommit(record: string, isHidden: (name: string) => boolean): string {
  const [hash, date, author, refs, subject, body = '', files = ''] = record.split('\x1f');
  const numbers = files.split('\n').filter((line) => line !== '' && !isHidden(line.split('\t')[2] ?? '')).map((line) => line.replace(/^(\S+)\t(\S+)\t/, '  +$1 −$2\t'));
  const title = `${hash} ${date} ${author}${refs === '' ? '' : ` (${refs})`}: ${subject}`;
  return [title, ...(body.trim() === '' ? [] : body.trimEnd().split('\n').map((line) => `    ${line}`)), ...numbers].join('\n');
}
