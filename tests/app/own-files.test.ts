// What steers MewCode or makes git run code, wherever it really lies.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownFiles } from '../../src/app/own-files.ts';
import { findPaths } from '../../src/config/paths.ts';
import { makeWorld } from '../helpers/start-app.ts';

const of = (root: string, home: string): string[] => ownFiles({ files: [] }, findPaths({ cwd: root, env: { HOME: home } }));
const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, stdio: 'pipe', env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } });

test('our own, of the project and of the user, and those of other tools', () => {
  const { home, project } = makeWorld();
  expect(of(project, home)).toEqual(expect.arrayContaining([
    join(project, '.mewcode/permissions.yaml'), join(project, '.mewcode/permissions.local.yaml'), join(project, '.mewcode/hooks'), join(project, '.mewcode/mcp.json'), join(project, '.claude/settings.json'), join(home, '.mewcode/trust.json'), join(home, '.mewcode/trust'), join(home, '.mewcode/credentials.json'), join(home, '.mewcode/permissions.yaml'),
  ]));
});

test('what a link leads to', () => {
  const { home, project } = makeWorld();
  mkdirSync(join(project, '.mewcode'));
  writeFileSync(join(project, 'rules.yaml'), '');
  symlinkSync('../rules.yaml', join(project, '.mewcode/permissions.yaml'));
  expect(of(project, home)).toContain(join(project, 'rules.yaml'));
});

test('the repository behind a worktree, a separate one inside the project, and hooks in another folder', () => {
  const { home, project } = makeWorld();
  const main = join(home, 'main');
  mkdirSync(main);
  git(main, 'init', '-q');
  git(main, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x');
  git(main, 'worktree', 'add', '-q', join(home, 'tree'));
  expect(of(join(home, 'tree'), home)).toEqual(expect.arrayContaining([join(main, '.git/worktrees/tree'), join(main, '.git')]));

  const separate = join(home, 'separate');
  git(home, 'init', '-q', `--separate-git-dir=${join(separate, 'store')}`, separate);
  expect(of(separate, home)).toContain(join(separate, 'store'));

  git(main, 'config', 'core.hooksPath', 'tools/hooks');
  expect(of(main, home)).toContain(join(main, 'tools/hooks'));
  git(main, 'config', 'core.hooksPath', '.');
  expect(of(main, home)).not.toContain(main);
  expect(of(project, home)).toContain(join(project, '.git'));
});
