// A hostile repository runs nothing: every way that its configuration has to start a program ends at a canary that must not sing.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openGit, PLAIN_DIFF } from '../../src/lib/git.ts';
import { childEnv } from '../../src/lib/spawn.ts';
import { gitIn } from '../helpers/git-repository.ts';

let root: string;
let repo: string;
let git: (...args: string[]) => string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-git-')));
  repo = join(root, 'repo');
  mkdirSync(repo);
  git = gitIn(repo);
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repo, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'First');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A program that leaves its mark when it runs. */
function canary(name: string): string {
  const path = join(root, `canary-${name}`);
  writeFileSync(path, `#!/bin/sh\ntouch ${root}/sang-${name}\n`);
  chmodSync(path, 0o755);
  return path;
}
const sang = () => readdirSync(root).filter((name) => name.startsWith('sang-')).toSorted();

const env = () => ({ ...childEnv(process.env), HOME: root });

/** Everything that the tools ask, and whether git did it. */
async function askAll(folder = repo): Promise<(number | null)[]> {
  const opened = await openGit(folder, { env: { ...env(), GIT_EXTERNAL_DIFF: canary('env-diff'), GIT_SSH_COMMAND: canary('env-ssh') } });
  if (!opened.ok) throw new Error(opened.why);
  const commands = [
    ['status', '--porcelain=v2', '--branch', '--untracked-files=normal', '--ignore-submodules=dirty'],
    ['diff', ...PLAIN_DIFF], ['diff', ...PLAIN_DIFF, '--cached', '--numstat'], ['diff', ...PLAIN_DIFF, 'HEAD~1', 'HEAD'],
    ['log', ...PLAIN_DIFF, '--no-show-signature', '--format=%h %s', '--numstat', '--no-notes', '--no-mailmap'], ['for-each-ref', '--format=%(refname) %(upstream:track)'], ['rev-parse', '--verify', 'HEAD^{commit}'],
  ];
  const codes: (number | null)[] = [];
  for (const command of commands) codes.push((await opened.git.ask(command)).code);
  return codes;
}

/** The file is to be compared by its content. */
function touch(name = 'a.txt', text = 'two\n'): void {
  writeFileSync(join(repo, name), text);
  utimesSync(join(repo, name), 1_900_000_000, 1_900_000_000);
}

const all = [0, 0, 0, 0, 0, 0, 0];

test('nothing that a configuration names is run', async () => {
  touch();
  git('commit', '-q', '-a', '-m', 'Second');
  for (const [key, name] of [
    ['core.fsmonitor', 'fsmonitor'], ['core.pager', 'pager'], ['pager.log', 'pager-log'], ['pager.diff', 'pager-diff'], ['core.editor', 'editor'], ['core.sshCommand', 'ssh'], ['core.askPass', 'askpass'], ['core.gitProxy', 'proxy'],
    ['credential.helper', 'credential'], ['diff.external', 'external'], ['diff.evil.command', 'diff-command'], ['diff.evil.textconv', 'textconv'], ['filter.evil.clean', 'clean'], ['filter.evil.smudge', 'smudge'],
    ['filter.served.process', 'process'], ['filter.odd.name.clean', 'odd'], ['gpg.program', 'gpg'], ['gpg.ssh.program', 'gpg-ssh'], ['interactive.diffFilter', 'difffilter'], ['merge.evil.driver', 'merge'], ['trailer.x.command', 'trailer'],
  ] as const) git('config', key, canary(name));
  git('config', 'log.showSignature', 'true');
  git('config', 'format.pretty', '%h %G? %GS');
  git('config', 'status.submoduleSummary', 'true');
  git('config', 'filter.served.required', 'true');
  git('config', 'alias.log', `!${canary('alias')}`);
  git('config', 'core.hooksPath', join(root, 'hooks'));
  mkdirSync(join(root, 'hooks'));
  for (const hook of ['post-index-change', 'fsmonitor-watchman', 'reference-transaction']) writeFileSync(join(root, 'hooks', hook), `#!/bin/sh\ntouch ${root}/sang-hook\n`, { mode: 0o755 });
  writeFileSync(join(root, 'more'), `[filter "included"]\n\tclean = ${canary('included')}\n`);
  git('config', `includeIf.gitdir:${repo}/.path`, join(root, 'more'));
  writeFileSync(join(repo, '.gitattributes'), 'a.txt filter=evil diff=evil\nb.txt filter=served diff=evil\nc.txt filter=included\nd.txt filter=odd.name\n');
  for (const name of ['b.txt', 'c.txt', 'd.txt']) { writeFileSync(join(repo, name), 'one\n'); gitIn(repo, { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: 'false' })('update-index', '--add', '--cacheinfo', `100644,${git('rev-parse', 'HEAD~1:a.txt')},${name}`); touch(name); }
  // A commit that claims to be signed.
  const signed = git('cat-file', 'commit', 'HEAD').replace('\n\n', '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n');
  writeFileSync(join(root, 'commit'), `${signed}\n`);
  git('update-ref', 'HEAD', git('hash-object', '-t', 'commit', '-w', join(root, 'commit')));
  for (const name of sang()) rmSync(join(root, name));
  touch('a.txt', 'three\n');

  expect(await askAll()).toEqual(all);
  expect(sang()).toEqual([]);
  // Asked plainly, git runs them: the cage is not empty.
  git('config', '--remove-section', 'filter.served');
  for (const command of [['status'], ['diff'], ['log', '-p']]) try { git(...command); } catch { /* Some end with an error. */ }
  expect(sang()).toEqual(expect.arrayContaining(['sang-external', 'sang-fsmonitor', 'sang-gpg', 'sang-clean', 'sang-included', 'sang-odd']));
});

