// A page of a text file that is too large to hold: it is read once through, piece by piece, and only the page is kept.
import { createHash } from 'node:crypto';
import { head } from '../../lib/cut.ts';
import { plural } from '../../lib/plural.ts';
import { LINE_LIMIT, MAX_PAGE, shownLine } from './page.ts';

/** Bytes of a line that are kept: enough for its shown part in any encoding. */
const LINE_BYTES = 4 * LINE_LIMIT;
const PIECE = 1024 * 1024;

/** The lines from `offset` on as they are shown, how many there are in all, and the hash of the whole; `undefined` where a NUL shows that it is no text. */
export type Slice = { lines: string[]; total: number; sha256: string };

/** `encoding` is one that `TextDecoder` knows and that has newlines as one byte. */
export async function readSlice(read: (range: { start: number; end: number }) => Promise<Uint8Array>, { offset, limit, encoding, signal }: { offset: number; limit: number; encoding: string; signal: AbortSignal }): Promise<Slice | undefined> {
  const hash = createHash('sha256');
  const decoder = new TextDecoder(encoding);
  const lines: string[] = [];
  let room = MAX_PAGE;
  let total = 0;
  let open: { kept: Buffer[]; size: number } = { kept: [], size: 0 };

  const isWanted = () => total + 1 >= offset && lines.length < limit && room > 0;
  const extend = (bytes: Buffer) => {
    if (open.size < LINE_BYTES && isWanted()) open.kept.push(Buffer.from(bytes.subarray(0, LINE_BYTES - open.size)));
    open.size += bytes.length;
  };
  const close = () => {
    total += 1;
    const { kept, size } = open;
    open = { kept: [], size: 0 };
    const text = decoder.decode(Buffer.concat(kept));
    // What stands behind the kept bytes is not even known.
    const line = size > LINE_BYTES ? `${head(text, LINE_LIMIT)}… [line cut: ${plural(size, 'byte')}]` : shownLine(text);
    room -= line.length;
    lines.push(line);
  };

  for (let start = 0; ; start += PIECE) {
    signal.throwIfAborted();
    const piece = await read({ start, end: start + PIECE });
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    if (bytes.includes(0)) return undefined;
    hash.update(bytes);
    let from = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
      // Most lines are only counted.
      if (isWanted()) {
        extend(bytes.subarray(from, end));
        close();
      } else {
        total += 1;
        open.size = 0;
      }
      from = end + 1;
    }
    extend(bytes.subarray(from));
    if (bytes.length < PIECE) break;
  }
  if (open.size > 0 && isWanted()) close();
  else if (open.size > 0) total += 1;
  return { lines, total, sha256: hash.digest('hex') };
}
