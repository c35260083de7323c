// Properties of edits over random files and styles: what is not meant never changes, whatever the strategy.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { editFile } from '../../src/tools/edit-file.ts';
import { editText, type Edit } from '../../src/tools/edit/edit-text.ts';
import { merge } from '../../src/tools/edit/merge.ts';
import { readFile } from '../../src/tools/read-file.ts';
import { toolContext } from '../helpers/tool-context.ts';

const numRuns = process.env.MEWCODE_LONG ? 20_000 : 500;
vi.setConfig({ testTimeout: 300_000 });

const ending = fc.constantFrom('\n', '\r\n', '\r');
type Row = { depth: number; text: string; blanks: string };
/** A line of code: how deep it stands, what it says, and the blanks behind it. */
const row: fc.Arbitrary<Row> = fc.record({
  depth: fc.nat(3),
  text: fc.constantFrom('call(a);', 'call(b);', 'if (x) {', '}', 'return;', 'say(‘hi’);', 'say("ho");', 'x  =  1;', 'path = "a\\n";', '// note', 'größe = "ß";', '$& $1', 'a.b[0] = (c*d);'),
  blanks: fc.constantFrom('', '', '', ' ', '\t'),
});
const unit = fc.constantFrom('\t', '  ', '    ');

const write = (rows: readonly Row[], step: string): string[] => rows.map(({ depth, text, blanks }) => step.repeat(depth) + text + blanks);

const joined = (lines: readonly (number | string)[]): string => lines.map((line) => `${line}\n`).join('');