test('a submodule runs nothing either', async () => {
  const inner = join(root, 'inner');
  mkdirSync(inner);
  const innerGit = gitIn(inner);
  innerGit('init', '-q');
  writeFileSync(join(inner, 'x'), 'x\n');
  innerGit('add', '-A');
  innerGit('commit', '-q', '-m', 'Inner');
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
  git('commit', '-q', '-m', 'Submodule');
  const sub = gitIn(join(repo, 'sub'));
  sub('config', 'core.fsmonitor', canary('sub-fsmonitor'));
  sub('config', 'filter.evil.clean', canary('sub-clean'));
  writeFileSync(join(repo, 'sub', '.gitattributes'), '* filter=evil\n');
  writeFileSync(join(repo, 'sub', 'x'), 'y\n');
  git('config', 'submodule.sub.ignore', 'none');
  git('config', 'diff.submodule', 'diff');
  git('config', 'status.submoduleSummary', 'true');
  expect(await askAll()).toEqual(all);
  expect(sang()).toEqual([]);
  // It has a .git of its own that names its data in turn.
  const opened = await openGit(join(repo, 'sub'), { env: env() });
  expect(opened).toMatchObject({ ok: true, git: { top: join(repo, 'sub'), gitDir: join(repo, '.git', 'modules', 'sub') } });
  expect(await askAll(join(repo, 'sub'))).toEqual([0, 0, 0, 128, 0, 0, 0]);
  expect(sang()).toEqual([]);
  git('status');
  expect(sang()).toContain('sang-sub-fsmonitor');
});

test('what is missing is not fetched', async () => {
  touch();
  git('commit', '-q', '-a', '-m', 'Second');
  const blob = git('rev-parse', 'HEAD~1:a.txt');
  git('config', 'extensions.partialClone', 'origin');
  git('config', 'core.repositoryFormatVersion', '1');
  git('config', 'remote.origin.promisor', 'true');
  git('config', 'remote.origin.uploadpack', canary('uploadpack'));
  git('config', 'protocol.allow', 'always');
  git('config', 'protocol.ext.allow', 'always');
  rmSync(join(repo, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
  for (const url of [`ext::${canary('ext')}`, root, `ssh://host/${root}`]) {
    git('config', 'remote.origin.url', url);
    expect((await askAll())[3]).not.toBe(0);
    expect(sang()).toEqual([]);
  }
  git('config', 'remote.origin.url', `ext::${canary('ext')}`);
  expect(() => gitIn(repo, { GIT_ALLOW_PROTOCOL: 'ext' })('diff', 'HEAD~1', 'HEAD')).toThrow();
  expect(sang()).toEqual(['sang-ext']);
});

describe('where it looks', () => {
  test('core.worktree and core.bare lead nowhere else', async () => {
    mkdirSync(join(root, 'private'));
    writeFileSync(join(root, 'private', 'a.txt'), 'secret\n');
    git('config', 'core.worktree', join(root, 'private'));
    const opened = await openGit(repo, { env: env() });
    expect(opened.ok && (await opened.git.ask(['diff', ...PLAIN_DIFF])).text).toBe('');
    git('config', '--unset', 'core.worktree');
    git('config', 'core.bare', 'true');
    const again = await openGit(repo, { env: env() });
    expect(again.ok && (await again.git.ask(['diff', ...PLAIN_DIFF])).text).toBe('');
  });

  test('a bare repository inside a project is a folder of it', async () => {
    const bare = join(repo, 'bare.git');
    git('init', '-q', '--bare', bare);
    gitIn(bare)('config', 'core.fsmonitor', canary('bare'));
    const opened = await openGit(bare, { env: env() });
    expect(opened).toMatchObject({ ok: true, git: { top: repo } });
    expect(await askAll(bare)).toEqual([0, 0, 0, 128, 0, 0, 0]);
    expect(sang()).toEqual([]);
  });

  test('a filter that can not be switched off, a configuration that can not be read', async () => {
    git('config', 'filter.a=b.clean', canary('equals'));
    expect(await openGit(repo, { env: env() })).toEqual({ ok: false, why: 'has a repository with a filter that can\'t be switched off ("a=b")' });
    writeFileSync(join(repo, '.git', 'config'), '[core\n');
    expect(await openGit(repo, { env: env() })).toMatchObject({ ok: false, why: expect.stringMatching(/^has a repository that git can't read: fatal: bad config line 1/) });
  });
});
