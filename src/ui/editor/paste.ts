// Long pastes fold into a chip: one private character in the text that is drawn as `[pasted 120 lines]` and opened on submit.

/** First of the characters that stand for chips; they lie in a private plane that no font uses. */
const FIRST = 0x10f000;
const COUNT = 0x0ffd;
const CHIP = /[\u{10f000}-\u{10fffc}]/gu;

const LONG_LINES = 10;
const LONG_CHARS = 1_000;

/** How many chips one prompt can have. */
export const MOST_CHIPS = COUNT;

/** Whether a paste is long enough to fold. */
export function isLong(text: string): boolean {
  return text.length > LONG_CHARS || lineCount(text) > LONG_LINES;
}

/** The character of chip `index`. */
export function chipOf(index: number): string {
  return String.fromCodePoint(FIRST + index);
}

/** `text` without characters that would look like chips. */
export function withoutChips(text: string): string {
  return text.replace(CHIP, '');
}

/** `text` with every chip replaced by what was pasted. */
export function openChips(text: string, pastes: readonly string[]): string {
  return text.replace(CHIP, (chip) => pastes[(chip.codePointAt(0) ?? 0) - FIRST] ?? '');
}

/** How one grapheme is drawn: a chip as its label, a tab as blanks. `chip` says that it is one. */
export function drawn(grapheme: string, pastes: readonly string[]): { text: string; chip: boolean } {
  const code = grapheme.codePointAt(0) ?? 0;
  if (grapheme === '\t') return { text: '    ', chip: false };
  if (code < FIRST || code >= FIRST + COUNT) return { text: grapheme, chip: false };
  const lines = lineCount(pastes[code - FIRST] ?? '');
  return { text: `[pasted ${lines} ${lines === 1 ? 'line' : 'lines'}]`, chip: true };
}

function lineCount(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}
