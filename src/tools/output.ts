// The output of a running program as text: decoded, cleaned, bounded in memory, and handed on at a human pace.
import { clean } from '../lib/clean.ts';
import { head, tail } from '../lib/cut.ts';

/** What a program has said so far. */
export type Output = {
  /** Takes a piece as it arrives. Characters and escape sequences may be cut anywhere. */
  add(chunk: Uint8Array, stream: 'stdout' | 'stderr'): void;
  /** All of it, or its head and tail with a line between that says how many characters are left out. May be asked at any time. */
  text(): string;
  /** Hands on what is still held back. Nothing is handed on afterwards. */
  close(): void;
};

/** A line longer than this is no longer waited for. */
const LONGEST_WAIT = 65_536;
/** The most that is handed on at a time, in characters: nobody reads more in that time. */
const SHOWN = 8_000;

/** `limit` is the most that `text()` gives, in characters; `show` gets cleaned pieces, at most one every `everyMs`. */
export function collectOutput({ limit, show, everyMs = 100 }: { limit: number; show(text: string): void; everyMs?: number }): Output {
  const half = Math.floor((limit - 100) / 2);
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let first = '';
  let last = '';
  let total = 0;
  /** The line that has not ended; a carriage return may still take it back. */
  let open = '';
  let unshown = '';
  /** How much of `open` was shown. */
  let ahead = '';
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const keep = (text: string) => {
    total += text.length;
    const room = half - first.length;
    first += text.slice(0, Math.max(0, room));
    last += text.slice(Math.max(0, room));
    if (last.length > 4 * half) last = last.slice(-half);
    // Only the end of what nobody has seen yet is worth showing.
    unshown = tail(unshown + shownAfter(text), SHOWN);
  };
  /** What of a settled line was not shown before it was settled. */
  const shownAfter = (text: string): string => {
    const seen = ahead;
    ahead = '';
    if (seen === '') return text;
    return text.startsWith(seen) ? text.slice(seen.length) : `\n${text}`;
  };
  const flush = () => {
    timer = undefined;
    let text = unshown;
    unshown = '';
    const line = clean(open);
    if (line !== ahead) {
      text += line.startsWith(ahead) ? line.slice(ahead.length) : `\n${line}`;
      ahead = line;
    }
    if (text !== '') show(text);
  };

  return {
    add(chunk, stream) {
      if (closed) return;
      open += decoders[stream].decode(chunk, { stream: true });
      const end = open.length > LONGEST_WAIT ? open.length : open.lastIndexOf('\n') + 1;
      if (end > 0) {
        keep(clean(open.slice(0, end)));
        open = open.slice(end);
      }
      // Of a line that is being rewritten only the last state is kept, once there is something of it to see.
      const state = open.slice(open.lastIndexOf('\r') + 1);
      if (clean(state) !== '') open = state;
      timer ??= setTimeout(flush, everyMs);
    },
    text() {
      const rest = clean(open);
      const whole = last + rest;
      const size = total + rest.length;
      if (size <= limit) return first + whole;
      const [start, end] = [head(first, half), tail(whole, half)];
      return `${start}\n[… ${(size - start.length - end.length).toLocaleString('en')} characters left out …]\n${end}`;
    },
    close() {
      clearTimeout(timer);
      flush();
      closed = true;
    },
  };
}
