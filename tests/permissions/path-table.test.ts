// A table of paths on a real disk: whether they may be read and written, and what opening them gives.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decide } from '../../src/permissions/decide.ts';
import { gatherFacts } from '../../src/permissions/facts.ts';
import { isHidden, openFiles } from '../../src/permissions/paths.ts';
import type { AccessKind, Policy } from '../../src/types/permission.ts';
import type { Files } from '../../src/types/tool.ts';
import { sentenceOf } from '../../src/types/user-error.ts';
import { testPlace, testPolicy } from './judge.ts';

const { root, home } = testPlace();
const base = join(root, '../..');
const outside = join(base, 'outside');
const added = join(base, 'added');
const session = join(root, '.mewcode/session/s1');
const roots = [root, added, session];
let listener: ChildProcess | undefined;

const NFC = 'caf\u00e9';
const NFD = 'cafe\u0301';
const LONG = 'n'.repeat(255);

function make(path: string, text = path): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

beforeAll(() => {
  for (const name of ['a', 'src/b', 'src/deep/er/c', '.env', 'sub/.env', '.git/config', '.git/hooks/pre-commit', 'secrets/s', 'with space', `${NFC}.txt`, 'new\nline', 'esc\x1b[31m', '-rf', '~', '$HOME', '*', 'a.txt ', '..x/.env', '..x/ok', '...', 'sub/.git', LONG, 'key.pem', '.env.example', '.mewcode/permissions.yaml', 'Ünï/ö', 'semi;colon', "quo'te", 'back\\slash', '%2e%2e', '.hidden']) make(join(root, name));
  for (const path of [join(outside, 'x'), join(outside, '.env'), join(added, 'f'), join(added, '.env'), join(added, '.git/config'), join(session, 'tool-results/t.txt'), `${root}-twin/x`, join(home, '.ssh/id_rsa'), join(home, '.netrc')]) make(path, 'outer');
  const links: [target: string, name: string][] = [
    ['a', 'l-a'], ['../../outside', 'l-out'], [outside, 'l-abs'], [`${root}`, 'l-self'], [`${root}/.`, 'l-self-dot'], ['src/', 'l-src-slash'], ['./src/./deep/../b', 'l-dotty'], ['//etc//passwd', 'l-passwd'], ['.env', 'l-env'], ['l-env', 'l-env2'], ['sub', 'l-sub'], ['.git/hooks', 'l-hooks'],
    ['../../outside/none', 'l-dangle-out'], ['none/deeper', 'l-dangle-deep'], ['l-dangle-out', 'l-dangle-chain'], ['../../added/f', 'l-added'], [home, 'l-home'], ['/proc/self/root/etc/passwd', 'l-proc-root'], ['/proc/self/cwd', 'l-proc-cwd'], ['/dev/fd/0', 'l-fd'], ['/dev/zero', 'l-zero'], ['me', 'me'], ['ping', 'pong'], ['pong', 'ping'],
    ['ring/x', 'ring'], ['project', '../l-project'], ['', 'src/l-empty'].map((part) => part || '.') as [string, string], [`../${'../'.repeat(60)}etc/passwd`, 'l-climb'], ['a', 'chain-0'], ['deep/../../a', 'src/l-up'], ['l-out/../x', 'l-through'],
  ];
  for (const [target, name] of links) symlinkSync(target, join(root, name));
  for (let at = 1; at <= 45; at += 1) symlinkSync(`chain-${at - 1}`, join(root, `chain-${at}`));
  linkSync(join(root, '.env'), join(root, 'hard-env'));
  linkSync(join(root, 'sub/.env'), join(root, 'sub/hard-env'));
  linkSync(join(root, 'sub/.env'), join(root, 'src/hard-far'));
  linkSync(join(root, 'a'), join(root, 'hard-a'));
  linkSync(join(outside, 'x'), join(root, 'hard-out'));
  expect(spawnSync('mkfifo', [join(root, 'fifo')]).status).toBe(0);
  listener = spawn(process.execPath, ['-e', `require('net').createServer().listen(${JSON.stringify(join(root, 'sock'))}, () => console.log('up'))`], { stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise<void>((resolve) => { listener?.stdout?.once('data', () => resolve()); });
});

afterAll(() => {
  listener?.kill();
  rmSync(base, { recursive: true, force: true });
});

const policyOf = (mode: string): Policy => ({ ...testPolicy({ root, home, mode }), roots, ownFiles: [join(root, '.mewcode/permissions.yaml'), join(root, '.mewcode/hooks')] });

async function verdictOn(kind: AccessKind, target: string, mode: string): Promise<string> {
  const policy = policyOf(mode);
  const access = [{ kind, target }];
  return decide({ id: 'c', name: kind === 'read' ? 'ReadFile' : 'WriteFile', input: {}, access }, await gatherFacts(access, { cwd: root, roots, home }), policy).verdict;
}

async function filesFor(...targets: readonly string[]): Promise<Files> {
  const facts = await gatherFacts(targets.map((target) => ({ kind: 'read' as const, target })), { cwd: root, roots, home });
  return openFiles({ roots, facts, seen: new Map(), hidden: isHidden(policyOf('default').ignorePatterns, roots) });
}

/** The text of a file as a call on just it gets it, or why not. */
const contentOf = async (path: string): Promise<string> => (await filesFor(path)).read(path).then((bytes) => Buffer.from(bytes).toString(), sentenceOf);
const inRoot = (name: string) => join(root, name);
const OUT = (path: string) => `${path} is outside the project. Files can be reached in the project, in folders given with --add-dir, and in the temporary folder.`;

describe('reading', () => {
  // What is read is the text of the file at that place of the project, or what the sentence says.
  test.each<[target: string, verdict: 'allow' | 'deny', content: string]>([
    ['a', 'allow', inRoot('a')], ['./a', 'allow', inRoot('a')], ['.//a', 'allow', inRoot('a')], ['a/', 'allow', inRoot('a')], ['a/.', 'allow', inRoot('a')], ['src/../a', 'allow', inRoot('a')], ['none/../a', 'allow', inRoot('a')], ['./././a', 'allow', inRoot('a')], [join(root, 'a'), 'allow', inRoot('a')], [`${root}//src///b`, 'allow', inRoot('src/b')],
    [`${root}/../project/a`, 'allow', inRoot('a')], ['../project/a', 'allow', inRoot('a')], ['../../desk/project/src/b', 'allow', inRoot('src/b')], ['src/deep/er/../../b', 'allow', inRoot('src/b')], ['l-a', 'allow', inRoot('a')], ['l-a/', 'allow', inRoot('a')], ['l-self/a', 'allow', inRoot('a')], ['l-self-dot/src/b', 'allow', inRoot('src/b')], ['l-self/l-self/l-self/a', 'allow', inRoot('a')],
    ['l-src-slash/b', 'allow', inRoot('src/b')], ['l-dotty', 'allow', inRoot('src/b')], ['src/l-up', 'allow', inRoot('a')], ['src/l-empty/b', 'allow', inRoot('src/b')], ['chain-1', 'allow', inRoot('a')], ['chain-39', 'allow', inRoot('a')], ['l-added', 'allow', 'outer'], [join(added, 'f'), 'allow', 'outer'], [join(session, 'tool-results/t.txt'), 'allow', 'outer'], ['.mewcode/session/s1/tool-results/t.txt', 'allow', 'outer'],
    [join(base, 'desk/l-project/a'), 'allow', inRoot('a')], ['hard-a', 'allow', inRoot('a')], ['hard-out', 'allow', 'outer'],
    // Names that mean something elsewhere.
    ['with space', 'allow', inRoot('with space')], [`${NFC}.txt`, 'allow', inRoot(`${NFC}.txt`)], ['new\nline', 'allow', inRoot('new\nline')], ['esc\x1b[31m', 'allow', inRoot('esc\x1b[31m')], ['-rf', 'allow', inRoot('-rf')], ['~', 'allow', inRoot('~')], ['$HOME', 'allow', inRoot('$HOME')], ['*', 'allow', inRoot('*')], ['a.txt ', 'allow', inRoot('a.txt ')], ['..x/ok', 'allow', inRoot('..x/ok')], ['...', 'allow', inRoot('...')],
    [LONG, 'allow', inRoot(LONG)], ['Ünï/ö', 'allow', inRoot('Ünï/ö')], ['semi;colon', 'allow', inRoot('semi;colon')], ["quo'te", 'allow', inRoot("quo'te")], ['back\\slash', 'allow', inRoot('back\\slash')], ['%2e%2e', 'allow', inRoot('%2e%2e')], ['.hidden', 'allow', inRoot('.hidden')], ['.env.example', 'allow', inRoot('.env.example')], ['file:///etc/passwd', 'allow', 'There is no file file:///etc/passwd.'], ['%2e%2e/x', 'allow', 'There is no file %2e%2e/x.'], ['..\\outside\\x', 'allow', 'There is no file ..\\outside\\x.'], ['~/x', 'allow', 'There is no file ~/x.'], [`${NFD}.txt`, 'allow', `There is no file ${NFD}.txt.`], ['A', 'allow', 'There is no file A.'],
    // Nothing that could be read.
    ['src', 'allow', 'src is a folder, not a file.'], ['src/', 'allow', 'src/ is a folder, not a file.'], ['.', 'allow', '. is a folder, not a file.'], ['l-self', 'allow', 'l-self is a folder, not a file.'], ['none', 'allow', 'There is no file none.'], ['a/b', 'allow', 'There is no file a/b.'], ['a/../b', 'allow', 'There is no file a/../b.'], ['l-dangle-deep', 'allow', 'There is no file l-dangle-deep.'],
    // A tool's path is the text of it: `..` takes back a name, and what is opened is what was judged.
    ['src/l-empty/../l-out/x', 'allow', 'There is no file src/l-empty/../l-out/x.'], ['l-out/../a', 'allow', inRoot('a')],
    ['fifo', 'deny', 'fifo is not a regular file.'], ['sock', 'deny', 'sock is not a regular file.'], ['me', 'deny', 'me is a link that leads in a circle, or through too many others.'], ['ping', 'deny', 'ping is a link that leads in a circle, or through too many others.'], ['ping/x', 'deny', 'ping/x is a link that leads in a circle, or through too many others.'], ['ring', 'deny', 'ring is a link that leads in a circle, or through too many others.'], ['chain-45', 'deny', 'chain-45 is a link that leads in a circle, or through too many others.'], [`${LONG}n`, 'deny', 'The name of the file is too long for this system.'], ['nul\0', 'deny', 'The name of the file holds a character that no name may have.'],
    // Elsewhere.
    ['..', 'deny', OUT('..')], ['../', 'deny', OUT('../')], ['../project-twin/x', 'deny', OUT('../project-twin/x')], [`${root}-twin/x`, 'deny', OUT(`${root}-twin/x`)], ['../../outside/x', 'deny', OUT('../../outside/x')], ['src/../../../outside/x', 'deny', OUT('src/../../../outside/x')], ['a/../../../outside/x', 'deny', OUT('a/../../../outside/x')], ['l-out', 'deny', OUT('l-out')], ['l-out/x', 'deny', OUT('l-out/x')], ['l-abs/x', 'deny', OUT('l-abs/x')],
    ['l-self/l-out/x', 'deny', OUT('l-self/l-out/x')], ['l-passwd', 'deny', OUT('l-passwd')], ['l-climb', 'deny', OUT('l-climb')], ['l-home/.netrc', 'deny', OUT('l-home/.netrc')], ['l-proc-root', 'deny', OUT('l-proc-root')], ['l-fd', 'deny', OUT('l-fd')], ['l-zero', 'deny', OUT('l-zero')], ['l-dangle-out', 'deny', OUT('l-dangle-out')], ['l-dangle-chain', 'deny', OUT('l-dangle-chain')], ['l-through', 'deny', OUT('l-through')],
    ['/', 'deny', OUT('/')], ['//', 'deny', OUT('//')], ['/etc/passwd', 'deny', OUT('/etc/passwd')], ['/proc/self/environ', 'deny', OUT('/proc/self/environ')], ['/proc/self/fd/0', 'deny', OUT('/proc/self/fd/0')], ['/dev/stdin', 'deny', OUT('/dev/stdin')], ['/dev/null', 'deny', OUT('/dev/null')], ['/dev/fd/0', 'deny', OUT('/dev/fd/0')], [join(home, '.ssh/id_rsa'), 'deny', OUT(join(home, '.ssh/id_rsa'))], [base, 'deny', OUT(base)], [join(base, 'desk'), 'deny', OUT(join(base, 'desk'))],
  ])('%j: %s', async (target, verdict, content) => {
    expect({ verdict: await verdictOn('read', target, 'default'), bypass: await verdictOn('read', target, 'bypassPermissions'), content: await contentOf(target) }).toEqual({ verdict, bypass: verdict, content });
  });

  // Denied when judged; a search that comes upon one passes it over.
  test.each<[target: string, verdict?: 'allow']>([
    ['.env'], ['./.env'], ['src/../.env'], ['.ENV'], ['l-env'], ['l-env2'], ['l-self/.env'], ['sub/.env'], ['l-sub/.env'], ['..x/.env'], ['../project/.env'], [join(root, '.env')], [join(added, '.env')], [join(added, '.git/config')], ['secrets/s'], ['SECRETS/s'], ['l-self/secrets/s'], ['key.pem'], ['key.PEM'], ['.git/config'], ['l-self/.git/config'], ['.env/'], ['.env/.'],
  ])('%j holds secrets', async (target) => {
    expect({ verdict: await verdictOn('read', target, 'default'), bypass: await verdictOn('read', target, 'bypassPermissions') }).toEqual({ verdict: 'deny', bypass: 'deny' });
    expect(await (await filesFor()).read(target).then(() => 'read', sentenceOf)).toMatch(/may hold secrets|There is no file/);
  });

  test('a path longer than the system takes', async () => {
    expect(await contentOf(`${'d/'.repeat(2_100)}f`)).toBe('The name of the file is too long for this system.');
  });

  test('a hard link to a sensitive file, beside it or at the root, is known by its file', async () => {
    const same = (name: string, other: string) => `${name} is the same file as ${join(root, other)}, which may hold secrets (security.ignore_patterns).`;
    expect([await contentOf('hard-env'), await contentOf('sub/hard-env'), await contentOf('hard-a')]).toEqual([same('hard-env', '.env'), same('sub/hard-env', 'sub/.env'), join(root, 'a')]);
  });

  test('the environment and memory of processes stay out of reach where even /proc was given', async () => {
    const hidden = isHidden([], ['/']);
    expect(['/proc/1/environ', '/proc/1/task/1/environ', '/proc/22/mem', '/proc/1/status', '/proc/cpuinfo', '/home/proc/1/environ'].map(hidden)).toEqual([true, true, true, false, false, false]);
  });
});

describe('writing', () => {
  test.each<[target: string, edits: 'allow' | 'ask' | 'deny', bypass: 'allow' | 'ask' | 'deny']>([
    ['a', 'allow', 'allow'], ['new', 'allow', 'allow'], ['new/deep/er', 'allow', 'allow'], ['l-a', 'allow', 'allow'], ['l-dangle-deep', 'allow', 'allow'], [join(added, 'f'), 'allow', 'allow'], [join(session, 'plan.md'), 'allow', 'allow'], ['.mewcode/session/s1/x', 'allow', 'allow'], ['.gitignore', 'allow', 'allow'], ['.github/dependabot.yml', 'allow', 'allow'], ['my.git/x', 'allow', 'allow'], ['.gitx/hooks', 'allow', 'allow'], ['src/.huskyrc', 'allow', 'allow'], ['package.json', 'allow', 'allow'], ['...', 'allow', 'allow'], ['.mewcode/permissions.yaml.md', 'allow', 'allow'],
    ['.git/config', 'ask', 'ask'], ['.git', 'ask', 'ask'], ['.git/', 'ask', 'ask'], ['.git/hooks/pre-commit', 'ask', 'ask'], ['.GIT/HOOKS/x', 'ask', 'ask'], ['./.git/index', 'ask', 'ask'], ['src/../.git/x', 'ask', 'ask'], ['l-hooks/post-commit', 'ask', 'ask'], ['l-self/.git/x', 'ask', 'ask'], ['sub/.git', 'ask', 'ask'], ['deep/sub/.git/hooks/x', 'ask', 'ask'], [join(added, '.git/x'), 'ask', 'ask'], ['.vscode/settings.json', 'ask', 'ask'], ['packages/a/.vscode/tasks.json', 'ask', 'ask'], ['.idea/x', 'ask', 'ask'], ['.husky/x', 'ask', 'ask'], ['.github/workflows/x.yml', 'ask', 'ask'], ['.github/actions/a/action.yml', 'ask', 'ask'], ['.gitlab-ci.yml', 'ask', 'ask'],
    ['.circleci/config.yml', 'ask', 'ask'], ['.devcontainer/devcontainer.json', 'ask', 'ask'], ['.bashrc', 'ask', 'ask'], ['home/.zshrc', 'ask', 'ask'], ['.profile', 'ask', 'ask'], ['.envrc', 'ask', 'ask'], ['.mcp.json', 'ask', 'ask'], ['.mewcode/permissions.yaml', 'ask', 'ask'], ['.MEWCODE/Permissions.yaml', 'ask', 'ask'], ['l-self/.mewcode/permissions.yaml', 'ask', 'ask'], ['.mewcode/hooks/x.sh', 'ask', 'ask'], ['.mewcode/../.mewcode/permissions.yaml', 'ask', 'ask'], ['.ssh/config', 'ask', 'ask'],
    ['../x', 'deny', 'deny'], ['l-out/new', 'deny', 'deny'], ['l-abs/new/er', 'deny', 'deny'], ['l-dangle-out', 'deny', 'deny'], ['l-dangle-chain', 'deny', 'deny'], ['l-home/.bashrc', 'deny', 'deny'], ['l-passwd', 'deny', 'deny'], ['l-zero', 'deny', 'deny'], ['/dev/null', 'deny', 'deny'], ['/tmp-not-a-root', 'deny', 'deny'], [`${root}-twin/x`, 'deny', 'deny'], ['l-climb', 'deny', 'deny'],
  ])('%j: %s, %s under bypassPermissions', async (target, edits, bypass) => {
    expect([await verdictOn('write', target, 'acceptEdits'), await verdictOn('write', target, 'bypassPermissions')]).toEqual([edits, bypass]);
  });

  test('a hard link is replaced, so that the other name keeps its content', async () => {
    const facts = await gatherFacts([{ kind: 'write', target: 'hard-out' }], { cwd: root, roots, home });
    await openFiles({ roots, facts, seen: new Map(), hidden: () => false }).write('hard-out', Buffer.from('mine'));
    expect([readFileSync(join(root, 'hard-out'), 'utf8'), readFileSync(join(outside, 'x'), 'utf8')]).toEqual(['mine', 'outer']);
  });

  test.each([['fifo', 'fifo is not a regular file.'], ['sock', 'sock is not a regular file.'], ['me', 'me is a link that leads in a circle, or through too many others.'], [`${LONG}n`, 'The name of the file is too long for this system.'], ['src/', 'src/ is a folder; a file can\'t be written over it.']])('%s is not written', async (target, sentence) => {
    expect(await (await filesFor(target)).write(target, Buffer.from('x')).then(() => 'written', sentenceOf)).toBe(sentence);
  });
});
