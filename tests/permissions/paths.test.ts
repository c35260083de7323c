// Paths on a real disk: links, chains, loops, pipes and `..`; and what happens when the disk changes after the judging.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findReal, gatherFacts } from '../../src/permissions/facts.ts';
import { isHidden, openFiles } from '../../src/permissions/paths.ts';
import type { Access } from '../../src/types/permission.ts';
import type { Files } from '../../src/types/tool.ts';
import { judge, testPlace, testPolicy } from './judge.ts';

const { root, home } = testPlace();
const outside = join(root, '..', 'outside');
const twin = `${root}-twin`;

beforeAll(() => {
  for (const folder of [outside, twin, join(root, '.git'), join(root, 'src/deep'), join(root, 'secrets')]) mkdirSync(folder, { recursive: true });
  for (const file of [join(outside, 'x'), join(twin, 'x'), join(root, 'a.txt'), join(root, 'src/b.txt'), join(root, '.env'), join(root, '.git/config'), join(root, 'secrets/s')]) writeFileSync(file, file);
  const links: [string, string][] = [
    ['../outside', 'to-outside'], [outside, 'to-outside-absolute'], ['../outside/x', 'to-outside-file'], ['to-outside', 'chain'], ['chain', 'chain2'], ['a.txt', 'to-a'], ['to-a', 'to-a2'], ['src', 'to-src'], ['.', 'to-root'], ['..', 'to-parent'],
    ['loop-b', 'loop-a'], ['loop-a', 'loop-b'], ['self', 'self'], ['nowhere', 'dangling'], ['../outside/new', 'dangling-outside'], ['.env', 'innocent'], ['.git', 'gitlink'], ['secrets', 'public'], ['/', 'slash'], ['/dev/null', 'null'], ['src/../../outside', 'dotted'],
    ['src/deep/../../a.txt', 'dotted-a'], [join(root, 'a.txt'), 'to-a-absolute'], ['loop-a/x', 'through-loop'],
  ];
  for (const [target, name] of links) symlinkSync(target, join(root, name));
  symlinkSync('../../../outside', join(root, 'src/deep/up'));
  expect(spawnSync('mkfifo', [join(root, 'pipe')]).status).toBe(0);
});

afterAll(() => rmSync(join(root, '..', '..'), { recursive: true, force: true }));

const ofWrite = async (target: string, setup: { allow?: string[]; deny?: string[] }) => (await judge('WriteFile', [{ kind: 'write', target }], { root, home, ...setup })).verdict;
const ofPatch = async (setup: { allow?: string[]; deny?: string[] }) => (await judge('ApplyPatch', ['src/b.txt', 'src/new.txt'].map((target) => ({ kind: 'write', target })), { root, home, ...setup })).verdict;
const ofShell = async (target: string) => (await judge('Bash', [{ kind: 'run', target }], { root, home, mode: 'bypassPermissions' })).verdict;

