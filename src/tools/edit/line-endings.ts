// Line endings of a text, kept aside while it is edited: models write LF, files have what they have.
import { align } from './align.ts';

export type Ending = '\n' | '\r\n' | '\r';

/** A text with LF only, and of each of its newlines what the file has there. */
export type Lines = { text: string; endings: readonly Ending[] };

/** A text as it can be edited; `joinEndings` gives it back. */
export function splitEndings(text: string): Lines {
  const endings: Ending[] = [];
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) endings.push('\n');
    return { text, endings };
  }
  for (const [ending] of text.matchAll(/\r\n|\r|\n/g)) endings.push(ending as Ending);
  return { text: toLf(text), endings };
}

/** The text with its own line endings. */
export function joinEndings({ text, endings }: Lines): string {
  if (endings.every((ending) => ending === '\n')) return text;
  let index = 0;
  let last = -1;
  let ending: Ending = '\n';
  return text.replace(/\n/g, (_, at: number) => {
    const next = endings[index++] ?? '\n';
    // CR and LF of two lines with nothing between them would be read as one line ending.
    ending = next === '\n' && ending === '\r' && at === last + 1 ? '\r' : next;
    last = at;
    return ending;
  });
}

/** Every line ending as LF. */
export const toLf = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** The ending that most lines have; LF where there is none. */
export function usualEnding(endings: readonly Ending[]): Ending {
  const count = (wanted: Ending) => endings.reduce((sum, ending) => sum + (ending === wanted ? 1 : 0), 0);
  const [lf, crlf, cr] = [count('\n'), count('\r\n'), count('\r')];
  if (crlf > lf && crlf >= cr) return '\r\n';
  return cr > lf ? '\r' : '\n';
}

/**
 * The endings for `after`, which takes the place of `before` (both LF only; `endings` are those of `before`). Lines
 * that go on keep theirs, others take those of the lines whose place they take, further ones `fallback`. As many lines
 * take the endings one by one, so that an edit can be undone by its inverse.
 */
export function carryEndings(before: string, after: string, endings: readonly Ending[], fallback: Ending): Ending[] {
  const newLines = after.split('\n');
  if (newLines.length === endings.length + 1) return [...endings];
  if (endings.every((ending) => ending === fallback)) return newLines.slice(1).map(() => fallback);
  const { kept, instead } = align(before.split('\n'), newLines);
  return newLines.slice(1).map((_, index) => endings[Math.max(kept[index] ?? -1, instead[index] ?? -1)] ?? fallback);
}
