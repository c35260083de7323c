// EditFile: what is replaced, what is kept byte for byte, and what is refused with which explanation.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { editFile } from '../../src/tools/edit-file.ts';
import { readFile } from '../../src/tools/read-file.ts';
import type { ToolResult } from '../../src/types/tool.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

let ctx: TestContext;
beforeEach(() => { ctx = toolContext(); });
afterEach(() => ctx.dispose());

const tool = editFile();
const edit = (old_string: string, new_string: string, replace_all = false): Promise<ToolResult> => tool.run({ path: 'f.txt', old_string, new_string, replace_all }, ctx);
const open = async (content: string | Uint8Array) => {
  ctx.put('f.txt', content);
  await readFile().run({ path: 'f.txt', offset: 1, limit: 2_000 }, ctx);
};
const onDisk = () => readFileSync(join(ctx.root, 'f.txt'));

test('replaces the one place, gives the diff, and showed it beforehand', async () => {
  await open('one\ntwo\nthree\n');
  const patch = '--- f.txt\n+++ f.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n';
  expect(await tool.preview?.({ path: 'f.txt', old_string: 'two', new_string: '2', replace_all: false }, ctx)).toEqual({ type: 'diff', path: 'f.txt', patch });
  expect(await edit('two', '2')).toEqual({ ok: true, text: `Edited f.txt (+1 −1 lines).\n${patch.trimEnd()}`, view: { type: 'diff', path: 'f.txt', patch } });
  expect(onDisk().toString()).toBe('one\n2\nthree\n');
});

test.each<[string, string | Uint8Array, [string, string, boolean?], string | Uint8Array]>([
  ['every occurrence', 'a b a b a', ['a', 'x', true], 'x b x b x'],
  ['overlapping occurrences from the left', 'aaaa\n', ['aa', 'b', true], 'bb\n'],
  ['to nothing', 'one\ntwo\n', ['two\n', ''], 'one\n'],
  ['dollar signs literally', 'price\n', ['price', "$& $1 $$ $` $'"], "$& $1 $$ $` $'\n"],
  ['LF in a CRLF file', 'a\r\nb\r\nc\r\n', ['a\nb', 'x\ny\nz'], 'x\r\ny\r\nz\r\nc\r\n'],
  ['CRLF in an LF file', 'a\nb\nc\n', ['a\r\nb', 'x\r\ny'], 'x\ny\nc\n'],
  ['lines of a mixed file, which keep their endings', 'a\r\nb\nc\r\nd\n', ['a\nb\nc', 'a\nB\nc'], 'a\r\nB\nc\r\nd\n'],
  ['with more lines in a mixed file', 'a\r\nb\nc\r\n', ['b\nc', 'b\nnew\nc'], 'a\r\nb\nnew\r\nc\r\n'],
  ['each occurrence with its own endings', 'x\r\ny\r\n-\nx\ny\n', ['x\ny', 'y\nx', true], 'y\r\nx\r\n-\ny\nx\n'],
  ['behind a byte order mark', '\ufeffone\n', ['one', 'two'], '\ufefftwo\n'],
  ['in UTF-16', Buffer.from('\ufeffone\r\ntwo', 'utf16le'), ['one\ntwo', '1\n2'], Buffer.from('\ufeff1\r\n2', 'utf16le')],
  ['without a final newline', 'one\ntwo', ['two', '2'], 'one\n2'],
])('replaces %s', async (_, before, [from, to, all], after) => {
  await open(before);
  expect((await edit(from, to, all)).ok).toBe(true);
  expect(onDisk()).toEqual(Buffer.from(after));
});

test('creates a file that does not exist', async () => {
  expect(await edit('', 'one\n')).toMatchObject({ ok: true, text: 'Created f.txt (1 line).' });
  expect(onDisk().toString()).toBe('one\n');
  expect(await edit('', 'two\n')).toMatchObject({ ok: false, text: expect.stringContaining('f.txt exists') });
  expect(await tool.run({ path: 'g.txt', old_string: 'a', new_string: 'b', replace_all: false }, ctx)).toEqual({ ok: false, text: 'There is no g.txt. Did you mean f.txt? To create it, leave old_string empty.' });
});