describe('judging', () => {
  test.each<[string, 'allow' | 'ask' | 'deny']>([
    ['a.txt', 'allow'], ['./a.txt', 'allow'], ['src/../a.txt', 'allow'], ['src//b.txt', 'allow'], ['new/deep/file', 'allow'], ['.', 'allow'], ['', 'allow'], ['to-a', 'allow'], ['to-a2', 'allow'], ['to-a-absolute', 'allow'], ['to-src/b.txt', 'allow'],
    ['to-root/a.txt', 'allow'], ['to-root/to-root/to-root/a.txt', 'allow'], ['dotted-a', 'allow'], ['dangling', 'allow'], ['pipe', 'deny'], ['gone/../a.txt', 'allow'], ['to-root/../outside/x', 'allow'], ['a.txt/below', 'allow'], ['.env.example', 'allow'], ['~/x', 'allow'], ['..a', 'allow'], ['src/..a/b', 'allow'],
    ['..', 'deny'], ['../outside/x', 'deny'], ['../project-twin/x', 'deny'], ['src/../../outside/x', 'deny'], ['to-outside/x', 'deny'], ['to-outside-absolute/x', 'deny'], ['to-outside-file', 'deny'], ['to-outside/new', 'deny'], ['chain/x', 'deny'], ['chain2/x', 'deny'], ['chain2/new/deeper', 'deny'],
    ['to-parent', 'deny'], ['to-parent/outside/x', 'deny'], ['dangling-outside', 'deny'], ['slash/etc/passwd', 'deny'], ['null', 'deny'], ['dotted/x', 'deny'], ['src/deep/up/x', 'deny'], ['/etc/passwd', 'deny'], ['/', 'deny'], ['/proc/self/environ', 'deny'],
    ['.env', 'deny'], ['./src/../.env', 'deny'], ['innocent', 'deny'], ['to-root/.env', 'deny'], ['.ENV', 'deny'], ['.env.local', 'deny'], ['src/.env', 'deny'], ['server.pem', 'deny'], ['secrets/s', 'deny'], ['public/s', 'deny'], ['deep/secrets/x/y', 'deny'], ['.git/config', 'deny'], ['gitlink/config', 'deny'], ['sub/.git/config', 'deny'], ['id_rsa', 'deny'], ['id_ed25519.pub', 'deny'], ['.npmrc', 'deny'],
  ])('reading %j: %s', async (target, verdict) => {
    expect((await judge('ReadFile', [{ kind: 'read', target }], { root, home })).verdict).toBe(verdict);
  });

  test.each<[string, 'allow' | 'ask' | 'deny']>([
    ['a.txt', 'allow'], ['new/file', 'allow'], ['package.json', 'allow'], ['.github/README.md', 'allow'], ['.gitignore', 'allow'], ['src/.gitkeep', 'allow'], ['dot.git/x', 'allow'], ['.env', 'allow'],
    ['.git/config', 'ask'], ['.git', 'ask'], ['.GIT/config', 'ask'], ['gitlink/hooks/x', 'ask'], ['sub/.git/hooks/post-checkout', 'ask'], ['.vscode/tasks.json', 'ask'], ['.husky/pre-commit', 'ask'], ['.github/workflows/ci.yml', 'ask'], ['.bashrc', 'ask'], ['.envrc', 'ask'], ['.mcp.json', 'ask'],
    ['../x', 'deny'], ['to-outside/x', 'deny'], ['dangling-outside', 'deny'], ['chain2/new', 'deny'], ['/etc/passwd', 'deny'],
  ])('writing %j under bypassPermissions: %s', async (target, verdict) => {
    expect((await judge('WriteFile', [{ kind: 'write', target }], { root, home, mode: 'bypassPermissions', allow: ['WriteFile', 'ReadFile'], hooks: 'allow' })).verdict).toBe(verdict);
  });

  test('a rule is matched against where a link leads; a deny against its name too', async () => {
    expect(await ofWrite('to-src/b.txt', { allow: ['Write(to-src/**)'] })).toBe('ask');
    expect(await ofWrite('to-src/b.txt', { allow: ['Write(src/**)'] })).toBe('allow');
    expect(await ofWrite('to-src/b.txt', { deny: ['Write(src/**)'], allow: ['Write'] })).toBe('deny');
    expect(await ofWrite('to-src/b.txt', { deny: ['Write(to-src/**)'], allow: ['Write'] })).toBe('deny');
  });

  test('rules on edits hold for patches too', async () => {
    expect(await ofPatch({ allow: ['Edit(src/**)'] })).toBe('allow');
    expect(await ofPatch({ allow: ['Edit(src/b.txt)'] })).toBe('ask');
    expect(await ofPatch({ allow: ['ApplyPatch'], deny: ['Edit(src/new.txt)'] })).toBe('deny');
    expect(await ofPatch({ allow: ['Write(src/**)'] })).toBe('ask');
  });

  test('a shell follows links before `..`, as the kernel does', async () => {
    expect(await ofShell('rm -rf to-src/deep/../..')).toBe('deny');
    expect(await ofShell('rm -rf slash/etc')).toBe('deny');
    expect(await ofShell('cat innocent')).toBe('deny');
    expect(spawnSync('ln', [join(root, '.env'), join(root, 'twin-of-env')]).status).toBe(0);
    expect([await ofShell('cat twin-of-env'), await judge('ReadFile', [{ kind: 'read', target: 'twin-of-env' }], { root, home }).then(({ verdict }) => verdict)]).toEqual(['deny', 'deny']);
    for (const command of ['cat .e*', 'cat .?nv', 'cat inno*', 'cat pub*/*', 'cat < .en[v]', 'cd src && cat ../.e*']) expect({ command, verdict: await ofShell(command) }).toEqual({ command, verdict: 'deny' });
    expect(await ofShell('rm -rf .gi*')).toBe('ask');
    expect(await ofShell('cat *.txt src/*')).toBe('allow');
    expect(await ofShell('echo x > gitlink/hooks/x')).toBe('ask');
  });
});

