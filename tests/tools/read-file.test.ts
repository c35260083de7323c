// ReadFile: pages, encodings, what it refuses, what it remembers.
import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
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

test('shows images by their bytes, whatever their names say', async () => {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  ctx.put('picture.txt', png);
  expect(await read('picture.txt')).toEqual({ ok: true, text: `picture.txt: an image (image/png, ${png.length} bytes).`, images: [{ mime: 'image/png', base64: png.toString('base64') }] });
  for (const [bytes, mime] of [['\xff\xd8\xff\xe0', 'image/jpeg'], ['GIF89a', 'image/gif'], ['RIFF\x01\x02\x03\x04WEBPVP8 ', 'image/webp']] as const) {
    ctx.put('i', Buffer.from(bytes, 'latin1'));
    expect((await read('i')).images?.[0]?.mime).toBe(mime);
  }
  ctx.put('huge.png', Buffer.concat([png, Buffer.alloc(4_000_000)]));
  expect(await read('huge.png')).toMatchObject({ ok: false, text: expect.stringContaining('Scale it down') });
});

describe('refuses', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['binaries', Buffer.from([1, 2, 0, 3]), 'f is a binary file (4 bytes), so it can\'t be read as lines. Look at it with a program through Bash.'],
    ['damaged text', Buffer.from('gr\xc3\xb6\xc3\x9fer \xc3', 'latin1'), 'f is not UTF-8 text (10 bytes), so it can\'t be read as lines. Look at it with a program through Bash.'],
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
    expect((await read('scr/index.ts')).text).toBe('There is no scr/index.ts: the folder scr does not exist either.');
  });
});

test('remembers what was read by its real path', async () => {
  const path = ctx.put('f.txt', 'one\n');
  await read('./f.txt');
  expect(Object.fromEntries(ctx.files.seen)).toEqual({ [path]: { mtimeMs: statSync(path).mtimeMs, hash: '2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806' } });
});

test('counts paths from the project root', () => {
  expect(tool.access({ path: 'src/a.ts', offset: 1, limit: 1 }, '/p')).toEqual([{ kind: 'read', target: '/p/src/a.ts' }]);
  expect(tool.access({ path: '/etc/hosts', offset: 1, limit: 1 }, '/p')).toEqual([{ kind: 'read', target: '/etc/hosts' }]);
  expect(tool.title({ path: 'src/a.ts', offset: 1, limit: 1 })).toBe('src/a.ts');
  expect(tool.title({ path: 'src/a\n.ts', offset: 5, limit: 1 })).toBe('src/a .ts:5');
});
