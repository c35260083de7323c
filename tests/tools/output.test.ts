// Output of programs: decoded and cleaned wherever the pieces are cut, bounded, handed on.
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { collectOutput } from '../../src/tools/output.ts';

/** What comes of pieces that arrive at once. */
function collect(pieces: readonly (string | Uint8Array)[], limit = 10_000): { text: string; shown: string } {
  let shown = '';
  const output = collectOutput({ limit, show: (text) => { shown += text; } });
  for (const piece of pieces) output.add(Buffer.from(piece), 'stdout');
  output.close();
  return { text: output.text(), shown };
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

test('keeps head and tail of what is too long, and says how much is left out', () => {
  const { text } = collect(Array.from({ length: 1_000 }, (_, n) => `line ${n}\n`), 1_000);
  expect(text.length).toBeLessThanOrEqual(1_000);
  expect(text).toMatch(/^line 0\nline 1\n[^]*\n\[… ([\d,]+) characters left out …\]\n[^]*line 999\n$/);
  const [, left = ''] = /… ([\d,]+) characters/.exec(text) ?? [];
  const marker = `\n[… ${left} characters left out …]\n`;
  const whole = Array.from({ length: 1_000 }, (_, n) => `line ${n}\n`).join('');
  expect(text.length - marker.length + Number(left.replaceAll(',', ''))).toBe(whole.length);
  expect(collect(['x'.repeat(1_000)], 1_000).text).toBe('x'.repeat(1_000));
  expect(collect(['👋'.repeat(700)], 1_000).text.isWellFormed()).toBe(true);
});

test('a line without an end is not waited for', () => {
  expect(collect(Array.from({ length: 50 }, () => '\0'.repeat(60_000))).text).toBe('');
  expect(collect(Array.from({ length: 50 }, () => 'z'.repeat(60_000)), 1_000).text).toContain('characters left out');
});

test('hands on at most ten pieces a second, an open line as far as it is, a rewritten one anew', () => {
  vi.useFakeTimers();
  const shown: string[] = [];
  const output = collectOutput({ limit: 1_000, show: (text) => shown.push(text) });
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
