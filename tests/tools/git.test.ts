// The git tools: what they tell of a repository, what they leave out, and that arguments stay arguments.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gitBranch } from '../../src/tools/git-branch.ts';
import { gitDiff } from '../../src/tools/git-diff.ts';
import { gitLog } from '../../src/tools/git-log.ts';
import { gitStatus } from '../../src/tools/git-status.ts';
import type { Tool, ToolResult } from '../../src/types/tool.ts';
import { gitIn } from '../helpers/git-repository.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

let ctx: TestContext;
let git: (...args: string[]) => string;
beforeEach(() => {
  ctx = toolContext({ hidden: (path) => /\/(\.env|secrets)(\/|$)/.test(path) });
  git = gitIn(ctx.root);
  git('init', '-q', '-b', 'main');
});
afterEach(() => ctx.dispose());

const call = <I>(tool: Tool<I>) => (raw: object = {}): Promise<ToolResult> => {
  const parsed = tool.parse(raw);
  if (!parsed.ok) throw new Error(parsed.problem);
  return tool.run(parsed.value, ctx);
};
const [status, diff, log, branch] = [call(gitStatus()), call(gitDiff()), call(gitLog()), call(gitBranch())];

function commit(message: string): string {
  git('add', '-A');
  git('commit', '-q', '-m', message);
  return git('rev-parse', '--short', 'HEAD');
}

/** Three commits: hashes from the oldest on. */
function history(): string[] {
  ctx.put('a.txt', 'one\ntwo\nthree\n');
  ctx.put('.env', 'KEY=1\n');
  const first = commit('First');
  ctx.put('a.txt', 'one\n2\nthree\n');
  ctx.put('src/b.txt', 'b\n');
  const second = commit('Second thing\n\nWith words\nin two lines.');
  renameSync(join(ctx.root, 'a.txt'), join(ctx.root, 'c.txt'));
  ctx.put('.env', 'KEY=2\n');
  return [first, second, commit('Third')];
}

describe('GitStatus', () => {
  test('a repository without a commit, a clean one', async () => {
    expect(await status()).toEqual({ ok: true, text: 'On branch main, which has no commit yet.\nNothing has changed since the last commit.' });
    history();
    expect(await status()).toEqual({ ok: true, text: 'On branch main.\nNothing has changed since the last commit.' });
  });

  test('staged, changed, untracked; sensitive files are only counted', async () => {
    history();
    ctx.put('src/b.txt', 'bb\n');
    git('add', 'src/b.txt');
    ctx.put('src/b.txt', 'bbb\n');
    git('mv', 'c.txt', 'd e.txt');
    ctx.put('new/x', '');
    ctx.put('.env', 'KEY=3\n');
    ctx.put('secrets/key', '');
    expect(await status()).toEqual({ ok: true, text: 'On branch main.\nStaged:\n  renamed: c.txt -> d e.txt\n  modified: src/b.txt\nNot staged:\n  modified: src/b.txt\nUntracked:\n  new/\n[Changed as well, but not shown: 2 sensitive files.]' });
    expect(await status({ path: 'src' })).toEqual({ ok: true, text: 'On branch main.\nStaged:\n  modified: src/b.txt\nNot staged:\n  modified: src/b.txt' });
    expect((await status({ limit: 1 })).text).toContain('[3 more entries. Narrow it by path, or raise limit.]');
  });

  test('a conflict, a detached head, an upstream', async () => {
    const [first = '', second = ''] = history();
    git('checkout', '-q', '-b', 'other', second);
    ctx.put('c.txt', 'mine\n');
    git('add', 'c.txt');
    git('commit', '-q', '-m', 'Mine');
    git('branch', '-q', '--set-upstream-to=main');
    expect((await status()).text).toBe('On branch other, 1 ahead of and 1 behind main.\nNothing has changed since the last commit.');
    expect(() => git('merge', '-q', 'main')).toThrow();
    expect((await status()).text).toMatch(/\nA merge is under way\.\nConflicts:\n {2}both added: c\.txt\n/);
    git('merge', '--abort');
    git('checkout', '-q', first);
    expect((await status()).text).toMatch(new RegExp(`^On no branch, at commit ${first}\\w+\\.\n`));
  });
});

/** Without the hashes of contents. */
const plain = (result: ToolResult): unknown => JSON.parse(JSON.stringify(result).replaceAll(/index \w+\.\.\w+/g, 'index X'));

