// Tool results that are too long to send: kept in a file, with a preview in their place.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeAtomic } from '../lib/atomic.ts';
import { preview, PREVIEW } from '../lib/preview.ts';
import type { ToolResultPart } from '../types/message.ts';
import { sentenceOf } from '../types/user-error.ts';

const OPEN = '<persisted-output>';
const CLOSE = '</persisted-output>';
/** A preview with its lines of errors and all that is said around it may have so many characters: what is no longer gains nothing. */
const SHORTEST = PREVIEW.head + PREVIEW.tail + 1_000;

/**
 * The result as it is sent: over `limit` characters it is written to `file` and becomes a preview; keys in it masked; with `null`, or
 * where the disk refuses, as much as the limit allows is kept. One that a tool has written to a file by itself is marked alike.
 */
export async function spillResult(part: ToolResultPart, { file, limit, mask }: { file: string | null; limit: number; mask(text: string): string }): Promise<ToolResultPart> {
  if (part.spill !== undefined) return part.text.startsWith(OPEN) ? part : { ...part, text: await describe(part.spill, part.text) };
  if (part.text.length <= Math.max(limit, SHORTEST)) return part;
  if (file === null) return bound(part, limit, 'Nothing is kept on disk in this session');
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeAtomic(file, mask(part.text), { mode: 0o600 });
    return { ...part, text: await describe(file, preview(part.text)), spill: file };
  } catch (error) {
    return bound(part, limit, `It could not be kept on disk (${sentenceOf(error)})`);
  }
}

/** The results of one message within `limit` characters in all, the largest spilled first; the same array where they are. `spared` ones stay as they are. */
export async function spillLargest(parts: readonly ToolResultPart[], options: { limit: number; mask(text: string): string; fileFor(part: ToolResultPart): string | null; spared(part: ToolResultPart): boolean }): Promise<readonly ToolResultPart[]> {
  let fitted = parts;
  const largest = parts.filter((part) => part.spill === undefined && !options.spared(part)).sort((a, b) => b.text.length - a.text.length);
  for (const part of largest) {
    if (fitted.reduce((total, { text }) => total + text.length, 0) <= options.limit) break;
    const spilled = await spillResult(part, { file: options.fileFor(part), limit: SHORTEST, mask: options.mask });
    fitted = fitted.map((one) => (one === part ? spilled : one));
  }
  return fitted;
}

/** What the screen says of results that were spilled; `undefined` where none was. */
export async function describeSpilled(parts: readonly ToolResultPart[]): Promise<string | undefined> {
  const files = parts.flatMap(({ spill, text }) => (spill === undefined ? [] : [{ spill, text }]));
  if (files.length === 0) return undefined;
  const sizes = await Promise.all(files.map(async ({ spill, text }) => Math.max(0, (await sizeOf(spill)) - text.length)));
  return `◇ spilled ${files.length} tool result(s) to disk (~${sizes.reduce((a, b) => a + b, 0).toLocaleString('en')} chars freed)`;
}

async function describe(file: string, shown: string): Promise<string> {
  const size = (await sizeOf(file)).toLocaleString('en');
  return `${OPEN}\nToo long to be shown whole. It is kept (${size} bytes) in ${file}\nRead it in pages with ReadFile (offset, limit). Preview:\n\n${shown.trimEnd()}\n${CLOSE}`;
}

const sizeOf = (file: string): Promise<number> => stat(file).then(({ size }) => size, () => 0);

function bound(part: ToolResultPart, limit: number, why: string): ToolResultPart {
  const room = Math.max(limit, SHORTEST) - SHORTEST;
  const shown = preview(part.text, { head: PREVIEW.head + Math.floor(room * 0.6), tail: PREVIEW.tail + Math.floor(room * 0.3), errors: PREVIEW.errors });
  return { ...part, text: `${shown.trimEnd()}\n[${why}, so what is left out is lost.]` };
}
