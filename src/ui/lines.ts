// Styled text to painted rows of a given width: wrapping, cutting, tabs, wide characters. Every row closes its own colours.
import { columnsOf, isPlain, segment } from '../lib/width.ts';
import { sgr } from './themes.ts';

/** Clean text under SGR parameters (`theme.sgr[…]`, several joined by `;`). It may hold newlines and tabs. */
export type Span = { text: string; sgr?: string };

export type WrapOptions = {
  /** Put before the first row. */
  first?: readonly Span[];
  /** Put before the others, as wide as `first`; blanks where not given. */
  rest?: readonly Span[];
  /** `words`: at blanks, which are dropped there (default). `hard`: anywhere, nothing dropped. `cut`: one row a line, with `…` where it was cut. */
  how?: 'words' | 'hard' | 'cut';
  /** Fill each row to the width under these parameters, for a background that reaches the edge. */
  fill?: string;
};

const TAB = 4;
/** A longer line is cut: nobody reads a minified file, and it must not cost a frame. */
const LINE_CHARS = 20_000;

/** The text as painted rows, none wider than `width` (at least 1). Empty lines give empty rows. */
export function wrap(spans: readonly Span[], width: number, options: WrapOptions = {}): string[] {
  const { how = 'words', fill } = options;
  const wanted = width - widthOf(options.first ?? []);
  // A prefix that leaves no room is given up rather than the text.
  const first = wanted < 1 ? [] : (options.first ?? []);
  const rest = wanted < 1 ? [] : (options.rest ?? [{ text: ' '.repeat(widthOf(first)) }]);
  const room = wanted < 1 ? Math.max(1, width) : wanted;
  const rows: string[] = [];
  for (const line of splitLines(spans)) {
    const narrow = fitted(line, room);
    for (const { from, to, more } of cutLine(textOf(narrow), room, how)) {
      rows.push(paintRow([...(rows.length === 0 ? first : rest), ...slice(narrow, from, to), ...(more ? [{ text: '…' }] : [])], width, fill));
    }
  }
  return rows;
}

/** One painted row of at most `width` columns, cut with `…`. */
export function fit(spans: readonly Span[], width: number): string {
  if (width < 1) return '';
  return wrap(spans.map((span) => ({ ...span, text: span.text.replaceAll('\n', ' ') })), width, { how: 'cut' })[0] ?? '';
}

/** One painted row of exactly `width` columns with something at both ends; the left end is cut first to nothing, then the right. */
export function spread(left: readonly Span[], right: readonly Span[], width: number, filler: Span = { text: ' ' }): string {
  const rightWidth = Math.min(widthOf(right), width);
  const leftRoom = Math.max(0, width - rightWidth);
  const leftWidth = Math.min(widthOf(left), leftRoom);
  const gap = sgr(filler.sgr ?? '', filler.text.repeat(width - rightWidth - leftWidth));
  return fit(left, leftRoom) + gap + fit(right, rightWidth);
}

/** Columns of spans on one line. */
export function widthOf(spans: readonly Span[]): number {
  return spans.reduce((total, { text }) => total + columnsOf(text), 0);
}

function paintRow(spans: readonly Span[], width: number, fill: string | undefined): string {
  let row = '';
  let pending = '';
  let parameters = '';
  // Neighbours that look the same are painted as one.
  for (const { text, sgr: own = '' } of spans) {
    const look = fill && own ? `${fill};${own}` : (fill ?? own);
    if (look !== parameters) { row += sgr(parameters, pending); pending = ''; parameters = look; }
    pending += text;
  }
  row += sgr(parameters, pending);
  return fill === undefined ? row : row + sgr(fill, ' '.repeat(Math.max(0, width - widthOf(spans))));
}

/** The spans of each line, tabs as blanks, overlong lines cut. */
function splitLines(spans: readonly Span[]): Span[][] {
  const lines: Span[][] = [[]];
  let column = 0;
  let chars = 0;
  for (const span of spans) {
    for (const [index, piece] of span.text.split('\n').entries()) {
      if (index > 0) { lines.push([]); column = 0; chars = 0; }
      if (piece === '' || chars > LINE_CHARS) continue;
      const room = LINE_CHARS - chars;
      let text = piece.length > room ? `${piece.slice(0, room).replace(/[\ud800-\udbff]$/, '')}…` : piece;
      chars += piece.length + (piece.length > room ? 1 : 0);
      if (text.includes('\t')) {
        const [head = '', ...tail] = text.split('\t');
        text = tail.reduce((done, next) => done + ' '.repeat(TAB - ((column + columnsOf(done)) % TAB)) + next, head);
      }
      column += columnsOf(text);
      lines.at(-1)?.push({ ...span, text });
    }
  }
  return lines;
}

