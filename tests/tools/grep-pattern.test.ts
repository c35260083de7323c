// ripgrep's patterns in JavaScript: what they become and what they match.
import { describe, expect, test } from 'vitest';
import { compilePattern, wantsNewline } from '../../src/tools/grep/pattern.ts';

function matches(pattern: string, line: string): boolean {
  const compiled = compilePattern(pattern, { ignoreCase: false, multiline: false });
  if (!compiled.ok) throw new Error(compiled.problem);
  return new RegExp(compiled.source, compiled.flags).test(line);
}

test.each<[string, string[], string[]]>([
  ['foo', ['a foo'], ['Foo']],
  ['(?i)foo', ['FOO'], ['fo']],
  ['^a.c$', ['abc', 'a👋c'], ['abcd']],
  ['interface{}', ['interface{}'], ['interface']],
  ['a{2}', ['aa'], ['a']],
  ['x{,3}', ['x{,3}'], ['xxx']],
  ['\\d+', ['7', '٣'], ['x']],
  ['\\bwort\\b', ['ein wort.'], ['wörtern wortü']],
  ['\\w', ['ü'], ['-']],
  ['[\\w-]+x', ['a-ü-x'], ['+x ']],
  ['[[:upper:]_]+', ['_A'], ['a']],
  ['[]a]', [']', 'a'], ['[']],
  ['[^]a]', ['b'], [']a']],
  ['[[]', ['['], ['a']],
  ['a\\-b\\"c\\\'', ['a-b"c\''], ['a"b']],
  ['\\x{41}\\x42', ['AB'], ['ab']],
  ['\\pL', ['ü'], ['1']],
  ['(?P<word>a)b', ['ab'], ['b']],
  ['(?:a|b)\\.', ['a.'], ['ab']],
  ['a]b}', ['a]b}'], ['ab']],
  ['\\Aab\\z', ['ab'], ['abc']],
  ['(?<!x)y', ['ay'], ['xy']],
])('%s', (pattern, yes, no) => {
  expect([yes.filter((line) => !matches(pattern, line)), no.filter((line) => matches(pattern, line))]).toEqual([[], []]);
});

test.each([['foo(', 'Unterminated group'], ['*', 'Nothing to repeat'], ['[z-a]', 'Range out of order in character class'], ['a\\', '\\ at end of pattern']])('%s is refused: %s', (pattern, problem) => {
  expect(compilePattern(pattern, { ignoreCase: false, multiline: false })).toEqual({ ok: false, problem });
});

describe('asks for a newline', () => {
  test.each([['a\\nb', true], ['a\nb', true], ['a\\\\nb', false], ['[^\\n]+', false], ['name', false], ['\\\\\\n', true]])('%j: %s', (pattern, wants) => {
    expect(wantsNewline(pattern)).toBe(wants);
  });
});
