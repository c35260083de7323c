// The command lines of both sandboxes, and what a command is seen to need. Pure; no sandbox runs here.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gatherFacts } from '../../src/permissions/facts.ts';
import { bubblewrap } from '../../src/sandbox/bubblewrap.ts';
import { gitFoldersOf } from '../../src/sandbox/git-folders.ts';
import { needsOf, type Needs } from '../../src/sandbox/needs.ts';
import { isInside, type Profile } from '../../src/sandbox/profile.ts';
import { createSearch } from '../../src/sandbox/search.ts';
import { seatbelt, seatbeltProfile } from '../../src/sandbox/seatbelt.ts';

const PROFILE: Profile = {
  writable: ['/p', '/tmp', '/p/.mewcode/session/1'], readOnly: ['/p/.git', '/p/.git/hooks', '/p/.github/workflows', '/p/.mewcode'],
  hidden: [{ path: '/p/.env', kind: 'file' }, { path: '/home/u/.ssh', kind: 'folder' }, { path: '/run', kind: 'folder' }], shown: ['/run/systemd/resolve'],
  network: false, env: { GOCACHE: '/tmp/c/go' },
};

test('bubblewrap: parents before children, what is hidden last, anchors so that nothing is moved away', () => {
  expect(bubblewrap(['bash', '-c', 'true'], PROFILE)).toEqual([
    '/usr/bin/env', '--ignore-signal=TERM', 'bwrap', '--unshare-user', '--disable-userns', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--unshare-net', '--cap-drop', 'ALL', '--die-with-parent',
    '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--remount-ro', '/proc',
    '--bind', '/p', '/p', '--bind', '/tmp', '/tmp', '--tmpfs', '/run',
    '--bind', '/p/.github', '/p/.github', '--ro-bind', '/p/.git', '/p/.git', '--ro-bind', '/p/.mewcode', '/p/.mewcode', '--ro-bind', '/dev/null', '/p/.env',
    '--ro-bind', '/p/.git/hooks', '/p/.git/hooks', '--ro-bind', '/p/.github/workflows', '/p/.github/workflows', '--ro-bind', '/run/systemd/resolve', '/run/systemd/resolve', '--tmpfs', '/home/u/.ssh',
    '--bind', '/p/.mewcode/session/1', '/p/.mewcode/session/1',
    '--remount-ro', '/home/u/.ssh', '--remount-ro', '/run', '--setenv', 'GOCACHE', '/tmp/c/go', '--', '/usr/bin/env', '--default-signal=TERM', 'bash', '-c', 'true',
  ]);
  expect(bubblewrap(['x'], { ...PROFILE, network: true }, { program: '/b', disableUserns: false, gentle: false }).slice(0, 6)).toEqual(['/b', '--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try']);
  expect(bubblewrap(['x'], { ...PROFILE, network: true })).not.toContain('--unshare-net');
});

test('whatever the profile: nothing comes after what must be stricter than it, and no mount precedes that of a folder above it', () => {
  const part = fc.constantFrom('a', 'b', '.git', 'c');
  const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
  const paths = fc.uniqueArray(path, { maxLength: 6 });
  fc.assert(fc.property(paths, paths, paths, (writable, readOnly, hidden) => {
    const profile: Profile = { writable, readOnly, hidden: hidden.map((one) => ({ path: one, kind: 'folder' })), shown: [], network: false, env: {} };
    const argv = bubblewrap(['x'], profile);
    const mounts = argv.flatMap((flag, i) => (/^--(bind|ro-bind|tmpfs)$/.test(flag) ? [{ flag, path: (flag === '--tmpfs' ? argv[i + 1] : argv[i + 2]) ?? '' }] : [])).slice(1);
    mounts.forEach(({ path: at }, i) => { expect(mounts.slice(i + 1).filter((later) => later.path !== at && isInside(at, later.path))).toEqual([]); });
    const last = (at: string) => mounts.findLast((mount) => mount.path === at)?.flag;
    for (const at of hidden) expect(last(at)).toBe('--tmpfs');
    for (const at of readOnly) if (!hidden.includes(at)) expect(last(at)).toBe('--ro-bind');
    // Writable is only what was named, or holds something that is kept and lies in what was named.
    for (const { flag, path: at } of mounts) if (flag === '--bind') expect(writable.includes(at) || (writable.some((root) => isInside(at, root)) && readOnly.some((kept) => isInside(kept, at)))).toBe(true);
  }));
});

