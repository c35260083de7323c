// Text that was escaped once too often: `\n` for a line break, `\"` for a quote.

const PLAIN: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '`': '`', '\\': '\\', $: '$' };
const ESCAPE = /\\([\s\S]|$)/g;

/**
 * Both strings with one level of escapes taken away; `undefined` when `wrote` has none. `wanted` is missing where it
 * has escapes that `wrote` does not have: whether these are meant nobody can tell.
 */
export function unescapeAlike(wrote: string, wanted: string): { wrote: string; wanted: string | undefined } | undefined {
  const kinds = kindsOf(wrote);
  if (kinds.size === 0 || [...kinds].some((kind) => PLAIN[kind] === undefined)) return undefined;
  const alike = [...kindsOf(wanted)].every((kind) => kinds.has(kind));
  return { wrote: unescape(wrote), wanted: alike ? unescape(wanted) : undefined };
}

const kindsOf = (text: string): Set<string> => new Set([...text.matchAll(ESCAPE)].map(([, kind]) => kind ?? ''));
const unescape = (text: string): string => text.replace(ESCAPE, (whole, kind: string) => PLAIN[kind] ?? whole).replace(/\r\n?/g, '\n');