describe('GitDiff', () => {
  test('what is not staged, what is staged, as a diff to look at', async () => {
    history();
    ctx.put('c.txt', 'one\n2\nthree\nfour\n');
    const patch = 'diff --git a/c.txt b/c.txt\nindex X 100644\n--- a/c.txt\n+++ b/c.txt\n@@ -1,3 +1,4 @@\n one\n 2\n three\n+four';
    const expected = { ok: true, text: `1 file changed, +1 −0\n${patch}`, view: { type: 'diff', path: 'c.txt', patch } };
    expect(plain(await diff())).toEqual(expected);
    expect(await diff({ staged: true })).toEqual({ ok: true, text: 'No difference.' });
    git('add', '-A');
    expect(plain(await diff({ staged: true }))).toEqual(expected);
    expect(plain(await diff({ range: 'HEAD' }))).toEqual(expected);
    expect(await diff({ path: 'src' })).toEqual({ ok: true, text: 'No difference.' });
  });

  test('ranges, also from the first commit on, without what is in sensitive files', async () => {
    const [first = '', second = '', third = ''] = history();
    expect(await diff({ range: `${first}..${second}`, stat: true })).toEqual({ ok: true, text: '2 files changed, +2 −1\n  +1 −1\ta.txt\n  +1 −0\tsrc/b.txt' });
    expect(await diff({ range: `${third}^!`, stat: true })).toEqual({ ok: true, text: '1 file changed, +0 −0\n  +0 −0\ta.txt -> c.txt\n[Changed as well, but not shown: 1 sensitive file.]' });
    expect((await diff({ range: `${first}^!` })).text).toMatch(/^1 file changed, \+3 −0\ndiff --git a\/a\.txt b\/a\.txt\nnew file mode 100644\n[^K]*\n\+three\n\[Changed as well, but not shown: 1 sensitive file\.\]$/);
    expect((await diff({ range: `${second}...` })).text).not.toContain('KEY');
    expect(await diff({ path: '.env', range: 'HEAD~1' })).toEqual({ ok: true, text: 'No difference.\n[Changed as well, but not shown: 1 sensitive file.]' });
    expect((await diff({ path: 'a.txt', range: `${first}..${second}` })).text).toContain('-two\n+2');
  });

  test('a long one comes in pages that together are the whole', async () => {
    history();
    ctx.put('src/b.txt', Array.from({ length: 3_000 }, (_, n) => `line ${n} ${'x'.repeat(30)}\n`).join(''));
    ctx.put('c.txt', 'y'.repeat(9_000));
    const whole = git('diff', '--no-color').split('\n');
    const seen: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const { text, ok } = await diff({ offset, limit: 100_000 });
      expect([ok, text.length <= 50_000]).toEqual([true, true]);
      seen.push(...text.split('\n').slice(1).filter((line) => !line.startsWith('[')));
      const next: string | undefined = /Go on with offset=(\d+), or narrow it by path\.\]$/.exec(text)?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(seen).toEqual(whole.map((line) => (line.startsWith('+yyy') ? `+${'y'.repeat(1_999)}… [line cut: 9,001 characters]` : line)));
    expect(await diff({ offset: 9_999 })).toEqual({ ok: false, text: `The diff has only ${whole.length.toLocaleString('en')} lines; offset=9999 is behind its end.` });
  });

  test.each([
    [{ range: 'nowhere' }, 'There is no commit nowhere.'], [{ range: 'HEAD..nowhere' }, 'There is no commit nowhere.'], [{ range: '--output=x' }, 'There is no commit --output=x.'], [{ range: '-p..HEAD' }, 'There is no commit -p.'],
    // A file in a commit is no commit: sensitive ones could be read so.
    [{ range: 'HEAD:.env' }, 'There is no commit HEAD:.env.'], [{ range: 'HEAD~1:.env..HEAD:.env' }, 'There is no commit HEAD:.env.'], [{ range: 'nowhere^!' }, 'There is no commit nowhere.'],
    [{ range: 'HEAD~1..HEAD', staged: true }, 'With staged, range is one commit to compare with, not HEAD~1..HEAD.'],
  ])('refuses %j', async (input, text) => {
    history();
    expect(await diff(input)).toEqual({ ok: false, text });
  });
});

describe('GitLog', () => {
  test('commits, pages of them, and what was looked for', async () => {
    const [first, second, third] = history();
    const when = '2026-01-02 03:04 Ann';
    expect(await log()).toEqual({ ok: true, text: `${third} ${when} (HEAD -> main): Third\n${second} ${when}: Second thing\n${first} ${when}: First` });
    expect(await log({ limit: 1, skip: 1 })).toEqual({ ok: true, text: `${second} ${when}: Second thing\n[There are more. Go on with skip=2.]` });
    expect(await log({ search: 'WORDS' })).toEqual({ ok: true, text: `${second} ${when}: Second thing` });
    expect(await log({ author: 'bob' })).toEqual({ ok: true, text: 'No commit fits.' });
    expect(await log({ range: `${first}..HEAD~1` })).toEqual({ ok: true, text: `${second} ${when}: Second thing` });
    expect(await log({ path: 'c.txt' })).toEqual({ ok: true, text: `${third} ${when} (HEAD -> main): Third\n${second} ${when}: Second thing\n${first} ${when}: First` });
    expect(await log({ path: 'src', since: '2025-01-01' })).toEqual({ ok: true, text: `${second} ${when}: Second thing` });
    expect(await log({ limit: 2, full: true })).toEqual({ ok: true, text: `${third} ${when} (HEAD -> main): Third\n  +0 −3\ta.txt\n  +3 −0\tc.txt\n\n${second} ${when}: Second thing\n    With words\n    in two lines.\n  +1 −1\ta.txt\n  +1 −0\tsrc/b.txt\n\n[There are more. Go on with skip=2.]` });
    expect(await log({ range: '--all' })).toEqual({ ok: false, text: 'There is no commit --all.' });
    expect(await log({ search: '--output=x' })).toEqual({ ok: true, text: 'No commit fits.' });
  });

  test('before the first commit', async () => {
    expect(await log()).toEqual({ ok: true, text: 'There is no commit yet.' });
  });
});

