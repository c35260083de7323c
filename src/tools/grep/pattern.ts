// ripgrep's regular expressions as JavaScript's, so that a search means the same with and without ripgrep.

const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}';
/** Escapes that mean something else in JavaScript's Unicode mode, outside of and inside a class. */
const ESCAPES: Readonly<Record<string, { outside: string; inside: string }>> = {
  d: { outside: '\\p{Nd}', inside: '\\p{Nd}' },
  D: { outside: '\\P{Nd}', inside: '\\P{Nd}' },
  w: { outside: `[${WORD}]`, inside: WORD },
  W: { outside: `[^${WORD}]`, inside: '\\W' },
  b: { outside: `(?:(?<=[${WORD}])(?![${WORD}])|(?<![${WORD}])(?=[${WORD}]))`, inside: '\\b' },
  B: { outside: `(?:(?<=[${WORD}])(?=[${WORD}])|(?<![${WORD}])(?![${WORD}]))`, inside: '\\B' },
  A: { outside: '(?<![\\s\\S])', inside: 'A' },
  z: { outside: '(?![\\s\\S])', inside: 'z' },
  a: { outside: '\\x07', inside: '\\x07' },
};
/* JavaScript's own take a lone carriage return for the end of a line. */
const LINE_START = '(?<![^\\n])';
const LINE_END = '(?=\\r?\\n|(?![^]))';
const POSIX: Readonly<Record<string, string>> = {
  alnum: 'a-zA-Z0-9', alpha: 'a-zA-Z', ascii: '\\x00-\\x7f', blank: ' \\t', cntrl: '\\x00-\\x1f\\x7f', digit: '0-9', graph: '!-~', lower: 'a-z',
  print: ' -~', punct: '!-\\/:-@\\[-`\\{-~', space: '\\s', upper: 'A-Z', word: 'a-zA-Z0-9_', xdigit: '0-9a-fA-F',
};

/** A pattern ready for `new RegExp`, or what is wrong with it. */
export type Compiled = { ok: true; source: string; flags: string } | { ok: false; problem: string };

/**
 * Source and flags for `new RegExp`. Without `multiline` it is meant to be tried on one line at a time, without its
 * end; with it on a whole text, where `.` matches newlines and `^` and `$` stand at every line.
 */
export function compilePattern(pattern: string, { ignoreCase, multiline }: { ignoreCase: boolean; multiline: boolean }): Compiled {
  const leading = pattern.match(/^\(\?([ismu]+)\)/);
  const source = translate(leading ? pattern.slice(leading[0].length) : pattern, multiline);
  const flags = `us${multiline ? 'g' : ''}${ignoreCase || leading?.[1]?.includes('i') ? 'i' : ''}`;
  try {
    return { ok: true, source: new RegExp(source, flags).source, flags };
  } catch (error) {
    return { ok: false, problem: String(error).replace(/^.*: /s, '').trim() };
  }
}

/** Whether a pattern asks for a newline, which no single line has. */
export function wantsNewline(pattern: string): boolean {
  return /\n|(?:^|[^\\])(?:\\\\)*\\n/.test(pattern.replace(/\[\^[^\]]*\]/g, ''));
}

/**
 * The longest piece of plain ASCII that every match has in it, '' where none is sure. A file without it need not be
 * looked at any closer.
 */
