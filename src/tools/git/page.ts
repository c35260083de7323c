// One page of a long output that is never held as a whole.
import { cutLine, MAX_RESULT } from '../text.ts';

const LINE_LIMIT = 2_000;
/** Room for the lines around the page. */
const NOTE = 500;
/** The most of a line that is held. */
const HELD = 4 * LINE_LIMIT;

/** Takes output as it comes. `lines` are those of the page, `text` them with the line that says where to go on. */
export function collectPage({ offset, limit }: { offset: number; limit: number }): { add(chunk: Uint8Array): void; end(): { text: string; lines: string[]; total: number } } {
  const decoder = new TextDecoder();
  const lines: string[] = [];
  let room = MAX_RESULT - NOTE;
  let total = 0;
  let open = '';
  let size = 0;
  let full = false;
  const close = () => {
    total += 1;
    full ||= lines.length === limit;
    if (total >= offset && !full) {
      const line = size > open.length ? cutLine(open, LINE_LIMIT).replace(/\[line cut: [\d,]+/, `[line cut: ${size.toLocaleString('en')}`) : cutLine(open.replace(/\r$/, ''), LINE_LIMIT);
      room -= line.length + 1;
      full = room < 0;
      if (!full) lines.push(line);
    }
    open = '';
    size = 0;
  };
  const take = (text: string) => {
    const pieces = text.split('\n');
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) close();
      size += piece.length;
      if (open.length < HELD) open += piece.slice(0, HELD - open.length);
    }
  };
  return {
    add: (chunk) => take(decoder.decode(chunk, { stream: true })),
    end() {
      if (size > 0) close();
      const next = offset + lines.length;
      return { lines, total, text: [...lines, ...(next <= total ? [`[Lines ${offset} to ${next - 1} of ${total}. Go on with offset=${next}, or narrow it by path.]`] : [])].join('\n') };
    },
  };
}
