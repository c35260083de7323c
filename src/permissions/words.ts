// What the words of a shell text stand for before it runs: quotes, braces, tildes and literal variables.
import type { ArrayValue, ParameterOperation, Script, SyntaxNode, Word, WordPart } from 'unbash';
import { expandBraces, MOST, operate } from './expand.ts';

export type Grammar = Pick<typeof import('unbash'), 'parse' | 'forEachChild'>;

/**
 * What a word or variable may be: all possible texts, or `null` when it can't be known before it runs.
 * `from` names the programs whose output went in. `sketch` is what is known of a text that is not known whole: `$_` stands
 * for the rest, and nothing for variables that nobody has set.
 */
export type Value = { texts: readonly string[] | null; from: readonly string[]; sketch?: string; /** Not known, but a number, a name or the like: never an option, never a path. */ tame?: true; /** For `<(…)`: what stands in that file. */ holds?: Value };

export const UNKNOWN: Value = { texts: null, from: [] };

/** What is known where a command stands. */
export type Scope = {
  vars: Map<string, Value>;
  /** `null` when it could not be followed. */
  cwd: string | null;
  /** Where it may be when it could not be followed, as far as that is known. */
  perhaps?: readonly string[];
  /** With the text that their positions count in. */
  functions: Map<string, { body: SyntaxNode; source: string }>;
  /** Bodies of functions and names of files being walked, innermost last. */
  stack: readonly unknown[];
  /** `$1` and on; `null` when not known. */
  positional: readonly Value[] | null;
  /** Inside a pipe or the background of the function being walked. */
  forked: boolean;
  /** What aliases stand for. */
  aliases: Map<string, string>;
  /** What the text has written to files and where its links lead, by absolute path; one disk for all. */
  disk: Map<string, Value & { link?: string }>;
  /** In a container, or run by code of another language. */
  apart?: true;
};

export type WordReader = {
  /** The fields a word becomes; each with its source for showing. */
  fields(word: Word, scope: Scope): Field[];
  /** One value, never split: assignments, redirect targets, here-strings. */
  value(word: Word | ArrayValue, scope: Scope): Value;
  /** The text of a here-document. */
  body(parts: readonly WordPart[], scope: Scope): Value;
};

export type Field = { text: string | null; source: string; from: readonly string[]; sketch?: string; tame?: true; holds?: Value };

/* Longer texts count as not known. */
const LONGEST = 100_000;
/** Set as a variable once text that we have not seen may have set any, or once the shell refuses those that nobody has set. */
export const ANY = '*';
/* Stands between the fields of an unquoted expansion. */
const SPLIT = '\0';
/* Set for every child by the environment, values not known to us. */
const ENVIRONMENT = new Set(['_', 'PATH', 'LANG', 'TERM', 'SHELL', 'USER', 'LOGNAME', 'TMPDIR', 'TMP', 'TEMP', 'TZ', 'UID', 'EUID', 'HOSTNAME', 'RANDOM', 'SECONDS', 'LINENO', 'OLDPWD', 'PPID', 'REPLY', 'BASH', 'BASH_SOURCE', 'IFS', 'OPTARG', 'OPTIND']);