describe('GitBranch', () => {
  test('branches, where HEAD is, and worktrees', async () => {
    expect(await branch()).toEqual({ ok: true, text: 'On branch main, which has no commit yet.' });
    const [, second = '', third] = history();
    git('branch', 'old', second);
    git('branch', '-q', '--track', 'mine', 'main');
    const lines = [`* main ${third} 2026-01-02 Third`, `  mine ${third} 2026-01-02 [main] Third`, `  old ${second} 2026-01-02 Second thing`];
    const sorted = async (input = {}) => (await branch(input)).text.split('\n').toSorted();
    expect(await sorted()).toEqual(lines.toSorted());
    expect((await branch({ limit: 1 })).text).toMatch(/\n\[There are more\. Raise limit\.\]$/);
    git('worktree', 'add', '-q', join(ctx.root, 'tree'), 'old');
    git('checkout', '-q', second);
    expect((await branch()).text).toMatch(new RegExp(`^On no branch, at commit ${second}\\.\n`));
    expect((await branch({ path: 'tree' })).text).toContain(`* old ${second}`);
    expect((await status({ path: 'tree' })).text).toBe('On branch old.\nNothing has changed since the last commit.');
  });
});

describe('where there is nothing to ask', () => {
  const everywhere = [status, diff, log, branch];

  test('no repository, no git', async () => {
    rmSync(join(ctx.root, '.git'), { recursive: true });
    for (const ask of everywhere) expect(await ask({ path: 'src' })).toEqual({ ok: false, text: 'src is in no git repository.' });
    git('init', '-q');
    ctx = { ...ctx, env: { PATH: '/nowhere' } };
    for (const ask of everywhere) expect(await ask()).toEqual({ ok: false, text: "The project can't be asked for: git is not on the PATH." });
  });

  test('a bare repository has history only', async () => {
    const [first, second] = history();
    git('clone', '-q', '--bare', '.', 'bare.git');
    // Inside another repository it would be a folder of that.
    rmSync(join(ctx.root, '.git'), { recursive: true });
    expect((await log({ path: 'bare.git' })).text).toContain('Second thing');
    expect((await branch({ path: 'bare.git' })).text).toContain('main');
    expect((await diff({ path: 'bare.git', range: `${first}..${second}`, stat: true })).text).toContain('src/b.txt');
    expect((await diff({ path: 'bare.git', range: 'HEAD~1..HEAD' })).text).toMatch(/^1 file changed[^K]*\[Changed as well, but not shown: 1 sensitive file\.\]$/);
    expect(await diff({ path: 'bare.git' })).toEqual({ ok: false, text: 'bare.git is a bare repository without files: name two commits as range "A..B".' });
    expect(await status({ path: 'bare.git' })).toEqual({ ok: false, text: 'bare.git is a bare repository: it has no files that could have changed.' });
  });

  test('a .git that leads to the repository of another folder', async () => {
    history();
    const other = toolContext();
    try {
      for (const make of [
        () => writeFileSync(join(other.root, '.git'), `gitdir: ${join(ctx.root, '.git')}\n`),
        () => symlinkSync(join(ctx.root, '.git'), join(other.root, '.git')),
        () => { gitIn(other.root)('init', '-q'); writeFileSync(join(other.root, '.git', 'commondir'), join(ctx.root, '.git')); },
        () => { gitIn(other.root)('init', '-q'); for (const part of ['refs', 'objects']) { rmSync(join(other.root, '.git', part), { recursive: true }); symlinkSync(join(ctx.root, '.git', part), join(other.root, '.git', part)); } },
      ]) {
        rmSync(join(other.root, '.git'), { recursive: true, force: true });
        make();
        expect((await gitLog().run({ path: '.', limit: 20, skip: 0, full: false }, other)).text).toMatch(/^The project has a \.git that names the repository of another folder \(.+\)\.$/);
      }
    } finally {
      other.dispose();
    }
  });

  test('outside the roots', async () => {
    for (const ask of everywhere) await expect(ask({ path: '/etc' })).rejects.toThrow('outside');
  });
});

test('files that are gone can be asked for', async () => {
  const [first] = history();
  expect((await log({ path: 'a.txt' })).text).toContain(`${first} `);
  mkdirSync(join(ctx.root, 'x'));
  rmSync(join(ctx.root, 'src'), { recursive: true });
  expect((await diff({ path: 'src/b.txt' })).text).toContain('deleted file mode');
});
