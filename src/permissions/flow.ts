// What is known of a shell's state where its ways part and meet again. Pure steps on scopes and values.
import { basename } from 'node:path';
import type { SyntaxNode } from 'unbash';
import { type Field, join, known, merge, type Scope, type Value } from './words.ts';

/** What comes on standard input or goes to standard output: `texts` null where not known. */
export type Stream = Value;
export const NOTHING: Stream = { texts: null, from: [] };

/** Each on a copy of what is known; afterwards only what all agree on is known for sure, variables may be any of theirs. */
export function either(scope: Scope, branches: readonly ((scope: Scope) => Stream)[]): Stream {
  const ends = branches.map((branch) => {
    const copy = fork(scope);
    return { copy, output: branch(copy) };
  });
  for (const name of new Set(ends.flatMap(({ copy }) => [...copy.vars.keys()]))) {
    const values = ends.map(({ copy }) => copy.vars.get(name) ?? { texts: [''], from: [] });
    scope.vars.set(name, values.reduce((a, b) => (a === b ? a : { texts: merge(a.texts, b.texts), from: [...new Set([...a.from, ...b.from])] })));
  }
  for (const { copy } of ends) {
    for (const [name, body] of copy.functions) scope.functions.set(name, body);
    for (const [name, text] of copy.aliases) scope.aliases.set(name, text);
  }
  scope.positional = ends.find(({ copy }) => copy.positional !== scope.positional)?.copy.positional ?? scope.positional;
  const [first] = ends;
  scope.perhaps = [...new Set(ends.flatMap(({ copy }) => copy.cwd ?? copy.perhaps ?? []))];
  scope.cwd = first && ends.every(({ copy }) => copy.cwd === first.copy.cwd) ? first.copy.cwd : null;
  return { texts: null, from: ends.flatMap(({ output }) => output.from) };
}

/** What several print one after the other; where one is not known, a sketch with its lines left open. */
export function inTurn(outputs: readonly Stream[]): Stream {
  const [only, ...others] = outputs;
  if (only && others.length === 0) return only;
  const open = outputs.map((output): Stream => (output.texts === null && output.sketch === undefined ? { ...output, sketch: '$_\n' } : output));
  return open.reduce((all, next) => join(all, next, ''), { texts: [''], from: [] });
}

/** What is known before the first command. */
export function startScope({ home, cwd }: { home: string; cwd: string }): Scope {
  return {
    vars: new Map<string, Value>([['HOME', known(home)], ['IFS', known(' \t\n')], ['HISTFILE', known(`${home}/.bash_history`)], ...['USER', 'LOGNAME'].map((name): [string, Value] => [name, { texts: null, from: [], sketch: basename(home), tame: true }])]),
    cwd, functions: new Map(), stack: [], positional: [], forked: false, aliases: new Map(), disk: new Map(),
  };
}

export function fork(scope: Scope): Scope {
  return { ...scope, vars: new Map(scope.vars), functions: new Map(scope.functions), aliases: new Map(scope.aliases) };
}

export function trimmed(value: Value): Value {
  return { ...value, texts: value.texts?.map(withoutEnd) ?? null, ...(value.sketch !== undefined && { sketch: withoutEnd(value.sketch) }) };
}

function withoutEnd(text: string): string {
  return text.replace(/\n+$/, '');
}

/** Words as the rules see them: one blank between, quoted where a blank, a quote or a backslash is inside. */
export function show(args: readonly Field[]): string {
  return args.map(({ text, source }) => (text === null ? source : text === '' || /[\s'"\\]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : text)).join(' ');
}

/** `exit` and its like end this branch: what comes after has not seen it. */
export function leaves(node: SyntaxNode): boolean {
  return node.type === 'Command' && /^(exit|return|break|continue|true|:)$/.test(node.name?.value ?? '');
}
