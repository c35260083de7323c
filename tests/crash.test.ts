// The report of a crash has no key of the environment and none that the configuration named.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('neither the file nor the sentence shows a key or an escape sequence', () => {
  const home = mkdtempSync(join(tmpdir(), 'mewcode-crash-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const program = `
    import { rememberSecrets } from ${JSON.stringify(join(import.meta.dirname, '../src/lib/mask.ts'))};
    import { leaveOnBugs } from ${JSON.stringify(join(import.meta.dirname, '../src/main/bugs.ts'))};
    leaveOnBugs();
    rememberSecrets(['canary-of-the-config']);
    throw new Error('no canary-of-the-config, no canary-of-the-env \\x1b]0;x\\x07');`;
  const { status, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program], { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', MEWCODE_HOME: home, SOME_TOKEN: 'canary-of-the-env' } });
  const [name = ''] = readdirSync(join(home, 'logs'));
  const report = readFileSync(join(home, 'logs', name), 'utf8');
  expect(status).toBe(1);
  expect(report).toContain('Error: no ••••');
  expect(stderr).toMatch(/^mewcode: a bug in MewCode ended it: no ••••[•\w]*, no ••••[•\w]* \. The details are in .*\n$/);
  expect(report + stderr).not.toMatch(/canary-of/);
  expect(stderr).not.toContain('\x1b');
});
