// Glob: which files are found, in which order, and what is never shown.
import { symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { glob } from '../../src/tools/glob.ts';
import type { ToolResult } from '../../src/types/tool.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

let ctx: TestContext;
beforeEach(() => {
  ctx = toolContext({ hidden: (path) => /\/(\.env|secrets)(\/|$)/.test(path) });
  // The later in this list, the older.
  const files = ['src/a.ts', 'src/deep/b.ts', 'src/deep/c.js', '.hidden/d.ts', 'dist/e.ts', 'x.log', 'keep.log', 'src/x.log', 'src/deep/own.tmp', '.env', 'secrets/f.ts', 'node_modules/g/h.ts', '.git/config', 'README.md', 'we[i]rd.ts'];
  for (const [age, path] of files.entries()) utimesSync(ctx.put(path, ''), 1_000_000 - age, 1_000_000 - age);
  for (const [path, text] of [['.gitignore', '*.log\n!keep.log\n/dist/\n'], ['src/deep/.gitignore', '*.tmp\n']] as const) utimesSync(ctx.put(path, text), 1, 1);
});
afterEach(() => ctx.dispose());

const tool = glob();
const find = (pattern: string, path = '.', limit = 200): Promise<ToolResult> => tool.run({ pattern, path, limit }, ctx);

test.each<[string, string, string[]]>([
  ['**/*.ts', '.', ['src/a.ts', 'src/deep/b.ts', '.hidden/d.ts', 'we[i]rd.ts']],
  ['*.ts', 'src', ['src/a.ts']],
  ['src/{a,deep/b}.ts', '.', ['src/a.ts', 'src/deep/b.ts']],
  ['**/*.log', '.', ['keep.log']],
  ['**', 'src/deep', ['src/deep/b.ts', 'src/deep/c.js', 'src/deep/.gitignore']],
  ['README.md', '.', ['README.md']],
  ['./src/a.ts', '.', ['src/a.ts']],
  ['we\\[i\\]rd.ts', '.', ['we[i]rd.ts']],
  // Named itself, an ignored folder is searched.
  ['**', 'dist', ['dist/e.ts']],
  ['**/*.ts', 'node_modules', ['node_modules/g/h.ts']],
  ['**/.gitignore', '.', ['.gitignore', 'src/deep/.gitignore']],
])('%s in %s', async (pattern, path, files) => {
  expect(await find(pattern, path)).toEqual({ ok: true, text: files.join('\n') });
});

test.each(['.env', 'secrets/f.ts', 'secrets/*', '.git/config', 'x.log', 'dist/e.ts', '{.env,x.log}', 'node_modules/**'])('does not find %s', async (pattern) => {
  expect(await find(pattern)).toEqual({ ok: true, text: `No file matches ${pattern}.` });
});

test.each(['../*', '/etc/*', 'src/../../*', '{..,src}/*', '~/*'])('refuses to leave the folder by %s', async (pattern) => {
  expect(await find(pattern)).toEqual({ ok: false, text: `The pattern ${pattern} leads out of the folder. Patterns count from path: give the folder there.` });
});

test('takes absolute patterns within the folder, and tells of files while it searches', async () => {
  expect(await find(join(ctx.root, 'src/*.ts'))).toEqual({ ok: true, text: 'src/a.ts' });
  expect(await find(join(ctx.root, 'src/deep/**'), 'src')).toEqual({ ok: true, text: 'src/deep/b.ts\nsrc/deep/c.js\nsrc/deep/.gitignore' });
  expect((await find(join(ctx.root, 'src/*.ts'), 'dist')).ok).toBe(false);
  expect(ctx.progressed[0]).toBe('src/a.ts\n');
});

test('goes by what git ignores: .git/info/exclude counts, a repository inside has its own rules', async () => {
  ctx.put('.git/info/exclude', '*.private\n');
  ctx.put('own.private', '');
  ctx.put('nested/.git/HEAD', '');
  ctx.put('nested/n.log', '');
  ctx.put('nested/n.private', '');
  expect((await find('**/*.{log,private}')).text.split('\n').toSorted()).toEqual(['keep.log', 'nested/n.log', 'nested/n.private']);
  expect((await find('*', 'nested')).text.split('\n').toSorted()).toEqual(['nested/n.log', 'nested/n.private']);
});

test('finds links to files of the project, follows no link out of it', async () => {
  symlinkSync(join(ctx.root, 'README.md'), join(ctx.root, 'link.md'));
  symlinkSync(join(ctx.root, '.env'), join(ctx.root, 'secret.md'));
  symlinkSync('/etc', join(ctx.root, 'etc'));
  symlinkSync('/etc/passwd', join(ctx.root, 'passwd.md'));
  symlinkSync(tmpdir(), join(ctx.root, 'loop'));
  expect((await find('**/*.md')).text.split('\n').sort()).toEqual(['README.md', 'link.md']);
  for (const pattern of ['etc/passwd', 'etc/*', 'passwd.md', 'secret.md', 'loop/**']) expect((await find(pattern)).text).toBe(`No file matches ${pattern}.`);
  await expect(find('*', 'etc')).rejects.toThrow('outside');
});

test('says when the limit cut it, and what is wrong with the folder', async () => {
  expect(await find('**/*.ts', '.', 2)).toEqual({ ok: true, text: 'src/a.ts\nsrc/deep/b.ts\n[The newest 2 of 4 files. Narrow the pattern or raise limit.]' });
  expect(await find('*', 'README.md')).toEqual({ ok: false, text: 'README.md is not a folder.' });
  expect(await find('*', 'scr')).toEqual({ ok: false, text: 'There is no scr. Did you mean src?' });
});

test('names folder and pattern', () => {
  expect([tool.title({ pattern: '*.ts', path: '.', limit: 1 }), tool.title({ pattern: '*.ts', path: 'src', limit: 1 })]).toEqual(['*.ts', '*.ts in src']);
  expect(tool.access({ pattern: '*.ts', path: 'src', limit: 1 }, '/p')).toEqual([{ kind: 'read', target: '/p/src' }]);
});
