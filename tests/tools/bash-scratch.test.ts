// What a shell needs on the disk: no other command can steer it, and nothing of a killed run stays for ever.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { childEnv } from '../../src/lib/spawn.ts';
import { prepareShell, sweep } from '../../src/tools/bash/shell.ts';

test('nothing that a shell runs lies where another command could write it', async () => {
  const shell = await prepareShell('true', childEnv(process.env));
  onTestFinished(() => shell.dispose());
  expect(shell.env).toEqual(childEnv(process.env));
  const [scratch = ''] = /\/[^']*mewcode-bash-[^/']+/.exec(shell.argv[2] ?? '') ?? [];
  expect(readdirSync(scratch)).toEqual([]);
});

test('scratch folders of killed runs go after a day, younger ones and what is not ours stay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mewcode-sweep-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['mewcode-bash-old', 'mewcode-bash-new', 'other']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'folder'), '/x');
  }
  const now = Date.now();
  for (const name of ['mewcode-bash-old', 'other']) utimesSync(join(folder, name), new Date(now - 25 * 3_600_000), new Date(now - 25 * 3_600_000));
  await sweep(folder, now);
  expect(readdirSync(folder).sort()).toEqual(['mewcode-bash-new', 'other']);
});
