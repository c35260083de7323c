// Lists in files as people write them: a value goes in and comes out again, and nothing else changes.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { addToList, takeFromList } from '../../src/config/edit.ts';

const RULES = ['LS', 'Bash(npm test *)', '"Bash(rm *)"', "'Edit(src/**)'", '{rule: Read, match: [a]}', '"*"', 'mcp_a_b'];
const RUNS = process.env['MEWCODE_LONG'] ? 5_000 : 150;
const comment = fc.constantFrom('', '', ' # why', '   #  why: "not"', ' # - LS');
const gap = fc.constantFrom('', '', '\n', '# on its own\n', '\n# allow:\n#   - LS\n\n', '  # indented\n');

/** One key with its list, in one of the ways in which lists are written. */
const list = (key: string) => fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom('', '  ', '    '), fc.array(fc.tuple(fc.constantFrom(...RULES), comment, gap), { minLength: 1, maxLength: 4 }), comment).map(([indent, items, after]) => `${key}:${after}\n${items.map(([rule, behind, between], at) => `${at > 0 ? between : ''}${indent}- ${rule}${behind}\n`).join('')}`) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom(...RULES), { maxLength: 3 }).map((rules) => `${key}: [${rules.join(', ')}]\n`) },
  { weight: 1, arbitrary: comment.map((behind) => `${key}:${behind}\n`) },
);

const file = fc.tuple(gap, fc.shuffledSubarray(['allow', 'ask', 'deny', 'always_deny']).chain((keys) => fc.tuple(...keys.map((key) => fc.tuple(list(key), gap)))), fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean())
  .map(([head, lists, eol, bom, torn]) => {
    const text = head + lists.map(([one, between]) => one + between).join('');
    return (bom ? '\uFEFF' : '') + (torn ? text.replace(/\n$/, '') : text).replaceAll('\n', eol);
  });

const NEW = fc.constantFrom('Bash(new *)', 'Bash(echo: #*)', '*x', '- y', 'a\nb', '{x}', 'yes', '12');
const plain = (text: string) => (parse(text) ?? {}) as Record<string, unknown[] | null>;
const asList = (value: unknown[] | null | undefined) => value ?? [];

test('what goes in is there, comes out again, and every line stays', () => {
  fc.assert(fc.property(file, fc.constantFrom('allow', 'deny'), NEW, (text, key, value) => {
    const before = plain(text);
    const added = addToList(text, key, value, 'f');
    expect(plain(added)).toEqual({ ...before, [key]: [...asList(before[key]), value] });
    expect(added.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
    if (text.includes('\r\n')) expect(added.replaceAll('\r\n', '')).not.toContain('\n');
    expect(addToList(added, key, value, 'f')).toBe(added);
    for (const line of text.split(/\r?\n/).filter((one) => one.trim().startsWith('#'))) expect(added).toContain(line.trim());
    const taken = takeFromList(added, key, { isIt: (item) => item === value, near: 0, name: 'f' }) ?? '';
    const after = plain(taken);
    expect({ ...after, [key]: asList(after[key]) }).toEqual({ ...before, [key]: asList(before[key]) });
    // A list of lines is as it was, byte by byte.
    if (new RegExp(`^\\uFEFF?${key}:[^[]*$`, 'm').test(text.replaceAll('\r', '')) && asList(before[key]).length > 0) expect(taken).toBe(text.endsWith('\n') || !added.startsWith(text) ? text : `${text}${text.includes('\r\n') ? '\r\n' : '\n'}`);
  }), { numRuns: RUNS });
});
