// What the words of a shell text stand for before it runs: quotes, braces, tildes and literal variables.
import type { ArrayValue, Script, SyntaxNode, Word, WordPart } from 'unbash';

export type Grammar = Pick<typeof import('unbash'), 'parse' | 'forEachChild'>;

/**
 * What a word or variable may be: all possible texts, or `null` when it can't be known before it runs.
 * `from` names the programs whose output went in. `sketch` is what is known of a text that is not known whole: `$_` stands
 * for the rest, and nothing for variables that nobody has set.
 */
export type Value = { texts: readonly string[] | null; from: readonly string[]; sketch?: string; /** For `<(…)`: what stands in that file. */ holds?: Value };

export const UNKNOWN: Value = { texts: null, from: [] };

/** What is known where a command stands. */
export type Scope = {
  vars: Map<string, Value>;
  /** `null` when it could not be followed. */
  cwd: string | null;
  /** With the text that their positions count in. */
  functions: Map<string, { body: SyntaxNode; source: string }>;
  /** Functions being walked, innermost last. */
  stack: readonly string[];
  /** `$1` and on; `null` when not known. */
  positional: readonly Value[] | null;
  /** Inside a pipe or the background of the function being walked. */
  forked: boolean;
};

export type WordReader = {
  /** The fields a word becomes; each with its source for showing. */
  fields(word: Word, scope: Scope): Field[];
  /** One value, never split: assignments, redirect targets, here-strings. */
  value(word: Word | ArrayValue, scope: Scope): Value;
  /** The text of a here-document. */
  body(parts: readonly WordPart[], scope: Scope): Value;
};

export type Field = { text: string | null; source: string; from: readonly string[]; sketch?: string; holds?: Value };

/** More alternatives, or longer ones, count as not known. */
const MOST = 64;
const LONGEST = 100_000;
/** Set as a variable once text that we have not seen may have set any, or once the shell refuses those that nobody has set. */
export const ANY = '*';
/* Stands between the fields of an unquoted expansion. */
const SPLIT = '\0';
/* Set for every child by the environment, values not known to us. */
const ENVIRONMENT = new Set(['_', 'PATH', 'LANG', 'TERM', 'SHELL', 'USER', 'LOGNAME', 'TMPDIR', 'TMP', 'TEMP', 'TZ', 'UID', 'EUID', 'HOSTNAME', 'RANDOM', 'SECONDS', 'LINENO', 'OLDPWD', 'PPID', 'REPLY', 'BASH', 'BASH_SOURCE', 'IFS', 'OPTARG', 'OPTIND']);

/**
 * Reads words of one parsed text. `run` walks the script of a substitution and tells what it would print;
 * `home` is what `~` stands for.
 */
