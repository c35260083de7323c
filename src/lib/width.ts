// How many columns text takes, with short cuts for what nearly all text is made of.
import stringWidth from 'string-width';

/** Characters that every terminal draws in one column and that combine with nothing: ASCII, Latin, punctuation, arrows, mathematics, boxes, the marks of our own chrome. The build gives it to Ink as well. */
export const PLAIN = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u23f5\u2500-\u25fc\u25ff\u2713\u2717\u2800-\u28ff]*$/;
/* The styles that rows are painted with. */
const STYLES = /\x1b\[[\d;]*m/g;

let segmenter: Intl.Segmenter | undefined;

/** Cuts text into what people see as characters. Made at the first use: it costs a good part of a start. */
export function segment(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** Whether each UTF-16 unit of the text is one character of one column. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text);
}

/** Columns of clean text of one line. */
export function columnsOf(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text);
}

/** A painted row without its styles. */
export function unpainted(row: string): string {
  return row.includes('\x1b') ? row.replace(STYLES, '') : row;
}
