// Grep: the same answers with ripgrep and with the built-in searcher, which is ended when it takes too long.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findProgram } from '../../src/lib/find-program.ts';
import { grep } from '../../src/tools/grep.ts';
import type { ToolResult } from '../../src/types/tool.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

type Options = { path?: string; glob?: string; type?: string; output?: 'content' | 'files' | 'count'; context?: number; ignore_case?: boolean; multiline?: boolean; limit?: number };

const searchers = { 'ripgrep': grep(), 'built-in': grep({ ripgrep: false }) };
const hasRipgrep = findProgram('rg', process.env) !== undefined;
const defaults = { path: '.', output: 'content', context: 0, ignore_case: false, multiline: false, limit: 100 } as const;

let ctx: TestContext;
const refresh = () => { ctx = toolContext({ hidden: (path) => /\/(\.env|secrets)(\/|$)/.test(path) }); };

describe.each(Object.entries(searchers))('%s', (name, tool) => {
  const search = (pattern: string, options: Options = {}): Promise<ToolResult> => tool.run({ ...defaults, pattern, ...options }, ctx);

  afterAll(() => ctx.dispose());
  beforeAll(() => {
    refresh();
    ctx.put('.gitignore', '*.log\n!keep.log\n/dist/\n');
    ctx.put('src/a.ts', 'import one\nconst x = 1;\nfunction foo() {\n  return x;\n}\n');
    ctx.put('src/b.js', 'FOO\r\nfoo: bar\r\n');
    ctx.put('src/deep/c.tsx', 'last foo');
    ctx.put('.github/ci.yml', 'foo: ci\n');
    ctx.put('dist/out.ts', 'foo\n');
    ctx.put('x.log', 'foo\n');
    ctx.put('keep.log', 'foo\n');
    ctx.put('.env', 'foo=secret\n');
    ctx.put('secrets/key.ts', 'foo\n');
    ctx.put('node_modules/m/i.ts', 'foo\n');
    ctx.put('binary', Buffer.from('foo\n\0\n'));
    ctx.put('utf16.txt', Buffer.from('\ufefffoo ü\n', 'utf16le'));
    ctx.put('mark.txt', '\ufefffoo mark\n');
    ctx.put('nested/.git/info/exclude', 'private.ts\n');
    ctx.put('nested/private.ts', 'boundary\n');
    ctx.put('nested/x.log', 'boundary\n');
    ctx.put('latin.txt', Buffer.from('gr\xfc\xdfe boundary\n', 'latin1'));
    ctx.put('late-binary', `boundary\n${'x'.repeat(300_000)}\0`);
    symlinkSync('/etc/passwd', join(ctx.root, 'linked'));
  });

  test.skipIf(name === 'ripgrep' && !hasRipgrep).each<[string, Options, string[]]>([
    ['foo', {}, ['.github/ci.yml:1:foo: ci', 'keep.log:1:foo', 'mark.txt:1:foo mark', 'src/a.ts:3:function foo() {', 'src/b.js:2:foo: bar', 'src/deep/c.tsx:1:last foo', 'utf16.txt:1:foo ü']],
    ['^foo', { path: 'mark.txt' }, ['mark.txt:1:foo mark']],
    ['foo', { output: 'files', path: 'src' }, ['src/a.ts', 'src/b.js', 'src/deep/c.tsx']],
    ['foo', { output: 'count', ignore_case: true, path: 'src' }, ['src/a.ts:1', 'src/b.js:2', 'src/deep/c.tsx:1']],
    ['bar$', {}, ['src/b.js:2:foo: bar']],
    ['foo', { glob: '*.ts' }, ['src/a.ts:3:function foo() {']],
    ['foo', { glob: '*.{ts,tsx}' }, ['src/a.ts:3:function foo() {', 'src/deep/c.tsx:1:last foo']],
    ['foo', { glob: 'src/*' }, ['src/a.ts:3:function foo() {', 'src/b.js:2:foo: bar']],
    ['foo', { glob: 'deep/**', path: 'src' }, ['src/deep/c.tsx:1:last foo']],
    ['foo', { glob: '!*.{ts,js,log,txt,yml}' }, ['src/deep/c.tsx:1:last foo']],
    ['foo', { type: 'ts' }, ['src/a.ts:3:function foo() {', 'src/deep/c.tsx:1:last foo']],
    ['foo', { type: 'ts', glob: 'src/*' }, ['src/a.ts:3:function foo() {']],
    ['return', { context: 1 }, ['src/a.ts-3-function foo() {', 'src/a.ts:4:  return x;', 'src/a.ts-5-}']],
    ['one|\\}', { path: 'src/a.ts', context: 1 }, ['src/a.ts:1:import one', 'src/a.ts-2-const x = 1;', '--', 'src/a.ts-4-  return x;', 'src/a.ts:5:}']],
    ['foo', { path: 'dist' }, ['dist/out.ts:1:foo']],
    ['foo\\(\\) \\{.*\\}', { multiline: true }, ['src/a.ts:3:function foo() {', 'src/a.ts:4:  return x;', 'src/a.ts:5:}']],
    ['foo\\(\\) \\{\\n', { multiline: true, output: 'count' }, ['src/a.ts:1']],
    ['(?<=function )foo', {}, ['src/a.ts:3:function foo() {']],
    ['foo', { limit: 2 }, ['.github/ci.yml:1:foo: ci', 'keep.log:1:foo', '[The first 2 matching lines; there are more. Narrow the search or raise limit.]']],
    ['foo', { limit: 1, output: 'files', path: 'src' }, ['src/a.ts', '[The first 1 file; there are more. Narrow the search or raise limit.]']],
    ['foo', { limit: 3, path: 'src' }, ['src/a.ts:3:function foo() {', 'src/b.js:2:foo: bar', 'src/deep/c.tsx:1:last foo']],
    // A repository inside has its own rules, and none of those around it; old encodings come as far as they are ASCII.
    ['boundary', {}, ['latin.txt:1:gr\ufffd\ufffde boundary', 'nested/x.log:1:boundary']],
    ['boundary', { output: 'files' }, ['latin.txt', 'nested/x.log']],
    ['boundary', { output: 'count' }, ['latin.txt:1', 'nested/x.log:1']],
    ['nowhere to be found', {}, ['No match for "nowhere to be found".']],
  ])('%s %j', async (pattern, options, lines) => {
    expect(await search(pattern, options)).toEqual({ ok: true, text: lines.join('\n') });
  });

  test.skipIf(name === 'ripgrep' && !hasRipgrep).each<[string, Options, string]>([
    ['foo(', {}, 'The pattern "foo(" can\'t be searched: Unterminated group.'],
    ['a\\nb', {}, 'The pattern asks for a newline, which no single line has. Set multiline to search across lines.'],
    ['foo', { type: 'cobol' }, expect.stringContaining('There is no file type cobol. Known are c, cpp,')],
    ['foo', { path: '.env' }, '.env is not searched: it is a sensitive file.'],
    ['foo', { path: 'binary' }, 'binary is not searched: it is a binary file.'],
    ['foo', { path: 'scr' }, 'There is no scr. Did you mean src?'],
  ])('refuses %s %j', async (pattern, options, text) => {
    expect(await search(pattern, options)).toEqual({ ok: false, text });
  });

  test.skipIf(name === 'ripgrep' && !hasRipgrep)('tells of files while it searches', async () => {
    ctx.progressed.length = 0;
    await search('foo', { path: 'src' });
    expect(ctx.progressed[0]).toMatch(/^src\/\S+\n/);
  });

  test.skipIf(name === 'ripgrep' && !hasRipgrep)('is bounded', async () => {
    ctx.put('long.txt', `${'word '.repeat(100_000)}\n${'word\n'.repeat(100_000)}`);
    const { text } = await search('word', { limit: 10_000 });
    expect(text.length).toBeLessThanOrEqual(50_000);
    expect(text).toContain('[line cut: 500,000 characters]');
    expect(text).toMatch(/\n\[The first [\d,]+ matching lines; there are more\. Narrow the search\.\]$/);
  });
});

