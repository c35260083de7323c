// Notebooks as cells with their outputs. Format: nbformat 4 (nbformat.readthedocs.io), with the `worksheets` of version 3.
import { z } from 'zod';
import { clean } from '../../lib/clean.ts';
import { head, tail } from '../../lib/cut.ts';
import type { Image } from '../../types/message.ts';
import type { ToolResult } from '../../types/tool.ts';
import { bounded } from '../text.ts';
import { openImage } from './image.ts';
import { behindEnd, fill, MAX_PAGE, type Page } from './page.ts';

/** Of the outputs of one cell, in characters. */
const OUTPUT_LIMIT = 4_000;
const MOST_IMAGES = 5;

const text = z.union([z.string(), z.array(z.string())]).transform((lines) => (typeof lines === 'string' ? lines : lines.join('')));
const output = z.looseObject({
  output_type: z.string(), text: text.optional(), data: z.record(z.string(), z.unknown()).optional(),
  ename: z.string().optional(), evalue: z.string().optional(), traceback: z.array(z.string()).optional(),
});
const cell = z.looseObject({ cell_type: z.string(), source: text.optional(), input: text.optional(), execution_count: z.number().nullish(), outputs: z.array(output).optional() });
const cells = z.array(cell);
const notebook = z.union([
  z.looseObject({ cells }).transform((book) => book.cells),
  z.looseObject({ worksheets: z.array(z.looseObject({ cells })) }).transform((book) => book.worksheets.flatMap((sheet) => sheet.cells)),
]);
type Cell = z.infer<typeof cell>;

/** `offset` and `limit` count cells. `undefined` where the text is no notebook. */
export function readNotebook(json: string, { path, offset, limit }: Page): ToolResult | undefined {
  const parsed = notebook.safeParse(parseJson(json));
  if (!parsed.success) return undefined;
  const all = parsed.data;
  if (all.length === 0) return { ok: true, text: `${path} is a notebook without cells.` };
  if (offset > all.length) return behindEnd({ path, offset, total: all.length, noun: 'cell' });
  const images: Image[] = [];
  const shown = all.slice(offset - 1, offset - 1 + limit).values().map((one, index) => showCell(one, offset + index, images));
  return { ok: true, text: fill(shown, { offset, total: all.length, noun: 'cell' }), ...(images.length > 0 && { images }) };
}

/** Pictures among the outputs go into `images`. */
function showCell({ cell_type, source, input, execution_count, outputs = [] }: Cell, number: number, images: Image[]): string {
  const title = `[Cell ${number}: ${cell_type}${typeof execution_count === 'number' ? `, run as ${execution_count}` : ''}]`;
  const shown = outputs.map((one) => showOutput(one, images)).filter((piece) => piece !== '').map((piece) => piece.trimEnd()).join('\n');
  const kept = shown.length <= OUTPUT_LIMIT ? shown : `${head(shown, OUTPUT_LIMIT / 2)}\n[… ${(shown.length - OUTPUT_LIMIT).toLocaleString('en')} characters of output left out …]\n${tail(shown, OUTPUT_LIMIT / 2)}`;
  return bounded([title, source ?? input ?? '', ...(kept === '' ? [] : ['[Output]', kept])].join('\n'), 'This cell has more than one result holds; search it with Grep.', MAX_PAGE);
}

function showOutput({ output_type, text: stream, data = {}, ename, evalue, traceback }: z.infer<typeof output>, images: Image[]): string {
  if (output_type === 'error' || output_type === 'pyerr') return clean(traceback?.length ? traceback.join('\n') : `${ename}: ${evalue}`);
  const picture = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'].find((mime) => mime in data);
  const plain = text.safeParse(data['text/plain']);
  const words = stream ?? (plain.success ? plain.data : Object.keys(data).filter((mime) => mime !== picture).map((mime) => `(${mime})`).join(' '));
  if (picture === undefined) return clean(words);
  const base64 = text.safeParse(data[picture]);
  const opened = base64.success ? openImage(Buffer.from(base64.data, 'base64')) : undefined;
  if (!opened?.ok || images.length === MOST_IMAGES) return clean(`${words}\n(${picture}, not shown)`);
  images.push(opened.image);
  return clean(`${words}\n(${picture}: image ${images.length} of this result)`);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