/* Numbers and names that the shell itself sets. */
const TAME = /^([?$!#]|UID|EUID|PPID|RANDOM|SECONDS|LINENO|HOSTNAME|EPOCHSECONDS|BASHPID|OPTIND)$/;

/**
 * Reads words of one parsed text. `run` walks the script of a substitution and tells what it would print;
 * `home` is what `~` stands for; `assigned` hears of variables that `${name:=x}` sets, `expanded` of texts that `${name@P}` makes a prompt of.
 */
export function wordReader({ grammar, home, run, assigned, expanded }: { grammar: Grammar; home: string; run(script: Script, scope: Scope, as?: '<' | '>'): Value; assigned(name: string): void; expanded(text: string, scope: Scope): void }): WordReader {
  /** Runs what stands inside a node whose own value does not matter. */
  const visit = (node: SyntaxNode, scope: Scope): void => {
    if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution' || node.type === 'ArithmeticCommandExpansion') && node.script) run(node.script, scope);
    else grammar.forEachChild(node, (child) => visit(child, scope));
  };

  const tilde = (text: string, scope: Scope): string | null => {
    const [, user = '', rest = ''] = /^~([^/]*)(.*)$/s.exec(text) ?? [];
    if (user === '') return home + rest;
    if (user === '+') return scope.cwd === null ? null : scope.cwd + rest;
    // Somebody else's home stands where homes stand.
    return user === 'root' ? `/root${rest}` : /^[a-z_][\w-]*$/.test(user) ? `/home/${user}${rest}` : null;
  };

  const readPart = (part: WordPart, scope: Scope, quoted: boolean): Value => {
    switch (part.type) {
      case 'Literal': case 'SingleQuoted': case 'AnsiCQuoted': return known(part.value);
      case 'DoubleQuoted': case 'LocaleString': return readParts(part.parts, scope, true);
      case 'Glob': case 'ExtendedGlob': visit(part, scope); return known(part.text);
      case 'SimpleExpansion': return split(variable(part.text.slice(1), scope), scope, quoted);
      case 'ParameterExpansion': {
        const plain = part.prefix === undefined && part.index === undefined;
        if (part.prefix === '!' && part.operation === undefined && part.index === undefined) {
          return split((variable(part.parameter, scope).texts ?? ['_']).map((name) => variable(name, scope)).reduce(oneOf), scope, quoted);
        }
        // Of a list any item may be meant.
        const named = variable(part.parameter, scope);
        if (part.index) visit(part.index, scope);
        if (part.prefix === undefined && part.operation === undefined) return split(named, scope, quoted);
        if (part.operation?.type === 'Default' && plain && /^:?[-=]$/.test(part.operation.operator)) {
          const other = value(part.operation.operand, scope);
          const result = named.texts === null && named.sketch !== '' ? { texts: null, from: [...named.from, ...other.from] }
            : named.texts === null || named.texts.includes('') ? { texts: merge(named.texts?.filter(Boolean) ?? [], other.texts), from: [...named.from, ...other.from] } : named;
          if (part.operation.operator.endsWith('=')) { scope.vars.set(part.parameter, result); assigned(part.parameter); }
          return split(result, scope, quoted);
        }
        if (part.operation && part.prefix === undefined && part.operation.type !== 'Names' && part.operation.type !== 'Unknown') return split(changed(named, part.operation, scope), scope, quoted);
        visit(part, scope);
        return split(part.prefix === '#' ? { ...named, texts: named.texts?.map((text) => String(text.length)) ?? null } : { texts: null, from: named.from }, scope, quoted);
      }
      case 'CommandExpansion':
        // The grammar takes a `${ …` without an end.
        if (/^\$\{.*[^}]$/s.test(part.text)) expanded('', scope);
        return part.script ? split(run(part.script, scope), scope, quoted) : UNKNOWN;
      case 'ProcessSubstitution': {
        const holds = part.script ? run(part.script, scope, part.operator) : UNKNOWN;
        return { texts: null, from: holds.from, ...(part.operator === '<' ? { holds } : { tame: true as const }) };
      }
      case 'ArithmeticExpansion': visit(part, scope); return { ...UNKNOWN, tame: true };
      case 'BraceExpansion': {
        const texts = expandBraces(part.text);
        if (texts === null) { visit(part, scope); return UNKNOWN; }
        // Each item is a word again: it may hold quotes, variables and braces of its own.
        return texts.map((text) => reread(text, scope)).reduce(oneOf);
      }
    }
  };

  /** `${name%x}` and the like of every text that it may be. */
  const changed = (named: Value, operation: ParameterOperation, scope: Scope): Value => {
    const words = 'operand' in operation ? [operation.operand] : 'pattern' in operation ? [operation.pattern, operation.replacement] : 'offset' in operation ? [operation.offset, operation.length] : [];
    const operands = words.flatMap((word) => (word === undefined ? [] : [read(word, scope)]));
    const from = [...named.from, ...operands.flatMap((operand) => operand.from)];
    // `${X:?}` stops the shell where X is nothing.
    if (operation.type === 'Default' && operation.operator.endsWith('?')) return { texts: named.texts?.filter(Boolean) ?? null, from };
    if (operation.type === 'Transform' && operands[0]?.texts?.[0] === 'P') for (const text of named.texts ?? [sketchOf(named)]) expanded(text, scope);
    // With more than one meaning of an operand there is no telling.
    if (named.texts === null || operands.some(({ texts }) => texts?.length !== 1)) return { texts: null, from };
    const texts = named.texts.map((text) => operate(operation, text, operands.map((operand) => operand.texts?.[0] ?? '')));
    return texts.every((text) => text !== null) ? { texts, from } : { texts: null, from };
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
      return word.elements.flatMap((element) => fields(element, scope)).map(({ text, from }): Value => ({ texts: text === null ? null : [text.replace(/^\[[^\]]*\]=/, '')], from })).reduce(oneOf, { texts: [], from: [] });
    }
    const result = read(word, scope);
    return { ...result, texts: result.texts?.map((text) => text.replaceAll(SPLIT, ' ')) ?? null };
  };

  const fields = (word: Word, scope: Scope): Field[] => {
    const result = read(word, scope);
    if (result.texts === null) return [{ text: null, source: word.text, from: result.from, sketch: sketchOf(result), ...(result.tame && { tame: true as const }), ...(result.holds && { holds: result.holds }) }];
    const quoted = /["']/.test(word.text);
    const texts = result.texts.flatMap((text) => text.split(SPLIT).filter((piece) => piece !== '' || quoted));
    return texts.map((text) => ({ text, source: word.text, from: result.from }));
  };

  return {
    value,
    fields,
    body: (parts, scope) => readParts(parts, scope, true),
  };
}

/** Name of the program without its folder; empty when not known. */
export function programOf(args: readonly { text: string | null }[]): string {
  return (args[0]?.text ?? '').replace(/^.*\//, '');
}

/** A word that is just this text. */
export function plain(text: string): Field {
  return { text, source: text, from: [] };
}

/** What a word is, as a value. */
export function valueOf({ text, from, sketch, tame, holds }: Field): Value {
  return { texts: text === null ? null : [text], from, ...(sketch !== undefined && { sketch }), ...(tame && { tame }), ...(holds && { holds }) };
}

/** What `$name` stands for. */
function variable(name: string, scope: Scope): Value {
  if (/^[1-9]\d*$/.test(name)) return scope.positional?.[Number(name) - 1] ?? (scope.positional ? { texts: [''], from: [] } : UNKNOWN);
  if (TAME.test(name) && !scope.vars.has(name)) return { ...UNKNOWN, tame: true };
  if (name === '@' || name === '*') {
    if (!scope.positional) return UNKNOWN;
    return scope.positional.reduce((all, next) => join(all, next, name === '@' ? SPLIT : ' '), { texts: [''], from: [] });
  }
  if (name === 'PWD' && !scope.vars.has(name)) return { texts: scope.cwd === null ? null : [scope.cwd], from: [] };
  const value = scope.vars.get(name);
  if (value) return value;
  return /^[A-Za-z_]\w*$/.test(name) && !ENVIRONMENT.has(name) && !scope.vars.has(ANY) ? { texts: null, from: [], sketch: '' } : UNKNOWN;
}

/** A value that is this text. */
export function known(text: string): Value {
  return { texts: [text], from: [] };
}

/** What is known of a value, as shell text. */
export function sketchOf(value: { texts: readonly string[] | null; sketch?: string }): string {
  return value.sketch ?? value.texts?.[0] ?? '$_';
}

/** Both one after the other, in every combination. */
export function join(a: Value, b: Value, between: string): Value {
  const from = union(a.from, b.from);
  if (a.texts === null || b.texts === null || a.texts.length * b.texts.length > MOST || (a.texts[0]?.length ?? 0) + (b.texts[0]?.length ?? 0) > LONGEST) {
    const known = sketchOf(a);
    return { texts: null, from, sketch: known.length >= LONGEST ? known : (known + between + sketchOf(b)).slice(0, LONGEST), ...(isTame(a) && isTame(b) && { tame: true as const }) };
  }
  const { texts } = b;
  return { texts: a.texts.flatMap((left) => texts.map((right) => left + (left === '' ? '' : between) + right)), from };
}

function isTame({ texts, tame }: Value): boolean {
  return texts !== null || tame === true;
}

function union(a: readonly string[], b: readonly string[]): readonly string[] {
  return b.every((name) => a.includes(name)) ? a : [...new Set([...a, ...b])];
}

/** Either of both, with what went into them. */
export function oneOf(a: Value, b: Value): Value {
  const texts = merge(a.texts, b.texts);
  return { texts, from: union(a.from, b.from), ...(texts === null && isTame(a) && isTame(b) && { tame: true as const }) };
}

/** Either of both. */
export function merge(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null || b === null) return null;
  // What may be nothing is first taken for something.
  const all = [...new Set([...a, ...b])].toSorted((one, other) => Number(one === '') - Number(other === ''));
  return all.length > MOST ? null : all;
}

/** What bash makes of an expansion outside quotes. */
function split(value: Value, scope: Scope, quoted: boolean): Value {
  if (quoted || value.texts === null) return value;
  const separators = scope.vars.get('IFS')?.texts?.[0] ?? ' \t\n';
  if (separators === '') return value;
  const pattern = new RegExp(`[${separators.replace(/[\]\\^-]/g, String.raw`\$&`)}]+`, 'g');
  return { ...value, texts: value.texts.map((text) => text.replace(pattern, SPLIT)) };
}