/** How a model may garble what it quotes. */
const slips = {
  none: (text: string) => text,
  blanks: (text: string) => text.replace(/[ \t]+$/gm, ''),
  moreBlanks: (text: string) => text.replace(/$/gm, ' '),
  quotes: (text: string) => text.replace(/[‘’]/g, "'"),
  inside: (text: string) => text.replace(/(\S) {2,}(?=\S)/g, '$1 '),
  escaped: (text: string) => text.replace(/[\\"]/g, '\\$&'),
};

describe('an edit of one line of a block, however it was quoted', () => {
  const cases = fc.record({
    rows: fc.array(row, { minLength: 1, maxLength: 9 }), endings: fc.array(ending, { minLength: 9, maxLength: 9 }), uniform: fc.option(ending), fileUnit: unit, modelUnit: unit,
    from: fc.nat(8), length: fc.nat(4), at: fc.nat(4), slip: fc.constantFrom(...Object.keys(slips) as (keyof typeof slips)[]), outdented: fc.boolean(), final: fc.boolean(),
  });

  test('changes that line alone, in the file\'s indentation, or nothing', () => {
    let changed = 0;
    fc.assert(fc.property(cases, ({ rows, endings, uniform, fileUnit, modelUnit, from, length, at, slip, outdented, final }) => {
      const start = from % rows.length;
      const block = rows.slice(start, start + length + 1);
      const target = start + (at % block.length);
      const ends = rows.map((_, index) => (index === rows.length - 1 && !final ? '' : uniform ?? endings[index] ?? '\n'));
      const file = write(rows, fileUnit).map((line, index) => line + (ends[index] ?? '')).join('');
      const least = outdented ? Math.min(...block.map(({ depth }) => depth)) : 0;
      const quote = (all: readonly Row[]) => slips[slip](write(all.map((line) => ({ ...line, depth: line.depth - least })), modelUnit).join('\n'));
      const next = block.map((line, index) => (start + index === target ? { ...line, text: 'changed(line);', blanks: '' } : line));
      const [wrote, wanted] = [quote(block), quote(next)];
      const result = editText(file, [{ wrote, wanted, all: false }], 'f');
      if (!result.ok) return;
      // What is there exactly is meant literally, even where the slip made it so.
      if (result.note === '') { expect(result.text.replace(/\r\n?/g, '\n')).toBe(file.replace(/\r\n?/g, '\n').replace(wrote, () => wanted)); return; }
      changed += 1;
      const before = write(rows, fileUnit);
      const after = result.text.split(/\r\n|\r|\n/).slice(0, rows.length);
      expect(after.filter((_, index) => index !== target)).toEqual(before.filter((_, index) => index !== target));
      expect(after[target]?.trimEnd()).toBe(`${fileUnit.repeat(rows[target]?.depth ?? 0)}changed(line);`);
      expect(result.text.match(/\r\n|\r|\n/g) ?? []).toEqual(ends.filter((end) => end !== ''));
    }), { numRuns });
    expect(changed).toBeGreaterThan(numRuns / 10);
  });
});

describe('a line put into a block, however it was quoted', () => {
  const cases = fc.record({
    rows: fc.array(row, { minLength: 1, maxLength: 9 }), end: ending, fileUnit: unit, modelUnit: unit, from: fc.nat(8), length: fc.nat(4), at: fc.nat(4), depth: fc.nat(4), outdented: fc.boolean(),
  });

  test('stands as far in as it was meant to, or nowhere', () => {
    let changed = 0;
    fc.assert(fc.property(cases, ({ rows, end, fileUnit, modelUnit, from, length, at, depth, outdented }) => {
      const start = from % rows.length;
      const block = rows.slice(start, start + length + 1);
      const target = start + (at % block.length);
      // No line stands more than one step further in than the one before it.
      const nested = rows.every((line, index) => line.depth <= (rows[index - 1]?.depth ?? 0) + 1);
      const added = { depth: Math.min(depth, (rows[target]?.depth ?? 0) + 1), text: 'added(line);', blanks: '' };
      // So much of a file shows its style.
      const style = write([0, 1, 2, 1, 2, 3, 2, 1, 0].map((deep, index) => ({ depth: deep, text: `style ${index}`, blanks: '' })), fileUnit);
      const bytes = (all: readonly string[]) => [...style, ...all].map((line) => line + end).join('');
      const file = bytes(write(rows, fileUnit));
      // With other steps as well nobody could tell what is meant.
      const least = outdented && modelUnit === fileUnit ? Math.min(added.depth, ...block.map(({ depth: deep }) => deep)) : 0;
      const quote = (all: readonly Row[]) => write(all.map((line) => ({ ...line, depth: line.depth - least, blanks: '' })), modelUnit).join('\n');
      const next = block.toSpliced(target - start + 1, 0, added);
      fc.pre(nested);
      const result = editText(file, [{ wrote: quote(block), wanted: quote(next), all: false }], 'f');
      if (!result.ok || result.note === '') return;
      changed += 1;
      expect(result.text).toBe(bytes(write(rows, fileUnit).toSpliced(target + 1, 0, fileUnit.repeat(added.depth) + added.text)));
    }), { numRuns });
    expect(changed).toBeGreaterThan(numRuns / 20);
  });
});

test('edits in order are the same as one after the other, or none of them', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'ab', 'a\nb', ' ', '\n', 'x y', '\\n');
  const edit: fc.Arbitrary<Edit> = fc.record({ wrote: word, wanted: fc.oneof(word, fc.constant('')), all: fc.boolean() });
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ' ', '\n', '\r\n', '\t', 'x y'), { maxLength: 15 }).map((parts) => parts.join(''));
  fc.assert(fc.property(text, fc.array(edit, { minLength: 1, maxLength: 4 }), (before, edits) => {
    const whole = editText(before, edits, 'f');
    let one: { ok: boolean; text: string } = { ok: true, text: before };
    for (const single of edits) if (one.ok) one = editText(one.text, [single], 'f');
    expect(whole.ok).toBe(one.ok);
    if (whole.ok) expect(whole.text.replace(/\r\n?/g, '\n')).toBe(one.text.replace(/\r\n?/g, '\n'));
  }), { numRuns });
});

