// Ranks texts by how well they fit some words (Okapi BM25), for searches where a person would not know the exact spelling.

/** `strong` is a part of the text that counts more: a name, a title. */
export type Ranked = { text: string; strong?: string };

/** How much a word of `strong` counts. */
const STRONG = 3;
const K1 = 1.2;
const B = 0.75;
/** A word that only begins like the one that was asked for, for so much of the longer one. */
const BEGINS = 0.4;
const ALIKE = 0.7;

/** Those of `texts` that hold at least one of the words, best first, as their places in the list. Equal ones keep their order. */
export function rankTexts(query: string, texts: readonly Ranked[]): { index: number; score: number }[] {
  const asked = [...new Set(wordsOf(query))];
  const counted = texts.map(({ text, strong = '' }) => {
    const counts = new Map<string, number>();
    let length = 0;
    for (const [words, weight] of [[wordsOf(text), 1], [wordsOf(strong), STRONG]] as const) {
      length += words.length * weight;
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + weight);
    }
    return { counts, length };
  });
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length) || 1;
  const scores = texts.map(() => 0);
  for (const word of asked) {
    const found = counted.map(({ counts }) => counts.get(word) ?? BEGINS * beginningLike(word, counts));
    const holding = found.filter((count) => count > 0).length;
    const rarity = Math.log(1 + (texts.length - holding + 0.5) / (holding + 0.5));
    found.forEach((count, index) => {
      const length = counted[index]?.length ?? 0;
      scores[index] = (scores[index] ?? 0) + (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average));
    });
  }
  return scores.map((score, index) => ({ index, score })).filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.index - b.index);
}

/** How often words begin like `word`; short ones begin like too many. */
function beginningLike(word: string, counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [other, count] of counts) if (shared(word, other) >= Math.max(4, ALIKE * Math.max(word.length, other.length))) sum += count;
  return sum;
}

function shared(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

/** The words of a text in lower case: names are taken apart at case, underscores and the like; scripts without blanks into pairs of characters. */
export function wordsOf(text: string): string[] {
  const apart = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2').toLowerCase();
  return (apart.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) => {
    if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)) return [stem(word)];
    const characters = [...word];
    return characters.length === 1 ? characters : characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
  });
}

/** `files` is asked for by who writes `file`. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
