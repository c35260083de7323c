// Markdown rows: every construct once, and streaming gives the very rows that the whole text gives.
import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { beforeAll, describe, expect, test } from 'vitest';
import { createHighlighter } from '../../src/ui/highlight.ts';
import { createMarkdown, markdownRows } from '../../src/ui/markdown.ts';
import { createTheme } from '../../src/ui/themes.ts';

const highlighter = createHighlighter();
const plain = { width: 40, theme: createTheme('dark', 'none'), highlighter };
const coloured = { width: 30, theme: createTheme('dark', 'truecolor'), highlighter };

beforeAll(async () => {
  await highlighter.load('ts');
});

test.each<[string, string, string[]]>([
  ['headings and paragraphs', '# Title\n\nSome **bold** and *soft* `code`.\n\n#### Small', ['Title', '', 'Some bold and soft code.', '', 'Small']],
  ['paragraph lines', 'one\ntwo', ['one', 'two']],
  ['tight lists', '- a\n- b\n  - c\n\n3. x\n4. y', ['• a', '• b', '  • c', '', '3. x', '4. y']],
  ['loose lists', '- a\n\n- b', ['• a', '', '• b']],
  ['tasks', '- [ ] a\n- [x] b', ['• [ ] a', '• [x] b']],
  ['long list items', `- ${'word '.repeat(12)}`, ['• word word word word word word word', '  word word word word word']],
  ['quotes', '> said\n> so\n\nthen', ['│ said', '│ so', '', 'then']],
  ['links', '[docs](https://a.b/c) <https://d.e> https://f.g', ['docs (https://a.b/c) https://d.e', 'https://f.g']],
  ['rules', 'a\n\n---\n\nb', ['a', '', '─'.repeat(40), '', 'b']],
  ['tables', '| a | bb |\n|---|---:|\n| 1 | 2 |', ['a │ bb', '──┼───', '1 │  2']],
  ['closed code', '```ts\nconst a = 1;\n\nlet b;\n```\nafter', ['  const a = 1;', '  ', '  let b;', '', 'after']],
  ['open code', '```ts\nconst a', ['  const a']],
  ['html and entities', '<b>x</b> &lt;y&gt;', ['<b>x</b> <y>']],
  ['control sequences', 'a\x1b[31mb\x1b]0;title\x07c', ['abc']],
  ['definitions stay text', '[a]: http://x\n\n[b][a]', ['[a]: http://x', '', '[b][a]']],
  ['nothing', '', []],
])('%s', (_name, text, rows) => {
  expect(markdownRows(text, plain)).toEqual(rows);
});

test('a table too wide for its columns becomes a list', () => {
  expect(markdownRows('| one | two | three |\n|-|-|-|\n| aaaaa | bbbbb | ccccc |', { ...plain, width: 12 })).toEqual(['one: aaaaa', 'two: bbbbb', 'three: ccccc']);
});

test('wide cells wrap inside their column', () => {
  expect(markdownRows('| k | text |\n|-|-|\n| a | one two three |', { ...plain, width: 13 })).toEqual(['k │ text', '──┼──────────', 'a │ one two', '  │ three']);
});

test('code has colours once its language is there', () => {
  expect(markdownRows('```ts\nconst a = 1;\n```', coloured)[0]).toMatch(/^ {2}\x1b\[[\d;]+mconst\x1b\[0m/);
  expect(markdownRows('```nosuch\nconst\n```', coloured)).toEqual(['  const']);
});

/** Pieces that change how what stands around them is read. */
const markdown = fc.array(fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('word', 'two words ', 'x', ' ', '\n', '\n\n', '你好', '😀') },
  { weight: 2, arbitrary: fc.constantFrom('# ', '- ', '* ', '1. ', '  - ', '> ', '---', '===', '    ', '\t', '```', '```ts\n', '~~~', '````', ' ```\n', '|', '| a | b |\n', '|---|---|\n', '<div>', '</div>', '<!--', '-->') },
  { weight: 1, arbitrary: fc.constantFrom('**', '*', '_', '`', '~~', '[a]', '(b)', '[a]: http://x\n', '![', '\\', '&lt;', '<http://x.y>', '\r\n', '\x1b[1m', '\x1b', 'const a = 1;\n', '/* x\n', '*/') },
), { maxLength: 30 }).map((pieces) => pieces.join(''));

describe('streaming', () => {
  test('gives the rows of the whole text, however it is cut', () => {
    fc.assert(fc.property(markdown, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (text, cuts) => {
      const stream = createMarkdown(coloured);
      let rows: string[] = [];
      for (let at = 0, turn = 0; at < text.length; turn += 1) {
        at += cuts[turn % cuts.length] ?? 1;
        rows = stream.rows(text.slice(0, at));
      }
      expect(rows).toEqual(markdownRows(text, coloured));
    }), { numRuns: 2000 });
  });

  test('starts anew when the text is another one', () => {
    const stream = createMarkdown(plain);
    stream.rows('first\n\nsecond\n\nthird');
    expect(stream.rows('other\n\ntext')).toEqual(['other', '', 'text']);
  });
});

test('no row is wider than the pane', () => {
  fc.assert(fc.property(markdown, fc.integer({ min: 1, max: 30 }), (text, width) => {
    for (const row of markdownRows(text, { ...coloured, width })) expect(stringWidth(row)).toBeLessThanOrEqual(width);
  }), { numRuns: 500 });
});

test('deep nesting is shown, not thrown', () => {
  expect(markdownRows('>'.repeat(20_000), plain).length).toBeGreaterThan(0);
  expect(markdownRows('['.repeat(5_000), plain).length).toBeGreaterThan(0);
});
