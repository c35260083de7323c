// Line endings of a text, kept aside while it is edited: models write LF, files have what they have.

/** A text with LF only, and of each of its newlines whether the file has CRLF there. */
export type Lines = { text: string; crlf: readonly boolean[] };

/** A text as it can be edited; `joinEndings` gives it back. */
export function splitEndings(text: string): Lines {
  const crlf: boolean[] = [];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) crlf.push(text[at - 1] === '\r');
  return { text: toLf(text), crlf };
}

/** The text with its own line endings. */
export function joinEndings({ text, crlf }: Lines): string {
  if (!crlf.includes(true)) return text;
  let index = 0;
  return text.replace(/\n/g, () => (crlf[index++] ? '\r\n' : '\n'));
}

/** CRLF as LF; a lone carriage return is a character like any other. */
export const toLf = (text: string): string => text.replaceAll('\r\n', '\n');

/** Whether most of the newlines are CRLF. */
export function mostlyCrlf(crlf: readonly boolean[]): boolean {
  return crlf.filter(Boolean).length * 2 > crlf.length;
}

/**
 * The endings for `after`, which takes the place of `before` (both LF only; `crlf` are the endings of `before`).
 * Lines that are equal at the start and at the end keep theirs, lines between take those of the lines whose place
 * they take, and where there are more of them `fallback`.
 */
export function carryEndings(before: string, after: string, crlf: readonly boolean[], fallback: boolean): boolean[] {
  const a = before.split('\n');
  const b = after.split('\n');
  let equal = 0;
  while (equal < Math.min(a.length, b.length) && a.at(-1 - equal) === b.at(-1 - equal)) equal += 1;
  // The last line has no newline of its own.
  const kept = Math.max(0, equal - 1);
  return b.slice(0, -1).map((_, index) => {
    const fromEnd = b.length - 1 - index;
    if (fromEnd <= kept) return crlf[crlf.length - fromEnd] ?? fallback;
    return (index < crlf.length - kept ? crlf[index] : undefined) ?? fallback;
  });
}