export function wordReader(grammar: Grammar, home: string, run: (script: Script, scope: Scope, as?: '<' | '>') => Value): WordReader {
  /** Runs what stands inside a node whose own value does not matter. */
  const visit = (node: SyntaxNode, scope: Scope): void => {
    if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution' || node.type === 'ArithmeticCommandExpansion') && node.script) run(node.script, scope);
    else grammar.forEachChild(node, (child) => visit(child, scope));
  };

  const tilde = (text: string, scope: Scope): string | null => {
    const [, user = '', rest = ''] = /^~([^/]*)(.*)$/s.exec(text) ?? [];
    if (user === '') return home + rest;
    if (user === '+') return scope.cwd === null ? null : scope.cwd + rest;
    return user === 'root' ? `/root${rest}` : null;
  };

  const readPart = (part: WordPart, scope: Scope, quoted: boolean): Value => {
    switch (part.type) {
      case 'Literal': case 'SingleQuoted': case 'AnsiCQuoted': return known(part.value);
      case 'DoubleQuoted': case 'LocaleString': return readParts(part.parts, scope, true);
      case 'Glob': case 'ExtendedGlob': visit(part, scope); return known(part.text);
      case 'SimpleExpansion': return split(variable(part.text.slice(1), scope), quoted);
      case 'ParameterExpansion': {
        const plain = part.prefix === undefined && part.index === undefined;
        if (part.prefix === '!' && part.operation === undefined && part.index === undefined) {
          return split((variable(part.parameter, scope).texts ?? ['_']).map((name) => variable(name, scope)).reduce((all, next) => ({ texts: merge(all.texts, next.texts), from: [...all.from, ...next.from] })), quoted);
        }
        // Of a list any item may be meant.
        if (part.prefix === undefined && part.operation === undefined && (plain || /^([@*]|\d+)$/.test(part.index?.text ?? ''))) return split(variable(part.parameter, scope), quoted);
        if (plain && part.operation?.type === 'Default' && /^:?[-=]$/.test(part.operation.operator)) {
          const current = variable(part.parameter, scope);
          const other = value(part.operation.operand, scope);
          const result = current.texts === null && current.sketch !== '' ? { texts: null, from: [...current.from, ...other.from] }
            : current.texts === null || current.texts.includes('') ? { texts: merge(current.texts?.filter(Boolean) ?? [], other.texts), from: [...current.from, ...other.from] } : current;
          if (part.operation.operator.endsWith('=')) scope.vars.set(part.parameter, result);
          return split(result, quoted);
        }
        visit(part, scope);
        return { texts: null, from: variable(part.parameter, scope).from };
      }
      case 'CommandExpansion': return part.script ? split(run(part.script, scope), quoted) : UNKNOWN;
      case 'ProcessSubstitution': {
        const holds = part.script ? run(part.script, scope, part.operator) : UNKNOWN;
        return { texts: null, from: holds.from, ...(part.operator === '<' && { holds }) };
      }
      case 'ArithmeticExpansion': visit(part, scope); return UNKNOWN;
      case 'BraceExpansion': {
        const texts = expandBraces(part.text);
        if (texts === null) { visit(part, scope); return UNKNOWN; }
        // Each item is a word again: it may hold quotes, variables and braces of its own.
        return texts.map((text) => reread(text, scope)).reduce((all, next) => ({ texts: merge(all.texts, next.texts), from: [...all.from, ...next.from] }));
      }
    }
  };

  const reread = (text: string, scope: Scope): Value => {
    const statement = grammar.parse(`: ${text}`).commands[0]?.command;
    const word = statement?.type === 'Command' ? statement.args[0] : undefined;
    return word?.type === 'Word' ? read(word, scope) : known(text);
  };

  const readParts = (parts: readonly WordPart[], scope: Scope, quoted: boolean): Value =>
    parts.length === 1 && parts[0] ? readPart(parts[0], scope, quoted) : parts.reduce((all, part) => join(all, readPart(part, scope, quoted), ''), known(''));

  const read = (word: Word, scope: Scope): Value => {
    const value = word.parts ? readParts(word.parts, scope, false) : known(word.value);
    if (!word.text.startsWith('~') || value.texts === null) return value;
    const texts = value.texts.map((text) => tilde(text, scope));
    return texts.every((text) => text !== null) ? { ...value, texts } : { texts: null, from: value.from };
  };

  const value = (word: Word | ArrayValue, scope: Scope): Value => {
    if (word.type === 'ArrayValue') {
      return word.elements.map((element) => value(element, scope)).reduce((all, next) => ({ texts: merge(all.texts, next.texts), from: [...all.from, ...next.from] }), { texts: [], from: [] });
    }
    const result = read(word, scope);
    return { ...result, texts: result.texts?.map((text) => text.replaceAll(SPLIT, ' ')) ?? null };
  };

  return {
    value,
    fields(word, scope) {
      const result = read(word, scope);
      if (result.texts === null) return [{ text: null, source: word.text, from: result.from, sketch: sketchOf(result), ...(result.holds && { holds: result.holds }) }];
      const quoted = /["']/.test(word.text);
      const texts = result.texts.flatMap((text) => text.split(SPLIT).filter((piece) => piece !== '' || quoted));
      return texts.map((text) => ({ text, source: word.text, from: result.from }));
    },
    body: (parts, scope) => readParts(parts, scope, true),
  };
}

/** What `$name` stands for. */
function variable(name: string, scope: Scope): Value {
  if (/^[1-9]\d*$/.test(name)) return scope.positional?.[Number(name) - 1] ?? (scope.positional ? { texts: [''], from: [] } : UNKNOWN);
  if (name === '@' || name === '*') {
    if (!scope.positional) return UNKNOWN;
    return scope.positional.reduce((all, next) => join(all, next, name === '@' ? SPLIT : ' '), { texts: [''], from: [] });
  }
  if (name === 'PWD' && !scope.vars.has(name)) return { texts: scope.cwd === null ? null : [scope.cwd], from: [] };
  const value = scope.vars.get(name);
  if (value) return value;
  return /^[A-Za-z_]\w*$/.test(name) && !ENVIRONMENT.has(name) && !scope.vars.has(ANY) ? { texts: null, from: [], sketch: '' } : UNKNOWN;
}

function known(text: string): Value {
  return { texts: [text], from: [] };
}

/** What is known of a value, as shell text. */
export function sketchOf(value: { texts: readonly string[] | null; sketch?: string }): string {
  return value.sketch ?? value.texts?.[0] ?? '$_';
}

/** Both one after the other, in every combination. */
export function join(a: Value, b: Value, between: string): Value {
  const from = [...a.from, ...b.from];
  if (a.texts === null || b.texts === null || a.texts.length * b.texts.length > MOST || (a.texts[0]?.length ?? 0) + (b.texts[0]?.length ?? 0) > LONGEST) return { texts: null, from, sketch: (sketchOf(a) + between + sketchOf(b)).slice(0, LONGEST) };
  const { texts } = b;
  return { texts: a.texts.flatMap((left) => texts.map((right) => left + (left === '' ? '' : between) + right)), from };
}

/** Either of both. */
export function merge(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null || b === null) return null;
  const all = [...new Set([...a, ...b])];
  return all.length > MOST ? null : all;
}

/** What bash makes of an expansion outside quotes. */
function split(value: Value, quoted: boolean): Value {
  if (quoted || value.texts === null) return value;
  return { ...value, texts: value.texts.map((text) => text.replace(/[ \t\n]+/g, SPLIT)) };
}

/** The items of one `{a,b}` or `{1..9}`; `null` when there are too many. */
function expandBraces(text: string): string[] | null {
  const inner = text.slice(1, -1);
  const range = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(inner);
  if (range) {
    const [, first = '', last = '', step = '1'] = range;
    const letters = /[A-Za-z]/.test(first);
    const at = (end: string) => (letters ? end.charCodeAt(0) : Number(end));
    const [from, to, by] = [at(first), at(last), Math.abs(Number(step)) || 1];
    const count = Math.floor(Math.abs(to - from) / by) + 1;
    if (count > MOST) return null;
    return Array.from({ length: count }, (_, i) => from + (to < from ? -i : i) * by).map((code) => (letters ? String.fromCharCode(code) : String(code)));
  }
  const items: string[] = [''];
  let depth = 0;
  let quote = '';
  for (let i = 0; i < inner.length; i += 1) {
    const char = inner[i] ?? '';
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if ('({'.includes(char)) depth += 1;
    else if (')}'.includes(char)) depth -= 1;
    if (char === ',' && depth === 0 && quote === '') { items.push(''); continue; }
    items[items.length - 1] += char + (char === '\\' ? inner[i += 1] ?? '' : '');
  }
  return items;
}