export function requiredText(pattern: string, { ignoreCase }: { ignoreCase: boolean }): string {
  if (ignoreCase || /\(\?[^:=!<P]|\\[xuU][^{]/.test(pattern)) return '';
  const runs: string[] = [];
  let run = '';
  let depth = 0;
  let inClass = false;
  const close = (keep: number) => { runs.push(run.slice(0, run.length - keep)); run = ''; };
  for (let at = 0; at < pattern.length;) {
    const rest = pattern.slice(at);
    const piece = rest.slice(0, (inClass ? insideClass(rest) : outsideClass(rest, false))[0]);
    at += piece.length;
    if (inClass) { inClass = piece !== ']'; continue; }
    if (piece.startsWith('|') && depth === 0) return '';
    if (piece.startsWith('(')) depth += 1;
    if (piece === ')') depth -= 1;
    inClass = piece.startsWith('[');
    const char = /^\\?([!-/:-@[-`{-~])$/.exec(piece)?.[1] ?? (/^[ \w]$/.test(piece) ? piece : undefined);
    const plain = char !== undefined && (piece.length === 2 || !/[\^$.|?*+()[\]{}]/.test(piece) || /^[\]}]$/.test(piece));
    if (plain && depth === 0) run += char;
    // What may be there no time at all takes the character before it away.
    else close(/^[*?{]/.test(piece) ? 1 : 0);
  }
  close(0);
  return runs.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
}

function translate(pattern: string, multiline: boolean): string {
  let out = '';
  let inClass = false;
  for (let at = 0; at < pattern.length;) {
    const [taken, made] = inClass ? insideClass(pattern.slice(at)) : outsideClass(pattern.slice(at), multiline);
    const piece = pattern.slice(at, at + taken);
    if (!inClass && piece.startsWith('[')) inClass = true;
    else if (inClass && piece === ']') inClass = false;
    out += made;
    at += taken;
  }
  return out;
}

/** How many characters of `rest` are one piece, and what it becomes. */
function outsideClass(rest: string, multiline: boolean): [number, string] {
  if (multiline && rest.startsWith('^')) return [1, LINE_START];
  if (multiline && rest.startsWith('$')) return [1, LINE_END];
  if (rest.startsWith('\\')) return escape(rest, 'outside');
  if (rest.startsWith('(?P<')) return [4, '(?<'];
  // A bracket at the beginning of a class stands for itself.
  const opened = rest.match(/^\[\^?\]?/)?.[0];
  if (opened !== undefined) return [opened.length, opened.replace(']', '\\]')];
  if (rest.startsWith('{')) {
    const times = rest.match(/^\{\d+(?:,\d*)?\}/)?.[0];
    return times === undefined ? [1, '\\{'] : [times.length, times];
  }
  if (rest.startsWith('}') || rest.startsWith(']')) return [1, `\\${rest[0]}`];
  return [1, rest.slice(0, 1)];
}

function insideClass(rest: string): [number, string] {
  if (rest.startsWith('\\')) return escape(rest, 'inside');
  const named = rest.match(/^\[:([a-z]+):\]/);
  const members = POSIX[named?.[1] ?? ''];
  if (named && members !== undefined) return [named[0].length, members];
  return [1, rest.startsWith('[') ? '\\[' : rest.slice(0, 1)];
}

function escape(rest: string, where: 'outside' | 'inside'): [number, string] {
  const code = rest.match(/^\\[xuU]\{([0-9a-fA-F]+)\}/);
  if (code) return [code[0].length, `\\u{${code[1]}}`];
  const named = rest.match(/^\\([pP])\{(\^?)([\w=]+)\}/);
  if (named) return [named[0].length, `\\${(named[1] === 'P') === (named[2] === '^') ? 'p' : 'P'}{${propertyOf(named[3] ?? '')}}`];
  const property = rest.match(/^\\([pP])([A-Z])(?!\{)/);
  if (property) return [property[0].length, `\\${property[1]}{${property[2]}}`];
  const char = rest.slice(1, 2);
  const other = ESCAPES[char]?.[where];
  if (other !== undefined) return [2, other];
  // Unicode mode lets only characters with a meaning be escaped.
  if (/[!-~]/.test(char) && !/[\w^$\\.*+?()[\]{}|/]/.test(char) && !(char === '-' && where === 'inside')) return [2, char];
  return [2, rest.slice(0, 2)];
}

/** ripgrep takes the bare name of a script; JavaScript wants it said that it is one. */
function propertyOf(name: string): string {
  try {
    RegExp(`\\p{${name}}`, 'u');
    return name;
  } catch {
    return `Script=${name}`;
  }
}
