// atomic: a file is the old one or the new one, and nothing is left beside it.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeAtomic, writeAtomicSync } from '../../src/lib/atomic.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'atomic-'));
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Both ways to write, as one. */
const WAYS: [name: string, write: (path: string, text: string, options?: { mode?: number }) => Promise<void>, mode: string][] = [
  ['writeAtomic', writeAtomic, (0o644 & ~process.umask()).toString(8)],
  ['writeAtomicSync', async (...args) => writeAtomicSync(...args), '600'],
];

describe.each(WAYS)('%s', (_name, write, mode) => {
  test('makes and replaces, with no temporary file left', async () => {
    const path = join(folder(), 'a.txt');
    await write(path, 'one');
    await write(path, 'two');
    expect([readFileSync(path, 'utf8'), readdirSync(join(path, '..')), modeOf(path)]).toEqual(['two', ['a.txt'], mode]);
  });

  test('gives the mode that was asked for, whatever the umask', async () => {
    const path = join(folder(), 'run.sh');
    const old = process.umask(0o077);
    try {
      await write(path, 'x', { mode: 0o755 });
    } finally {
      process.umask(old);
    }
    expect(modeOf(path)).toBe('755');
  });

  test('a failure leaves the old file and nothing else', async () => {
    const inside = folder();
    const path = join(inside, 'taken');
    mkdirSync(path);
    writeFileSync(join(path, 'file'), 'x');
    await expect(write(path, 'new')).rejects.toThrow();
    expect([readdirSync(inside), readFileSync(join(path, 'file'), 'utf8')]).toEqual([['taken'], 'x']);
  });

  test.each(['名'.repeat(85), 'n'.repeat(255), '🙂'.repeat(63)])('the longest of names can be written (%#)', async (name) => {
    const path = join(folder(), name);
    await write(path, 'x');
    expect(readFileSync(path, 'utf8')).toBe('x');
  });

  test('two writers at once: one of both wins whole', async () => {
    const path = join(folder(), 'a');
    const texts = ['a'.repeat(100_000), 'b'.repeat(100_000)];
    await Promise.all([...texts, ...texts].map((text) => write(path, text)));
    expect(texts).toContain(readFileSync(path, 'utf8'));
    expect(readdirSync(join(path, '..'))).toEqual(['a']);
  });
});

test('a small state file gets its folder, for the owner alone', () => {
  const path = join(folder(), 'deep', 'er', 'state.json');
  writeAtomicSync(path, '{}');
  expect([modeOf(join(path, '..')), modeOf(path)]).toEqual(['700', '600']);
});

test('a read-only folder is a failure that says so', async () => {
  if (process.getuid?.() === 0) return;
  const path = folder();
  chmodSync(path, 0o500);
  await expect(writeAtomic(join(path, 'a'), 'x')).rejects.toThrow('EACCES');
});

test('killed in the middle of writing, the file is whole all the same', async () => {
  const path = join(folder(), 'state');
  const module = JSON.stringify(join(import.meta.dirname, '../../src/lib/atomic.ts'));
  const script = `import { writeAtomicSync } from ${module}; for (let i = 0; ; i = (i + 1) % 10) { writeAtomicSync(${JSON.stringify(path)}, String(i).repeat(300_000)); process.stdout.write('.'); }`;
  for (let round = 0; round < 3; round++) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const writes = 2 + round * 3;
    await new Promise<void>((resolve) => {
      let seen = 0;
      child.stdout.on('data', (chunk: Buffer) => { seen += chunk.length; if (seen >= writes) child.kill('SIGKILL'); });
      child.on('close', () => resolve());
    });
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, 'utf8')).toMatch(/^(\d)\1{299999}$/);
  }
});