describe('findReal', () => {
  test.each<[string, { path: string; kind: string }]>([
    ['a.txt', { path: 'a.txt', kind: 'file' }], ['src', { path: 'src', kind: 'folder' }], ['pipe', { path: 'pipe', kind: 'other' }], ['chain2/new', { path: '../outside/new', kind: 'missing' }], ['to-src/../a.txt', { path: 'a.txt', kind: 'file' }],
    ['src/deep/up/../outside/x', { path: '../outside/x', kind: 'file' }], ['dangling', { path: 'nowhere', kind: 'missing' }], ['loop-a', { path: 'loop-a', kind: 'other' }], ['self', { path: 'self', kind: 'other' }], ['a.txt/b', { path: 'a.txt/b', kind: 'missing' }],
  ])('%s', async (path, real) => {
    expect(await findReal(`${root}/${path}`)).toEqual({ path: join(root, real.path), kind: real.kind });
  });
});

async function filesFor(access: Access[], options: { cwd?: string } = {}): Promise<Files> {
  const facts = await gatherFacts(access, { cwd: options.cwd ?? root, roots: [root], home });
  return openFiles({ roots: [root], facts, seen: new Map(), hidden: isHidden(testPolicy({ root, home }).ignorePatterns, [root]) });
}

const text = async (files: Files, path: string, range?: { start: number; end: number }) => Buffer.from(await files.read(path, range)).toString();

