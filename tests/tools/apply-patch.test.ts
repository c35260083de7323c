// ApplyPatch: patches of every form, all or nothing, and where hunks may go.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyPatch } from '../../src/tools/apply-patch.ts';
import type { ToolResult } from '../../src/types/tool.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

vi.setConfig({ testTimeout: 300_000 });
let ctx: TestContext;
beforeEach(() => { ctx = toolContext(); });
afterEach(() => ctx.dispose());

const tool = applyPatch();
const apply = async (patch: string): Promise<ToolResult> => {
  const parsed = tool.parse({ patch });
  return parsed.ok ? tool.run(parsed.value, ctx) : { ok: false, text: parsed.problem };
};
const onDisk = (path: string) => readFileSync(join(ctx.root, path), 'latin1');
const all = () => Object.fromEntries(readdirSync(ctx.root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ parentPath, name }) => [join(parentPath, name).slice(ctx.root.length + 1), readFileSync(join(parentPath, name), 'latin1')]));
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}\n`).join('');

test('several files: changed, created, deleted, moved, made executable', async () => {
  ctx.put('src/a.txt', 'one\ntwo\nthree\n');
  ctx.put('old.txt', 'gone\n');
  ctx.put('from.txt', 'a\nb\n');
  ctx.put('run.sh', 'echo\n');
  const patch = `diff --git a/src/a.txt b/src/a.txt
index 1..2 100644
--- a/src/a.txt
+++ b/src/a.txt
@@ -1,3 +1,3 @@
 one
-two
+2
 three
diff --git a/new/b.txt b/new/b.txt
new file mode 100755
--- /dev/null
+++ b/new/b.txt
@@ -0,0 +1,2 @@
+x
+y
diff --git a/old.txt b/old.txt
deleted file mode 100644
--- a/old.txt
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/from.txt b/deep/to.txt
similarity index 50%
rename from from.txt
rename to deep/to.txt
--- a/from.txt
+++ b/deep/to.txt
@@ -1,2 +1,2 @@
 a
