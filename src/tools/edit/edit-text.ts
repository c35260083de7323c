// Edits of a text, one after the other, all or none; and what is said of them.
import { explainMissing } from './explain.ts';
import { joinEndings, splitEndings, toLf } from './line-endings.ts';
import { findPlaces, type Matched, type Wish } from './match.ts';
import { replacePlaces } from './places.ts';

/** Strings as the model sent them, line endings of any kind. */
export type Edit = Wish;

/** `places` is how many there were; `note` tells what the result should say beside the diff. */
export type Edited = { ok: true; text: string; places: number; note: string } | { ok: false; text: string };

/** The text after all edits, in the file's own line endings, or a sentence that says why there is none. `path` is the file's name in it. */
export function editText(text: string, edits: readonly Edit[], path: string): Edited {
  let file = splitEndings(text);
  const notes: string[] = [];
  let places = 0;
  for (const [index, { wrote, wanted, all }] of edits.entries()) {
    const which = edits.length > 1 ? `Edit ${index + 1} of ${edits.length}: ` : '';
    const say = (sentence: string): Edited => ({ ok: false, text: which + sentence });
    if (wrote === wanted) return say('old_string and new_string are the same, so there is nothing to change.');
    // It would take the whole line break away where only half of it was meant.
    if (wrote.endsWith('\r') && !/[\r\n]$/.test(wanted) && file.endings.includes('\r\n')) return say('old_string ends with half of a line break (\\r). Nothing was changed. Leave it out, or give all of it in both strings.');
    const wish = { wrote: toLf(wrote), wanted: toLf(wanted), all };
    if (wish.wrote === wish.wanted) return say('old_string and new_string differ only in their line endings, and the file keeps its own, so there is nothing to change.');
    const matched = findPlaces(file.text, wish);
    if (!matched.ok) return say(sayUnmatched(matched, { path, text: file.text, wrote: wish.wrote }));
    const after = replacePlaces(file, matched.places);
    if (after.text === file.text) return say(`${path} has what new_string says already, so there is nothing to change.`);
    file = after;
    if (matched.strategy !== 'exact') notes.push(` ${which}old_string was not there exactly; matched by the strategy "${matched.strategy}". Check the diff.`);
    places += matched.places.length;
  }
  return { ok: true, text: joinEndings(file), places, note: notes.join('') };
}

function sayUnmatched(matched: Extract<Matched, { ok: false }>, { path, text, wrote }: { path: string; text: string; wrote: string }): string {
  switch (matched.why) {
    case 'missing':
      return `old_string was not found in ${path}. Nothing was changed. ${explainMissing(text, wrote)}`;
    case 'ambiguous': {
      const lines = listLines(matched.lines);
      if (matched.strategy === 'exact') return `old_string occurs ${matched.lines.length} times in ${path}, in lines ${lines}. Nothing was changed. Add lines around it until it is unique, or set replace_all.`;
      return `old_string is not in ${path} exactly, and ${matched.lines.length} places resemble it, in lines ${lines} (${matched.strategy}). Nothing was changed. Copy the text from the file exactly, with lines around it that make it unique.`;
    }
    case 'doubtful':
      return `old_string is not in ${path} exactly. Line ${matched.line} resembles it (${matched.strategy}), but ${matched.problem}. Nothing was changed. ${explainMissing(text, wrote)}`;
  }
}

function listLines(lines: readonly number[]): string {
  const shown = lines.slice(0, 20).join(', ');
  return lines.length > 20 ? `${shown} and ${lines.length - 20} more` : shown;
}
