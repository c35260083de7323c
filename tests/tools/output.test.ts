// Output of programs: decoded and cleaned wherever the pieces are cut, and handed on; short output whole, long output in a file.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { keepOutput } from '../../src/tools/bash/keep.ts';
import { readOutput } from '../../src/tools/output.ts';

/** What comes of pieces that arrive at once. */
function collect(pieces: readonly (string | Uint8Array)[]): { text: string; shown: string } {
  let [text, shown] = ['', ''];
  const output = readOutput({ take: (piece) => { text += piece; }, show: (piece) => { shown += piece; } });
  for (const piece of pieces) output.add(Buffer.from(piece), 'stdout');
  output.close();
  return { text, shown };
}

test.each<[string, readonly (string | Uint8Array)[], string]>([
  ['lines', ['one\ntw', 'o\n'], 'one\ntwo\n'],
  ['a character cut in two', [Buffer.from('ü').subarray(0, 1), Buffer.from('ü').subarray(1)], 'ü'],
  ['a colour cut in two', ['\x1b[3', '1mred\x1b[', '0m\n'], 'red\n'],
  ['a progress bar', ['10%\r', '20%\r30%', '\r100%\n'], '100%\n'],
  ['a newline cut in two', ['one\r', '\ntwo'], 'one\ntwo'],
  ['a bar that did not end', ['1%\r2%\r'], '2%'],
  ['bytes that are no text', [Buffer.from([0xff, 0xfe, 0, 0x41, 0x0a])], '\ufffd\ufffdA\n'],
])('%s', (_, pieces, text) => {
  expect(collect(pieces)).toEqual({ text, shown: text });
});

test('how output is cut into pieces makes no difference', () => {
  const content = fc.array(fc.constantFrom('a', 'ü', '👋', '\n', '\r\n', '\r', '\x1b[1m', '\x1b]0;t\x07', 'line\n'), { maxLength: 40 }).map((parts) => Buffer.from(parts.join('')));
  fc.assert(fc.property(content, fc.array(fc.nat(60), { maxLength: 6 }), (bytes, cuts) => {
    const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
    expect(collect(at.slice(1).map((end, index) => bytes.subarray(at[index], end))).text).toBe(collect([bytes]).text);
  }), { numRuns: 500 });
});

test('a line without an end is not waited for', () => {
  const taken: string[] = [];
  const output = readOutput({ take: (text) => taken.push(text), show: () => {} });
  for (let n = 0; n < 50; n += 1) output.add(Buffer.from('z'.repeat(60_000)), 'stdout');
  expect(taken.join('').length).toBeGreaterThan(2_900_000);
  expect(collect(Array.from({ length: 50 }, () => '\0'.repeat(60_000))).text).toBe('');
});

test('hands on at most ten pieces a second, an open line as far as it is, a rewritten one anew', () => {
  vi.useFakeTimers();
  const shown: string[] = [];
  const output = readOutput({ take: () => {}, show: (text) => shown.push(text) });
  const add = (text: string) => output.add(Buffer.from(text), 'stdout');
  add('one\n');
  add('two\nthr');
  expect(shown).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(shown).toEqual(['one\ntwo\nthr']);
  add('ee\n10%');
  vi.advanceTimersByTime(100);
  add('\r20%');
  vi.advanceTimersByTime(100);
  add('\r30%\n');
  vi.advanceTimersByTime(1_000);
  output.close();
  add('late');
  vi.advanceTimersByTime(1_000);
  expect(shown).toEqual(['one\ntwo\nthr', 'ee\n10%', '\n20%', '\n30%\n']);
  vi.useRealTimers();
});

function keep(pieces: readonly string[], file: string | null, limit = 10_000) {
  const keeper = keepOutput({ file, limit, mask: (text) => text.replaceAll('SECRET', '••••') });
  for (const piece of pieces) keeper.add(piece);
  keeper.close();
  return keeper.read();
}
const lines = (count: number) => Array.from({ length: count }, (_, n) => (n === 700 ? 'error: here\n' : `line ${n}\n`));

describe('keepOutput', () => {
  let folder: string;
  beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'mewcode-keep-')); });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('what is short stays as it is and touches no disk', () => {
    expect(keep(['a\n', 'b'], '/no/such/folder/x')).toEqual({ text: 'a\nb' });
  });

  test('what is long is in a file, whole, and as a preview in memory', () => {
    const file = join(folder, 'new', 'c1.txt');
    const { text, spill } = keep(lines(3_000), file);
    expect(readFileSync(file, 'utf8')).toBe(lines(3_000).join(''));
    expect([spill, statSync(file).mode & 0o777, statSync(join(folder, 'new')).mode & 0o777]).toEqual([file, 0o600, 0o700]);
    expect(text).toMatch(/^line 0\n[^]*characters left out; lines there that look like errors, by number:\]\n701: error: here\n\[…\]\n[^]*line 2999\n$/);
    expect(text.length).toBeLessThan(3_500);
  });

  test('keys are masked in the file', () => {
    const file = join(folder, 'c1.txt');
    keep(['the SECRET\n', 'x'.repeat(20_000), ' SECRET\n'], file);
    expect(readFileSync(file, 'utf8')).toBe(`the ••••\n${'x'.repeat(20_000)} ••••\n`);
  });

  test('a file has its limit, and what was dropped is said', () => {
    const megabyte = `${'x'.repeat(1023)}\n`.repeat(1024);
    const file = join(folder, 'c1.txt');
    const { text } = keep([...Array.from({ length: 66 }, () => megabyte), 'the end\n'], file);
    expect(statSync(file).size).toBe(64 * 1024 * 1024);
    expect(text).toMatch(/the end\n\[The file holds the first 64 MB; 2,097,160 bytes that came later were dropped\.\]$/);
  });

  test.each([['nothing is kept', () => null, 'Nothing is kept on disk'], ['the disk refuses', () => { writeFileSync(join(folder, 'taken'), ''); return join(folder, 'taken', 'c1.txt'); }, 'It could not be kept on disk (E']])('where %s as much as fits is kept', (_, file, said) => {
    const { text, spill } = keep(lines(30_000), file(), 50_000);
    expect([spill, text.length > 40_000, text.length <= 50_000]).toEqual([undefined, true, true]);
    expect(text).toContain(said);
    expect(text).toMatch(/^line 0\n[^]*characters left out …\][^]*line 29999\n\[/);
  });

  test.skipIf(process.platform === 'win32')('a disk that fills up leaves no half file, and what is there is not overwritten', () => {
    const file = join(folder, 'c1.txt');
    const script = `import { openOutputFile } from ${JSON.stringify(new URL('../../src/tools/bash/keep.ts', import.meta.url).href)};
      import { existsSync } from 'node:fs';
      const [first, second] = [openOutputFile(${JSON.stringify(file)}, String), openOutputFile(${JSON.stringify(file)}, String)];
      const before = existsSync(${JSON.stringify(file)});
      for (let n = 0; n < 10; n += 1) first.write('x'.repeat(30000));
      console.log(JSON.stringify([second.path.slice(-8), before, first.problem?.slice(0, 5), existsSync(${JSON.stringify(file)})]));`;
    // A file may have 100 KB there: the write that goes over it is cut short, the next one fails.
    const said = execFileSync('bash', ['-c', 'ulimit -f 100; exec "$0" --input-type=module -e "$1"', process.execPath, script], { encoding: 'utf8' });
    expect(JSON.parse(said)).toEqual(['c1-2.txt', true, 'EFBIG', false]);
  });
});