test('says in how many places it replaced, and cuts a long diff', async () => {
  await open('word\n'.repeat(3_000));
  const { text } = await edit('word', 'term', true);
  expect(text).toMatch(/^Edited f\.txt in 3,000 places \(\+3000 −3000 lines\)\./);
  expect(text).toMatch(/more characters left out\. Read the file to see the rest\.\]$/);
  expect(text.length).toBeLessThanOrEqual(10_000);
});

test('creates a file and edits it at once', async () => {
  const parsed = tool.parse({ path: 'new.txt', edits: [{ old_string: '', new_string: 'one\ntwo\n' }, { old_string: 'two', new_string: '2' }] });
  expect(parsed.ok && await tool.run(parsed.value, ctx)).toMatchObject({ ok: true, text: 'Created new.txt (2 lines).' });
  expect(readFileSync(join(ctx.root, 'new.txt'), 'utf8')).toBe('one\n2\n');
});

const EDIT = { old_string: 'a', new_string: 'b' };
test.each<[string, object, string]>([
  ['neither', {}, 'The input needs `old_string` and `new_string`, or `edits`.'],
  ['half of one', { old_string: 'a' }, 'The input needs `old_string` and `new_string`, or `edits`.'],
  ['both', { ...EDIT, edits: [EDIT] }, 'The input has both `edits` and a single edit; give either `edits`, or `old_string` and `new_string`.'],
  ['edits and replace_all', { edits: [EDIT], replace_all: true }, 'The input has both `edits` and a single edit; give either `edits`, or `old_string` and `new_string`.'],
  ['no edits', { edits: [] }, '`edits` must have at least 1 item, not [].'],
  ['an edit without its new text', { edits: [{ old_string: 'a' }] }, '`edits[0].new_string` is missing; a string is expected.'],
  ['a misspelt argument', { ...EDIT, replaceAll: true }, 'There is no argument named `replaceAll`.'],
])('arguments with %s are refused', (_, args, problem) => {
  expect(tool.parse({ path: 'f.txt', ...args })).toEqual({ ok: false, problem });
});

describe('refuses', () => {
  test('a file that was not read, or has changed', async () => {
    ctx.put('f.txt', 'one\n');
    expect((await edit('one', 'two')).text).toContain('has not been read');
    await open('one\n');
    ctx.put('f.txt', 'one \n');
    expect((await edit('one', 'two')).text).toContain('has changed on disk');
    expect(onDisk().toString()).toBe('one \n');
  });

  test.each<[string, string, [string, string, boolean?], string]>([
    ['equal strings', 'a\n', ['a', 'a'], 'old_string and new_string are the same, so there is nothing to change.'],
    ['what differs in line endings alone', 'a\nb\n', ['a\nb', 'a\r\nb'], 'old_string and new_string differ only in their line endings, and the file keeps its own, so there is nothing to change.'],
    ['more than one place', 'x\nab\nx ab\n', ['ab', 'c'], 'old_string occurs 2 times in f.txt, in lines 2, 3. Nothing was changed. Add lines around it until it is unique, or set replace_all.'],
    ['overlapping places', 'aaa\n', ['aa', 'b'], 'old_string occurs 2 times in f.txt, in lines 1, 1. Nothing was changed. Add lines around it until it is unique, or set replace_all.'],
    ['other case', 'Hello World\n', ['hello world', 'y'],
      'old_string was not found in f.txt. Nothing was changed. It would match but for upper and lower case. Line 1: old_string has "hello world".\n     1\tHello World'],
    ['line numbers', 'one\ntwo\n', ['     1\tone\n     2\ttwo', 'y'], 'old_string was not found in f.txt. Nothing was changed. It has the line numbers that ReadFile prints; leave them and the tab behind them out.'],
    ['a slip', 'function add(a, b) {\n  return a + b;\n}\n', ['function add(a, b) {\n  return a - b;\n}', 'y'],
      'old_string is not in f.txt exactly. Line 1 resembles it (block anchors), but the edit would change "return a + b;", where old_string has "return a - b;". Nothing was changed. The closest lines are these. Line 2: old_string has "  return a - b;".\n     1\tfunction add(a, b) {\n     2\t  return a + b;\n     3\t}'],
    ['what is not there at all', 'one\ntwo\n', ['completely different', 'y'], 'old_string was not found in f.txt. Nothing was changed. Nothing in the file resembles it. Read the file again.'],
    ['white space', 'one\n', [' \n ', 'y'], 'old_string was not found in f.txt. Nothing was changed. old_string has nothing but white space, which stands differently in the file.'],
    ['with replace_all what is not there', 'one\n', ['two', 'y', true], 'old_string was not found in f.txt. Nothing was changed. Nothing in the file resembles it. Read the file again.'],
  ])('%s', async (_, content, [from, to, all], text) => {
    await open(content);
    expect(await edit(from, to, all)).toEqual({ ok: false, text });
    expect(onDisk().toString()).toBe(content);
  });

  test('quickly, however large both are', async () => {
    await open(`${'const value = compute(first, second);\n'.repeat(20_000)}`);
    expect((await edit(`${'const value = compute(first, second );\n'.repeat(500)}end`, 'y')).ok).toBe(false);
  });
});