test('seatbelt: the same in its language', () => {
  expect(seatbeltProfile({ ...PROFILE, writable: [...PROFILE.writable, '/q "x" \\ y'] }).split('\n')).toEqual([
    '(version 1)', '(allow default)', '(deny file-write*)', '(deny network*)',
    '(allow file-write-data file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/dtracehelper") (literal "/dev/stdout") (literal "/dev/stderr"))',
    '(allow file-write* (subpath "/p") (subpath "/tmp") (subpath "/p/.mewcode/session/1") (subpath "/q \\"x\\" \\\\ y"))',
    '(deny file-write* (subpath "/p/.git") (subpath "/p/.git/hooks") (subpath "/p/.github/workflows") (subpath "/p/.mewcode"))',
    '(deny file-write-unlink (literal "/p/.github"))',
    '(allow file-write* (subpath "/p/.mewcode/session/1"))',
    '(deny file-read-data file-read-xattr file-write* network-outbound (subpath "/p/.env") (subpath "/home/u/.ssh") (subpath "/run"))',
    '(allow file-read* network-outbound (subpath "/run/systemd/resolve"))',
    '(deny appleevent-send)', '(deny lsopen)', '(deny job-creation)',
    '(deny process-info* (target others))', '(allow process-info* (target same-sandbox))', '(deny signal (target others))', '(allow signal (target same-sandbox))', '',
  ]);
  expect(seatbelt(['bash', '-c', 'x'], PROFILE)).toEqual(['/usr/bin/sandbox-exec', '-p', seatbeltProfile(PROFILE), '/usr/bin/env', 'GOCACHE=/tmp/c/go', 'bash', '-c', 'x']);
  expect(seatbeltProfile({ ...PROFILE, network: true })).not.toContain('network*');
});

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-needs-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function needs(text: string, root = makeFolder()): Promise<Needs> {
  return needsOf(await gatherFacts([{ kind: 'run', target: text }], { cwd: root, roots: [root], home: '/home/u' }));
}

const programs = async (...texts: string[]) => Promise.all(texts.map(async (text) => (await needs(text)).programs));

describe('needs', () => {
  test.each([
    'curl https://x', 'wget -q x', 'npm install', 'npm i left-pad', 'npm ci && npm test', 'pnpm add x', 'yarn', 'yarn add x', 'bun install', 'npx cowsay', 'pip install x', 'python3 -m pip install x', 'pip3.11 install x', '.venv/bin/pip install x', 'venv/bin/python -m pip install x', 'uv sync', 'poetry add x',
    'cargo add x', 'cargo install x', 'go get x', 'go mod tidy', 'gem install x', 'bundle install', 'bundle', 'composer require x', 'git push', 'git -C sub fetch --all', 'git clone https://x', 'git submodule update --init', 'git remote update', 'gh pr list',
    'ssh host', 'docker ps', 'kubectl get pods', 'aws s3 ls', 'psql -c x', 'timeout 5 npm install', 'sudo curl x', 'sh -c "curl x"', 'echo $(curl x)', 'cat x | ssh host', 'env A=b npm publish', 'for i in a b; do curl $i; done', 'echo x > /dev/tcp/h/80',
    'npm run dev', 'npm start', 'vite', 'npx -y vite', 'next dev', 'python -m http.server', 'python manage.py runserver', 'flask run', 'php -S localhost:1', '/usr/bin/curl x',
  ])('%s reaches the network', async (text) => { expect((await needs(text)).network).toBe(true); });

  test.each([
    'npm test', 'npm run build', 'npm run lint', 'npm t', 'pnpm test', 'yarn test', 'yarn build', 'bun test', 'cargo build', 'cargo test', 'go build ./...', 'go test ./...', 'make', 'pytest', 'python3 x.py', 'node x.js', 'tsc', 'vite build', 'next build', 'git status', 'git commit -m push', 'git log', 'git remote -v', 'git submodule status',
    'echo curl x', 'grep curl x', 'git commit -m "npm install"', 'ls', './curl x', 'bin/git push', 'php x.php', 'openssl rand 4', 'echo $(', 'uv venv', 'pip list', '.venv/bin/pip list', '.venv/bin/python x.py', 'bundle exec rake', 'dotnet build', 'deno test', 'deno run x.ts',
  ])('%s does not', async (text) => { expect((await needs(text)).network).toBe(false); });

  test('what the project itself brings is not fetched', async () => {
    const root = makeFolder();
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
    for (const name of ['tsc', 'vite']) writeFileSync(join(root, 'node_modules/.bin', name), '');
    expect(await Promise.all(['npx tsc', 'npx -y tsc -p .', 'npx vite build', 'npx vite', 'npx other', 'pnpm exec tsc'].map(async (text) => (await needs(text, root)).network))).toEqual([false, false, false, true, true, false]);
  });

  test.each<[string, Pick<Needs, 'git' | 'gitOnly'>]>([
    ['git status', { git: 'no', gitOnly: true }], ['git add . && git commit -m x', { git: 'writes', gitOnly: true }], ['git checkout -b x', { git: 'configures', gitOnly: true }], ['git push -u origin x', { git: 'configures', gitOnly: false }],
    ['npm test && git commit -am x', { git: 'writes', gitOnly: false }], ['npm test && git checkout -b x', { git: 'writes', gitOnly: false }], ['cd sub && git stash', { git: 'writes', gitOnly: true }], ['git log | head', { git: 'no', gitOnly: true }],
    ['./git commit', { git: 'no', gitOnly: false }], ['make', { git: 'no', gitOnly: false }], ['git status; rg x', { git: 'no', gitOnly: false }], ['npm version patch', { git: 'writes', gitOnly: false }], ['npx lint-staged', { git: 'writes', gitOnly: false }], ['npm test', { git: 'no', gitOnly: false }], ['echo git commit', { git: 'no', gitOnly: false }], ['sh -c "git commit"', { git: 'writes', gitOnly: false }],
  ])('git: %s', async (text, expected) => {
    const { git, gitOnly } = await needs(text);
    expect({ git, gitOnly }).toEqual(expected);
  });

  test('keys are for the subcommands that talk to the service', async () => {
    expect(await programs('npm test', 'npm publish', 'git status', 'git push', 'psql', 'gpg -k', 'cargo build', 'make')).toEqual([[], ['npm'], [], ['git'], ['psql'], ['gpg'], [], []]);
    expect(await programs('npm ci && npm test', 'npm test && git push', 'git add . && git commit -m x && git push', 'ssh a | aws s3 cp - x', 'cd x && echo y && git push', 'make; git push', 'sudo git push')).toEqual([['npm'], [], ['git'], ['ssh', 'aws'], ['git'], [], []]);
  });
});