-b
+B
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
`;
  expect(tool.access({ patch }, ctx.root)).toEqual(['src/a.txt', 'new/b.txt', 'old.txt', 'from.txt', 'deep/to.txt', 'run.sh'].map((path) => ({ kind: 'write', target: join(ctx.root, path) })));
  expect(tool.title({ patch })).toBe('src/a.txt, new/b.txt and 3 more files');
  const before = all();
  const view = await tool.preview?.({ patch }, ctx);
  expect(all()).toEqual(before);
  expect(await apply(patch)).toEqual({
    ok: true,
    text: 'Patched 5 files (+4 −3 lines):\nsrc/a.txt +1 −1\nnew/b.txt (new) +2 −0\nold.txt (deleted) +0 −1\nfrom.txt → deep/to.txt +1 −1\nrun.sh +0 −0',
    view,
  });
  expect(all()).toEqual({ 'src/a.txt': 'one\n2\nthree\n', 'new/b.txt': 'x\ny\n', 'deep/to.txt': 'a\nB\n', 'run.sh': 'echo\n' });
  expect(['new/b.txt', 'run.sh', 'deep/to.txt'].map((path) => (statSync(join(ctx.root, path)).mode & 0o111) !== 0)).toEqual([true, true, false]);
  expect(view).toMatchObject({ type: 'diff', path: '5 files', patch: expect.stringContaining('--- src/a.txt\n+++ src/a.txt\n@@ -1,3 +1,3 @@') });
  expect(view).toMatchObject({ patch: expect.stringContaining('--- old.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-gone\n--- from.txt\n+++ deep/to.txt\n') });
});

const TEN = lines(1, 10);
const HEAD = '--- a/f.txt\n+++ b/f.txt\n';

test.each<[string, string | Buffer, string, string | Buffer, string?]>([
  ['no prefixes', 'a\nb\n', '--- f.txt\n+++ f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n', 'a\nc\n'],
  ['times behind the names', 'a\nb\n', '--- f.txt\t2024-01-01 10:00:00\n+++ f.txt\t2024-01-02\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n', 'a\nc\n'],
  ['a fence and words around it', 'a\nb\n', `Here it is:\n\`\`\`diff\n${HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+c\n\`\`\`\n`, 'a\nc\n'],
  ['mnemonic prefixes', 'a\n', '--- i/f.txt\n+++ w/f.txt\n@@ -1 +1 @@\n-a\n+b\n', 'b\n'],
  ['quoted names', 'a\n', '--- "a/f.txt"\n+++ "b/\\146.txt"\n@@ -1 +1 @@\n-a\n+b\n', 'b\n'],
  ['no line numbers', TEN, `${HEAD}@@ @@\n line 4\n-line 5\n+five\n line 6\n`, TEN.replace('line 5', 'five')],
  ['a bare @@', TEN, `${HEAD}@@\n line 4\n-line 5\n+five\n line 6\n`, TEN.replace('line 5', 'five')],
  ['wrong counts', TEN, `${HEAD}@@ -4,9 +4,7 @@\n line 4\n-line 5\n+five\n+more\n line 6\n`, TEN.replace('line 5', 'five\nmore')],
  ['counts that are too small', TEN, `${HEAD}@@ -4,1 +4,1 @@\n line 4\n-line 5\n+five\n line 6\n@@ -8,1 +8,1 @@\n line 8\n-line 9\n+nine\n line 10\n`, TEN.replace('line 5', 'five').replace('line 9', 'nine')],
  ['wrong line numbers', TEN, `${HEAD}@@ -1,3 +1,3 @@\n line 6\n-line 7\n+seven\n line 8\n`, TEN.replace('line 7', 'seven'), 'fitted in line 6 instead of 1'],
  ['line numbers that count what came before', `${lines(1, 3)}x\nsame\ny\n${lines(1, 3)}x\nsame\ny\n`, `${HEAD}@@ -1,2 +1,3 @@\n line 1\n+new\n line 2\n@@ -10,3 +11,3 @@\n x\n-same\n+other\n y\n`, `line 1\nnew\nline 2\nline 3\nx\nsame\ny\n${lines(1, 3)}x\nother\ny\n`],
  ['several hunks', TEN, `${HEAD}@@ -1,3 +1,2 @@\n line 1\n-line 2\n line 3\n@@ -8,3 +7,4 @@\n line 8\n+new\n line 9\n line 10\n`, TEN.replace('line 2\n', '').replace('line 8\n', 'line 8\nnew\n')],
  ['hunks out of order', TEN, `${HEAD}@@ -8,3 +7,4 @@\n line 8\n+new\n line 9\n line 10\n@@ -1,3 +1,2 @@\n line 1\n-line 2\n line 3\n`, TEN.replace('line 2\n', '').replace('line 8\n', 'line 8\nnew\n')],
  ['fuzz 1', TEN, `${HEAD}@@ -2,7 +2,7 @@\n other\n line 3\n line 4\n-line 5\n+five\n line 6\n line 7\n line 8\n`, TEN.replace('line 5', 'five'), 'fitted without 1 of its outermost context lines'],
  ['fuzz 2', TEN, `${HEAD}@@ -2,7 +2,7 @@\n other\n wrong\n line 4\n-line 5\n+five\n line 6\n line 7\n line 8\n`, TEN.replace('line 5', 'five'), 'fitted without 2'],
  ['empty context lines without their blank', 'a\n\nb\n', `${HEAD}@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n`, 'a\n\nc\n'],
  ['context with other blanks at the end', 'a  \n\t\nb\n', `${HEAD}@@ -1,3 +1,3 @@\n a\n \n-b\n+c\n`, 'a  \n\t\nc\n'],
  ['an empty line at the very end', 'a\nb\n', `${HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+c\n\n`, 'a\nc\n'],
  ['the signature of a mail', 'a\nb\n', `${HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+c\n-- \n2.39.0\n`, 'a\nc\n'],
  ['removed lines that look like a header', 'a\n-- x\n++ y\nb\n', `${HEAD}@@ -1,4 +1,4 @@\n a\n--- x\n-++ y\n+-- z\n+++ w\n b\n`, 'a\n-- z\n++ w\nb\n'],
  ['CRLF in the file', 'a\r\nb\r\nc\r\n', `${HEAD}@@ -1,3 +1,4 @@\n a\n-b\n+x\n+y\n c\n`, 'a\r\nx\r\ny\r\nc\r\n'],
  ['CRLF in the file and the lines', 'a\r\nb\r\nc\r\n', `${HEAD}@@ -1,3 +1,3 @@\n a\r\n-b\r\n+x\r\n c\r\n`, 'a\r\nx\r\nc\r\n'],
  ['CRLF in the whole patch', 'a\nb\nc\n', `${HEAD}@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n`.replaceAll('\n', '\r\n'), 'a\nx\nc\n'],
  ['mixed line endings', 'a\r\nb\nc\r\n', `${HEAD}@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n`, 'a\r\nx\nc\r\n'],
  ['no newline at the end, kept', 'a\nb', `${HEAD}@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n`, 'a\nc'],
  ['no newline at the end, added', 'a\nb', `${HEAD}@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n`, 'a\nc\n'],
  ['no newline at the end, taken away', 'a\nb\n', `${HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+c\n\\ No newline at end of file\n`, 'a\nc'],
  ['no newline at the end, not said', 'a\nb', `${HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+c\n`, 'a\nc'],
  ['lines behind a last one without newline', 'a\nb', `${HEAD}@@ -1,2 +1,3 @@\n a\n b\n+c\n`, 'a\nb\nc'],
  ['a byte order mark', '\ufeffa\nb\n', `${HEAD}@@ -1,2 +1,2 @@\n a\n-b\n+c\n`, '\ufeffa\nc\n'],
  ['Shift-JIS', iconv.encode('これは日本語です。\nエラー\n', 'shift_jis'), `${HEAD}@@ -1,2 +1,2 @@\n これは日本語です。\n-エラー\n+警告\n`, iconv.encode('これは日本語です。\n警告\n', 'shift_jis')],
  ['an empty file', '', `${HEAD}@@ -0,0 +1,2 @@\n+a\n+b\n`, 'a\nb\n'],
  ['all lines away', 'a\nb\n', `${HEAD}@@ -1,2 +0,0 @@\n-a\n-b\n`, ''],
  ['the same file twice', TEN, `${HEAD}@@ -1,2 +1,2 @@\n-line 1\n+one\n line 2\n${HEAD}@@ -1,2 +1,2 @@\n one\n-line 2\n+two\n`, TEN.replace('line 1\nline 2', 'one\ntwo')],
  ['dollar signs', 'a\n', `${HEAD}@@ -1 +1 @@\n-a\n+$& $1 $\`\n`, '$& $1 $`\n'],
  ['the form between marks', TEN, '*** Begin Patch\n*** Update File: f.txt\n@@ line 4\n-line 5\n+five\n line 6\n@@\n line 9\n-line 10\n+ten\n*** End of File\n*** End Patch\n', TEN.replace('line 5', 'five').replace('line 10', 'ten')],
  ['that form, a line behind another', 'class A:\n  x\n  y\nclass B:\n  x\n  y\n', '*** Begin Patch\n*** Update File: f.txt\n@@ class B:\n   x\n-  y\n+  z\n*** End Patch', 'class A:\n  x\n  y\nclass B:\n  x\n  z\n'],
])('takes %s', async (_, before, patch, after, note) => {
  ctx.put('f.txt', before);
  const result = await apply(patch);
  expect(result).toMatchObject({ ok: true });
  expect(readFileSync(join(ctx.root, 'f.txt'))).toEqual(Buffer.from(after));
  if (note === undefined) expect(result.text).not.toContain('Note:');
  else expect(result.text).toContain(note);
});

