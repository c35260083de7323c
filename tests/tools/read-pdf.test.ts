// ReadFile on PDFs: pages as text, where to go on, what can't be read.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readFile } from '../../src/tools/read-file.ts';
import { readPdf } from '../../src/tools/read/pdf.ts';
import type { ToolResult } from '../../src/types/tool.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

let ctx: TestContext;
beforeEach(() => { ctx = toolContext(); });
afterEach(() => ctx.dispose());

const read = (path: string, page: { offset?: number; limit?: number } = {}): Promise<ToolResult> => readFile().run({ path, offset: 1, limit: 2_000, ...page }, ctx);

/** A PDF with one line of text per item of a page. */
function makePdf(pages: readonly (readonly string[])[], extra = ''): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Kids [${pages.map((_, n) => `${4 + 2 * n} 0 R`).join(' ')}] /Count ${pages.length} >>`, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'];
  for (const [n, lines] of pages.entries()) {
    const stream = `BT /F1 12 Tf 14 TL 72 720 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`;
    objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * n} 0 R >>`, `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  }
  let text = '%PDF-1.4\n';
  const at = objects.map((object, n) => {
    const start = text.length;
    text += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return start;
  });
  const table = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${at.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${extra}>>\nstartxref\n${table}\n%%EOF`;
  return Buffer.from(text, 'latin1');
}

test('gives the text of the pages, and where to go on', async () => {
  const path = ctx.put('a.pdf', makePdf([['Hello there', 'second line'], [], ['Third page']]));
  expect(await read('a.pdf')).toEqual({ ok: true, text: '[Page 1 of 3]\nHello there\nsecond line\n[Page 2 of 3]\n(no text: perhaps a scanned picture)\n[Page 3 of 3]\nThird page' });
  expect(await read('a.pdf', { offset: 2, limit: 1 })).toEqual({ ok: true, text: '[Page 2 of 3]\n(no text: perhaps a scanned picture)\n[Pages 2 to 2 of 3. Go on with offset=3.]' });
  expect(await read('a.pdf', { offset: 4 })).toEqual({ ok: false, text: 'a.pdf has only 3 pages; offset=4 is behind its end.' });
  expect([...ctx.files.seen.keys()]).toEqual([path]);
});

test('stops at what a result holds', async () => {
  const lines = Array.from({ length: 40 }, (_, n) => `line ${n} ${'word '.repeat(12)}`);
  ctx.put('long.pdf', makePdf(Array.from({ length: 40 }, () => lines)));
  const { text } = await read('long.pdf');
  expect([text.length < 50_000, text.split('\n').at(-1)]).toEqual([true, '[Pages 1 to 18 of 40. Go on with offset=19.]']);
});

test('says what is wrong with a file that can not be read', async () => {
  ctx.put('broken.pdf', '%PDF-1.7\nnothing of the kind');
  ctx.put('locked.pdf', makePdf([['x']], `/Encrypt << /Filter /Standard /V 1 /R 2 /O (${'o'.repeat(32)}) /U (${'u'.repeat(32)}) /P -4 >> /ID [(a) (a)] `));
  expect((await read('broken.pdf')).text).toMatch(/^broken\.pdf is a PDF that can't be read \(.*[^.]\)\.$/);
  expect(await read('locked.pdf')).toEqual({ ok: false, text: 'locked.pdf is an encrypted PDF; its password is needed.' });
  expect(ctx.files.seen.size).toBe(0);
});

test('ends when it takes too long, and with the call', async () => {
  const bytes = makePdf([['x']]);
  expect(await readPdf(bytes, { path: 'a.pdf', offset: 1, limit: 1 }, { signal: new AbortController().signal, timeoutMs: 0 })).toEqual({ ok: false, text: 'a.pdf took longer than 0 s to read.' });
  const controller = new AbortController();
  const running = readPdf(bytes, { path: 'a.pdf', offset: 1, limit: 1 }, { signal: controller.signal });
  controller.abort();
  await expect(running).rejects.toThrow();
});