/** The line without any character that is wider than a whole row. */
function fitted(line: readonly Span[], room: number): readonly Span[] {
  if (room > 3 && !line.some(({ text }) => text.length > room && !isPlain(text))) return line;
  return line.map((span) => (isPlain(span.text) ? span : { ...span, text: Array.from(segment(span.text), ({ segment: one }) => (columnsOf(one) > room ? '?' : one)).join('') }));
}

type Cut = { from: number; to: number; more?: boolean };

/** Where one line breaks, as offsets into its text. */
function cutLine(text: string, room: number, how: 'words' | 'hard' | 'cut'): Cut[] {
  if (columnsOf(text) <= room) return [{ from: 0, to: text.length }];
  switch (how) {
    case 'words':
      return cutWords(text, room);
    case 'hard':
      return cutHard(text, room);
    case 'cut':
      return [cutOnce(text, room)];
  }
}

function cutHard(text: string, room: number): Cut[] {
  const cuts: Cut[] = [];
  let from = 0;
  let used = 0;
  for (const { at, width } of graphemes(text)) {
    if (used + width > room) {
      cuts.push({ from, to: at });
      from = at;
      used = 0;
    }
    used += width;
  }
  return [...cuts, { from, to: text.length }];
}

function cutOnce(text: string, room: number): Cut {
  let used = 0;
  for (const { at, width } of graphemes(text)) {
    used += width;
    if (used > room - 1) return { from: 0, to: at, more: true };
  }
  return { from: 0, to: text.length };
}

/** Greedy. Blanks where a row ends are dropped, those at the start of the line are kept; a word too long for a row is broken anywhere. */
function cutWords(text: string, room: number): Cut[] {
  const cuts: Cut[] = [];
  let from = 0;
  let to = 0;
  // Columns up to `to`, and of the blanks behind it.
  let used = 0;
  let blanks = 0;
  const add = (at: number, length: number, width: number) => {
    if (used + blanks + width > room) {
      if (to > from) cuts.push({ from, to });
      from = at;
      used = 0;
      blanks = 0;
    }
    used += blanks + width;
    blanks = 0;
    to = at + length;
  };
  for (const { at, length, width } of words(text)) {
    // A blank may carry an accent; then it is not one.
    if (/^ +$/.test(text.slice(at, at + length))) blanks += width;
    else if (width <= room) add(at, length, width);
    else for (const piece of graphemes(text.slice(at, at + length))) add(at + piece.at, piece.length, piece.width);
  }
  return [...cuts, { from, to }];
}

type Piece = { at: number; length: number; width: number };

/** Runs of blanks and words; a wide character is a word of its own, since such scripts break anywhere. */
function* words(text: string): Generator<Piece> {
  if (isPlain(text)) {
    for (const { index, 0: run } of text.matchAll(/ +|[^ ]+/g)) yield { at: index, length: run.length, width: run.length };
    return;
  }
  let word: Piece | undefined;
  for (const piece of graphemes(text)) {
    const alone = piece.width > 1 || text[piece.at] === ' ';
    if (word && !alone) word = { at: word.at, length: word.length + piece.length, width: word.width + piece.width };
    else {
      if (word) yield word;
      word = alone ? undefined : piece;
      if (alone) yield piece;
    }
  }
  if (word) yield word;
}

function* graphemes(text: string): Generator<Piece> {
  if (isPlain(text)) {
    for (let at = 0; at < text.length; at += 1) yield { at, length: 1, width: 1 };
    return;
  }
  for (const { segment: one, index } of segment(text)) yield { at: index, length: one.length, width: columnsOf(one) };
}

function textOf(line: readonly Span[]): string {
  return line.map(({ text }) => text).join('');
}

function slice(line: readonly Span[], from: number, to: number): Span[] {
  const part: Span[] = [];
  let start = 0;
  for (const span of line) {
    const text = span.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    if (text !== '') part.push({ ...span, text });
    start += span.text.length;
  }
  return part;
}
