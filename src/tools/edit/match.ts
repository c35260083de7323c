// Where an edit applies and what it puts there. A wrong edit is worse than ten refusals.
import { linesOf, type Place } from './places.ts';
import { findExact, strategies } from './strategies.ts';
import { linesOfText } from './text-lines.ts';

/** `wrote` is to be replaced by `wanted`; both have LF only and `wrote` is not empty. */
export type Wish = { wrote: string; wanted: string; all: boolean };

export type Matched =
  | { ok: true; strategy: string; places: readonly (Place & { text: string })[] }
  | { ok: false; why: 'missing' }
  /** `lines` are those in which the places begin, counted from 1; `strategy` is the one that found them. */
  | { ok: false; why: 'ambiguous'; strategy: string; lines: readonly number[] }
  /** There is one place, but what to put there can't be told for certain. */
  | { ok: false; why: 'doubtful'; strategy: string; line: number; problem: string };

/** The one place of `wrote` in `text`, or with `all` every exact one that overlaps none before it. */
export function findPlaces(text: string, { wrote, wanted, all }: Wish): Matched {
  if (all) {
    const places = findExact(text, wrote, { step: wrote.length, most: Infinity });
    if (places.length > 0) return { ok: true, strategy: 'exact', places: places.map((place) => ({ ...place, text: wanted })) };
  }
  const file = linesOfText(text);
  let overlooked = Infinity;
  let refusal: Matched = { ok: false, why: 'missing' };
  for (const { name, overlooks, find } of strategies) {
    if (overlooks >= overlooked) continue;
    const [found, ...others] = find(file, wrote, wanted);
    if (!found) continue;
    if (others.length > 0) {
      if (refusal.why === 'missing') refusal = { ok: false, why: 'ambiguous', strategy: name, lines: linesOf(text, [found, ...others]) };
      overlooked = overlooks;
      continue;
    }
    const { start, end } = found;
    const made = found.replacement();
    if (made.ok) return { ok: true, strategy: name, places: [{ start, end, text: made.text }] };
    // What a looser look finds can be no more certain.
    if (refusal.why === 'missing') refusal = { ok: false, why: 'doubtful', strategy: name, line: linesOf(text, [found])[0] ?? 1, problem: made.problem };
    overlooked = Math.min(overlooked, overlooks);
  }
  return refusal;
}
