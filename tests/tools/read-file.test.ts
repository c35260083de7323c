// ReadFile: pages, encodings, what it refuses, what it remembers.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readFile } from '../../src/tools/read-file.ts';
import type { ToolResult } from '../../src/types/tool.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

let ctx: TestContext;
beforeEach(() => { ctx = toolContext({ hidden: (path) => path.endsWith('.env') }); });
afterEach(() => ctx.dispose());

const tool = readFile();
const read = (path: string, page: { offset?: number; limit?: number } = {}): Promise<ToolResult> => tool.run({ path, offset: 1, limit: 2_000, ...page }, ctx);
const lines = (...texts: string[]) => texts.map((text, index) => `${String(index + 1).padStart(6)}\t${text}`).join('\n');

test.each<[string, string | Uint8Array, string]>([
  ['lines', 'one\ntwo\n', lines('one', 'two')],
  ['no final newline', 'one\ntwo', lines('one', 'two')],
  ['empty lines', '\n\nx\n\n', lines('', '', 'x', '')],
  ['CRLF', 'one\r\ntwo\r\n', lines('one', 'two')],
  ['CR alone', 'one\rtwo\r', lines('one', 'two')],
  ['UTF-8', 'grüße 👋\n', lines('grüße 👋')],
  ['a byte order mark', '\ufeffone\n', lines('one')],
  ['UTF-16 LE', Buffer.from('\ufeffgrüße\n👋', 'utf16le'), lines('grüße', '👋')],
  ['UTF-16 BE', Buffer.from('\ufeffgrüße\n', 'utf16le').swap16(), lines('grüße')],
  ['an empty file', '', 'f.txt is empty.'],
])('reads %s', async (_, content, text) => {
  ctx.put('f.txt', content);
  expect(await read('f.txt')).toEqual({ ok: true, text });
});

test('pages by lines and names the next offset', async () => {
  ctx.put('f.txt', Array.from({ length: 10 }, (_, n) => `l${n + 1}\n`).join(''));
  expect(await read('f.txt', { offset: 4, limit: 2 })).toEqual({ ok: true, text: '     4\tl4\n     5\tl5\n[Lines 4 to 5 of 10. Go on with offset=6.]' });
  expect(await read('f.txt', { offset: 9, limit: 2 })).toEqual({ ok: true, text: '     9\tl9\n    10\tl10' });
  expect(await read('f.txt', { offset: 11 })).toEqual({ ok: false, text: 'f.txt has only 10 lines; offset=11 is behind its end.' });
});

test('pages by characters: every line comes once, no page is over 50,000 characters', async () => {
  ctx.put('f.txt', Array.from({ length: 3_000 }, (_, n) => `${n + 1} ${'x'.repeat(n % 200)}\n`).join(''));
  const seen: string[] = [];
  for (let offset: number | undefined = 1; offset !== undefined;) {
    const { text } = await read('f.txt', { offset, limit: 100_000 });
    expect(text.length).toBeLessThanOrEqual(50_000);
    seen.push(...text.split('\n').filter((line) => !line.startsWith('[')).map((line) => line.trim().split('\t')[0] ?? ''));
    const next: string | undefined = /offset=(\d+)/.exec(text)?.[1];
    offset = next === undefined ? undefined : Number(next);
  }
  expect(seen).toEqual(Array.from({ length: 3_000 }, (_, n) => String(n + 1)));
});

test('cuts long lines, not through a character, and says so', async () => {
  ctx.put('f.txt', `${'x'.repeat(1_999)}👋${'y'.repeat(3_000)}\nnext\n`);
  expect((await read('f.txt')).text).toBe(lines(`${'x'.repeat(1_999)}… [line cut: 5,001 characters]`, 'next'));
});

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const wide = Buffer.from(PNG);
wide.writeUInt32BE(9_000, 16);

