// What `npm pack` makes runs by itself: the bundle needs nothing beside it.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ROOT } from '../helpers/mewcode.ts';

const run = promisify(execFile);

test('the package runs where nothing else is installed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mewcode-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // dist/ is built already; building it again would pull it away from under the other tests.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  await run('tar', ['-xzf', join(folder, tarball), '-C', folder]);
  const main = join(folder, 'package/dist/main.js');
  const home = join(folder, 'home');
  mkdirSync(home);
  const env = { PATH: process.env.PATH, HOME: home, MEWCODE_DEMO_RATE: '0' };
  expect((await run(process.execPath, [main, '--version'], { cwd: home, env })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const asked = run(process.execPath, [main, '-p', '--no-session', 'list docs'], { cwd: join(folder, 'package'), env });
  asked.child.stdin?.end();
  expect((await asked).stdout).toContain('configuration.md');
  expect(readdirSync(join(folder, 'package')).sort()).toEqual(['LICENSE', 'README.md', 'config.example.yaml', 'dist', 'docs', 'package.json']);
});
