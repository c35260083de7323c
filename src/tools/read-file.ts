// ReadFile: numbered lines of a text file, or an image for models that see.
import { resolve } from 'node:path';
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import type { Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { defineTool } from './define.ts';
import { sayMissing } from './missing.ts';
import { count, cutLine, MAX_RESULT } from './text.ts';
import { decodeAnyText, remember } from './text-file.ts';

const LINE_LIMIT = 2_000;
/** Room for the line that says where to go on. */
const NOTE = 200;
const MAX_BYTES = 256 * 1024 * 1024;
/** Services take images of 5 MB in base64. */
const MAX_IMAGE = 3_750_000;

const input = z.strictObject({
  path: z.string().min(1).describe('Absolute, or relative to the project root'),
  offset: z.int().min(1).default(1).describe('First line, counted from 1'),
  limit: z.int().min(1).default(2_000).describe('How many lines'),
});
type Input = z.infer<typeof input>;

/** Pages of text files, and images. What it read may be changed afterwards. */
export function readFile(): Tool<Input> {
  return defineTool({
    name: 'ReadFile',
    description: 'Reads a text file (UTF-8, or UTF-16 with a byte order mark) as numbered lines: the number, a tab, the line. Gives at most 2,000 lines or 50,000 characters at a time and names the offset to go on with; lines over 2,000 characters are cut, and say so. PNG, JPEG, GIF and WebP images are shown as images. Other binary files and folders are refused (LS lists a folder). An existing file must be read before it may be changed.',
    input,
    title: ({ path, offset }) => cleanLine(offset > 1 ? `${path}:${offset}` : path),
    access: ({ path }, cwd) => [{ kind: 'read', target: resolve(cwd, path) }],
    run,
  });
}

async function run({ path, offset, limit }: Input, ctx: ToolContext): Promise<ToolResult> {
  const info = await ctx.files.stat(path);
  if (!info) return { ok: false, text: await sayMissing(path, ctx) };
  if (info.kind === 'folder') return { ok: false, text: `${path} is a folder. List it with LS.` };
  if (info.kind === 'other') return { ok: false, text: `${path} is not a regular file (a device, a pipe or a socket), so it can't be read.` };
  if (info.size > MAX_BYTES) return { ok: false, text: `${path} has ${count(info.size, 'byte')}, more than the 256 MiB that can be read. Search it with Grep, or cut a piece out of it with Bash.` };

  const bytes = await ctx.files.read(path);
  const mime = imageType(bytes);
  if (mime) {
    if (bytes.length > MAX_IMAGE) return { ok: false, text: `${path} is an image of ${count(bytes.length, 'byte')}; at most ${count(MAX_IMAGE, 'byte')} can be shown. Scale it down first.` };
    remember(ctx.files, info, bytes);
    return { ok: true, text: `${path}: an image (${mime}, ${count(bytes.length, 'byte')}).`, images: [{ mime, base64: Buffer.from(bytes).toString('base64') }] };
  }
  const decoded = await decodeAnyText(bytes);
  if (!decoded.ok) return { ok: false, text: `${path} is ${decoded.why === 'binary' ? 'a binary file' : 'not UTF-8 text'} (${count(bytes.length, 'byte')}), so it can't be read as lines. Look at it with a program through Bash.` };
  remember(ctx.files, info, bytes);
  if (decoded.text === '') return { ok: true, text: `${path} is empty.` };
  return page(decoded.text, { path, offset, limit });
}

function page(text: string, { path, offset, limit }: Input): ToolResult {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (offset > lines.length) return { ok: false, text: `${path} has only ${count(lines.length, 'line')}; offset=${offset} is behind its end.` };
  const shown: string[] = [];
  let size = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    const numbered = `${String(offset + shown.length).padStart(6)}\t${cutLine(line.endsWith('\r') ? line.slice(0, -1) : line, LINE_LIMIT)}`;
    size += numbered.length + 1;
    if (size > MAX_RESULT - NOTE) break;
    shown.push(numbered);
  }
  const next = offset + shown.length;
  if (next <= lines.length) shown.push(`[Lines ${offset} to ${next - 1} of ${lines.length}. Go on with offset=${next}.]`);
  return { ok: true, text: shown.join('\n') };
}

/** By its first bytes: names lie. */
function imageType(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  if (/^RIFF[\s\S]{4}WEBP/.test(start)) return 'image/webp';
  return undefined;
}
