// Views and diffs as rows: each kind whole, what is left out when folded, word marks.
import { describe, expect, test } from 'vitest';
import type { View } from '../../src/types/message.ts';
import { diffRows } from '../../src/ui/diff.ts';
import { createTheme } from '../../src/ui/themes.ts';
import { viewRows } from '../../src/ui/views.ts';

const theme = createTheme('dark', 'none');
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join('\n');

test.each<[string, View, number | undefined, string[]]>([
  ['text', { type: 'text', text: 'a\x1b[1mb\n\n' }, undefined, ['ab']],
  ['long text', { type: 'text', text: lines(50) }, 2, ['line 1', 'line 2', '… 48 more lines']],
  ['one line more is shown', { type: 'text', text: lines(3) }, 2, ['line 1', 'line 2', 'line 3']],
  ['terminal', { type: 'terminal', command: 'npm test', output: 'ok\n', exit: 0 }, undefined, ['$ npm test', 'ok']],
  ['terminal that failed', { type: 'terminal', command: '', output: lines(9), exit: 2 }, 3, ['… 7 earlier lines', 'line 8', 'line 9', 'exit 2']],
  ['terminal without output', { type: 'terminal', command: 'true', output: '' }, 3, ['$ true']],
  ['a progress bar', { type: 'terminal', command: '', output: '10%\r50%\r100%\n' }, 3, ['100%']],
  ['a diff and what checkers found in it', { type: 'diff', path: 'a', patch: '@@ -1 +1 @@\n-a\n+b\n', found: '--- tsc verifier ---\n1 new\na:1 error: \x1b[1mno\n' }, undefined, ['1 - a', '1 + b', '--- tsc verifier ---', '1 new', 'a:1 error: no']],
  ['todos', { type: 'todos', items: [{ content: 'a', status: 'completed' }, { content: 'b', status: 'in_progress' }, { content: 'c', status: 'pending' }] }, undefined, ['✓ a', '● b', '○ c']],
  ['table', { type: 'table', head: ['name', 'n'], rows: [['a', '1'], ['bb', '22']] }, undefined, ['name │ n', '─────┼───', 'a    │ 1', 'bb   │ 22']],
  ['table without a head', { type: 'table', head: [], rows: [['a', '1']] }, undefined, ['a │ 1']],
])('%s', (_name, view, maxRows, rows) => {
  expect(viewRows(view, { width: 30, theme, ...(maxRows === undefined ? {} : { maxRows }) })).toEqual(rows);
});

describe('diff', () => {
  test('of several files: each one\'s name, and what it was called before', () => {
    const patch = '--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-x\n+y\n@@ -9,1 +9,0 @@\n---- gone\n--- old\n+++ new\n--- b.txt\n+++ b.txt\n@@ -0,0 +1,1 @@\n+z\n';
    expect(diffRows(patch, { width: 30, theme })).toEqual(['a.txt', '1 - x', '1 + y', '⋯', '9 - --- gone', 'old → new', 'b.txt', '1 + z']);
    expect(diffRows('--- a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n', { width: 30, theme })).toEqual(['a.txt → deleted', '1 - x']);
    expect(diffRows('--- a.txt\n+++ b.txt\n', { width: 30, theme })).toEqual(['a.txt → b.txt']);
  });

  const patch = ['--- a/x', '+++ b/x', '@@ -9,3 +9,4 @@ function', ' same', '-old one', '+new one', '+more', ' end', '@@ -40 +41 @@', '-- gone', '+++ plus', '\\ No newline at end of file'].join('\n');

  test('has line numbers and signs, headers left out', () => {
    expect(diffRows(patch, { width: 30, theme })).toEqual([' 9   same', '10 - old one', '10 + new one', '11 + more', '12   end', ' ⋯', '40 - - gone', '41 + ++ plus']);
  });

  test('long lines go on under the text', () => {
    expect(diffRows('@@ -1 +1 @@\n-\n+abcdefgh', { width: 8, theme })).toEqual(['1 - ', '1 + abcd', '    efgh']);
  });

  test('marks the words that changed, and fills the rows', () => {
    const coloured = createTheme('ansi16', 'ansi16');
    expect(diffRows('@@ -1 +1 @@\n-let a = 1;\n+let b = 1;', { width: 16, theme: coloured })).toEqual([
      '\x1b[31;2m1 \x1b[0m\x1b[31m- let \x1b[0m\x1b[31;7;31ma\x1b[0m\x1b[31m = 1;\x1b[0m\x1b[31m  \x1b[0m',
      '\x1b[32;2m1 \x1b[0m\x1b[32m+ let \x1b[0m\x1b[32;7;32mb\x1b[0m\x1b[32m = 1;\x1b[0m\x1b[32m  \x1b[0m',
    ]);
  });

  test('lines that have nothing in common get no marks', () => {
    const coloured = createTheme('ansi16', 'ansi16');
    expect(diffRows('@@ -1 +1 @@\n-abc def\n+xyz uvw', { width: 16, theme: coloured }).join('')).not.toContain(';7');
  });

  test('what is no patch gives no rows', () => {
    expect(diffRows('just text', { width: 20, theme })).toEqual([]);
  });
});
