// Previews: head, tail, the lines between that look like errors, and what is left out.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTrimmer, preview } from '../../src/lib/preview.ts';

const lines = (count: number, at: Readonly<Record<number, string>> = {}) => Array.from({ length: count }, (_, n) => `${at[n + 1] ?? `line ${n + 1}`}\n`).join('');
const SIZES = { head: 30, tail: 20, errors: 3 };

test('a text that fits is shown whole', () => {
  expect(preview('short\n')).toBe('short\n');
  expect(preview('x'.repeat(3_000))).toBe('x'.repeat(3_000));
});

test('whole lines from both ends, and how much is left out', () => {
  expect(preview(lines(100), SIZES)).toBe('line 1\nline 2\nline 3\nline 4\n[… 747 characters left out …]\nline 99\nline 100\n');
});

test('lines of the middle that look like errors, with their numbers, a line once', () => {
  const text = lines(100, { 2: 'error at the top', 40: 'src/a.ts(3,1): error TS1: an error', 50: '0 errors', 60: 'TypeError: x', 61: 'no failures', 70: 'FAILED tests/a.py', 80: '✗ broken', 99: 'fatal: end' });
  expect(preview(text, SIZES)).toBe([
    'line 1', 'error at the top', '[… 809 characters left out; lines there that look like errors, by number:]',
    '40: src/a.ts(3,1): error TS1: an error', '60: TypeError: x', '70: FAILED tests/a.py', '[…]', 'fatal: end', 'line 100', '',
  ].join('\n'));
});

test.each(['mirrored', 'defaults', 'a failover', '12 passed, 0 failed', 'No errors found', 'assertive'])('%s is no error', (line) => {
  expect(preview(lines(100, { 50: line }), SIZES)).not.toContain('look like errors');
});

test('a long line is cut inside, but no character', () => {
  const text = preview(`${'👋'.repeat(3_000)}\n${'ü'.repeat(3_000)}error\n${'👋'.repeat(3_000)}`);
  expect(text.isWellFormed()).toBe(true);
  expect(text).toMatch(/^👋{1000}\n\[… 12,007 characters left out; .*\n2: ü{300}…\n\[…\]\n👋{500}$/u);
});

test('the size of a preview does not depend on that of the text', () => {
  expect(preview(lines(200_000, Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [n * 40 + 30, `error ${'x'.repeat(2_000)}`])))).length).toBeLessThan(10_000);
});

test('piece by piece it is the same as at once, in bounded memory', () => {
  const line = fc.constantFrom('ok\n', 'an error\n', '\n', `${'long '.repeat(30)}\n`, 'fatal: 👋\n');
  fc.assert(fc.property(fc.array(line, { maxLength: 60 }), fc.array(fc.nat(60), { maxLength: 5 }), (all, cuts) => {
    const at = [0, ...cuts.map((cut) => Math.min(cut, all.length)).sort((a, b) => a - b), all.length];
    const trimmer = createTrimmer(100);
    for (const [n, start] of at.entries()) trimmer.add(all.slice(start, at[n + 1] ?? all.length).join(''));
    const text = all.join('');
    expect([trimmer.size, trimmer.whole(), trimmer.preview(SIZES)]).toEqual([text.length, text.length <= 100 ? text : undefined, preview(text, SIZES)]);
  }), { numRuns: 300 });
});

test('nothing is left out unsaid', () => {
  fc.assert(fc.property(fc.string({ minLength: 51, maxLength: 400 }), (text) => {
    const [, start = '', hidden = '', end = ''] = /^([^]*?)\n?\[… ([\d,]+) characters left out …\]\n([^]*)$/.exec(preview(text, SIZES)) ?? [];
    expect(start.length + Number(hidden.replaceAll(',', '')) + end.length).toBeGreaterThanOrEqual(text.length - 1);
    expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
  }));
});
