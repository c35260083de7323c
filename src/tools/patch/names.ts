// The names in a patch's headers: prefixes, quotes, times behind them.

type Names = { from: string | null; to: string | null };

/** From `---` and `+++`, or from git's first line where these are missing; `undefined` when there is no name. */
export function namesOf({ from, to, git }: { from?: string; to?: string; git?: string }): Names | undefined {
  if (from !== undefined && to !== undefined) return withoutPrefixes(nameOf(from), nameOf(to));
  if (git === undefined) return undefined;
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(git);
  if (quoted) return withoutPrefixes(nameOf(quoted[1] ?? ''), nameOf(quoted[2] ?? ''));
  // Names with blanks: both are the same but for the prefix.
  const half = /^(?:[a-z]\/)?(.+) (?:[a-z]\/)?\1$/.exec(git)?.[1];
  return half === undefined ? undefined : { from: half, to: half };
}

/** A name as git quotes it: `"a/na\303\257ve"`. */
export function unquote(name: string): string {
  const inner = /^"(.*)"$/s.exec(name)?.[1];
  if (inner === undefined) return name;
  const bytes: number[] = [];
  for (const [piece, octal, char] of inner.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...Buffer.from(char === undefined ? piece : ({ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }[char] ?? char)));
  }
  return Buffer.from(bytes).toString('utf8');
}

/** Without the time that diff writes behind a tab; `null` for /dev/null. */
function nameOf(header: string): string | null {
  const name = unquote(header.split('\t')[0]?.trimEnd() ?? '');
  return name === '/dev/null' ? null : name;
}

const prefixed = (name: string | null, letters: string): boolean => name === null || (letters.includes(name[0] ?? '') && name[1] === '/' && name.length > 2);

/** git writes a/ and b/, or with mnemonic prefixes i/ and w/ and others; plain diff writes neither. */
function withoutPrefixes(from: string | null, to: string | null): Names | undefined {
  if ((from ?? to ?? '') === '' || from === '' || to === '') return undefined;
  const both = (prefixed(from, 'a') && prefixed(to, 'b')) || (from !== null && to !== null && prefixed(from, 'ciow') && prefixed(to, 'ciow') && from[0] !== to[0] && from.slice(2) === to.slice(2));
  return both ? { from: from?.slice(2) ?? null, to: to?.slice(2) ?? null } : { from, to };
}
