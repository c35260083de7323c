// ripgrep's patterns in JavaScript: what they become and what they match.
import { describe, expect, test } from 'vitest';
import { compilePattern, requiredText, wantsNewline } from '../../src/tools/grep/pattern.ts';

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
  ['\\p{Greek}\\P{Lu}\\p{^L}', ['λa1'], ['aa1', 'λA1', 'λaa']],
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

describe('what every match has in it', () => {
  test.each([
    ['foo', 'foo'], ['foo\\.bar', 'foo.bar'], ['foo.bars', 'bars'], ['fooo?', 'foo'], ['foox*bar', 'foo'], ['foo+b', 'foo'], ['foo{0,2}x', 'fo'], ['foo{', 'fo'], ['foo|bar', ''], ['(foo|bar)quux', 'quux'], ['(foo)?x', 'x'],
    ['[foo]bar', 'bar'], ['[]foo]b', 'b'], ['\\bfoo\\b', 'foo'], ['\\x41foo', ''], ['\\x{41}foo', 'foo'], ['\\p{Lu}foo', 'foo'], ['\\pLfoo', 'foo'], ['(?i)foo', ''], ['(?i:foo)bar', ''], ['(?:a|b)c', 'c'], ['a]b}c', 'a]b}c'], ['ü+ab', 'ab'], ['👋?ab', 'ab'], ['^foo$', 'foo'],
  ])('%s: %j', (pattern, text) => {
    expect(requiredText(pattern, { ignoreCase: false })).toBe(text);
  });
});
