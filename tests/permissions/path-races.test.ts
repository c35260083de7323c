// What was judged is swapped before it is used: nothing that appeared since is followed, and nothing outside is touched.
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { gatherFacts } from '../../src/permissions/facts.ts';
import { isHidden, openFiles } from '../../src/permissions/paths.ts';
import type { Files } from '../../src/types/tool.ts';
import { sentenceOf } from '../../src/types/user-error.ts';
import { testPlace, testPolicy } from './judge.ts';

const { root, home } = testPlace();
const base = join(root, '../..');
const outside = join(base, 'outside');
const at = (name: string) => join(root, name);

beforeEach(() => {
  for (const folder of [root, outside]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [at('d/inner'), at('.git/hooks'), at('other/inner'), outside]) mkdirSync(folder, { recursive: true });
  for (const [path, text] of [[at('f'), 'mine'], [at('d/inner/f'), 'mine'], [at('other/inner/f'), 'other'], [at('.env'), 'secret'], [join(outside, 'f'), 'outer']] as const) writeFileSync(path, text);
  symlinkSync('none', at('dangling'));
  symlinkSync('f', at('link'));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const replace = (path: string, target: string) => { rmSync(path, { recursive: true, force: true }); symlinkSync(target, path); };

type Swap = [name: string, path: string, swap: () => void];

const SWAPS: readonly Swap[] = [
  ['a file by a link to the outside', 'f', () => replace(at('f'), join(outside, 'f'))],
  ['a file by a link to a sensitive file', 'f', () => replace(at('f'), '.env')],
  ['a file by a link to another file', 'f', () => replace(at('f'), 'other/inner/f')],
  ['a file by a link to itself', 'f', () => replace(at('f'), 'f')],
  ['a file by a link into .git', 'f', () => replace(at('f'), '.git/hooks/x')],
  ['a file by a device', 'f', () => replace(at('f'), '/dev/zero')],
  ['a file by a pipe', 'f', () => { rmSync(at('f')); spawnSync('mkfifo', [at('f')]); }],
  ['a file by a folder', 'f', () => { rmSync(at('f')); mkdirSync(at('f')); }],
  ['its folder by a link to the outside', 'd/inner/f', () => replace(at('d/inner'), outside)],
  ['its folder by a link to another folder', 'd/inner/f', () => replace(at('d/inner'), '../other/inner')],
  ['a folder above by a link', 'd/inner/f', () => replace(at('d'), 'other')],
  ['a folder above by a link to the outside', 'd/inner/f', () => { mkdirSync(join(outside, 'inner')); writeFileSync(join(outside, 'inner/f'), 'outer'); replace(at('d'), outside); }],
  ['the project by a link', 'f', () => { renameSync(root, join(base, 'away')); symlinkSync(outside, root); }],
  ['the end of a link', 'link', () => replace(at('link'), '.env')],
  ['the end of a link by the outside', 'link', () => replace(at('link'), join(outside, 'f'))],
  ['the end of a dangling link', 'dangling', () => replace(at('dangling'), join(outside, 'new'))],
  ['nothing by a link to a sensitive file', 'new', () => symlinkSync('.env', at('new'))],
  ['nothing by a link to the outside', 'new', () => symlinkSync(join(outside, 'new'), at('new'))],
  ['a missing folder by a link to the outside', 'made/new', () => symlinkSync(outside, at('made'))],
  ['a missing folder by a link into .git', 'made/new', () => symlinkSync('.git/hooks', at('made'))],
];

async function filesFor(kind: 'read' | 'write', target: string): Promise<Files> {
  const facts = await gatherFacts([{ kind, target }], { cwd: root, roots: [root], home });
  return openFiles({ roots: [root], facts, seen: new Map(), hidden: isHidden(testPolicy({ root, home }).ignorePatterns, [root]) });
}

describe('swapped after the judging', () => {
  afterAll(() => rmSync(join(base, 'away'), { recursive: true, force: true }));

  test.each(SWAPS)('%s: not read', async (_name, path, swap) => {
    const files = await filesFor('read', path);
    swap();
    expect(await files.read(path).then((bytes) => Buffer.from(bytes).toString(), (error: unknown) => `refused: ${sentenceOf(error)}`)).toMatch(/^refused: .* (is outside the project|leads elsewhere than when|is not a regular file|is a folder, not a file|is a link that leads in a circle)/);
    rmSync(join(base, 'away'), { recursive: true, force: true });
  });

  test.each(SWAPS)('%s: not written, not removed', async (_name, path, swap) => {
    const files = await filesFor('write', path);
    swap();
    const before = [outside, join(outside, 'inner'), at('.git/hooks'), at('other/inner')].map(listing);
    const tried = [await files.write(path, Buffer.from('new')).then(() => 'written', (error: unknown) => `refused: ${sentenceOf(error)}`), await files.remove(path).then(() => 'removed', (error: unknown) => `refused: ${sentenceOf(error)}`)];
    for (const said of tried) expect(said).toMatch(/^refused: /);
    expect([outside, join(outside, 'inner'), at('.git/hooks'), at('other/inner')].map(listing)).toEqual(before);
    if (existsSync(at('.env'))) expect(readFileSync(at('.env'), 'utf8')).toBe('secret');
    rmSync(join(base, 'away'), { recursive: true, force: true });
  });
});

/** Names and contents of the files in a folder. */
function listing(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  return Object.fromEntries(readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [[entry.name, readFileSync(join(folder, entry.name), 'utf8')]] : [])));
}

test('a hard link to a sensitive file in the place of a judged one is known by its file', async () => {
  const files = await filesFor('read', 'f');
  rmSync(at('f'));
  linkSync(at('.env'), at('f'));
  await expect(files.read('f')).rejects.toThrow('f is the same file as');
});

test('a folder in the place of an equal folder is the same place', async () => {
  const files = await filesFor('write', 'd/inner/f');
  renameSync(at('d'), at('kept'));
  mkdirSync(at('d/inner'), { recursive: true });
  await files.write('d/inner/f', Buffer.from('new'));
  expect([readFileSync(at('d/inner/f'), 'utf8'), readFileSync(at('kept/inner/f'), 'utf8')]).toEqual(['new', 'mine']);
});

test('folders that come and go while one is made: written inside, or not at all', async () => {
  const files = await filesFor('write', 'deep/a/b/c/f');
  const state = { stop: false };
  const swapping = (async () => {
    while (!state.stop) {
      rmSync(at('deep'), { recursive: true, force: true });
      try { symlinkSync(outside, at('deep')); } catch { /* it was made meanwhile */ }
      await new Promise(setImmediate);
      try { rmSync(at('deep'), { recursive: true, force: true }); } catch { /* it is being filled */ }
      await new Promise(setImmediate);
    }
  })();
  for (let i = 0; i < 60; i += 1) await files.write('deep/a/b/c/f', Buffer.from('x')).catch(() => {});
  state.stop = true;
  await swapping;
  expect(readdirSync(outside)).toEqual(['f']);
});
