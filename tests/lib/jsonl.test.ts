// jsonl: whole lines only; what a crash left behind is sealed, skipped and counted.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openJsonl, readJsonl } from '../../src/lib/jsonl.ts';

const file = () => join(mkdtempSync(join(tmpdir(), 'jsonl-')), 'deep', 'events.jsonl');

function append(path: string, ...values: unknown[]): void {
  const writer = openJsonl(path);
  for (const value of values) writer.append(value);
  writer.close();
}

test('what is appended is read, also by those who come later', () => {
  const path = file();
  append(path, { a: 1 }, 'two');
  append(path, [3], null);
  expect(readJsonl(path)).toEqual({ values: [{ a: 1 }, 'two', [3], null], damaged: 0 });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('opening alone makes an empty file, and a missing file is an empty one', () => {
  const path = file();
  expect(readJsonl(path)).toEqual({ values: [], damaged: 0 });
  append(path);
  expect([existsSync(path), readJsonl(path)]).toEqual([true, { values: [], damaged: 0 }]);
});

test('line breaks of every kind stay inside their value', () => {
  fc.assert(fc.property(fc.array(fc.jsonValue()), (values) => {
    const path = file();
    append(path, ...values);
    expect(readJsonl(path)).toEqual({ values: JSON.parse(JSON.stringify(values)), damaged: 0 });
  }), { numRuns: 50 });
});

describe('damage', () => {
  test.each<[name: string, left: string, values: unknown[], damaged: number]>([
    ['a torn last line', '{"a":1}\n{"b":', [{ a: 1 }, 'new'], 1],
    ['a torn line that is JSON by chance', '{"a":1}\n12', [{ a: 1 }, 12, 'new'], 0],
    ['nothing but a torn line', '{"b"', ['new'], 1],
    ['a run of NULs at the end', '{"a":1}\n\0\0\0\0', [{ a: 1 }, 'new'], 1],
    ['a run of NULs in the middle', '{"a":1}\n\0\0\0\0\n{"b":2}\n', [{ a: 1 }, { b: 2 }, 'new'], 1],
    ['two lines fused by an older crash', '{"a":1}{"b":2}\n{"c":3}\n', [{ c: 3 }, 'new'], 1],
    ['empty lines', '\n\n{"a":1}\n\n', [{ a: 1 }, 'new'], 0],
    ['a torn character', '{"a":1}\n{"b":"\ufffd', [{ a: 1 }, 'new'], 1],
  ])('%s', (_name, left, values, damaged) => {
    const path = file();
    append(path);
    writeFileSync(path, left);
    append(path, 'new');
    expect(readJsonl(path)).toEqual({ values, damaged });
  });

  test('cut at any byte, all lines before the cut are there, and what comes after is too', () => {
    const lines = [{ text: 'grüße 🙂' }, { n: [1, 2] }, 'end'];
    const whole = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    for (let cut = 0; cut <= Buffer.byteLength(whole); cut++) {
      const path = file();
      append(path, ...lines);
      truncateSync(path, cut);
      const intact = Buffer.from(whole).subarray(0, cut).toString('utf8').split('\n').length - 1;
      append(path, { after: true });
      const { values, damaged } = readJsonl(path);
      expect(values.slice(0, intact)).toEqual(lines.slice(0, intact));
      expect(values.at(-1)).toEqual({ after: true });
      expect(values.length + damaged).toBeLessThanOrEqual(intact + 2);
    }
  });

  test('a writer whose line was cut short by the disk seals it with the next', () => {
    const path = file();
    append(path);
    // A limit on file sizes stops the write in the middle of the second line.
    const module = JSON.stringify(join(import.meta.dirname, '../../src/lib/jsonl.ts'));
    const script = `import { openJsonl } from ${module}; process.on('SIGXFSZ', () => {}); const w = openJsonl(${JSON.stringify(path)}); w.append('first'); try { w.append('x'.repeat(5000)); } catch (error) { process.stdout.write(error.code); }`;
    const ran = spawnSync('bash', ['-c', 'ulimit -f 2; exec "$0" --disable-warning=ExperimentalWarning --input-type=module -e "$1"', process.execPath, script], { encoding: 'utf8' });
    expect(ran.stdout).toBe('EFBIG');
    expect(readFileSync(path, 'utf8')).toMatch(/^"first"\n"x+$/);
    append(path, 'after');
    expect(readJsonl(path)).toEqual({ values: ['first', 'after'], damaged: 1 });
  });

  test('a full disk throws', () => {
    if (!existsSync('/dev/full')) return;
    const writer = openJsonl('/dev/full');
    expect(() => writer.append('x')).toThrow('ENOSPC');
    writer.close();
  });

  test('a line that another process tore is not fused with ours', () => {
    const path = file();
    append(path, 1);
    appendFileSync(path, '{"torn');
    append(path, 2);
    expect(readJsonl(path)).toEqual({ values: [1, 2], damaged: 1 });
  });
});