describe('opening', () => {
  test('reads files, ranges, and through links that stay inside', async () => {
    const files = await filesFor([{ kind: 'read', target: 'to-a2' }]);
    expect(await text(files, 'to-a2')).toBe(join(root, 'a.txt'));
    expect(await text(files, 'a.txt', { start: 1, end: 4 })).toBe(root.slice(1, 4));
    expect(await text(files, 'a.txt', { start: 5, end: 1e9 })).toBe(join(root, 'a.txt').slice(5));
    expect(await text(files, 'a.txt', { start: 1e6, end: 2e6 })).toBe('');
    expect(files.resolve('src/../a.txt')).toBe(join(root, 'a.txt'));
  });

  test.each([
    ['missing.txt', 'There is no file missing.txt.'], ['src', 'src is a folder, not a file.'], ['pipe', 'pipe is not a regular file.'], ['self', 'self is a link that leads in a circle'], ['../outside/x', 'is outside the project'], ['to-outside/x', 'is outside the project'], ['.env', 'may hold secrets'], ['innocent', 'may hold secrets'],
  ])('reading %s fails with a sentence', async (path, sentence) => {
    const files = await filesFor([]);
    await expect(files.read(path)).rejects.toThrow(sentence);
  });

  test('a sensitive file that the call was judged for can be read', async () => {
    expect(await text(await filesFor([{ kind: 'read', target: '.env' }]), '.env')).toBe(join(root, '.env'));
  });

  test('tells what is there', async () => {
    const files = await filesFor([]);
    expect(await files.stat('missing')).toBe(null);
    expect(await files.stat('src')).toMatchObject({ path: join(root, 'src'), kind: 'folder' });
    expect(await files.stat('to-a')).toMatchObject({ path: join(root, 'a.txt'), kind: 'file', size: Buffer.byteLength(join(root, 'a.txt')) });
    expect(await files.stat('pipe')).toMatchObject({ kind: 'other' });
    await expect(files.stat('to-outside')).rejects.toThrow('is outside the project');
  });

  test('a file over 256 MiB is read in ranges only', async () => {
    writeFileSync(join(root, 'big'), 'start');
    truncateSync(join(root, 'big'), 257 * 1024 * 1024);
    const files = await filesFor([]);
    await expect(files.read('big')).rejects.toThrow('has 257 MiB; whole files are read up to 256 MiB.');
    expect(await text(files, 'big', { start: 0, end: 5 })).toBe('start');
  });

  test('writes make parents, keep the mode, go through links and leave nothing behind', async () => {
    const access: Access[] = ['new/deep/file', 'script.sh', 'to-link', 'dangling'].map((target) => ({ kind: 'write', target }));
    writeFileSync(join(root, 'script.sh'), 'old');
    chmodSync(join(root, 'script.sh'), 0o755);
    writeFileSync(join(root, 'src/target'), 'old');
    symlinkSync('src/target', join(root, 'to-link'));
    const files = await filesFor(access);
    for (const { target } of access) await files.write(target, Buffer.from(`new ${target}`));
    expect(readFileSync(join(root, 'new/deep/file'), 'utf8')).toBe('new new/deep/file');
    expect({ text: readFileSync(join(root, 'script.sh'), 'utf8'), mode: statSync(join(root, 'script.sh')).mode & 0o777 }).toEqual({ text: 'new script.sh', mode: 0o755 });
    expect({ text: readFileSync(join(root, 'src/target'), 'utf8'), link: readlinkSync(join(root, 'to-link')) }).toEqual({ text: 'new to-link', link: 'src/target' });
    expect(readFileSync(join(root, 'nowhere'), 'utf8')).toBe('new dangling');
    expect([root, join(root, 'new/deep'), join(root, 'src')].flatMap((folder) => readdirSync(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test.each([['src', 'is a folder'], ['pipe', 'is not a regular file'], ['../outside/x', 'is outside the project'], ['to-outside/new', 'is outside the project'], ['a.txt/below', 'There is no file a.txt/below.']])('writing %s fails with a sentence', async (path, sentence) => {
    const files = await filesFor([{ kind: 'write', target: path }]);
    await expect(files.write(path, Buffer.from('x'))).rejects.toThrow(sentence);
  });

  test('what the call was not judged for is not written or deleted', async () => {
    const files = await filesFor([{ kind: 'write', target: 'a.txt' }]);
    await expect(files.write('src/b.txt', Buffer.from('x'))).rejects.toThrow('not among the files');
    await expect(files.remove('src/b.txt')).rejects.toThrow('not among the files');
  });

  test('files are deleted, links and folders are not', async () => {
    writeFileSync(join(root, 'src/gone'), 'x');
    symlinkSync('gone', join(root, 'src/to-gone'));
    const files = await filesFor(['src/gone', 'src/to-gone', 'src/deep', 'to-src/gone', 'pipe', '../outside/x'].map((target) => ({ kind: 'write', target })));
    await expect(files.remove('src/to-gone')).rejects.toThrow('src/to-gone is a link; only files are deleted.');
    for (const path of ['src/deep', 'pipe']) await expect(files.remove(path)).rejects.toThrow(`${path} is not a file that could be deleted.`);
    await expect(files.remove('../outside/x')).rejects.toThrow('is outside the project');
    await files.remove('to-src/gone');
    expect(existsSync(join(root, 'src/gone'))).toBe(false);
    await expect(files.remove('src/gone')).rejects.toThrow('src/gone is not a file that could be deleted.');
    await files.write('src/gone', Buffer.from('back'), { mode: 0o700 });
    expect(await files.stat('src/gone')).toMatchObject({ kind: 'file', mode: 0o700 });
  });
});

async function race(name: string, kind: 'read' | 'write', swap: (path: string) => void): Promise<Files> {
  mkdirSync(join(root, name, 'inner'), { recursive: true });
  writeFileSync(join(root, name, 'inner', 'f'), 'mine');
  const files = await filesFor([{ kind, target: `${name}/inner/f` }, { kind, target: `${name}/inner/new` }]);
  swap(join(root, name));
  return files;
}
const file = (path: string) => { rmSync(`${path}/inner/f`); symlinkSync(join(outside, 'x'), `${path}/inner/f`); };
const folder = (path: string) => { renameSync(`${path}/inner`, `${path}/kept`); symlinkSync(outside, `${path}/inner`); };
const inside = (path: string) => { rmSync(`${path}/inner/f`); symlinkSync(join(root, '.env'), `${path}/inner/f`); };
const pipe = (path: string) => { rmSync(`${path}/inner/f`); spawnSync('mkfifo', [`${path}/inner/f`]); };

describe('the disk changes after the judging', () => {
  const CHANGED = 'leads elsewhere than when this call was judged';
  test('a file becomes a link', async () => {
    await expect((await race('r1', 'read', file)).read('r1/inner/f')).rejects.toThrow(/outside the project|leads elsewhere/);
    await expect((await race('r2', 'write', file)).write('r2/inner/f', Buffer.from('x'))).rejects.toThrow(/outside the project|leads elsewhere/);
    await expect((await race('r3', 'read', inside)).read('r3/inner/f')).rejects.toThrow(CHANGED);
    await expect((await race('r4', 'write', inside)).write('r4/inner/f', Buffer.from('x'))).rejects.toThrow(CHANGED);
  });

  test('a folder becomes a link', async () => {
    await expect((await race('r5', 'read', folder)).read('r5/inner/f')).rejects.toThrow(/outside the project/);
    await expect((await race('r6', 'write', folder)).write('r6/inner/new', Buffer.from('x'))).rejects.toThrow(/outside the project/);
    expect(existsSync(join(outside, 'new'))).toBe(false);
  });

  test('a file becomes a pipe: it fails at once', async () => {
    await expect((await race('r7', 'read', pipe)).read('r7/inner/f')).rejects.toThrow('not a regular file');
  });

  test('links that are swapped all the time are never followed out', async () => {
    mkdirSync(join(root, 'race/real'), { recursive: true });
    mkdirSync(join(outside, 'race'), { recursive: true });
    writeFileSync(join(root, 'race/real/f'), 'inside');
    writeFileSync(join(outside, 'race/f'), 'secret');
    symlinkSync('real', join(root, 'race/link'));
    const files = await filesFor([{ kind: 'write', target: 'race/real/f' }, { kind: 'write', target: 'race/real/new' }]);
    const state = { stop: false };
    const clearing = (act: () => void) => {
      for (;;) {
        try { act(); return; } catch { rmSync(join(root, 'race/real'), { recursive: true, force: true }); }
      }
    };
    const swapping = (async () => {
      // The folder itself is now a folder, now a link to the outside.
      for (let i = 0; !state.stop; i += 1) {
        renameSync(join(root, 'race/real'), join(root, 'race/kept'));
        // A write may make the folder anew meanwhile.
        clearing(() => symlinkSync(join(outside, 'race'), join(root, 'race/real')));
        await new Promise(setImmediate);
        rmSync(join(root, 'race/real'));
        clearing(() => renameSync(join(root, 'race/kept'), join(root, 'race/real')));
        if (i % 3 === 0) await new Promise(setImmediate);
      }
    })();
    const seen = new Set<string>();
    for (let i = 0; i < 80; i += 1) {
      await files.read('race/real/f').then((bytes) => seen.add(Buffer.from(bytes).toString()), () => seen.add('refused'));
      await files.write('race/real/new', Buffer.from('x')).then(() => seen.add('written'), () => seen.add('refused'));
    }
    state.stop = true;
    await swapping;
    expect(seen.has('secret')).toBe(false);
    expect(readdirSync(join(outside, 'race'))).toEqual(['f']);
    expect(readFileSync(join(outside, 'race/f'), 'utf8')).toBe('secret');
  });
});

test('patterns are those of .gitignore, the last that matches counts', () => {
  const hidden = isHidden([...testPolicy({ root, home }).ignorePatterns, 'notes/', '!keep.pem', '*.pem.txt'], [root]);
  expect(Object.fromEntries(['notes/a', 'src/notes/b', 'keep.pem', 'other.pem', 'x.pem.txt', 'a.txt', ''].map((name) => [name, hidden(join(root, name))]))).toEqual({
    'notes/a': true, 'src/notes/b': true, 'keep.pem': false, 'other.pem': true, 'x.pem.txt': true, 'a.txt': false, '': false,
  });
  expect(hidden('/home/me/.netrc')).toBe(true);
});
