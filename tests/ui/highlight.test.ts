// Highlighting: plain until the language is there, nothing lost when it is, unknown languages plain for good.
import { expect, test } from 'vitest';
import { createHighlighter } from '../../src/ui/highlight.ts';
import { createTheme } from '../../src/ui/themes.ts';

const theme = createTheme('ansi16', 'ansi16');
const CODE = 'const a: string = `x${1 + 2}`; // <b> & "c"\n/* two\nlines */ function f() { return null; }';

test('code is plain until its language has been loaded, which is told once', async () => {
  let changes = 0;
  const highlighter = createHighlighter(() => { changes += 1; });
  expect(highlighter.spans(CODE, 'ts', theme)).toEqual([{ text: CODE }]);
  expect(await Promise.all([highlighter.load('ts'), highlighter.load('typescript')])).toEqual([true, true]);
  expect([changes, highlighter.revision()]).toEqual([1, 1]);
  const spans = highlighter.spans(CODE, 'TypeScript', theme);
  expect(spans.map(({ text }) => text).join('')).toBe(CODE);
  expect(spans.find(({ text }) => text === 'const')).toEqual({ text: 'const', sgr: theme.sgr.keyword });
});

test('every language can be loaded', async () => {
  const highlighter = createHighlighter();
  const names = 'bash c cpp csharp css dart diff dockerfile elixir go graphql haskell ini java javascript json kotlin lua makefile markdown perl php powershell python r ruby rust scala scss sql swift typescript xml yaml'.split(' ');
  expect(await Promise.all(names.map((name) => highlighter.load(name)))).toEqual(names.map(() => true));
  for (const name of names) expect(highlighter.spans(CODE, name, theme).map(({ text }) => text).join('')).toBe(CODE);
});

test('what is unknown or too long stays plain', async () => {
  const highlighter = createHighlighter();
  await highlighter.load('js');
  const long = `const a = "${'x'.repeat(3_000)}"`;
  expect([await highlighter.load('klingon'), highlighter.spans('x', 'klingon', theme), highlighter.spans(long, 'js', theme), highlighter.spans('const', 'js', createTheme('dark', 'none'))])
    .toEqual([false, [{ text: 'x' }], [{ text: long }], [{ text: 'const' }]]);
});