describe('an edit and its inverse', () => {
  const own = toolContext();
  afterAll(() => own.dispose());
  const unit = fc.oneof(fc.constantFrom('a', 'b', ' ', '\t', 'ü', '👋', '$&', '"'), fc.string({ unit: 'binary', maxLength: 2 }).map((text) => text.replace(/[\r\n\0\ufeff]/g, '_')));
  const line = fc.array(unit, { maxLength: 4 }).map((units) => units.join(''));
  const ending = fc.constantFrom('\n', '\r\n');

  /** A file, where in its lines the edit begins and ends, and lines to put there. */
  const cases = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 8 }), endings: fc.array(ending, { minLength: 8, maxLength: 8 }), uniform: fc.option(fc.constantFrom('\n', '\r\n', '\r')),
    bom: fc.boolean(), final: fc.boolean(), from: fc.nat(7), length: fc.nat(4), replacement: fc.array(line, { minLength: 1, maxLength: 4 }),
  });

  test('give the bytes back', async () => {
    await fc.assert(fc.asyncProperty(cases, async ({ lines, endings, uniform, bom, final, from, length, replacement }) => {
      const text = lines.map((content, index) => content + (index < lines.length - 1 || final ? (uniform ?? endings[index] ?? '\n') : '')).join('');
      const bytes = Buffer.from((bom ? '\ufeff' : '') + text);
      const start = from % lines.length;
      const old = lines.slice(start, start + length + 1);
      // In a file of mixed endings lines that are taken away take theirs along: there the number of lines stays.
      const next = uniform === null ? old.map((_, index) => replacement[index % replacement.length] ?? '') : replacement;
      const [a, b] = [old.join('\n'), next.join('\n')];
      const path = own.put('f.txt', bytes);
      await readFile().run({ path: 'f.txt', offset: 1, limit: 1 }, own);
      fc.pre(a !== '' && b !== '' && a !== b);
      const there = await tool.run({ path, old_string: a, new_string: b, replace_all: false }, own);
      if (!there.ok) { expect(readFileSync(path)).toEqual(bytes); return; }
      // A file without any line ending does not say which it had.
      fc.pre(uniform === null || uniform === '\n' || /[\r\n]/.test(readFileSync(path, 'latin1')));
      const back = await tool.run({ path, old_string: b, new_string: a, replace_all: false }, own);
      // The new text may have more than one place now; then nothing may have happened.
      if (back.ok) expect(readFileSync(path)).toEqual(bytes);
      else expect(back.text).toContain('occurs');
    }), { numRuns: process.env.MEWCODE_LONG ? 5_000 : 300 });
  }, 300_000);
});