describe('images', () => {
  test.each<[string, string, Buffer]>([
    ['image/png', '1 × 1', PNG],
    ['image/gif', '1 × 1', Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64')],
    ['image/webp', '1 × 1', Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64')],
    ['image/jpeg', '3 × 2', Buffer.from('ffd8ffe000044a46ffc0000b0800020003010111000000ffd9', 'hex')],
  ])('%s by its bytes, whatever its name says', async (mime, pixels, bytes) => {
    ctx.put('picture.txt', bytes);
    expect(await read('picture.txt')).toEqual({ ok: true, text: `picture.txt: an image (${mime}, ${pixels} pixels, ${bytes.length} bytes).`, images: [{ mime, base64: bytes.toString('base64') }] });
  });

  test.each<[string, Buffer, string]>([
    ['too many bytes', Buffer.concat([PNG.subarray(0, -12), Buffer.alloc(4_000_000), PNG.subarray(-12)]), 'i is an image of 4,000,070 bytes; at most 3,750,000 bytes can be shown. Scale it down first.'],
    ['very many bytes', Buffer.concat([PNG, Buffer.alloc(9_000_000)]), 'i is an image of 9,000,070 bytes. Scale it down first.'],
    ['too many pixels', wide, 'i is an image of 9000 × 1 pixels; at most 8,000 each way can be shown. Scale it down first.'],
    ['the end missing', PNG.subarray(0, 40), 'i is a damaged or incomplete image.'],
    ['nothing but a start', Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'i is a damaged or incomplete image.'],
  ])('refused with %s: a service would refuse the whole conversation', async (_, bytes, text) => {
    ctx.put('i', bytes);
    expect(await read('i')).toEqual({ ok: false, text });
    expect(ctx.files.seen.size).toBe(0);
  });

  test('SVG is text', async () => {
    ctx.put('a.svg', '<svg/>\n');
    expect(await read('a.svg')).toEqual({ ok: true, text: lines('<svg/>') });
  });
});

const line = (number: number) => `${number} ${'x'.repeat(93 - String(number).length)}\n`;

const LINES = process.env.MEWCODE_LONG ? 2_000_000 : 200_000;

test('reads a slice of a huge file without holding it', async () => {
  const path = join(ctx.root, 'huge.log');
  const file = openSync(path, 'w');
  for (let at = 0; at < LINES; at += 20_000) writeSync(file, Array.from({ length: 20_000 }, (_, index) => line(at + index + 1)).join(''));
  writeSync(file, `ü${'y'.repeat(20_000)}\r\nthe end`);
  closeSync(file);
  let most = 0;
  const before = process.memoryUsage().rss;
  const watch = setInterval(() => { most = Math.max(most, process.memoryUsage().rss - before); }, 5);
  const middle = await read('huge.log', { offset: 150_000, limit: 2 });
  clearInterval(watch);
  expect(middle.text).toBe(`150000\t${line(150_000).trimEnd()}\n150001\t${line(150_001).trimEnd()}\n[Lines 150000 to 150001 of ${LINES + 2}. Go on with offset=150002.]`);
  expect(most).toBeLessThan(100_000_000);
  expect((await read('huge.log', { offset: LINES + 1 })).text).toBe(`${LINES + 1}\tü${'y'.repeat(1_999)}… [line cut: 20,003 bytes]\n${LINES + 2}\tthe end`);
  expect((await read('huge.log', { offset: LINES + 3 })).text).toBe(`huge.log has only ${(LINES + 2).toLocaleString('en')} lines; offset=${LINES + 3} is behind its end.`);
  const page = (await read('huge.log')).text;
  expect([page.length <= 50_000, page.split('\n').at(-1)]).toEqual([true, `[Lines 1 to 488 of ${LINES + 2}. Go on with offset=489.]`]);
  expect(ctx.files.seen.get(path)?.hash).toBe(execFileSync('sha256sum', [path], { encoding: 'utf8' }).slice(0, 64));
});

test('a large file gives the same pages as a small one', async () => {
  const text = `\ufeffüber\r\n\n${'z'.repeat(3_000)}\nlast`;
  ctx.put('small.txt', text);
  ctx.put('large.txt', `${text}\n${'filler\n'.repeat(1_300_000)}`);
  ctx.put('wide.txt', Buffer.from(`${text}\n${'filler\n'.repeat(700_000)}`, 'utf16le'));
  ctx.put('old.txt', Buffer.concat([Buffer.from([0xd6, 0xd0, 0xce, 0xc4, 0xd7, 0xd6, 0xb7, 0xfb, 0x0a]), Buffer.from('filler\n'.repeat(1_300_000))]));
  const small = (await read('small.txt', { limit: 4 })).text;
  for (const path of ['large.txt', 'wide.txt']) expect((await read(path, { limit: 4 })).text.split('\n').slice(0, 4).join('\n')).toBe(small);
  expect((await read('old.txt', { limit: 1 })).text).toMatch(/^ {5}1\t中文字符\n\[Lines 1 to 1 of 1300001\./);
  ctx.put('hollow.txt', Buffer.concat([Buffer.alloc(9_000_000, 'a\n'), Buffer.from([0])]));
  expect(await read('hollow.txt')).toMatchObject({ ok: false, text: expect.stringContaining('is a binary file') });
});

test('refuses what is over 256 MiB with a way to go on', async () => {
  truncateSync(ctx.put('giant', ''), 257 * 1024 * 1024);
  expect(await read('giant')).toEqual({ ok: false, text: 'giant has 269,484,032 bytes, more than the 256 MiB that can be read. Search it with grep, or cut a piece out of it with head, tail or sed through Bash.' });
});

describe('refuses', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['binaries', Buffer.from([1, 2, 0, 3]), 'f is a binary file, so it can\'t be read as lines. Look at it with a program through Bash.'],
    ['programs', Buffer.from('\x7fELF\x02\x01\0'), 'f is a program or library (ELF), so it can\'t be read as lines. Look at it with a program through Bash: file, nm or objdump.'],
    ['archives', Buffer.from('PK\x03\x04\x14\0\0\0'), 'f is a ZIP archive (also: Office documents, JAR, APK, wheels), so it can\'t be read as lines. Look at it with a program through Bash: unzip -l, and unzip -p for one file in it.'],
    ['archives without a mark at the start', Buffer.concat([Buffer.alloc(257), Buffer.from('ustar')]), 'f is a tar archive, so it can\'t be read as lines. Look at it with a program through Bash: tar -tf.'],
    ['databases', Buffer.from('SQLite format 3\0'), 'f is an SQLite database, so it can\'t be read as lines. Look at it with a program through Bash: sqlite3 FILE .schema.'],
    ['damaged text', Buffer.from('gr\xc3\xb6\xc3\x9fer \xc3', 'latin1'), 'f is in no encoding that could be told, so it can\'t be read as lines. Convert it with iconv through Bash.'],
  ])('%s', async (_, content, text) => {
    ctx.put('f', content);
    expect(await read('f')).toEqual({ ok: false, text });
    expect(ctx.files.seen.size).toBe(0);
  });

  test('folders and pipes', async () => {
    mkdirSync(join(ctx.root, 'src'));
    execFileSync('mkfifo', [join(ctx.root, 'pipe')]);
    expect(await read('src')).toEqual({ ok: false, text: 'src is a folder. List it with LS.' });
    expect((await read('pipe')).text).toContain('not a regular file');
  });

  test('what is missing, with near names', async () => {
    ctx.put('src/index.ts', '');
    ctx.put('src/main.js', '');
    ctx.put('src/a.env', '');
    expect((await read('src/indx.ts')).text).toBe('There is no src/indx.ts. Did you mean src/index.ts?');
    expect((await read('src/main.ts')).text).toBe('There is no src/main.ts. Did you mean src/main.js?');
    expect((await read('src/a.en')).text).toBe('There is no src/a.en.');
    expect((await read('src/MAIN.JS')).text).toBe('There is no src/MAIN.JS. Did you mean src/main.js?');
    ctx.put('web/src/index.ts', '');
    ctx.put('node_modules/scr/index.ts', '');
    expect((await read('scr/index.ts')).text).toBe('There is no scr/index.ts: the folder scr does not exist either. Did you mean src/index.ts or web/src/index.ts?');
    expect((await read('app/web/src/index.ts')).text).toBe('There is no app/web/src/index.ts: the folder app/web/src does not exist either. Did you mean web/src/index.ts or src/index.ts?');
    expect((await read('src/web/index.ts')).text).toBe('There is no src/web/index.ts: the folder src/web does not exist either. Did you mean src/index.ts or web/src/index.ts?');
    expect((await read('no/such.ts')).text).toBe(`There is no no/such.ts: the folder no does not exist either. Paths count from ${ctx.root}.`);
  });
});

test('remembers what was read by its real path', async () => {
  const path = ctx.put('f.txt', 'one\n');
  await read('./f.txt');
  expect(Object.fromEntries(ctx.files.seen)).toMatchObject({ [path]: { mtimeMs: statSync(path).mtimeMs, hash: '2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806' } });
});

test('counts paths from the project root', () => {
  expect(tool.access({ path: 'src/a.ts', offset: 1, limit: 1 }, '/p')).toEqual([{ kind: 'read', target: '/p/src/a.ts' }]);
  expect(tool.access({ path: '/etc/hosts', offset: 1, limit: 1 }, '/p')).toEqual([{ kind: 'read', target: '/etc/hosts' }]);
  expect(tool.title({ path: 'src/a.ts', offset: 1, limit: 1 })).toBe('src/a.ts');
  expect(tool.title({ path: 'src/a\n.ts', offset: 5, limit: 1 })).toBe('src/a .ts:5');
});
