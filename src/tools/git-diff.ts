// GitDiff: what has changed, between commits or in the working tree.
import { resolve } from 'node:path';
import { z } from 'zod';
import { PLAIN_DIFF } from '../lib/git.ts';
import { cleanLine } from '../lib/clean.ts';
import { plural } from '../lib/plural.ts';
import type { Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { defineTool } from './define.ts';
import { failureOf, openRepository, pathInput, plainText, resolveRange, type Seen } from './git/repository.ts';
import { collectPage } from './git/page.ts';
import { bounded } from './text.ts';

const input = z.strictObject({
  path: pathInput,
  range: plainText().optional().describe('"A..B", "A...B" (since they parted), "A^!" (what commit A changed), or one commit to compare the files with; absent: what is not staged'),
  staged: z.boolean().default(false).describe('What is staged, against the last commit or the one in range'),
  stat: z.boolean().default(false).describe('Only the files, with their numbers of lines'),
  context: z.int().min(0).max(50).default(3).describe('Lines shown around each change'),
  offset: z.int().min(1).default(1).describe('First line of the diff, counted from 1'),
  limit: z.int().min(1).default(2_000).describe('How many lines'),
});
type Input = z.infer<typeof input>;

/** Reads differences. */
export function gitDiff(): Tool<Input> {
  return defineTool({
    name: 'GitDiff',
    description: 'Shows changes in a git repository as a unified diff: what is not staged, what is staged, or what lies between commits. Begins with the number of files and lines. A long diff comes in pages: it names the offset to go on with. Untracked files are in GitStatus, not here; what is in sensitive files is left out. Changes nothing.',
    input,
    title: ({ path, range, staged }) => cleanLine([range, ...(staged ? ['staged'] : []), ...(path === '.' ? [] : [path])].filter((part) => part !== undefined).join(' ') || 'not staged'),
    access: ({ path }, cwd) => [{ kind: 'read', target: resolve(cwd, path) }],
    run,
  });
}

/** One changed file; `null` lines: it is binary. */
type Change = { name: string; from?: string; added: number | null; removed: number | null };

async function run({ path, range, staged, stat, context, offset, limit }: Input, ctx: ToolContext): Promise<ToolResult> {
  const opened = await openRepository(path, ctx);
  if (!opened.ok) return opened.result;
  const { git, only, isHidden } = opened.seen;
  const between = range === undefined ? undefined : await resolveRange(git, range);
  if (between?.ok === false) return between.result;
  if (staged && between?.from !== undefined) return { ok: false, text: `With staged, range is one commit to compare with, not ${range}.` };
  if (git.top === null && between?.from === undefined) return { ok: false, text: `${path} is a bare repository without files: name two commits as range "A..B".` };
  const commits = between === undefined ? [] : between.from === undefined ? [between.to] : between.symmetric ? [`${between.from}...${between.to}`] : [between.from, between.to];
  const command = ['diff', ...PLAIN_DIFF, '--find-renames', ...(staged ? ['--cached'] : []), ...commits];

  const listed = await git.ask([...command, '--numstat', '-z', '--', ...only]);
  const failure = failureOf(listed);
  if (failure) return failure;
  const changes = parseNumbers(listed.text);
  const hidden = changes.filter(({ name, from }) => isHidden(name) || (from !== undefined && isHidden(from)));
  const shown = changes.filter((change) => !hidden.includes(change));
  const note = hidden.length > 0 ? `\n[Changed as well, but not shown: ${plural(hidden.length, 'sensitive file')}.]` : '';
  if (shown.length === 0) return { ok: true, text: `No difference.${note}` };
  const summary = `${plural(shown.length, 'file')} changed, +${sum(shown, 'added')} −${sum(shown, 'removed')}`;
  if (stat) return { ok: true, text: bounded(`${summary}\n${shown.map(showChange).join('\n')}${note}`, 'Narrow it by path.') };

  const pages = collectPage({ offset, limit });
  const patched = await git.run([...command, `--unified=${context}`, '--patch', '--', ...pathsOf(only, hidden)], pages.add);
  ctx.signal.throwIfAborted();
  const { text, lines, total } = pages.end();
  const trouble = failureOf(patched);
  if (trouble) return trouble;
  if (offset > total) return { ok: false, text: `The diff has only ${plural(total, 'line')}; offset=${offset} is behind its end.` };
  return { ok: true, text: `${summary}\n${text}${note}`, ...(shown.length === 1 && shown[0] && { view: { type: 'diff', path: shown[0].name, patch: lines.join('\n') } }) };
}

/** All that is asked for but the sensitive files, old names of renamed ones included. */
function pathsOf(only: Seen['only'], hidden: readonly Change[]): string[] {
  const names = new Set(hidden.flatMap(({ name, from }) => (from === undefined ? [name] : [name, from])));
  return [...(only.length === 0 && names.size > 0 ? [':/'] : only), ...[...names].map((name) => `:(top,exclude,literal)${name}`)];
}

/** git-diff(1), "--numstat" with -z. */
function parseNumbers(text: string): Change[] {
  const changes: Change[] = [];
  const records = text.split('\0').values();
  for (const record of records) {
    const match = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(record);
    if (!match) continue;
    const [added = null, removed = null] = match.slice(1, 3).map((number) => (number === '-' ? null : Number(number)));
    const from = match[3] === '' ? records.next().value : undefined;
    const name = match[3] === '' ? records.next().value ?? '' : match[3] ?? '';
    changes.push({ name, added, removed, ...(from !== undefined && { from }) });
  }
  return changes;
}

const showChange = ({ name, from, added, removed }: Change): string => `  ${added === null ? 'binary' : `+${added} −${removed}`}\t${from === undefined ? '' : `${from} -> `}${name}`;
const sum = (changes: readonly Change[], what: 'added' | 'removed'): string => changes.reduce((all, change) => all + (change[what] ?? 0), 0).toLocaleString('en');
