// ReadFile on notebooks: cells, outputs, pictures, pages.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFile } from '../../src/tools/read-file.ts';
import type { ToolResult } from '../../src/types/tool.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

let ctx: TestContext;
beforeEach(() => { ctx = toolContext(); });
afterEach(() => ctx.dispose());

const read = (page: { offset?: number; limit?: number } = {}): Promise<ToolResult> => readFile().run({ path: 'a.ipynb', offset: 1, limit: 2_000, ...page }, ctx);
const put = (cells: unknown[]) => ctx.put('a.ipynb', JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }));
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('shows cells with their outputs, pictures as images', async () => {
  put([
    { cell_type: 'markdown', metadata: {}, source: ['# Title\n', 'words'] },
    {
      cell_type: 'code', metadata: {}, execution_count: 7, source: 'plot()', outputs: [
        { output_type: 'stream', name: 'stdout', text: ['\u001b[32mdone\u001b[0m\n'] },
        { output_type: 'display_data', metadata: {}, data: { 'image/png': PNG, 'text/plain': ['<Figure>'] } },
        { output_type: 'execute_result', metadata: {}, execution_count: 7, data: { 'text/html': ['<b>1</b>'] } },
        { output_type: 'error', ename: 'ValueError', evalue: 'no', traceback: ['\u001b[31mTraceback\u001b[0m', 'ValueError: no'] },
        { output_type: 'display_data', metadata: {}, data: { 'image/png': 'AAAA' } },
      ],
    },
    { cell_type: 'code', metadata: {}, execution_count: null, source: [], outputs: [] },
  ]);
  expect(await read()).toEqual({
    ok: true,
    text: ['[Cell 1: markdown]', '# Title', 'words', '[Cell 2: code, run as 7]', 'plot()', '[Output]', 'done', '<Figure>', '(image/png: image 1 of this result)', '(text/html)', 'Traceback', 'ValueError: no', '', '(image/png, not shown)', '[Cell 3: code]', ''].join('\n'),
    images: [{ mime: 'image/png', base64: PNG }],
  });
  expect(await read({ offset: 3 })).toEqual({ ok: true, text: '[Cell 3: code]\n' });
  expect((await read({ limit: 1 })).text).toMatch(/\n\[Cells 1 to 1 of 3\. Go on with offset=2\.\]$/);
  expect(await read({ offset: 4 })).toEqual({ ok: false, text: 'a.ipynb has only 3 cells; offset=4 is behind its end.' });
});

test('bounds outputs and results', async () => {
  put(Array.from({ length: 30 }, (_, n) => ({ cell_type: 'code', source: `cell ${n}`, outputs: [{ output_type: 'stream', text: `${'a'.repeat(4_000)}${'b'.repeat(4_000)}` }] })));
  const { text } = await read();
  expect(text.length).toBeLessThanOrEqual(50_000);
  expect(text).toContain(`${'a'.repeat(10)}\n[… 4,000 characters of output left out …]\n${'b'.repeat(10)}`);
  expect(text).toMatch(/Go on with offset=\d+\.\]$/);
  put([{ cell_type: 'code', source: 'x'.repeat(80_000), outputs: [] }, { cell_type: 'raw', source: 'y'.repeat(500) }]);
  expect((await read()).text).toMatch(/^\[Cell 1: code\]\nx+\n\[30,\d+ more characters left out\. This cell has more than one result holds; search it with Grep\.\]\n\[Cells 1 to 1 of 2\. Go on with offset=2\.\]$/);
});

test('what is no notebook is read as text', async () => {
  ctx.put('a.ipynb', '{"a": 1}\n');
  expect(await read()).toEqual({ ok: true, text: '     1\t{"a": 1}' });
  put([]);
  expect(await read()).toEqual({ ok: true, text: 'a.ipynb is a notebook without cells.' });
});
