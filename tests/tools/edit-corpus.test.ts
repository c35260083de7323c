// The edit corpus: every case gives exactly the bytes it says, or is refused and leaves the file alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { afterAll, describe, expect, test } from 'vitest';
import { editFile } from '../../src/tools/edit-file.ts';
import { readFile } from '../../src/tools/read-file.ts';
import { toolContext } from '../helpers/tool-context.ts';
import type { EditCase } from './edit-corpus/case.ts';
import { blocks } from './edit-corpus/blocks.ts';
import { exact } from './edit-corpus/exact.ts';
import { files } from './edit-corpus/files.ts';
import { indentation } from './edit-corpus/indentation.ts';
import { marks } from './edit-corpus/marks.ts';

const corpus: Readonly<Record<string, readonly EditCase[]>> = { exact, indentation, marks, blocks, files };

const ctx = toolContext();
afterAll(() => ctx.dispose());
const tool = editFile();
let next = 0;

async function check(item: EditCase, style: (text: string) => string = (text) => text): Promise<void> {
  const bytesOf = (text: string): Buffer => iconv.encode(style(text), item.encoding ?? 'utf-8');
  const folder = `c${next++}`;
  const path = ctx.put(`${folder}/f.txt`, bytesOf(item.file));
  const own = { ...ctx, roots: [join(ctx.root, folder)] };
  await readFile().run({ path, offset: 1, limit: 1 }, own);
  const edits = item.edits.map(({ old, new: wanted, all }) => ({ old_string: old, new_string: wanted, ...(all && { replace_all: true }) }));
  const [only, ...others] = edits;
  const parsed = tool.parse({ path, ...(only && others.length === 0 ? only : { edits }) });
  const result = parsed.ok ? await tool.run(parsed.value, own) : { ok: false, text: parsed.problem };
  const after = readFileSync(path);
  const text = result.text.replaceAll(path, 'f.txt');
  if ('refused' in item) {
    expect({ ok: result.ok, text }).toEqual({ ok: false, text: expect.stringContaining(item.refused) });
    expect(after).toEqual(bytesOf(item.file));
    return;
  }
  expect(after.toString('latin1') === bytesOf(item.file).toString('latin1') ? text : iconv.decode(after, item.encoding ?? 'utf-8', { stripBOM: false })).toBe(style(item.becomes));
  expect(after).toEqual(bytesOf(item.becomes));
  expect(/by the strategy "(.*?)"/.exec(text)?.[1]).toBe(item.by);
}

describe.each(Object.entries(corpus))('%s', (_, cases) => {
  test.each(cases.map((item) => [item.what, item] as const))('%s', (_what, item) => check(item));

  test('the same with CRLF', async () => {
    for (const item of cases) {
      if (item.file.includes('\r') || !item.file.includes('\n')) continue;
      await check(item, (text) => text.replaceAll('\n', '\r\n'));
    }
  });
});

test('there are enough of them, and no two are alike', () => {
  const all = Object.values(corpus).flat();
  expect(all.length).toBeGreaterThanOrEqual(300);
  expect(new Set(all.map((item) => JSON.stringify([item.file, item.edits]))).size).toBe(all.length);
});