test('the form between marks creates, moves and deletes', async () => {
  ctx.put('gone.txt', 'x\n');
  ctx.put('from.txt', 'a\nb\n');
  const patch = '*** Begin Patch\n*** Add File: new.txt\n+one\n+\n+two\n*** Delete File: gone.txt\n*** Update File: from.txt\n*** Move to: to.txt\n@@\n a\n-b\n+c\n*** End Patch';
  expect(await apply(patch)).toEqual({ ok: false, text: 'The patch was not applied; no file was changed.\ngone.txt exists and has not been read in this session. Nothing was changed. Read it with ReadFile, then try again.' });
  ctx.files.seen.set(join(ctx.root, 'gone.txt'), { mtimeMs: 0, hash: '73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac' });
  expect((await apply(patch)).ok).toBe(true);
  expect(all()).toEqual({ 'new.txt': 'one\n\ntwo\n', 'to.txt': 'a\nc\n' });
});

const TWICE = 'start\nsame\nend\nother\nstart\nsame\nend\n';

test.each<[string, string, string]>([
  ['nothing like a patch', 'hello', '`patch` has no file header (--- a/path and +++ b/path).'],
  ['a hunk without a file', '@@ -1 +1 @@\n-a\n+b\n', '`patch` has a hunk (line 1) before any file header (--- a/path and +++ b/path).'],
  ['a file without hunks', '--- a/f.txt\n+++ b/f.txt\n', '`patch` says nothing of what to change in f.txt.'],
  ['lines without a sign', `${HEAD}@@ -1,2 +1,2 @@\n a\nb\n+c\n`, 'has a line in the hunk @@ -1,2 +1,2 @@ that begins with none of blank, - and + (line 5): "b".'],
  ['a hunk that changes nothing', `${HEAD}@@ -1,2 +1,2 @@\n line 1\n line 2\n`, 'has a hunk that changes nothing (@@ -1,2 +1,2 @@).'],
  ['binary files', 'diff --git a/i.png b/i.png\nindex 1..2 100644\nBinary files a/i.png and b/i.png differ\n', 'changes a binary file (line 3), which can\'t be done'],
  ['git\'s binary form', 'diff --git a/i.png b/i.png\nindex 1..2 100644\nGIT binary patch\nliteral 1\n', 'changes a binary file'],
  ['a link', 'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n', 'makes something that is not a regular file (mode 120000)'],
  ['a copy', 'diff --git a/f.txt b/g.txt\nsimilarity index 100%\ncopy from f.txt\ncopy to g.txt\n', 'copies f.txt; make the copy as a new file instead'],
  ['a missing file', '--- a/g.txt\n+++ b/g.txt\n@@ -1 +1 @@\n-a\n+b\n', 'There is no g.txt. Did you mean f.txt?'],
  ['a new file that exists', '--- /dev/null\n+++ b/f.txt\n@@ -0,0 +1 @@\n+a\n', 'f.txt: the patch creates it, but it exists.'],
  ['a move onto a file', 'diff --git a/f.txt b/twice.txt\nrename from f.txt\nrename to twice.txt\n', 'twice.txt exists, so f.txt can\'t be moved there.'],
  ['deleting more than is shown', '--- a/f.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-line 1\n-line 2\n', 'f.txt: the patch deletes it, but it holds more than the patch shows.'],
  ['a removed line that is other', `${HEAD}@@ -4,3 +4,3 @@\n line 4\n-line five\n+5\n line 6\n`, 'f.txt, hunk 1 of 1 (@@ -4,3 +4,3 @@): it does not fit. The closest lines are these. Line 5: the patch has "line five".\n     4\tline 4\n     5\tline 5\n     6\tline 6'],
  ['fuzz 3', `${HEAD}@@ -2,7 +2,7 @@\n other\n wrong\n bad\n-line 5\n+five\n line 6\n line 7\n line 8\n`, 'it does not fit'],
  ['two places', '--- a/twice.txt\n+++ b/twice.txt\n@@ -2,3 +2,3 @@\n start\n-same\n+new\n end\n', 'hunk 1 of 1 (@@ -2,3 +2,3 @@): its lines stand in 2 places (lines 1, 5), and none is certainly the one that it names; give more lines of context'],
  ['two places after a wrong number', '--- a/twice.txt\n+++ b/twice.txt\n@@ -9,1 +9,1 @@\n-other\n+else\n@@ -1,3 +1,3 @@\n start\n-same\n+new\n end\n', 'hunk 2 of 2 (@@ -1,3 +1,3 @@): its lines stand in 2 places (lines 1, 5)'],
  ['two places without numbers', '--- a/twice.txt\n+++ b/twice.txt\n@@ @@\n start\n-same\n+new\n end\n', 'its lines stand in 2 places'],
  ['an insertion without context', `${HEAD}@@ -3,0 +4,1 @@\n+new\n`, 'it has no line of the file by which its place could be told; give lines of context'],
  ['other indentation', '--- a/i.py\n+++ b/i.py\n@@ -1,3 +1,3 @@\n if x:\n-  a()\n+  b()\n   c()\n', 'It matches if tabs stand for 2 spaces.'],
  ['a folder', '--- a/dir\n+++ b/dir\n@@ -1 +1 @@\n-a\n+b\n', 'dir is a folder, so it can\'t be written.'],
  ['what is there already', `${HEAD}@@ -1,2 +1,2 @@\n-line 1\n+line 1\n line 2\n`, 'The files are already as the patch would make them; nothing was changed.'],
  ['a name twice in the form between marks', '*** Begin Patch\n*** Update File: twice.txt\n@@ start\n-same\n+new\n*** End Patch', 'the line "start" that it names stands in the file 2 times'],
  ['nonsense in the form between marks', '*** Begin Patch\nhello\n*** End Patch', 'has a line where "*** Add File:", "*** Delete File:" or "*** Update File:" should stand: "hello".'],
  ['what an encoding can\'t hold', '--- a/sjis.txt\n+++ b/sjis.txt\n@@ -1 +1 @@\n-これは日本語です。\n+😀\n', 'sjis.txt is in shift_jis, which can\'t hold "😀". Nothing was changed.'],
])('refuses %s, and changes nothing', async (_, patch, sentence) => {
  ctx.put('f.txt', TEN);
  ctx.put('twice.txt', TWICE);
  ctx.put('dir/x', '');
  ctx.put('i.py', 'if x:\n\ta()\n\tc()\n');
  ctx.put('sjis.txt', iconv.encode('これは日本語です。\n', 'shift_jis'));
  const before = all();
  const result = await apply(patch);
  expect(result.ok).toBe(false);
  expect(result.text).toContain(sentence);
  expect(all()).toEqual(before);
  // Together with a hunk that fits it is none the better.
  if (tool.parse({ patch }).ok && !patch.startsWith('***')) {
    ctx.put('good.txt', 'a\n');
    expect((await apply(`--- a/good.txt\n+++ b/good.txt\n@@ -1 +1 @@\n-a\n+b\n${patch}`)).text).toMatch(/^The patch was not applied; no file was changed\.|^Patched 1 file/);
    if (!sentence.startsWith('The files are already')) expect(onDisk('good.txt')).toBe('a\n');
  }
});

