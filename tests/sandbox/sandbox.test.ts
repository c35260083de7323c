// The real sandbox: what commands in it can't reach, what they can, and that nothing is left behind.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSocket, type AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isNowhere } from '../helpers/gone.ts';
import { gatherFacts } from '../../src/permissions/facts.ts';
import { env, installed, kind, makeJail, without, type Jail } from './jail.ts';

test('the probe works wherever bubblewrap is installed and user namespaces are allowed', (context) => {
  if (!installed || process.platform !== 'linux') return context.skip('bwrap is not installed');
  let allowed = true;
  try {
    execFileSync('unshare', ['--user', '--map-root-user', '--net', 'true'], { stdio: 'ignore' });
  } catch {
    allowed = false;
  }
  if (!allowed) return context.skip('user namespaces are not allowed here');
  expect(kind).toEqual({ kind: 'bubblewrap', program: expect.any(String), disableUserns: expect.any(Boolean), gentle: expect.any(Boolean) });
});

const python = (code: string) => `python3 -c ${JSON.stringify(code)}`;
const git = (jail: Jail, ...args: string[]) => execFileSync('git', ['-C', jail.root, ...args], { env: { ...env, HOME: jail.home }, encoding: 'utf8' });

describe.skipIf(without !== '')(`in the sandbox${without}`, () => {
  let jail: Jail;
  beforeAll(() => {
    jail = makeJail();
    jail.put('.env', 'KEY=canary-env\n');
    jail.put('deep/er/server.key', 'canary-key\n');
    jail.put('.gitignore', '.env\n*.key\n');
    jail.put('.github/workflows/ci.yml', 'on: push\n');
    jail.put('tools/husky/pre-commit', 'true\n');
    symlinkSync('tools/husky', join(jail.root, '.husky'));
    jail.put('a.txt', 'a\n');
    jail.put('.git/hooks/sample', '');
    for (const path of ['.ssh/id_rsa', '.aws/credentials', '.netrc', '.npmrc', '.config/gh/hosts.yml']) {
      mkdirSync(join(jail.home, path, '..'), { recursive: true });
      writeFileSync(join(jail.home, path), `canary-${path}\n`);
    }
  });
  afterAll(() => jail.dispose());

  test.each<[string, string, RegExp]>([
    ['a write outside', python("open('/var/tmp/outside','w')"), /Read-only file system/],
    ['a write in the home folder', python("import os; open(os.environ['HOME']+'/.bashrc','a')"), /Read-only file system/],
    ['a hook of git', python("open('.git/hooks/pre-commit','w')"), /Read-only file system/],
    ['the configuration of git', 'echo x >> .git/config', /Read-only file system/],
    ['the same by a link', python("import os; os.symlink('.git/config','c'); open('c','a')"), /Read-only file system/],
    ['.git as a whole', python("import os; os.rename('.git','g')"), /Device or resource busy/],
    ['a folder above a workflow', python("import os; os.rename('.github','g')"), /Device or resource busy/],
    ['a workflow', python("open('.github/workflows/new.yml','w')"), /Read-only file system/],
    ['what a guarded link leads to', python("open('.husky/pre-commit','w')"), /Read-only file system/],
    ['a sensitive file', python("open('.env').read()"), /Permission denied/],
    ['one deep down', python("open('deep/er/server.key').read()"), /Permission denied/],
    ['one in a folder that was moved', python("import os; os.rename('deep','deep2'); open('deep2/er/server.key').read()"), /Permission denied/],
    ['keys of ssh', python("import os; print(os.listdir(os.environ['HOME']+'/.ssh')); open(os.environ['HOME']+'/.ssh/x','w')"), /(?=[^]*Read-only file system)(?=[^]*^\[\]$)/m],
    ['other keys', python("import os; open(os.environ['HOME']+'/.netrc').read()"), /Permission denied/],
    ['a device', python("open('/dev/vda','rb')"), /No such file/],
    ['a mount', 'mount -t tmpfs x /mnt', /permission denied|must be superuser|not permitted/i],
    ['a mount of ours', 'umount .env; umount .git; umount "$HOME/.ssh"', /permission denied|must be superuser|not permitted/i],
    ['a namespace of its own', 'unshare -U true', /No space left|not permitted|cannot allocate/i],
    ['a new repository beside', python("open('.git/commondir','w')"), /Read-only file system/],
  ])('%s is out of reach', async (_, text, expected) => {
    const { code, text: output } = await jail.sh(text, text.startsWith('python3') || text.includes('mount') ? { as: 'make' } : {});
    expect(output).toMatch(expected);
    expect(code).not.toBe(0);
  });

  test('nothing of the host: its network, its processes, their environments', async () => {
    const server = createServer((_, response) => response.end('reached'));
    await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    onTestFinished(() => { server.close(); });
    const { port } = server.address() as AddressInfo;
    const other = spawn('sleep', ['60'], { env: { CANARY: 'canary-process' }, stdio: 'ignore' });
    onTestFinished(() => { other.kill('SIGKILL'); });
    const fetches = python(`import urllib.request as u; print(u.urlopen('http://127.0.0.1:${port}').read())`);
    expect((await jail.sh(fetches)).text).toMatch(/Connection refused/);
    expect((await jail.sh(fetches, { network: true })).text).toContain('reached');
    expect((await jail.sh(`curl -s http://127.0.0.1:${port}`)).text).toBe('reached');
    expect((await jail.sh(`kill -9 ${other.pid}`)).text).toMatch(/No such process/);
    const seen = await jail.sh('cat /proc/*/environ | tr "\\0" "\\n" | grep -v ^_; ps -A -o args=', { env: { LC_PASSED: 'yes' } });
    expect(seen.text).not.toContain('canary');
    expect(seen.text).toContain('LC_PASSED=yes');
    expect(seen.text).not.toContain('vitest');
    expect((await jail.sh('grep -E "NoNewPrivs|CapEff" /proc/self/status')).text.replaceAll(/\s+/g, ' ')).toBe('CapEff: 0000000000000000 NoNewPrivs: 1 ');
  });

  test('sockets are out of reach, wherever they are', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tmux-'));
    const path = join(tmpdir(), `mewcode-${process.pid}.sock`);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const deep = mkdtempSync(join(tmpdir(), 'mewcode-deep-'));
    onTestFinished(() => rmSync(deep, { recursive: true, force: true }));
    const names = [path, join(folder, 'default'), join(deep, 'socket'), join(jail.home, 'socket')];
    const servers = names.map((name) => createSocket((socket) => socket.end('reached')).listen(name));
    onTestFinished(() => servers.forEach((server) => server.close()));
    for (const name of names) {
      expect((await jail.sh(python(`import socket; s=socket.socket(socket.AF_UNIX); s.connect('${name}'); print(s.recv(9))`))).text).toMatch(/refused|No such file|Permission denied/);
    }
    expect((await jail.sh('ls -A /run')).text.split('\n').filter((name) => !/^(systemd|resolvconf|NetworkManager|)$/.test(name))).toEqual([]);
  });

  test('the settings of the kernel are out of reach for root too, and its keys', async () => {
    // A value that changes nothing where it can be written.
    expect((await jail.sh('cat /proc/sys/vm/swappiness > /proc/sys/vm/swappiness', { as: 'make' })).text).toMatch(/Read-only file system|Permission denied/);
    expect((await jail.sh(python("print(len(open('/etc/shadow').read()))"), { as: 'make' })).text).toMatch(/Permission denied/);
  });

  test('hooks that come to be where there is no folder for them are noticed', async () => {
    const bare = makeJail();
    onTestFinished(() => bare.dispose());
    rmSync(join(bare.root, '.git/hooks'), { recursive: true });
    const facts = await gatherFacts([{ kind: 'run', target: 'make; git commit' }], { cwd: bare.root, roots: [bare.root], home: bare.home });
    const made = bare.confined.watch(facts);
    await bare.sh('mkdir .git/hooks && echo evil > .git/hooks/pre-commit', { as: 'make; git commit' });
    expect(made()).toEqual([join(bare.root, '.git/hooks')]);
  });

  test('the project can be worked on', async () => {
    expect(await jail.sh('echo b > b.txt && mkdir -p x/y && mv b.txt x/y && cat x/y/b.txt a.txt && rm -r x && pwd && echo t > /tmp/mewcode-t && rm /tmp/mewcode-t')).toEqual({ code: 0, signal: null, text: `b\na\n${jail.root}\n` });
    expect(readFileSync(join(jail.root, 'a.txt'), 'utf8')).toBe('a\n');
    // What the words say was judged with them.
    expect((await jail.sh('echo "on: pull" > .github/workflows/two.yml && rm .github/workflows/two.yml')).code).toBe(0);
  });

  test.each(['git status --short', 'git diff; git log --oneline || true', 'echo git'])('%s leaves the repository as it is', async (text) => {
    const before = git(jail, 'status', '--short');
    expect((await jail.sh(text)).code).toBe(0);
    expect(git(jail, 'status', '--short')).toBe(before);
  });

  test('git may commit, branch and configure; what runs beside it may not touch its hooks and configuration', async () => {
    expect(await jail.sh('git add . && git commit -qm one && git log --format=%s')).toEqual({ code: 0, signal: null, text: 'one\n' });
    expect((await jail.sh('git checkout -q -b other && git config test.key yes && git config test.key')).text).toBe('yes\n');
    const beside = await jail.sh(`${python("open('.git/config','a')")}; ${python("open('.git/hooks/pre-commit','w')")}; touch n && git add n && git commit -qm two && git log -1 --format=%s`, { as: 'make; git commit' });
    expect(beside.text.match(/Read-only file system|two/g)?.sort()).toEqual(['Read-only file system', 'Read-only file system', 'two']);
    expect((await jail.sh(python("open('.git/hooks/x','w')"), { as: 'git commit' })).text).toMatch(/Read-only/);
    expect((await jail.sh('./git commit -m x; touch .git/x')).text).toMatch(/Read-only/);
    git(jail, 'worktree', 'add', '-q', join(jail.root, 'tree'));
    expect((await jail.sh('cd tree && git commit -q --allow-empty -m four && git log -1 --format=%s')).text).toBe('four\n');
    expect((await jail.sh(python("open('.git/worktrees/tree/HEAD','w')"), { as: 'make' })).text).toMatch(/Read-only/);
  });

  test('git finds what it has already as it is, and gets nothing out of what it has not', async () => {
    const sample = makeJail();
    onTestFinished(() => sample.dispose());
    sample.put('tests/server.key', 'a sample\n');
    git(sample, 'add', '.');
    git(sample, 'commit', '-qm', 'with a sample');
    sample.put('.env', 'canary-env\n');
    sample.put('.gitignore', '.env\n');
    expect((await sample.sh('git status --short && git diff --stat && git add . && git commit -qam ignore && git status --short')).text).toBe('?? .gitignore\n');
    const tries = ['git diff --no-index /dev/null .env', 'git add -f .env; git show :.env', 'git hash-object -w .env', 'git stash -a; git stash show -p --include-untracked', 'git grep --no-index canary', 'git update-index --add --cacheinfo 100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,.env; git diff'];
    // As if their own words did not name it, which is denied.
    for (const text of tries) expect((await sample.sh(text, { as: 'git add .; git stash' })).text, text).not.toContain('canary');
    expect(readFileSync(join(sample.root, '.env'), 'utf8')).toBe('canary-env\n');
    expect((await sample.sh(python("open('tests/server.key')"), { as: 'make' })).text).toMatch(/Permission denied/);
  });

  test('a `.git` that a command has put there opens nothing elsewhere', async () => {
    const other = makeJail();
    onTestFinished(() => other.dispose());
    const elsewhere = join(other.root, 'HEAD');
    writeFileSync(elsewhere, '');
    const tries: [string, string][] = [
      ['at-f', `mkdir -p at-f && echo "gitdir: ${other.root}" > at-f/.git`], ['at-r', `mkdir -p at-r && echo "gitdir: ${other.root}/.git" > at-r/.git`], ['at-l', `mkdir -p at-l && ln -sfn ${other.root} at-l/.git`],
      ['at-c', `mkdir -p at-c/.git/objects && echo ref: refs/heads/x > at-c/.git/HEAD && echo ${other.root} > at-c/.git/commondir`],
    ];
    for (const [name, make] of tries) {
      await jail.sh(make, { as: 'make' });
      expect(await jail.sh(`touch ${other.root}/.git/new ${other.root}/new`, { as: 'git commit -m x', cwd: join(jail.root, name) }), name).toMatchObject({ code: 1, text: expect.stringMatching(/Read-only.*\n.*Read-only/) });
    }
    expect((await jail.sh('rm -rf at-f at-r at-l at-c')).code).toBe(0);
    // A worktree names its own folder, and is named by it.
    git(other, 'commit', '-q', '--allow-empty', '-m', 'x');
    git(other, 'worktree', 'add', '-q', join(jail.root, 'theirs'));
    expect((await jail.sh('git commit -q --allow-empty -m y && git log -1 --format=%s', { cwd: join(jail.root, 'theirs') })).text).toBe('y\n');
  });

  test('who copies into a folder does not mean all that is in it', async () => {
    const config = python("open('.git/config','a')");
    for (const as of ['cp a.txt .', 'mv a.txt .', 'tar xf x.tar -C .', 'cp a.txt ..', 'chmod -R u+r .']) expect((await jail.sh(config, { as })).text, as).toMatch(/Read-only/);
    expect((await jail.sh('mkdir -p gone && cd gone && git init -q . && cd .. && ls gone/.git/HEAD')).text).toBe('gone/.git/HEAD\n');
    expect((await jail.sh('rm -rf gone && ls gone')).text).toMatch(/No such file/);
    const bashrc = join(jail.home, '.bashrc');
    writeFileSync(bashrc, '');
    expect((await jail.sh(`cp a.txt "$HOME/" && echo x >> ${JSON.stringify(bashrc)}`, { as: 'cp a.txt ~/' })).text).toMatch(/Read-only/);
  });

  test('a program sees the keys that are made for it, where it talks to its service', async () => {
    expect((await jail.sh('git push nowhere; cat "$HOME/.ssh/id_rsa"')).text).toContain('canary-.ssh');
    expect((await jail.sh('npm install --help > n; cat ~/.npmrc')).text).toContain('canary-.npmrc');
    expect((await jail.sh(python("import os; open(os.environ['HOME']+'/.npmrc').read()"), { as: 'npm test' })).text).toMatch(/Permission denied/);
  });

  test('what appears at a guarded place is told', async () => {
    const facts = { real: {}, shell: {}, root: jail.root, cwd: jail.root, home: jail.home };
    const appeared = jail.confined.watch(facts);
    await jail.sh(python("import os; os.makedirs('.vscode'); open('.envrc','w'); os.remove('.husky'); os.makedirs('.husky')"), { as: 'make' });
    expect(appeared().sort()).toEqual(['.envrc', '.husky', '.vscode'].map((name) => join(jail.root, name)));
  });

  test.each<[string, string, Awaited<ReturnType<Jail['sh']>>]>([
    ['exit code', 'exit 7', { code: 7, signal: null, text: '' }],
    ['signal', 'kill -TERM $$', { code: 143, signal: null, text: '' }],
    ['end of input', 'cat; echo end', { code: 0, signal: null, text: 'end\n' }],
    ['200 children', 'for i in $(seq 200); do sleep 0 & done; wait; echo all', { code: 0, signal: null, text: 'all\n' }],
    ['streams in order', 'echo 1; echo 2 >&2; echo 3', { code: 0, signal: null, text: '1\n2\n3\n' }],
  ])('%s', async (_, text, expected) => {
    const ran = await jail.sh(text);
    expect({ ...ran, text: ran.text.split('\n').toSorted().join('\n') }).toEqual({ ...expected, text: expected.text.split('\n').toSorted().join('\n') });
  });

  test('a lot of output, a time limit and a cancel', async () => {
    expect((await jail.sh('head -c 2000000 /dev/zero | tr "\\0" x')).text.length).toBe(2_000_000);
    expect((await jail.sh('sleep 100', { timeoutMs: 200 })).code).not.toBe(0);
    const signal = AbortSignal.timeout(200);
    expect((await jail.sh('sleep 100 & sleep 100', { signal })).code).not.toBe(0);
  });

  test('a command that is ended may clean up', async (context) => {
    if (kind.kind !== 'bubblewrap' || !kind.gentle) return context.skip('env knows no signals here');
    expect((await jail.sh('trap "echo cleaned; exit 3" TERM; echo begun; sleep 60 & wait', { timeoutMs: 400 })).text).toBe('begun\ncleaned\n');
    expect(await jail.sh('kill -TERM $$; echo lives')).toEqual({ code: 143, signal: null, text: '' });
  });

  test.each(['with blanks', "quo'te \"and\" $x", 'ümläut 日本', 'new\nline', '-dash'])('a project named %j', async (name) => {
    const strange = makeJail({ name, git: true });
    onTestFinished(() => strange.dispose());
    strange.put('.env', 'x');
    expect(await strange.sh('touch new && git add new && git commit -qm ok && basename "$PWD"')).toEqual({ code: 0, signal: null, text: `${name}\n` });
    expect((await strange.sh(python("open('.env')"), { as: 'make' })).text).toMatch(/Permission denied/);
  });

  test.each([['temporary folder', tmpdir()], ['home folder', homedir()]])('a project in the %s', async (_, base) => {
    const there = makeJail({ base });
    onTestFinished(() => there.dispose());
    expect((await there.sh(`touch new && git status --short && ${python("open('../outside','w')")}`, { as: 'make' })).text).toMatch(base === homedir() ? /^\?\? new\n[^]*Read-only/ : /^\?\? new\n$/);
    expect((await there.sh(python("open('.git/config','a')"), { as: 'make' })).text).toMatch(/Read-only/);
  });

  test('nothing is left behind, however it ends', async () => {
    const clean = makeJail();
    onTestFinished(() => clean.dispose());
    clean.put('a', 'a');
    clean.put('.env', 'x');
    git(clean, 'add', 'a');
    const before = { files: readdirSync(clean.root).sort(), home: readdirSync(clean.home), status: git(clean, 'status', '--short') };
    for (let i = 0; i < 20; i += 1) {
      const running = await clean.start('sleep 60 & sleep 60');
      await new Promise((resolve) => { setTimeout(resolve, i * 2); });
      process.kill(-running.pid, 'SIGKILL');
      await running.done;
    }
    expect({ files: readdirSync(clean.root).sort(), home: readdirSync(clean.home), status: git(clean, 'status', '--short') }).toEqual(before);
  });

  test('what a command leaves running ends with it', async () => {
    const mark = `91.${process.pid}`;
    await jail.sh(`nohup sleep ${mark} >/dev/null 2>&1 & setsid sleep ${mark} >/dev/null 2>&1 & disown -a; echo`);
    expect(await isNowhere(`sleep ${mark}`)).toBe(true);
  });
});
