// Fuzzy matching for short lists: letters in order, better at the start of words and in a row.

/** How well `query` fits `text`, higher is better; `null` when a letter is missing. Blanks in the query part words that may stand anywhere. */
export function fuzzyScore(query: string, text: string): number | null {
  let sum = 0;
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const score = scoreWord(word, text.toLowerCase());
    if (score === null) return null;
    sum += score;
  }
  return sum;
}

/** The items that fit, best first; equal ones keep their order. What fits by its detail only comes behind what fits by its label. */
export function fuzzyFilter<T extends { label: string; detail: string }>(items: readonly T[], query: string): T[] {
  if (query.trim() === '') return [...items];
  return items
    .flatMap((item) => {
      const label = fuzzyScore(query, item.label);
      const score = label ?? fuzzyScore(query, `${item.label} ${item.detail}`);
      return score === null ? [] : [{ item, score: label === null ? score - BEHIND : score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

const BEHIND = 1_000;

function scoreWord(word: string, text: string): number | null {
  // The word in one piece, at the start of a word if possible, is what people mean.
  const whole = text.search(new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'u'));
  if (whole >= 0) return 100;
  if (text.includes(word)) return 60;
  let at = -1;
  let score = 0;
  for (const letter of word) {
    const next = text.indexOf(letter, at + 1);
    if (next < 0) return null;
    score += next === at + 1 ? 3 : /[\s/:_.-]/.test(text.charAt(next - 1)) ? 2 : 0;
    at = next;
  }
  return Math.min(score, 50);
}
