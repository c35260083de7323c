// WriteFile: new files, replaced files, and when it must not write.
import { chmodSync, existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFile } from '../../src/tools/read-file.ts';
import { writeFile } from '../../src/tools/write-file.ts';
import type { ToolResult } from '../../src/types/tool.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

let ctx: TestContext;
beforeEach(() => { ctx = toolContext(); });
afterEach(() => ctx.dispose());

const tool = writeFile();
const write = (path: string, content: string): Promise<ToolResult> => tool.run({ path, content }, ctx);
const read = (path: string) => readFile().run({ path, offset: 1, limit: 2_000 }, ctx);
const onDisk = (path: string) => readFileSync(join(ctx.root, path), 'utf8');

test('makes a new file and its folders, and shows it beforehand', async () => {
  const view = { type: 'diff', path: 'a/b/new.txt', patch: '--- a/b/new.txt\n+++ a/b/new.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n' };
  expect(await tool.preview?.({ path: 'a/b/new.txt', content: 'one\ntwo\n' }, ctx)).toEqual(view);
  expect(existsSync(join(ctx.root, 'a'))).toBe(false);
  expect(await write('a/b/new.txt', 'one\ntwo\n')).toEqual({ ok: true, text: 'Wrote the new file a/b/new.txt (2 lines).', view });
  expect(onDisk('a/b/new.txt')).toBe('one\ntwo\n');
});

test('an existing file must have been read', async () => {
  ctx.put('f.txt', 'old\n');
  const refusal = 'f.txt exists and has not been read in this session. Nothing was changed. Read it with ReadFile, then try again.';
  expect(await write('f.txt', 'new\n')).toEqual({ ok: false, text: refusal });
  await expect(tool.preview?.({ path: 'f.txt', content: 'new\n' }, ctx)).rejects.toThrow(refusal);
  expect(onDisk('f.txt')).toBe('old\n');

  await read('f.txt');
  expect(await write('f.txt', 'new\n')).toEqual({
    ok: true, text: 'Wrote f.txt (+1 −1 lines).', view: { type: 'diff', path: 'f.txt', patch: '--- f.txt\n+++ f.txt\n@@ -1,1 +1,1 @@\n-old\n+new\n' },
  });
  // What was written is known.
  expect((await write('f.txt', 'newer\n')).ok).toBe(true);
});

test('a file that changed since is not overwritten; one that was only touched is', async () => {
  const path = ctx.put('f.txt', 'old\n');
  await read('f.txt');
  utimesSync(path, 1, 1);
  expect((await write('f.txt', 'mine\n')).ok).toBe(true);
  const { mtime } = statSync(path);
  writeFileSync(path, 'hers\n');
  utimesSync(path, mtime, mtime);
  expect(await write('f.txt', 'new\n')).toEqual({ ok: false, text: 'f.txt has changed on disk since it was last read. Nothing was changed. Read it again with ReadFile, then try again.' });
  expect(onDisk('f.txt')).toBe('hers\n');
});

test.each<[string, string | Uint8Array, string, string | Uint8Array]>([
  ['CRLF', 'a\r\nb\r\n', 'x\ny\nz\n', 'x\r\ny\r\nz\r\n'],
  ['CRLF that was sent', 'a\r\nb\r\n', 'x\r\ny\r\n', 'x\r\ny\r\n'],
  ['LF, though CRLF was sent', 'a\nb\n', 'x\r\ny\r\n', 'x\ny\n'],
  ['a mix, line by line', 'a\r\nb\nc\r\n', 'a\nB\nc\n', 'a\r\nB\nc\r\n'],
  ['what is sent where the file has no line ending', 'a', 'x\r\ny', 'x\r\ny'],
  ['a byte order mark', '\ufeffa\n', 'b\n', '\ufeffb\n'],
  ['one byte order mark', '\ufeffa\n', '\ufeffb\n', '\ufeffb\n'],
  ['UTF-16', Buffer.from('\ufeffa\r\n', 'utf16le'), 'ü\n', Buffer.from('\ufeffü\r\n', 'utf16le')],
])('keeps %s', async (_, before, content, after) => {
  ctx.put('f.txt', before);
  await read('f.txt');
  expect((await write('f.txt', content)).ok).toBe(true);
  expect(readFileSync(join(ctx.root, 'f.txt'))).toEqual(Buffer.from(after));
});

test('keeps the mode', async () => {
  chmodSync(ctx.put('run.sh', 'a\n'), 0o755);
  await read('run.sh');
  await write('run.sh', 'b\n');
  expect(statSync(join(ctx.root, 'run.sh')).mode & 0o777).toBe(0o755);
});

test('refuses folders and what is not text, and writes nothing when nothing changes', async () => {
  ctx.put('src/a.txt', 'a\n');
  ctx.put('i.png', Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'));
  await read('i.png');
  await read('src/a.txt');
  expect(await write('src', 'x')).toEqual({ ok: false, text: 'src is a folder, so it can\'t be written.' });
  expect(await write('i.png', 'x')).toEqual({ ok: false, text: 'i.png is a binary file, so it can\'t be changed as text.' });
  expect(await write('src/a.txt', 'a\n')).toEqual({ ok: true, text: 'src/a.txt already has exactly this content; nothing was written.' });
  await expect(write('../outside.txt', 'x')).rejects.toThrow('outside');
});
