// Memory cards: written by name, found by words, and never a way to or from other files.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMemory, type Memory } from '../../src/extend/memory.ts';
import { createMask } from '../../src/lib/mask.ts';
import { memoryWrite, searchMemory } from '../../src/tools/memory.ts';
import { toolContext } from '../helpers/tool-context.ts';

let root = '';
let memory: Memory;
let day = 1;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-memory-')));
  memory = createMemory({ places: { project: join(root, 'p/.mewcode/memory'), user: join(root, 'u/memory') }, mask: createMask(['sup3r-s3cret-value']), clock: () => new Date(Date.UTC(2026, 0, day)) });
  mkdirSync(join(root, 'p'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const save = (title: string, text: string, more: { tags?: string[]; level?: 'project' | 'user' } = {}) => memory.save({ title, text, tags: [], level: 'project', ...more });
const titles = async (words: string, limit = 5) => (await memory.search(words, limit)).map(({ title }) => title);

test('a card is a readable file', async () => {
  const { path, replaced } = await save('Tests: how "they" run', '  npm test -- --run\n', { tags: ['test', 'how to'] });
  expect([path, replaced]).toEqual([join(root, 'p/.mewcode/memory/tests-how-they-run.md'), false]);
  expect(readFileSync(path, 'utf8')).toBe('---\ntitle: "Tests: how \\"they\\" run"\ntags: ["test", "how to"]\ncreated: 2026-01-01T00:00:00.000Z\n---\n\nnpm test -- --run\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await memory.search('run', 5)).toEqual([{ title: 'Tests: how "they" run', tags: ['test', 'how to'], created: '2026-01-01T00:00:00.000Z', text: 'npm test -- --run', level: 'project', path }]);
});

test('the same title replaces the card and keeps its day; another one of the same name gets a number', async () => {
  const first = await save('Build', 'make');
  day = 9;
  expect(await save('build', 'ninja')).toEqual({ path: first.path, replaced: true });
  expect(readFileSync(first.path, 'utf8')).toContain('created: 2026-01-01');
  expect((await save('Build!', 'x')).path).toBe(join(root, 'p/.mewcode/memory/build-2.md'));
});

test.each([['../../etc/passwd', 'etc-passwd.md'], ['...', 'card.md'], ['CON', 'card-con.md'], ['Größe 日本', 'größe-日本.md'], ['a\u0000\u001b[31mb/\n', 'ab.md'], ['x'.repeat(300), `${'x'.repeat(60)}.md`]])('the name of %j is safe', async (title, name) => {
  expect((await save(title, 't')).path).toBe(join(root, 'p/.mewcode/memory', name));
});

test('the best come first: titles and tags count more than texts, both levels are looked through', async () => {
  await save('Deploy', 'The server restarts by itself.');
  await save('Server names', 'alpha and beta');
  await save('Editor', 'tabs', { level: 'user', tags: ['server'] });
  await save('Nothing', 'of interest');
  expect(await titles('server')).toEqual(expect.arrayContaining(['Server names', 'Editor', 'Deploy']));
  expect((await titles('servers')).at(-1)).toBe('Deploy');
  expect(await titles('unheard')).toEqual([]);
  expect(await titles('', 2)).toHaveLength(2);
});

test('secrets are masked in all of it', async () => {
  const { path } = await save('Key sup3r-s3cret-value', 'it is sup3r-s3cret-value', { tags: ['sup3r-s3cret-value'] });
  expect(readFileSync(path, 'utf8') + path).not.toContain('sup3r-s3cret');
});

describe('files that people and repositories put there', () => {
  test('no front matter, a broken one, other line ends, no card at all', async () => {
    const folder = join(root, 'u/memory');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'plain.md'), 'just needle');
    writeFileSync(join(folder, 'broken.md'), '---\ntitle: [\n---\nneedle');
    writeFileSync(join(folder, 'windows.md'), '---\r\ntitle: W\r\ntags: a, b\r\ncreated: 2026-01-02\r\n---\r\nneedle\r\n');
    writeFileSync(join(folder, 'huge.md'), 'needle '.repeat(20_000));
    writeFileSync(join(folder, 'other.txt'), 'needle');
    mkdirSync(join(folder, 'folder.md'));
    const found = await memory.search('needle', 20);
    expect(found.map(({ title }) => title.replace(/:.*/, '')).sort()).toEqual(['(unreadable front matter', 'W', 'plain']);
    expect(found.find(({ title }) => title === 'W')).toMatchObject({ tags: ['a', 'b'], text: 'needle' });
  });

  test('a link as a card is not read, a link as the folder not written to', async () => {
    mkdirSync(join(root, 'p/.mewcode/memory'), { recursive: true });
    writeFileSync(join(root, 'key'), 'needle');
    symlinkSync(join(root, 'key'), join(root, 'p/.mewcode/memory/key.md'));
    expect(await titles('needle')).toEqual([]);
    rmSync(join(root, 'p/.mewcode/memory'), { recursive: true });
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), join(root, 'p/.mewcode/memory'));
    await expect(save('x', 'y')).rejects.toThrow(/leads to/);
    expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
  });

  test('without a project cards are the user\'s; a text that is no single fact is refused', async () => {
    memory = createMemory({ places: { project: null, user: join(root, 'u/memory') }, mask: (text) => text });
    expect((await save('x', 'y')).path).toBe(join(root, 'u/memory/x.md'));
    await expect(save('z', 'y'.repeat(10_001))).rejects.toThrow(/10000 are the most/);
    expect(existsSync(join(root, 'u/memory/z.md'))).toBe(false);
  });
});

test('the tools', async () => {
  const ctx = toolContext();
  const [write, search] = [memoryWrite(memory), searchMemory(memory)];
  const parsed = write.parse({ title: 'Build', text: 'make all', tags: ['make'], scope: 'user' });
  expect(parsed.ok && (await write.run(parsed.value, ctx)).text).toBe(`Kept as ${join(root, 'u/memory/build.md')}.`);
  expect(await search.run({ query: 'make', limit: 5 }, ctx)).toEqual({ ok: true, text: '## Build\nuser, 2026-01-09 · tags: make\nmake all' });
  expect((await search.run({ query: 'nope', limit: 5 }, ctx)).text).toBe('No memory card has any of these words.');
  ctx.dispose();
});
