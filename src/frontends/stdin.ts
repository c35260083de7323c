// What was piped into the program.
import { UserError } from '../types/user-error.ts';

/** More than this is refused: no model takes it. */
const MOST_BYTES = 10 * 1024 * 1024;
/** A pipe that nobody writes to must not hang the run. */
const PATIENCE_MS = 3_000;

export type Piped = AsyncIterable<Uint8Array> & { isTTY?: boolean };

/**
 * All of `stdin` as text; `''` for a terminal. Gives up with `''` when it is open but silent (`onSilence` is told), and
 * throws a `UserError` when it is too much or not text.
 */
export async function readPiped(stdin: Piped, options: { onSilence(): void; patienceMs?: number }): Promise<string> {
  if (stdin.isTTY) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stdin[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<undefined>((resolve) => { timer = setTimeout(() => resolve(undefined), options.patienceMs ?? PATIENCE_MS); });
  for (let next = await Promise.race([reader.next(), silence]); ; next = await reader.next()) {
    clearTimeout(timer);
    if (next === undefined) {
      options.onSilence();
      return '';
    }
    if (next.done) break;
    chunks.push(next.value);
    size += next.value.length;
    if (size > MOST_BYTES) throw new UserError('More than 10 MB came in on stdin.', 'Write it to a file and name the file in the prompt.');
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.includes(0)) throw new UserError('What came in on stdin is not text.', 'Write it to a file and name the file in the prompt.');
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}

/** The prompt with what was piped in as an attached block behind it; either may be missing. */
export function attach(prompt: string, piped: string): string {
  if (piped.trim() === '') return prompt;
  return prompt.trim() === '' ? piped : `${prompt}\n\n<stdin>\n${piped.replace(/\n$/, '')}\n</stdin>`;
}
