// The output of a running program as text: decoded, cleaned, and handed on at a human pace.
import { clean } from '../lib/clean.ts';
import { tail } from '../lib/cut.ts';

export type OutputReader = {
  /** Takes a piece as it arrives. Characters and escape sequences may be cut anywhere. */
  add(chunk: Uint8Array, stream: 'stdout' | 'stderr'): void;
  /** The line that has not ended, as it stands. */
  open(): string;
  /** Hands on what is still held back. Nothing is handed on afterwards. */
  close(): void;
};

/** A line longer than this is no longer waited for. */
const LONGEST_WAIT = 65_536;
/** The most that is shown at a time, in characters: nobody reads more in that time. */
const SHOWN = 8_000;

/** `take` gets all text once it can't change any more, in whole lines where they have a common length; `show` gets what is new for a screen, at most once every `everyMs`. */
export function readOutput({ take, show, everyMs = 100 }: { take(text: string): void; show(text: string): void; everyMs?: number }): OutputReader {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  /** The line that has not ended; a carriage return may still take it back. */
  let open = '';
  let unshown = '';
  /** How much of `open` was shown. */
  let ahead = '';
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const settle = (text: string) => {
    take(text);
    // Only the end of what nobody has seen yet is worth showing.
    const fresh = shownAfter(text);
    unshown = tail(fresh.length < SHOWN ? unshown + fresh : fresh, SHOWN);
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
        settle(clean(open.slice(0, end)));
        open = open.slice(end);
      }
      // Of a line that is being rewritten only the last state is kept, once there is something of it to see.
      const state = open.slice(open.lastIndexOf('\r') + 1);
      if (clean(state) !== '') open = state;
      timer ??= setTimeout(flush, everyMs);
    },
    open: () => clean(open),
    close() {
      if (closed) return;
      closed = true;
      clearTimeout(timer);
      flush();
      take(clean(open));
      open = '';
    },
  };
}