describe('what others change meanwhile', () => {
  const ctx = toolContext();
  afterAll(() => ctx.dispose());
  const tool = editFile();
  const path = join(ctx.root, 'f.txt');
  const edit = async (base: string, now: string, old_string: string, new_string: string) => {
    writeFileSync(path, base);
    await readFile().run({ path: 'f.txt', offset: 1, limit: 2_000 }, ctx);
    writeFileSync(path, now);
    return tool.run({ path: 'f.txt', old_string, new_string }, ctx);
  };
  const TEN = Array.from({ length: 10 }, (_, n) => `line ${n}\n`).join('');
  const STALE = { ok: false, text: 'f.txt has changed on disk since it was last read. Nothing was changed. Read it again with ReadFile, then try again.' };

  test('stays, and is told, where it does not touch the edit', async () => {
    const result = await edit(TEN, TEN.replace('line 8', 'eight').replace('line 0\n', 'zero\nmore\n'), 'line 4\n', 'four\n');
    expect(readFileSync(path, 'utf8')).toBe('zero\nmore\nline 1\nline 2\nline 3\nfour\nline 5\nline 6\nline 7\neight\nline 9\n');
    expect(result).toMatchObject({ ok: true, text: expect.stringContaining('f.txt has changed on disk since it was last read, elsewhere; that change was kept:\n--- f.txt\n+++ f.txt\n@@ -1,4 +1,5 @@\n-line 0\n+zero\n+more\n') });
    // What stands there now is known.
    expect(await tool.run({ path: 'f.txt', old_string: 'eight', new_string: '8' }, ctx)).toMatchObject({ ok: true, text: expect.not.stringContaining('has changed on disk') });
  });

  test.each<[string, string, string, string]>([
    ['the same line', TEN.replace('line 4', 'hers'), 'line 4', 'mine'],
    ['the same change', TEN.replace('line 4', 'mine'), 'line 4', 'mine'],
    ['the line before', TEN.replace('line 3', 'hers'), 'line 4', 'mine'],
    ['the line behind', TEN.replace('line 5', 'hers'), 'line 4', 'mine'],
    ['a line put right before', TEN.replace('line 4', 'hers\nline 4'), 'line 4', 'mine'],
    ['the line away', TEN.replace('line 4\n', ''), 'line 4', 'mine'],
    ['another encoding', `\ufeff${TEN}`, 'line 4', 'mine'],
    ['everything away', '', 'line 4', 'mine'],
    ['more than can be told', `${TEN}${'much more\n'.repeat(2_000)}`, 'line 4', 'mine'],
  ])('refuses where it is %s', async (_, now, old, wanted) => {
    expect(await edit(TEN, now, old, wanted)).toEqual(STALE);
    expect(readFileSync(path, 'utf8')).toBe(now);
  });

  test('refuses where it is no longer known what was read', async () => {
    const big = 'x'.repeat(600 * 1024);
    expect(await edit(`${TEN}${big}\n`, `${TEN.replace('line 9', 'nine')}${big}\n`, 'line 4', 'four')).toEqual(STALE);
    expect([...ctx.files.seen.values()].map(({ bytes }) => bytes)).toEqual([undefined]);
  });

  test('both changes are in the result, or there is none', () => {
    const lines = fc.array(fc.constantFrom<string>('a', 'b', 'c'), { minLength: 3, maxLength: 12 });
    fc.assert(fc.property(lines, fc.nat(11), fc.nat(11), fc.constantFrom('\n', '\r\n'), (base, one, other, end) => {
      const [i, j] = [one % base.length, other % base.length];
      const text = (all: readonly string[]) => all.map((line) => line + end).join('');
      const merged = merge(text(base), text(base.with(i, 'mine')), text(base.with(j, 'hers')));
      expect(merged).toBe(Math.abs(i - j) < 2 ? undefined : text(base.with(i, 'mine').with(j, 'hers')));
    }), { numRuns });
  });

  test('whatever is added or taken away', () => {
    const lines = fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 12 });
    const cut = fc.record({ at: fc.nat(12), length: fc.nat(3), put: fc.array(fc.constantFrom('p', 'q'), { maxLength: 3 }) });
    fc.assert(fc.property(lines, cut, cut, (base, a, b) => {
      const change = ({ at, length, put }: typeof a, tag: string) => (base as (number | string)[]).toSpliced(at, length, ...put.map((line) => tag + line));
      const [mine, hers] = [change(a, 'm'), change(b, 'h')];
      const merged = merge(joined(base), joined(mine), joined(hers));
      if (merged === undefined) return;
      const rows = merged.split('\n').slice(0, -1);
      expect(rows.filter((line) => /^[mh]/.test(line)).toSorted()).toEqual([...mine, ...hers].map(String).filter((line) => /^[mh]/.test(line)).toSorted());
      expect(rows.filter((line) => /^\d/.test(line))).toEqual(base.filter((line) => mine.includes(line) && hers.includes(line)).map(String));
    }), { numRuns });
  });
});

test('what was seen is kept within bounds, the latest longest', async () => {
  const own = toolContext();
  const piece = 'x'.repeat(400 * 1024);
  for (let n = 0; n < 100; n++) {
    own.put(`${n}.txt`, `${n}${piece}`);
    await readFile().run({ path: `${n}.txt`, offset: 1, limit: 1 }, own);
  }
  const kept = [...own.files.seen.values()].map(({ bytes }) => bytes !== undefined);
  expect(kept).toHaveLength(100);
  expect(kept.filter(Boolean).length * 400 * 1024).toBeLessThanOrEqual(32 * 1024 * 1024);
  expect(kept.lastIndexOf(false)).toBeLessThan(kept.indexOf(true));
  own.dispose();
});