test('shows nothing of a file with secrets that was not read', async () => {
  const own = toolContext({ hidden: (path) => path.endsWith('.env') });
  own.put('.env', 'KEY=secret\n');
  const { ok, text } = await tool.run({ patch: '--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-KEY=public\n+KEY=x\n' }, own);
  expect({ ok, text }).toEqual({ ok: false, text: 'The patch was not applied; no file was changed.\n.env exists and has not been read in this session. Nothing was changed. Read it with ReadFile, then try again.' });
  own.dispose();
});

test('says of every hunk that fails where and why', async () => {
  ctx.put('f.txt', TEN);
  const { text } = await apply(`${HEAD}@@ -1,2 +1,2 @@\n line 1\n-wrong\n+x\n@@ -5,2 +5,2 @@\n-line 5\n+five\n line 6\n@@ -9,2 +9,2 @@\n line 9\n-bad\n+y\n--- a/none\n+++ b/none\n@@ -1 +1 @@\n-a\n+b\n`);
  expect(text.match(/^(?:f\.txt, hunk \d of 3|There is no none)/gm)).toEqual(['f.txt, hunk 1 of 3', 'f.txt, hunk 3 of 3', 'There is no none']);
});

test('a write that fails takes back those before it', async () => {
  for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt']) ctx.put(name, 'old\n');
  chmodSync(join(ctx.root, 'b.txt'), 0o750);
  const patch = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n--- /dev/null\n+++ b/fresh.txt\n@@ -0,0 +1 @@\n+x\ndiff --git a/c.txt b/moved.txt\nrename from c.txt\nrename to moved.txt\n--- a/d.txt\n+++ b/d.txt\n@@ -1 +1 @@\n-old\n+new\n';
  const { write } = ctx.files;
  const before = all();
  let failing = true;
  const files = { ...ctx.files, write: (path: string, bytes: Uint8Array, options?: { mode?: number }) => (failing && path === 'd.txt' ? (failing = false, Promise.reject(new Error('the disk is full'))) : write(path, bytes, options)) };
  await expect(tool.run({ patch }, { ...ctx, files })).rejects.toThrow('the disk is full');
  expect(all()).toEqual(before);
  expect(statSync(join(ctx.root, 'b.txt')).mode & 0o777).toBe(0o750);
  expect(existsSync(join(ctx.root, 'moved.txt'))).toBe(false);
});

