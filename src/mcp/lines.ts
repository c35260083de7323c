// Cuts a byte stream into lines; one that is too long is let go while it comes, with its two ends kept.

/** Of a line that was too long. */
export type Ends = { head: string; tail: string };

const KEPT = 400;

/** Feed it chunks; it hands on each line that has ended, decoded, without its line end. Holds at most `longest` bytes. */
export function cutLines({ longest, onLine, onTooLong }: { longest: number; onLine(line: string): void; onTooLong(ends: Ends): void }): (chunk: Uint8Array) => void {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let dropped: { head: string; last: Buffer } | undefined;

  const take = (piece: Uint8Array) => {
    if (dropped) {
      dropped.last = Buffer.concat([dropped.last, piece.subarray(-KEPT)]).subarray(-KEPT);
      return;
    }
    pieces.push(piece);
    size += piece.length;
    if (size <= longest) return;
    const head = Buffer.concat(pieces.slice(0, KEPT)).subarray(0, KEPT).toString('utf8');
    dropped = { head, last: Buffer.from(piece.subarray(-KEPT)) };
    pieces = [];
  };
  const end = () => {
    if (dropped) onTooLong({ head: dropped.head, tail: dropped.last.toString('utf8') });
    else onLine((pieces.length === 1 && pieces[0] ? Buffer.from(pieces[0].buffer, pieces[0].byteOffset, pieces[0].length) : Buffer.concat(pieces)).toString('utf8').replace(/\r$/, ''));
    pieces = [];
    size = 0;
    dropped = undefined;
  };

  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      take(chunk.subarray(from, at));
      end();
      from = at + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  };
}

/** The answer that stands in for one that was too long: to the request whose id its ends show, if they do. JSON-RPC has the id first or last. */
export function refusalFor({ head, tail }: Ends, limit: number): { jsonrpc: '2.0'; id: number; error: { code: number; message: string } } | undefined {
  const id = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)/.exec(head)?.[1] ?? /"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail)?.[1];
  if (id === undefined) return undefined;
  return { jsonrpc: '2.0', id: Number(id), error: { code: TOO_LONG, message: `The answer has more than ${limit / 1_048_576} MiB, so it was not taken.` } };
}

/** The code of such an answer. */
const TOO_LONG = -32_099;
