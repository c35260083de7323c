// Shell text -> every simple command it would run, at any depth, with where it runs and which files it touches.
import type { Assignment, Command, Redirection, Script, Statement, SyntaxNode, Word } from 'unbash';
import { reveal } from '../lib/clean.ts';
import type { Effect, ShellCommand, ShellFacts } from '../types/permission.ts';
import { changeScope, fed, movedBy, printed, readsProgram } from './builtins.ts';
import { doubtsOf, ofPath, programEffects, steers } from './programs.ts';
import { type Field, type Grammar, join, merge, type Scope, sketchOf, UNKNOWN, type Value, wordReader } from './words.ts';
import { innerOf, programOf } from './wrappers.ts';

/** What comes on standard input or goes to standard output: `texts` null where not known. */
type Stream = Value;
const NOTHING: Stream = { texts: null, from: [] };

class Unreadable extends Error {}

/** Deeper texts in texts are not looked at but refused as unreadable. */
const DEEPEST = 40;
/* Functions, loops and texts in texts may walk the same commands again. A plain text never spends as much, however long it is. */
const STEPS = { least: 50_000, perCharacter: 20 };
/* Looked at, never executed as programs; their operands are names of variables. */
const DECLARING = /^(export|declare|typeset|local|readonly)$/;

/** Parses `text` as bash does. Pure; `grammar` is the parser, loaded when first needed. A text with an error anywhere is refused whole. */
export function readShell(text: string, where: { cwd: string; home: string; grammar: Grammar }): ShellFacts {
  const commands: ShellCommand[] = [];
  const seen = new Set<string>();
  let source = text;
  let depth = 0;
  let steps = STEPS.least + STEPS.perCharacter * text.length;
  // What a `>(…)` is given: the output of the command whose word it is, at most its input.
  let given = NOTHING;
  const words = wordReader(where.grammar, where.home, (script, scope, as) => {
    const output = runScript(script, fork(scope), as === '>' ? given : NOTHING);
    return as === undefined ? trimmed(output) : output;
  });

  function runText(inner: string, scope: Scope, stdin: Stream): Stream {
    const outer = source;
    source = inner;
    try {
      return runScript(where.grammar.parse(inner), scope, stdin);
    } finally {
      source = outer;
    }
  }

  function runScript(script: Script & { errors?: readonly { message: string }[] | undefined }, scope: Scope, stdin: Stream): Stream {
    const [error] = script.errors ?? [];
    if (error) throw new Unreadable(error.message);
    if (depth >= DEEPEST) throw new Unreadable('it nests too deeply');
    const outer = source;
    if (script.source !== undefined) source = script.source;
    depth += 1;
    try {
      return runList(script.commands, scope, stdin);
    } finally {
      depth -= 1;
      source = outer;
    }
  }

  function runList(statements: readonly Statement[], scope: Scope, stdin: Stream): Stream {
    const outputs = statements.map((statement) => (statement.background ? run(statement.command, { ...fork(scope), forked: true }, stdin) : run(statement.command, scope, stdin)));
    return outputs.length === 1 && outputs[0] ? outputs[0] : { texts: outputs.reduce<readonly string[] | null>((all, { texts }) => (known(all, texts)), ['']), from: outputs.flatMap(({ from }) => from) };
  }

  function run(node: SyntaxNode, scope: Scope, stdin: Stream): Stream {
    if ((steps -= 1) < 0) throw new Unreadable('it is too involved to follow');
    switch (node.type) {
      case 'Command': return runCommand(node, scope, stdin);
      case 'Pipeline': {
        const forked = node.commands.length > 1;
        return node.commands.reduce((input, command) => {
          const output = run(command, forked ? { ...fork(scope), forked: true } : scope, input);
          return { ...output, from: [...new Set([...input.from, ...output.from])] };
        }, stdin);
      }
      case 'AndOr': {
        let output: Stream = NOTHING;
        node.commands.forEach((command, i) => {
          const next = node.operators[i - 1] === '||' && !leaves(command) ? either(scope, [() => NOTHING, (copy) => run(command, copy, stdin)]) : run(command, node.operators[i - 1] === '||' ? fork(scope) : scope, stdin);
          output = { texts: i === 0 ? next.texts : null, from: [...output.from, ...next.from] };
        });
        return output;
      }
      case 'Subshell': return runList(node.body.commands, fork(scope), stdin);
      case 'BraceGroup': return runList(node.body.commands, scope, stdin);
      case 'CompoundList': return runList(node.commands, scope, stdin);
      case 'Statement': return runList([node], scope, stdin);
      case 'If': {
        const first = runList(node.clause.commands, scope, stdin);
        const output = either(scope, [
          (copy) => runList(node.then.commands, copy, stdin),
          ...node.elif.map((elif) => (copy: Scope) => { runList(elif.clause.commands, copy, stdin); return runList(elif.then.commands, copy, stdin); }),
          (copy) => (node.else ? runList(node.else.commands, copy, stdin) : NOTHING),
        ]);
        return { texts: null, from: [...first.from, ...output.from] };
      }
      case 'For': case 'Select': {
        const items = (node.wordlist ?? []).flatMap((word) => words.fields(word, scope));
        const texts = node.type === 'For' && node.wordlist && items.every(({ text }) => text !== null) ? items.flatMap(({ text }) => text ?? []) : null;
        return loop(node.body.commands, scope, stdin, (copy) => copy.vars.set(node.name.value, { texts: merge(texts, []), from: items.flatMap(({ from }) => from) }));
      }
      case 'While': return loop([...node.clause.commands, ...node.body.commands], scope, stdin, () => {});
      case 'ArithmeticFor':
        for (const part of [node.initialize, node.test, node.update]) if (part) inside(part, scope);
        return loop(node.body.commands, scope, stdin, () => {});
      case 'Case':
        words.value(node.word, scope);
        for (const word of node.items.flatMap((item) => item.pattern)) words.value(word, scope);
        return either(scope, [() => NOTHING, ...node.items.map((item) => (copy: Scope) => runList(item.body.commands, copy, stdin))]);
      case 'Function': {
        scope.functions.set(node.name.value, { body: node.body, source });
        return run(node.body, { ...fork(scope), stack: [...scope.stack, node.name.value], positional: null, forked: false }, NOTHING);
      }
      case 'Coproc': return run(node.body, { ...fork(scope), forked: true }, NOTHING);
      case 'Redirected': {
        const { effects, stdin: input } = redirect(node.redirects, scope, stdin);
        const output = run(node.command, scope, input ?? stdin);
        if (effects.length > 0) emit({ args: [], scope, effects, node });
        return output;
      }
      default:
        inside(node, scope);
        return NOTHING;
    }
  }

  /** The body of a loop: what it changes is not known on its second round. */
  function loop(body: readonly Statement[], scope: Scope, stdin: Stream, enter: (scope: Scope) => void): Stream {
    return either(scope, [() => NOTHING, (copy) => {
      const before = new Map(copy.vars);
      const { cwd } = copy;
      enter(copy);
      const trial = fork(copy);
      const output = runList(body, trial, stdin);
      const changed = [...trial.vars].filter(([name, value]) => copy.vars.has(name) && copy.vars.get(name) !== value && before.has(name));
      if (changed.length === 0 && trial.cwd === cwd) { copy.vars = trial.vars; return output; }
      for (const [name, value] of changed) copy.vars.set(name, { texts: null, from: value.from });
      if (trial.cwd !== cwd) copy.cwd = null;
      return runList(body, copy, stdin);
    }]);
  }

  /** Runs what stands in substitutions of arithmetic and tests. */
  function inside(node: SyntaxNode, scope: Scope): void {
    if (node.type === 'Word') words.value(node, scope);
    else if (node.type === 'ArithmeticCommandExpansion' && node.script) runScript(node.script, fork(scope), NOTHING);
    else where.grammar.forEachChild(node, (child) => (child.type === 'CommandExpansion' && child.script ? void runScript(child.script, fork(scope), NOTHING) : inside(child, scope)));
  }

  function runCommand(node: Command, scope: Scope, stdin: Stream): Stream {
    const assigned = node.prefix.filter((part): part is Assignment => part.type === 'Assignment');
    const values = assigned.map((part) => ({ name: part.name, value: assignedValue(part, scope) }));
    const doubts = values.flatMap(({ name }) => steers(name));
    given = { ...stdin, from: [...stdin.from, node.name?.value ?? ''] };
    const parts: (Word | Assignment)[] = node.name ? [node.name, ...node.args] : [];
    const args = parts.flatMap((part): Field[] => {
      if (part.type === 'Word') return words.fields(part, scope);
      const value = assignedValue(part, scope);
      if (DECLARING.test(node.name?.value ?? '')) { scope.vars.set(part.name, value); doubts.push(...steers(part.name)); }
      return [{ text: value.texts?.length === 1 ? `${part.name}=${value.texts[0]}` : null, source: part.text, from: value.from }];
    });
    const redirected = redirect(node.redirects, scope, stdin);
    if (args.length === 0) {
      for (const { name, value } of values) scope.vars.set(name, value);
      if (node.name || redirected.effects.length > 0 || doubts.length > 0) emit({ args: [], scope, effects: redirected.effects, node, doubts });
      return redirected.stdin ?? NOTHING;
    }
    return runArgs({ args, scope, stdin: redirected.stdin ?? stdin, effects: redirected.effects, doubts, node, vars: values });
  }

  function assignedValue(part: Assignment, scope: Scope): Value {
    if (part.index) words.value(part.index, scope);
    const value = words.value(part.value, scope);
    if (!part.append) return { texts: value.texts, from: value.from };
    return join(scope.vars.get(part.name) ?? UNKNOWN, value, '');
  }

  type Run = { args: readonly Field[]; scope: Scope; stdin: Stream; effects: readonly Effect[]; doubts: readonly string[]; node: Command; wrapped?: string; /** Variables for this command alone. */ vars: readonly { name: string; value: Value }[] };

  /** One command line, wrapper by wrapper. */
  function runArgs(run: Run): Stream {
    const { args, scope, node } = run;
    if (depth >= DEEPEST) throw new Unreadable('it nests too deeply');
    const name = programOf(args);
    const doubts = [...run.doubts, ...doubtsOf(args)];
    const from = [...new Set(args.flatMap((arg) => arg.from))];
    const effects = [...run.effects, ...programEffects(args, scope.cwd)];
    const takes = [...new Set([...run.stdin.from, ...from])];
    const output: Stream = { ...printed(args, run.stdin, scope), from: [...new Set([...takes, name])] };
    const body = args[0]?.text === name ? scope.functions.get(name) : undefined;
    if (body) {
      const again = scope.stack.includes(name);
      if (again || run.effects.length > 0) emit({ args, scope, effects: run.effects, doubts: run.doubts, node, bomb: again && scope.forked });
      if (again) return NOTHING;
      const inner = { ...scope, stack: [...scope.stack, name], positional: args.slice(1).map((arg) => ({ texts: arg.text === null ? null : [arg.text], from: arg.from })), forked: false };
      for (const { name: own, value } of run.vars) inner.vars.set(own, value);
      const result = runBody(body, inner, run.stdin);
      scope.cwd = inner.cwd;
      return result;
    }
    const inner = innerOf(args);
    if (inner.kind === 'command') {
      const rest = name === 'xargs' ? fed(inner.rest, run.stdin, args) : inner.rest;
      const more = inner.vars.flatMap((field) => steers((field.text ?? '').split('=')[0] ?? ''));
      const asOwn = !inner.quiet;
      if (asOwn) emit({ args, scope, effects: run.effects, doubts, node, inputs: takes });
      const vars = inner.vars.flatMap(({ text, from }) => (text === null ? [] : [{ name: text.split('=')[0] ?? '', value: { texts: [text.replace(/^[^=]*=/, '')], from } }]));
      depth += 1;
      const result = runArgs({ ...run, args: rest, scope: movedBy(name, args.slice(0, args.length - inner.rest.length), scope), vars: [...run.vars, ...vars], effects: asOwn ? [] : run.effects, doubts: asOwn ? [] : [...run.doubts, ...more], wrapped: run.wrapped ?? show(args) });
      depth -= 1;
      return result;
    }
    const texts = inner.kind === 'text' ? inner.text.map((field): Value => ({ texts: field.text === null ? null : [field.text], from: field.from, sketch: field.sketch ?? '' }))
      : inner.kind === 'stdin' && (run.stdin.texts !== null || run.stdin.sketch !== undefined || run.stdin.from.length > 0) ? [run.stdin] : [];
    if (texts.some((value) => value.texts === null)) doubts.push('it runs text that is not known before it runs');
    emit({ args, scope, effects, doubts, node, inputs: inner.kind === 'text' ? [...new Set(inner.text.flatMap((field) => field.from))] : inner.kind === 'stdin' || readsProgram(args) ? takes : from, ...(run.wrapped !== undefined && { wrapped: run.wrapped }) });
    let result = output;
    for (const text of texts.flatMap((value) => value.texts ?? [sketchOf(value)])) {
      const here = inner.kind === 'text' && inner.here;
      const positional = inner.kind === 'text' && !here ? inner.args.map((arg): Value => ({ texts: arg.text === null ? null : [arg.text], from: arg.from })) : scope.positional;
      const child = here ? scope : { ...fork(scope), positional, functions: new Map() };
      for (const { name, value } of here ? [] : run.vars) child.vars.set(name, value);
      result = runText(text, child, inner.kind === 'stdin' ? NOTHING : run.stdin);
    }
    changeScope(name, args, { scope, stdin: run.stdin });
    return result;
  }

  function runBody(called: { body: SyntaxNode; source: string }, scope: Scope, stdin: Stream): Stream {
    const outer = source;
    source = called.source;
    depth += 1;
    const output = run(called.body, scope, stdin);
    depth -= 1;
    source = outer;
    return output;
  }

  function redirect(redirects: readonly Redirection[], scope: Scope, stdin: Stream): { effects: Effect[]; stdin?: Stream } {
    const effects: Effect[] = [];
    let input: Stream | undefined;
    for (const item of redirects) {
      if (item.type === 'HereDoc') input = item.body.parts ? words.body(item.body.parts, scope) : { texts: [item.body.text], from: [] };
      else if (item.target === undefined) continue;
      else if (item.type === 'HereString') input = words.value(item.target, scope);
      else {
        const target = words.value(item.target, scope);
        if ((item.operator === '>&' || item.operator === '<&') && /^(\d+-?|-)$/.test(item.target.value)) continue;
        const reads = item.operator === '<' || item.operator === '<&';
        if (reads && item.target.parts?.some((part) => part.type === 'ProcessSubstitution')) { input = target.holds ?? target; continue; }
        for (const path of target.texts ?? []) {
          const append = item.operator === '>>' || item.operator === '&>>';
          effects.push(...ofPath(reads ? 'read' : 'write', path, scope.cwd, append).map((effect): Effect => ({ ...effect, redirect: true })));
          if (/^\/dev\/(tcp|udp)\//.test(path)) effects.push({ kind: 'net', target: path, redirect: true });
        }
        const bare = target.texts === null || (scope.cwd === null && !target.texts.every((path) => path.startsWith('/')));
        if (bare && !item.target.parts?.some((part) => part.type === 'ProcessSubstitution')) effects.push({ kind: reads ? 'read' : 'write', target: '', redirect: true });
        if (reads) input = { texts: null, from: stdin.from.length > 0 && /^\/dev\/(stdin|fd\/0)$/.test(item.target.value) ? stdin.from : [] };
      }
    }
    return { effects, ...(input && { stdin: input }) };
  }

  function emit(command: { args: readonly Field[]; scope: Scope; effects: readonly Effect[]; node: SyntaxNode; doubts?: readonly string[]; inputs?: readonly string[]; wrapped?: string; bomb?: boolean }): void {
    const written = source.slice(command.node.pos, command.node.end);
    const hidden = reveal(written) !== written.replaceAll('\r\n', '\n') ? ['it holds invisible characters'] : [];
    // An unknown target stands as an empty one: it can't be judged as a path.
    const unknown = command.effects.some(({ target }) => target === '') ? ['a file it is redirected to is not known before it runs'] : [];
    const result: ShellCommand = {
      words: command.args.map(({ text }) => text),
      text: show(command.args),
      source: written,
      cwd: command.scope.cwd,
      effects: command.effects.filter(({ target }) => target !== ''),
      doubts: [...new Set([...(command.doubts ?? []), ...hidden, ...unknown])],
      ...(command.inputs && command.inputs.length > 0 && { inputs: command.inputs }),
      ...(command.wrapped !== undefined && { wrapped: command.wrapped }),
      ...(command.bomb === true && { bomb: true as const }),
    };
    // Loops and functions are walked more than once.
    const key = JSON.stringify(result);
    if (!seen.has(key)) commands.push(result);
    seen.add(key);
  }

  const scope: Scope = { vars: new Map([['HOME', { texts: [where.home], from: [] }], ['IFS', { texts: [' \t\n'], from: [] }]]), cwd: where.cwd, functions: new Map(), stack: [], positional: [], forked: false };
  try {
    runText(text, scope, NOTHING);
    return { ok: true, commands };
  } catch (error) {
    if (error instanceof Unreadable || error instanceof RangeError) return { ok: false, problem: error instanceof Unreadable ? error.message : 'it nests too deeply' };
    throw error;
  }
}

/** Each on a copy of what is known; afterwards only what all agree on is known for sure, variables may be any of theirs. */
function either(scope: Scope, branches: readonly ((scope: Scope) => Stream)[]): Stream {
  const ends = branches.map((branch) => {
    const copy = fork(scope);
    return { copy, output: branch(copy) };
  });
  for (const name of new Set(ends.flatMap(({ copy }) => [...copy.vars.keys()]))) {
    const values = ends.map(({ copy }) => copy.vars.get(name) ?? { texts: [''], from: [] });
    scope.vars.set(name, values.reduce((a, b) => ({ texts: merge(a.texts, b.texts), from: [...new Set([...a.from, ...b.from])] })));
  }
  for (const { copy } of ends) for (const [name, body] of copy.functions) scope.functions.set(name, body);
  const [first] = ends;
  scope.cwd = first && ends.every(({ copy }) => copy.cwd === first.copy.cwd) ? first.copy.cwd : null;
  return { texts: null, from: ends.flatMap(({ output }) => output.from) };
}

/** One after the other, as long as it stays small. */
function known(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  return join({ texts: a, from: [] }, { texts: b, from: [] }, '').texts;
}

function fork(scope: Scope): Scope {
  return { ...scope, vars: new Map(scope.vars), functions: new Map(scope.functions) };
}

function trimmed(value: Value): Value {
  return { ...value, texts: value.texts?.map((text) => text.replace(/\n+$/, '')) ?? null };
}

/** Words as the rules see them: one blank between, quoted where a blank or a quote is inside. */
function show(args: readonly Field[]): string {
  return args.map(({ text, source }) => (text === null ? source : text === '' || /[\s'"]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : text)).join(' ');
}

/** `exit` and its like end this branch: what comes after has not seen it. */
function leaves(node: SyntaxNode): boolean {
  return node.type === 'Command' && /^(exit|return|break|continue|true|:)$/.test(node.name?.value ?? '');
}
