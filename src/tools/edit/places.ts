// Pieces of a text, and other texts in their places.
import { carryEndings, usualEnding, type Ending, type Lines } from './line-endings.ts';

/** A piece of a text: from `start` to before `end`, in UTF-16 units. */
export type Place = { start: number; end: number };

/** `file` with a text in each place (in order, none overlapping); line endings are the file's own. */
export function replacePlaces(file: Lines, places: readonly (Place & { text: string })[]): Lines {
  const fallback = usualEnding(file.endings);
  const texts: string[] = [];
  const endings: Ending[] = [];
  let at = 0;
  let newline = 0;
  const keep = (end: number) => {
    const text = file.text.slice(at, end);
    const passed = newlines(text);
    texts.push(text);
    for (let index = newline; index < newline + passed; index += 1) endings.push(file.endings[index] ?? fallback);
    newline += passed;
    at = end;
  };
  for (const { start, end, text } of places) {
    keep(start);
    const before = file.text.slice(start, end);
    const passed = newlines(before);
    texts.push(text);
    for (const ending of carryEndings(before, text, file.endings.slice(newline, newline + passed), fallback)) endings.push(ending);
    newline += passed;
    at = end;
  }
  keep(file.text.length);
  return { text: texts.join(''), endings };
}

/** The lines, counted from 1, in which places begin. */
export function linesOf(text: string, places: readonly Place[]): number[] {
  let line = 1;
  let at = 0;
  return places.map(({ start }) => {
    line += newlines(text.slice(at, start));
    at = start;
    return line;
  });
}

function newlines(text: string): number {
  let found = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) found += 1;
  return found;
}
