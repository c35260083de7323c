// GitStatus: the branch, and what differs from the last commit.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import { plural } from '../lib/plural.ts';
import type { Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { defineTool } from './define.ts';
import { failureOf, openRepository, pathInput } from './git/repository.ts';
import { bounded } from './text.ts';

const input = z.strictObject({ path: pathInput, limit: z.int().min(1).max(10_000).default(200).describe('How many files are listed') });
type Input = z.infer<typeof input>;

/** Reads the state of a repository. */
export function gitStatus(): Tool<Input> {
  return defineTool({
    name: 'GitStatus',
    description: 'Shows the state of a git repository: the branch and how far it is from its upstream, what is staged, changed, untracked or in conflict, and whether a merge or rebase is under way. Sensitive files are only counted. Changes nothing.',
    input,
    title: ({ path }) => cleanLine(path),
    access: ({ path }, cwd) => [{ kind: 'read', target: resolve(cwd, path) }],
    run,
  });
}

/** One file of `git status --porcelain=v2`. */
type Entry = { group: 'Conflicts' | 'Staged' | 'Not staged' | 'Untracked'; what: string; name: string; from?: string };

async function run({ path, limit }: Input, ctx: ToolContext): Promise<ToolResult> {
  const opened = await openRepository(path, ctx);
  if (!opened.ok) return opened.result;
  const { git, only, isHidden } = opened.seen;
  if (git.top === null) return { ok: false, text: `${path} is a bare repository: it has no files that could have changed.` };
  const asked = await git.ask(['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=normal', '--ignore-submodules=dirty', '--', ...only]);
  const failure = failureOf(asked);
  if (failure) return failure;
  const { head, entries } = parseStatus(asked.text);
  const seen = entries.filter(({ name, from }) => !isHidden(name) && !(from !== undefined && isHidden(from)));
  const hidden = new Set(entries.filter((entry) => !seen.includes(entry)).map(({ name }) => name)).size;
  const lines = [head, ...UNDER_WAY.filter(([file]) => existsSync(join(git.gitDir, file))).map(([, what]) => `${what} is under way.`)];
  for (const group of ['Conflicts', 'Staged', 'Not staged', 'Untracked'] as const) {
    const those = seen.slice(0, limit).filter((entry) => entry.group === group);
    if (those.length > 0) lines.push(`${group}:`, ...those.map(({ what, name, from }) => `  ${what === '' ? '' : `${what}: `}${from === undefined ? '' : `${from} -> `}${name}`));
  }
  if (entries.length === 0) lines.push('Nothing has changed since the last commit.');
  if (seen.length > limit) lines.push(`[${plural(seen.length - limit, 'more entry').replace('entrys', 'entries')}. Narrow it by path, or raise limit.]`);
  if (hidden > 0) lines.push(`[Changed as well, but not shown: ${plural(hidden, 'sensitive file')}.]`);
  return { ok: true, text: bounded(lines.join('\n'), 'Narrow it by path.') };
}

const UNDER_WAY = [['MERGE_HEAD', 'A merge'], ['rebase-merge', 'A rebase'], ['rebase-apply', 'A rebase'], ['CHERRY_PICK_HEAD', 'A cherry-pick'], ['REVERT_HEAD', 'A revert'], ['BISECT_LOG', 'A bisection']] as const;
const WORDS: Readonly<Record<string, string>> = { M: 'modified', A: 'new', D: 'deleted', R: 'renamed', C: 'copied', T: 'type changed', U: 'unmerged' };
const CONFLICTS: Readonly<Record<string, string>> = { DD: 'both deleted', AU: 'added by us', UD: 'deleted by them', UA: 'added by them', DU: 'deleted by us', AA: 'both added', UU: 'both modified' };

/** git-status(1), "Porcelain Format Version 2", with -z. */
function parseStatus(text: string): { head: string; entries: Entry[] } {
  const header: Record<string, string> = {};
  const entries: Entry[] = [];
  const records = text.split('\0').values();
  for (const record of records) {
    const fields = record.split(' ');
    const [, xy = ''] = fields;
    if (record.startsWith('# ')) header[xy] = fields.slice(2).join(' ');
    else if (record.startsWith('? ')) entries.push({ group: 'Untracked', what: '', name: record.slice(2) });
    else if (record.startsWith('u ')) entries.push({ group: 'Conflicts', what: CONFLICTS[xy] ?? xy, name: fields.slice(10).join(' ') });
    else if (/^[12] /.test(record)) {
      const moved = record.startsWith('2 ');
      const name = fields.slice(moved ? 9 : 8).join(' ');
      const from = moved ? records.next().value : undefined;
      for (const [at, group] of [[0, 'Staged'], [1, 'Not staged']] as const) {
        const letter = xy[at] ?? '.';
        if (letter !== '.') entries.push({ group, what: WORDS[letter] ?? letter, name, ...(from !== undefined && 'RC'.includes(letter) && { from }) });
      }
    }
  }
  return { head: describeHead(header), entries };
}

function describeHead(header: Readonly<Record<string, string>>): string {
  const { 'branch.head': branch = '?', 'branch.oid': commit = '', 'branch.upstream': upstream, 'branch.ab': distance = '' } = header;
  const [, ahead = 0, behind = 0] = (/^\+(\d+) -(\d+)$/.exec(distance) ?? []).map(Number);
  const way = [ahead > 0 && `${ahead} ahead of`, behind > 0 && `${behind} behind`].filter(Boolean).join(' and ');
  const where = branch === '(detached)' ? `On no branch, at commit ${commit.slice(0, 10)}` : `On branch ${branch}`;
  if (commit === '(initial)') return `${where}, which has no commit yet.`;
  if (upstream === undefined) return `${where}.`;
  return `${where}, ${distance === '' ? `whose upstream ${upstream} is gone` : way === '' ? `as ${upstream} is` : `${way} ${upstream}`}.`;
}