describe('a pattern that takes for ever', () => {
  beforeEach(refresh);
  afterEach(() => ctx.dispose());
  const forever = { ...defaults, pattern: '^(?=(a+)+$)b' };

  test('is given up', async () => {
    ctx.put('a.txt', `${'a'.repeat(60)}!\nb\n`);
    expect(await grep({ timeoutMs: 400 }).run(forever, ctx)).toEqual({ ok: false, text: 'The search was given up after 0.4 s. Search a smaller folder, or simplify the pattern.' });
  });

  test('is cancelled with the call', async () => {
    ctx.put('a.txt', `${'a'.repeat(60)}!\nb\n`);
    const controller = new AbortController();
    const running = grep().run(forever, { ...ctx, signal: controller.signal });
    setTimeout(() => controller.abort(), 200);
    await expect(running).rejects.toThrow();
  });
});

describe.skipIf(!hasRipgrep)('on any tree (needs ripgrep on the PATH)', () => {
  const own = toolContext();
  afterAll(() => own.dispose(), 120_000);
  const name = fc.constantFrom('a', 'a.b', 'b.ts', 'c.log', '.d', 'e', 'f.ts');
  const content = fc.array(fc.constantFrom('foo', 'bar', 'fö', 'x', '\n', '\n', '\r\n', ' ', 'a.b', '\0'), { maxLength: 14 }).map((parts) => parts.join(''));
  const tree = fc.array(fc.tuple(fc.array(name, { minLength: 1, maxLength: 3 }), content), { minLength: 1, maxLength: 8 });
  const rules = fc.array(fc.tuple(fc.constantFrom('.gitignore', 'a/.gitignore', 'e/.gitignore', '.git/info/exclude', 'a/.git/info/exclude'), fc.constantFrom('*.log\n', 'a/\n', '/e\n', 'b.ts\n!/b.ts\n', '*\n!*.ts\n!*/\n', 'e/**/a\n', '\\#x\n# e\n')), { maxLength: 2 });
  const ask = fc.record({
    pattern: fc.constantFrom('foo', '^f', 'o$', 'x|bar', '\\w+ \\w', '.', '^$', 'f[oö]', '(?i)FOO', 'a\\.b', 'fo+', '(?:foo|bar)x?', 'x{0,2}bar', 'o\\s*\\n?b'), output: fc.constantFrom('content' as const, 'files' as const, 'count' as const),
    context: fc.nat(2), multiline: fc.boolean(), glob: fc.option(fc.constantFrom('*.ts', 'a/**', '!*.ts', '**/a/*', '*.{ts,log}', '.d'), { nil: undefined }), limit: fc.constantFrom(3, 1_000, 1_000),
  });

  test('both give the same of very much, where ripgrep is asked in two steps', async () => {
    for (let file = 0; file < 60; file++) own.put(`much/${file % 7}/f${file}.txt`, `much ${file} ${'x'.repeat(60)}\n`.repeat(1_500));
    for (const output of ['content', 'files', 'count'] as const) {
      const input = { ...defaults, path: 'much', pattern: 'much \\d', output, limit: output === 'content' ? 400 : 20, context: 1 };
      expect(await searchers['built-in'].run(input, own)).toEqual(await searchers.ripgrep.run(input, own));
    }
  });

  test('both give the same', { timeout: 300_000 }, async () => {
    let number = 0;
    await fc.assert(fc.asyncProperty(fc.array(fc.tuple(tree, rules), { minLength: 5, maxLength: 12 }), ask, async (trees, question) => {
      const path = `t${number++}`;
      const put = (file: string, text: string) => { try { own.put(`${path}/${file}`, text); } catch { /* A file stands where a folder would. */ } };
      for (const [index, [files, ignores]] of trees.entries()) {
        for (const [parts, text] of files) put(`${index}/${parts.join('/')}`, text);
        for (const [file, text] of ignores) put(`${index}/${file}`, text);
      }
      const input = { ...defaults, ...question, path };
      expect(await searchers['built-in'].run(input, own)).toEqual(await searchers.ripgrep.run(input, own));
    }), { numRuns: process.env.MEWCODE_LONG ? 120 : 12 });
  });
});