test('the search finds what is sensitive and what is guarded, passes over dependencies, and sees what is new', async () => {
  const root = makeFolder();
  const put = (path: string) => { mkdirSync(join(root, path, '..'), { recursive: true }); writeFileSync(join(root, path), ''); };
  ['.env', 'a/b/x.key', 'node_modules/y/z.key', 'sub/.git/config', '.github/workflows/ci.yml', '.github/x.key', 'venv/lib/cacert.key', '.vscode/x.key'].forEach(put);
  const search = createSearch({ hidden: (path) => /\.env$|\.key$/.test(path), guarded: ['.git', '.vscode', '.github/workflows'] });
  const found = () => { const { hidden, guarded } = search.find(root); return [hidden, guarded].map((paths) => paths.map((path) => path.slice(root.length + 1)).sort()); };
  expect(found()).toEqual([['.env', '.github/x.key', 'a/b/x.key'], ['.github/workflows', '.vscode', 'sub/.git']]);
  put('a/b/c/new.key');
  rmSync(join(root, '.env'));
  expect(found()).toEqual([['.github/x.key', 'a/b/c/new.key', 'a/b/x.key'], ['.github/workflows', '.vscode', 'sub/.git']]);
  await search.warm(root);
  expect(found()[0]).toHaveLength(3);
  rmSync(root, { recursive: true });
  expect(found()).toEqual([[], []]);
});

test('git folders: a file leads to the folder of a worktree and to the repository that it shares', () => {
  const root = makeFolder();
  mkdirSync(join(root, 'main/.git/worktrees/w'), { recursive: true });
  mkdirSync(join(root, 'w'));
  writeFileSync(join(root, 'w/.git'), `gitdir: ${join(root, 'main/.git/worktrees/w')}\n`);
  writeFileSync(join(root, 'main/.git/worktrees/w/commondir'), '../..\n');
  mkdirSync(join(root, 'broken'));
  writeFileSync(join(root, 'broken/.git'), 'gitdir: /no/such\n');
  expect(gitFoldersOf(join(root, 'main/.git'))).toEqual([join(root, 'main/.git')]);
  expect(gitFoldersOf(join(root, 'w/.git'))).toEqual([join(root, 'main/.git/worktrees/w'), join(root, 'main/.git')]);
  expect(gitFoldersOf(join(root, 'broken/.git'))).toEqual([join(root, 'broken/.git')]);
  expect(gitFoldersOf(join(root, 'none/.git'))).toEqual([]);
  expect(existsSync(join(root, 'none'))).toBe(false);
});
