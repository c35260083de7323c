// ReadFile: numbered lines of a text file, pages of a PDF, cells of a notebook, or an image for models that see.
import { resolve } from 'node:path';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import { imageMime } from '../lib/image.ts';
import { plural } from '../lib/plural.ts';
import type { FileInfo, Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { defineTool } from './define.ts';
import { sayMissing } from './missing.ts';
import { describeBinary } from './read/binary.ts';
import { openImage } from './read/image.ts';
import { readSlice } from './read/large.ts';
import { readNotebook } from './read/notebook.ts';
import { showLines, shownLine } from './read/page.ts';
import { isPdf, MAX_PDF, readPdf } from './read/pdf.ts';
import { decodeAnyText, remember } from './text-file.ts';

const MAX_BYTES = 256 * 1024 * 1024;
/** A file above this is not held as a whole. */
const LARGE = 8 * 1024 * 1024;
/** What tells the kind and the encoding of a large file. */
const START = 64 * 1024;

const input = z.strictObject({
  path: z.string().min(1).describe('Absolute, or relative to the project root'),
  offset: z.int().min(1).default(1).describe('First line, counted from 1; of a PDF the first page, of a notebook the first cell'),
  limit: z.int().min(1).default(2_000).describe('How many lines, pages or cells'),
});
type Input = z.infer<typeof input>;

/** Pages of files, and images. What it read may be changed afterwards. */
export function readFile(): Tool<Input> {
  return defineTool({
    name: 'ReadFile',
    description: 'Reads a text file as numbered lines: the number, a tab, the line. Gives at most 2,000 lines or 50,000 characters at a time and names the offset to go on with; lines over 2,000 characters are cut, and say so. The encoding is told by the bytes (UTF-8, UTF-16, GB18030, Shift-JIS, Latin-1). PNG, JPEG, GIF and WebP images are shown as images, PDFs as the text of their pages, Jupyter notebooks as cells with their outputs. Other binary files, folders (LS lists one) and files over 256 MiB are refused. An existing file must be read before it may be changed.',
    input,
    title: ({ path, offset }) => cleanLine(offset > 1 ? `${path}:${offset}` : path),
    access: ({ path }, cwd) => [{ kind: 'read', target: resolve(cwd, path) }],
    run,
  });
}

async function run(page: Input, ctx: ToolContext): Promise<ToolResult> {
  const { path } = page;
  const info = await ctx.files.stat(path);
  if (!info) return { ok: false, text: await sayMissing(path, ctx) };
  if (info.kind === 'folder') return { ok: false, text: `${path} is a folder. List it with LS.` };
  if (info.kind === 'other') return { ok: false, text: `${path} is not a regular file (a device, a pipe or a socket), so it can't be read.` };
  if (info.size > MAX_BYTES) return { ok: false, text: `${path} has ${plural(info.size, 'byte')}, more than the 256 MiB that can be read. Search it with grep, or cut a piece out of it with head, tail or sed through Bash.` };
  if (info.size > LARGE) return readLarge(page, info, ctx);

  const bytes = await ctx.files.read(path);
  if (imageMime(bytes) !== undefined) return showImage(bytes, page, info, ctx);
  if (isPdf(bytes)) return showPdf(bytes, page, info, ctx);
  const decoded = await decodeAnyText(bytes);
  if (!decoded.ok) return refuse(path, bytes, decoded.why);
  remember(ctx.files, info, bytes);
  const cells = path.endsWith('.ipynb') ? readNotebook(decoded.text, page) : undefined;
  return cells ?? showText(decoded.text, page);
}

function showText(text: string, page: Input): ToolResult {
  // Where no line ends with LF, a lone CR ends it.
  const lines = text.split(text.includes('\n') ? '\n' : '\r');
  if (lines.at(-1) === '') lines.pop();
  return showLines(lines.slice(page.offset - 1, page.offset - 1 + page.limit).map(shownLine), lines.length, page);
}

function showImage(bytes: Uint8Array, { path }: Input, info: FileInfo, ctx: ToolContext): ToolResult {
  const opened = openImage(bytes);
  if (!opened.ok) return { ok: false, text: `${path} ${opened.why}.` };
  remember(ctx.files, info, bytes);
  return { ok: true, text: `${path}: an image (${opened.measure}).`, images: [opened.image] };
}

async function showPdf(bytes: Uint8Array, page: Input, info: FileInfo, ctx: ToolContext): Promise<ToolResult> {
  const shown = await readPdf(bytes, page, { signal: ctx.signal });
  if (shown.ok) remember(ctx.files, info, bytes);
  return shown;
}

/** Its start tells what it is; a text is then read once through without being held. */
async function readLarge(page: Input, info: FileInfo, ctx: ToolContext): Promise<ToolResult> {
  const { path } = page;
  const start = await ctx.files.read(path, { start: 0, end: START });
  if (imageMime(start) !== undefined) return { ok: false, text: `${path} is an image of ${plural(info.size, 'byte')}. Scale it down first.` };
  if (isPdf(start)) {
    if (info.size > MAX_PDF) return { ok: false, text: `${path} is a PDF of ${plural(info.size, 'byte')}; PDFs are read up to 50 MiB. Split it first, or use pdftotext through Bash.` };
    return showPdf(await ctx.files.read(path), page, info, ctx);
  }
  const isWide = start[0] === 0xff || start[0] === 0xfe;
  // Up to a whole character, as far as that can be known.
  const decoded = await decodeAnyText(isWide ? start : start.subarray(0, start.findLastIndex((byte) => byte < 0x80) + 1));
  if (!decoded.ok) return refuse(path, start, decoded.why);
  const { encoding } = decoded;
  if (encoding.name.startsWith('utf-16')) {
    const bytes = await ctx.files.read(path);
    const whole = await decodeAnyText(bytes);
    if (!whole.ok) return refuse(path, start, whole.why);
    remember(ctx.files, info, bytes);
    return showText(whole.text, page);
  }
  const slice = await readSlice((range) => ctx.files.read(path, range), { ...page, encoding: encoding.name, signal: ctx.signal });
  if (!slice) return refuse(path, start, 'binary');
  ctx.files.seen.set(info.path, { mtimeMs: info.mtimeMs, hash: slice.sha256 });
  return showLines(slice.lines, slice.total, page);
}

function refuse(path: string, bytes: Uint8Array, why: 'binary' | 'not UTF-8'): ToolResult {
  return { ok: false, text: why === 'binary' ? `${path} ${describeBinary(bytes)}.` : `${path} is in no encoding that could be told, so it can't be read as lines. Convert it with iconv through Bash.` };
}
