// Which programs are found, and which a project can't bring.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findProgram } from '../../src/lib/find-program.ts';

test('the first on the PATH, but no relative one, and none inside of folders that are left out', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-find-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [project, system] = [join(folder, 'project'), join(folder, 'project-system')];
  for (const place of [join(project, 'bin'), system]) {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'tool'), '');
    chmodSync(join(place, 'tool'), 0o755);
  }
  symlinkSync(join(project, 'bin'), join(folder, 'link'));
  const env = { PATH: `.:bin:${join(folder, 'link')}:${join(project, 'bin')}:${system}` };
  expect(findProgram('tool', env)).toBe(join(folder, 'link/tool'));
  expect(findProgram('tool', env, { outside: [project] })).toBe(join(system, 'tool'));
  expect(findProgram('tool', env, { outside: [folder] })).toBeUndefined();
});