test('a file that changes between the look and the write stops everything', async () => {
  ctx.put('a.txt', 'old\n');
  ctx.put('b.txt', 'old\n');
  const patch = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-old\n+new\n';
  let looks = 0;
  const files = { ...ctx.files, stat: (path: string) => { if ((looks += 1) === 3) ctx.put('b.txt', 'hers, just now\n'); return ctx.files.stat(path); } };
  await expect(tool.run({ patch }, { ...ctx, files })).rejects.toThrow('b.txt has changed on disk since it was last read.');
  expect([onDisk('a.txt'), onDisk('b.txt')]).toEqual(['old\n', 'hers, just now\n']);
});

describe('random patches', () => {
  const text = fc.tuple(fc.array(fc.constantFrom('a', 'b', 'c', '', '- x', '+ y', '@@ -1 +1 @@', '--- a/z', '+++ b/z', '\\ No', ' d', '\tü'), { maxLength: 14 }), fc.boolean()).map(([rows, final]) => rows.join('\n') + (final && rows.length > 0 ? '\n' : ''));
  const numRuns = process.env.MEWCODE_LONG ? 3_000 : 200;

  test('made by diff give the new text, and turned round the old one', async () => {
    await fc.assert(fc.asyncProperty(text, text, fc.constantFrom('\n', '\r\n'), async (before, after, ending) => {
      fc.pre(before !== after);
      const bytes = (content: string) => Buffer.from(content.replaceAll('\n', ending));
      const path = ctx.put('f.txt', bytes(before));
      const there = await apply(createTwoFilesPatch('a/f.txt', 'b/f.txt', before, after, undefined, undefined, { context: 3 }));
      expect(there).toMatchObject({ ok: true });
      // A file without a line ending does not say which it had.
      if (before.includes('\n') || ending === '\n') expect(readFileSync(path)).toEqual(bytes(after));
      ctx.put('f.txt', bytes(after));
      expect(await apply(createTwoFilesPatch('a/f.txt', 'b/f.txt', after, before, undefined, undefined, { context: 3 }))).toMatchObject({ ok: true });
      if (after.includes('\n') || ending === '\n') expect(readFileSync(path)).toEqual(bytes(before));
    }), { numRuns });
  });

  test('with wrong numbers go to the right place or nowhere', async () => {
    const rows = fc.array(fc.constantFrom<string>('a', 'b', 'c', 'd', 'e'), { minLength: 6, maxLength: 20 });
    await fc.assert(fc.asyncProperty(rows, fc.nat(19), fc.integer({ min: 1, max: 30 }), async (content, at, line) => {
      const index = at % content.length;
      const after = content.with(index, 'NEW');
      ctx.put('f.txt', `${content.join('\n')}\n`);
      const patch = createTwoFilesPatch('a/f.txt', 'b/f.txt', `${content.join('\n')}\n`, `${after.join('\n')}\n`, undefined, undefined, { context: 3 }).replace(/^@@ -\d+/m, `@@ -${line}`);
      const result = await apply(patch);
      const hunk = patch.split('\n').filter((row) => /^[ -](?!--)/.test(row)).map((row) => row.slice(1));
      const fits = content.flatMap((_, start) => (hunk.every((row, offset) => content[start + offset] === row) ? [start] : []));
      if (fits.length > 1 && !fits.includes(line - 1)) expect(result.ok).toBe(false);
      else expect(onDisk('f.txt').split('\n').filter((row) => row === 'NEW')).toHaveLength(1);
      if (fits.length === 1) expect(onDisk('f.txt')).toBe(`${after.join('\n')}\n`);
    }), { numRuns });
  });

  test('made by git, renames and modes with them, give the same tree', async () => {
    const git = (...args: string[]) => spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: join(ctx.root, 'repo'), encoding: 'utf8', env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' } });
    const tree = () => Object.fromEntries(Object.entries(all()).filter(([path]) => path.startsWith('repo/') && !path.startsWith('repo/.git/')).map(([path, bytes]) => [path, [bytes, statSync(join(ctx.root, path)).mode & 0o111]]));
    ctx.put('repo/keep.txt', TEN);
    ctx.put('repo/naïve name.txt', `${lines(1, 30)}end`);
    ctx.put('repo/gone.txt', 'x\n\ny');
    ctx.put('repo/crlf.txt', 'a\r\nb\r\nc\r\n');
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'one');
    const before = tree();
    ctx.put('repo/keep.txt', TEN.replace('line 3\n', 'three\nand more\n'));
    git('mv', 'naïve name.txt', 'moved "there".txt');
    ctx.put('repo/moved "there".txt', `${lines(1, 30)}end\n`);
    git('rm', '-q', 'gone.txt');
    ctx.put('repo/crlf.txt', 'a\r\nB\r\nc\r\n');
    ctx.put('repo/new/empty.txt', '');
    ctx.put('repo/new/run.sh', '#!/bin/sh\n');
    chmodSync(join(ctx.root, 'repo/new/run.sh'), 0o755);
    git('add', '-A');
    const patch = git('diff', '--cached', '-M').stdout;
    const after = tree();
    git('reset', '-q', '--hard');
    expect(tree()).toEqual(before);
    const inRepo: TestContext = { ...ctx, files: { ...ctx.files, ...Object.fromEntries((['stat', 'read', 'write', 'remove', 'resolve'] as const).map((name) => [name, (path: string, ...rest: unknown[]) => (ctx.files[name] as (...args: unknown[]) => unknown)(join(ctx.root, 'repo', path), ...rest)])) } };
    expect(await tool.run({ patch }, inRepo)).toMatchObject({ ok: true });
    expect(tree()).toEqual(after);
  });
});
