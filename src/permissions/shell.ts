// Shell text -> every simple command it would run, at any depth, with where it runs and which files it touches.
import type { Assignment, Command, Redirection, Script, Statement, SyntaxNode, Word } from 'unbash';
import { reveal } from '../lib/clean.ts';
import type { Effect, ShellCommand, ShellFacts } from '../types/permission.ts';
import { looksForbidden } from './blacklist.ts';
import { changeScope, fed, movedBy, readsProgram } from './builtins.ts';
import type { Deeds } from './code.ts';
import { codeOf } from './deeds.ts';
import { doubtsOf, INDEXED, steers } from './doubts.ts';
import { changeDisk, follow, keep, nameOf, onDisk, placeOf } from './disk.ts';
import { either, fork, inTurn, leaves, NOTHING, show, startScope, type Stream, trimmed } from './flow.ts';
import { handedOf, runBy, substituted } from './handed.ts';
import { printed } from './output.ts';
import { ofPath, programEffects } from './programs.ts';
import { type Field, type Grammar, join, merge, oneOf, plain, programOf, type Scope, sketchOf, UNKNOWN, type Value, valueOf, wordReader } from './words.ts';
import { innerOf } from './wrappers.ts';

class Unreadable extends Error {}

/** Deeper texts in texts are not looked at but refused as unreadable. */
const DEEPEST = 40;
/* Functions, loops and texts in texts may walk the same commands again. A plain text never spends as much, however long it is. */
const STEPS = { least: 10_000, perCharacter: 20 };
/* Looked at, never executed as programs; their operands are names of variables. */
const DECLARING = /^(export|declare|typeset|local|readonly)$/;

/** Parses `text` as bash does. Pure; `grammar` is the parser, loaded when first needed. A text with an error anywhere is refused whole. */
export function readShell(text: string, where: { cwd: string; home: string; root?: string; grammar: Grammar }): ShellFacts {
  const commands: ShellCommand[] = [];
  const seen = new Set<string>();
  let source = text;
  let depth = 0;
  let steps = STEPS.least + STEPS.perCharacter * text.length;
  // What a `>(…)` is given: the output of the command whose word it is, at most its input.
  let given = NOTHING;
  // Doubts that the words of the command at hand raise by what they set.
  let raised: string[] = [];
  const uncalled = new Map<SyntaxNode, () => void>();
  const words = wordReader({
    grammar: where.grammar, home: where.home,
    run: (script, scope, as) => (as === undefined ? trimmed(runScript(script, fork(scope), NOTHING)) : runScript(script, fork(scope), as === '>' ? given : NOTHING)),
    assigned: (name) => { raised.push(...steers(name)); }, expanded: runIn,
  });

  /* What stands in a text that bash expands a second time: a prompt, an index. */
  function runIn(text: string, scope: Scope): void {
    for (const inner of substituted(text)) tryText(inner, fork(scope), NOTHING);
    raised.push('what it expands to is expanded again');
  }

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
    return inTurn(statements.map((statement) => (statement.background ? run(statement.command, { ...fork(scope), forked: true }, stdin) : run(statement.command, scope, stdin))));
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
        return node.commands.reduce<Stream | undefined>((output, command, i) => {
          if (node.operators[i - 1] !== '||') return inTurn([...(output ? [output] : []), run(command, scope, stdin)]);
          const next = leaves(command) ? run(command, fork(scope), stdin) : either(scope, [() => NOTHING, (copy) => run(command, copy, stdin)]);
          return { texts: null, from: [...(output?.from ?? []), ...next.from], sketch: sketchOf(output ?? NOTHING) };
        }, undefined) ?? NOTHING;
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
        if (steers(node.name.value).length > 0) emit({ args: [], scope, effects: [], node, doubts: steers(node.name.value) });
        return loop(node.body.commands, scope, stdin, (copy) => copy.vars.set(node.name.value, { texts: merge(texts, []), from: items.flatMap(({ from }) => from), ...(texts === null && items.every(({ text, tame }) => text !== null || tame) && { tame: true as const }), ...(texts === null && { sketch: items.find(({ text }) => text === null)?.sketch?.split('\n')[0] ?? '$_' }) }));
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
        // Who calls it tells what it is given; one that nobody calls here is looked at in the end.
        const called = { body: node.body, source };
        scope.functions.set(node.name.value, called);
        uncalled.set(node.body, () => runBody(called, { ...fork(scope), stack: [...scope.stack, node.body], positional: null, forked: false }, NOTHING));
        return NOTHING;
      }
      case 'Coproc': return run(node.body, { ...fork(scope), forked: true }, NOTHING);
      case 'Redirected': {
        const { effects, stdin: input, outs } = redirect(node.redirects, scope, stdin);
        const output = run(node.command, scope, input ?? stdin);
        for (const out of outs) keep(out, output, scope);
        if (effects.length > 0) emit({ args: [], scope, effects, node });
        return output;
      }
      default:
        inside(node, scope);
        if (raised.length > 0) emit({ args: [], scope, effects: [], node, doubts: raised.splice(0) });
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
    if (node.type === 'Word') for (const text of words.value(node, scope).texts?.filter((one) => INDEXED.test(one)) ?? []) runIn(text, scope);
    else if (node.type === 'ArithmeticCommandExpansion' && node.script) runScript(node.script, fork(scope), NOTHING);
    else where.grammar.forEachChild(node, (child) => (child.type === 'CommandExpansion' && child.script ? void runScript(child.script, fork(scope), NOTHING) : inside(child, scope)));
  }

  function runCommand(node: Command, scope: Scope, stdin: Stream): Stream {
    // The grammar reads over what bash takes for the start of a function.
    if (node.name && /^[ \t]*\(/.test(source.slice(node.name.end, node.name.end + 100))) throw new Unreadable("unexpected '('");
    const assigned = node.prefix.filter((part): part is Assignment => part.type === 'Assignment');
    const values = assigned.map((part) => ({ name: part.name, value: assignedValue(part, scope) }));
    // `IFS= read` cuts lines, and nothing else.
    const doubts = values.flatMap(({ name }) => (name === 'IFS' && /^(read|mapfile|readarray)$/.test(node.name?.value ?? '') ? [] : steers(name)));
    given = { ...stdin, from: [...stdin.from, node.name?.value ?? ''] };
    const parts: (Word | Assignment)[] = node.name ? [node.name, ...node.args] : [];
    const declared: { name: string; value: Value }[] = [];
    const args = parts.flatMap((part): Field[] => {
      if (part.type === 'Word') return words.fields(part, scope);
      const value = assignedValue(part, scope);
      if (DECLARING.test(node.name?.value ?? '')) { scope.vars.set(part.name, value); doubts.push(...steers(part.name)); declared.push({ name: part.name, value }); }
      return [{ text: value.texts?.length === 1 ? `${part.name}=${value.texts[0]}` : null, source: part.text, from: value.from, tame: true }];
    });
    for (const { name, value } of [...values, ...declared]) setSteering(name, value, scope);
    const redirected = redirect(node.redirects, scope, stdin);
    doubts.push(...raised);
    raised = [];
    const output = runWith({ args, values, doubts, redirected, node, scope, stdin });
    for (const out of redirected.outs) keep(out, output, scope);
    return output;
  }

  function runWith({ args, values, doubts, redirected, node, scope, stdin }: { args: readonly Field[]; values: readonly { name: string; value: Value }[]; doubts: readonly string[]; redirected: ReturnType<typeof redirect>; node: Command; scope: Scope; stdin: Stream }): Stream {
    if (args.length === 0) {
      for (const { name, value } of values) scope.vars.set(name, value);
      if (node.name || redirected.effects.length > 0 || doubts.length > 0) emit({ args: [], scope, effects: redirected.effects, node, doubts });
      return redirected.stdin ?? NOTHING;
    }
    return runArgs({ args, scope, stdin: redirected.stdin ?? stdin, effects: redirected.effects, doubts, node, vars: values });
  }

  /** Variables whose value a later program runs: the value is judged where it is set. */
  function setSteering(name: string, value: Value, scope: Scope): void {
    if (/^(BASH_ENV|ENV)$/.test(name)) for (const inner of value.holds?.texts ?? []) tryText(inner, fork(scope), NOTHING);
    for (const text of value.texts ?? (value.sketch === undefined ? [] : [value.sketch])) {
      for (const inner of runBy(name, text)) tryText(inner, fork(scope), NOTHING);
      const file = /^(BASH_ENV|ENV)$/.test(name) ? onDisk(text, scope) : undefined;
      for (const inner of file?.texts ?? []) tryText(inner, fork(scope), NOTHING);
    }
  }

  /** For text that may be meant for something else than a shell: what can't be read is passed over, unless it looks bad. */
  function tryText(text: string, scope: Scope, stdin: Stream): Stream {
    if ((where.grammar.parse(text).errors ?? []).length === 0) return runText(text, scope, stdin);
    if (looksForbidden(text)) throw new Unreadable('a text that it hands on is no valid shell text');
    return NOTHING;
  }

  function assignedValue(part: Assignment, scope: Scope): Value {
    if (part.index) words.value(part.index, scope);
    const value = words.value(part.value, scope);
    if (!part.append) return value;
    const before = scope.vars.get(part.name) ?? UNKNOWN;
    return part.value.type === 'ArrayValue' ? oneOf(before, value) : join(before, value, '');
  }

  type Run = { args: readonly Field[]; scope: Scope; stdin: Stream; effects: readonly Effect[]; doubts: readonly string[]; node: Command; wrapped?: string; /** Started by the name of a tool. */ apart?: true | undefined; /** Variables for this command alone. */ vars: readonly { name: string; value: Value }[] };

  /** One command line, wrapper by wrapper. */
  function runArgs(run: Run): Stream {
    const { args, scope, node } = run;
    if (depth >= DEEPEST) throw new Unreadable('it nests too deeply');
    const name = programOf(args);
    const doubts = [...run.doubts, ...doubtsOf(args)];
    const from = [...new Set(args.flatMap((arg) => arg.from))];
    const takes = [...new Set([...run.stdin.from, ...from])];
    const body = args[0]?.text === name ? scope.functions.get(name) : undefined;
    if (body) {
      const again = scope.stack.includes(body.body);
      if (again || run.effects.length > 0) emit({ args, scope, effects: run.effects, doubts: run.doubts, node, bomb: again && scope.forked });
      if (again) return NOTHING;
      uncalled.delete(body.body);
      const inner = { ...scope, stack: [...scope.stack, body.body], positional: args.slice(1).map(valueOf), forked: false };
      for (const { name: own, value } of run.vars) inner.vars.set(own, value);
      const result = runBody(body, inner, run.stdin);
      scope.cwd = inner.cwd;
      return result;
    }
    const alias = args[0]?.text === name && args[0].source === name ? scope.aliases.get(name) : undefined;
    if (alias !== undefined) {
      const inner = { ...scope, aliases: new Map([...scope.aliases].filter(([own]) => own !== name)) };
      emit({ args, scope, effects: run.effects, doubts, node, inputs: takes });
      const result = runText(`${alias} ${show(args.slice(1))}`, inner, run.stdin);
      scope.cwd = inner.cwd;
      return result;
    }
    // A file that the same text has written, or fetched, and now runs by its name.
    const own = args[0]?.text?.includes('/') || args[0]?.source === '$0' || args[0]?.sketch?.includes('/') ? onDisk(nameOf(args[0]), scope) : undefined;
    if (own && own.link === undefined) {
      const by = /^#!\s*(.*)/.exec(own.texts?.[0] ?? '')?.[1]?.trim().split(/\s+/) ?? ['sh'];
      emit({ args, scope, effects: run.effects, doubts, node, inputs: from });
      return deeper(() => runArgs({ ...run, effects: [], args: [...by.map(plain), ...args] }));
    }
    const inner = innerOf(args, scope.cwd);
    if (inner.kind === 'command') {
      const rest = name === 'xargs' ? fed(inner.rest, run.stdin, args) : inner.rest;
      const more = [...inner.vars.flatMap((field) => steers((field.text ?? '').split('=')[0] ?? '')), ...(movedBy(name, args.slice(0, args.length - inner.rest.length), scope) === scope ? [] : ['it runs in another folder'])];
      const asOwn = !inner.quiet;
      if (asOwn) emit({ args, scope, effects: [...run.effects, ...programEffects(args, scope.cwd)], doubts, node, inputs: takes, apart: run.apart });
      const vars = inner.vars.flatMap(({ text, from }) => (text === null ? [] : [{ name: text.split('=')[0] ?? '', value: { texts: [text.replace(/^[^=]*=/, '')], from } }]));
      for (const { name: own, value } of vars) setSteering(own, value, scope);
      return deeper(() => runArgs({ ...run, args: rest, scope: movedBy(name, args.slice(0, args.length - inner.rest.length), scope), vars: [...run.vars, ...vars], effects: asOwn ? [] : run.effects, doubts: asOwn ? [] : [...run.doubts, ...more], ...(inner.runner ? { apart: true as const } : asOwn ? { apart: undefined } : {}), wrapped: run.wrapped ?? show(args) }));
    }
    const file = inner.kind === 'file' ? onDisk(nameOf(inner.file), scope) : undefined;
    const texts = inner.kind === 'text' ? inner.text.map(valueOf) : file ? [file]
      : inner.kind === 'stdin' && (run.stdin.texts !== null || run.stdin.sketch !== undefined || run.stdin.from.length > 0) ? [run.stdin] : [];
    if (texts.some((value) => value.texts === null)) doubts.push('it runs text that is not known before it runs');
    const code = codeOf(args, { stdin: run.stdin, scope, home: where.home });
    const handed = handedOf(args, run.stdin, (path) => onDisk(path, scope));
    const inputs = [...inner.kind === 'text' ? inner.text.flatMap((field) => field.from) : inner.kind === 'file' ? [...inner.file.from, ...(file?.from ?? [])] : code ? [...code.from, ...(code.stdin ? takes : [])] : inner.kind === 'stdin' || readsProgram(args) ? takes : from];
    // Once is enough to know that a file runs itself.
    const key = inner.kind === 'file' ? `file ${placeOf(nameOf(inner.file) ?? '', scope)}` : '';
    const again = file !== undefined && scope.stack.includes(key);
    emit({
      args, scope, effects: [...run.effects, ...(scope.cwd === null ? [null, ...(scope.perhaps ?? [])] : [scope.cwd]).flatMap((cwd) => programEffects(args, cwd)), ...(code?.effects ?? [])], doubts: [...doubts, ...(code?.deeds.starts === true ? ['its code starts programs'] : [])], node,
      inputs: [...new Set(inputs)], apart: run.apart, bomb: (again && scope.forked) || code?.deeds.bomb === true, ...(run.wrapped !== undefined && { wrapped: run.wrapped }),
    });
    if (again) return NOTHING;
    let result: Stream | undefined;
    for (const text of texts.flatMap((value) => value.texts ?? [sketchOf(value)])) {
      const here = (inner.kind === 'text' || inner.kind === 'file') && inner.here;
      const positional = (inner.kind === 'text' || inner.kind === 'file') && !here ? inner.args.map(valueOf) : scope.positional;
      const child = here ? scope : { ...fork(scope), positional, ...(name !== 'trap' && { functions: new Map(), aliases: new Map() }) };
      if (inner.kind === 'text' && inner.zero) child.vars.set('0', valueOf(inner.zero));
      if (key !== '') { child.stack = [...scope.stack, key]; child.vars.set('0', valueOf(inner.kind === 'file' ? inner.file : plain(name))); }
      for (const { name: own, value } of here ? [] : run.vars) child.vars.set(own, value);
      result = runText(text, child, inner.kind === 'stdin' ? NOTHING : run.stdin);
      if (here && key !== '') scope.stack = scope.stack.filter((own) => own !== key);
    }
    for (const { text, from: own, apart } of handed) { deeper(() => tryText(text, { ...fork(scope), ...(apart && { apart }), functions: new Map() }, { ...NOTHING, from: own })); }
    if (code) runDeeds(code.deeds, run, { ...fork(scope), apart: true });
    const output = result ?? (code?.deeds.prints === undefined ? printed(args, { stdin: run.stdin, scope, root: where.root ?? where.cwd }) : { texts: [`${code.deeds.prints}\n`] });
    changeScope(name, args, { scope, stdin: run.stdin });
    changeDisk(name, args, { scope, stdin: run.stdin });
    return { ...output, from: [...new Set([...(result ? [] : takes), ...(output.from ?? []), ...(result ? [] : [name])])] };
  }

  function deeper<T>(walk: () => T): T {
    depth += 1;
    try {
      return walk();
    } finally {
      depth -= 1;
    }
  }

  function runDeeds(deeds: Deeds, run: Run, scope: Scope): void {
    for (const text of deeds.shell) deeper(() => tryText(text, fork(scope), NOTHING));
    for (const words of deeds.commands) deeper(() => runArgs({ args: words.map(plain), scope: fork(scope), stdin: NOTHING, effects: [], doubts: [], node: run.node, vars: [] }));
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

  function redirect(redirects: readonly Redirection[], scope: Scope, stdin: Stream): { effects: Effect[]; stdin?: Stream; outs: { path: string; append: boolean }[] } {
    const effects: Effect[] = [];
    const outs: { path: string; append: boolean }[] = [];
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
        const append = item.operator === '>>' || item.operator === '&>>';
        // A device stays one, whatever its number.
        const paths = target.texts ?? (/^\/dev\/./.test(target.sketch ?? '') || target.sketch === '/dev/' ? [target.sketch ?? ''] : []);
        for (const path of paths) {
          effects.push(...ofPath(reads ? 'read' : 'write', path, scope.cwd, append).map((effect): Effect => ({ ...effect, redirect: true })));
          if (/^\/dev\/(tcp|udp)\//.test(path)) effects.push({ kind: 'net', target: path, redirect: true });
          if (!reads && target.texts && !(item.descriptor?.type === 'FileDescriptor' && item.descriptor.value !== 1)) outs.push({ path, append });
        }
        const place = target.texts === null ? nameOf({ text: null, ...target }) : null;
        if (!reads && place !== null) outs.push({ path: place, append });
        const bare = target.texts === null || (scope.cwd === null && !target.texts.every((path) => path.startsWith('/')));
        if (bare && !item.target.parts?.some((part) => part.type === 'ProcessSubstitution')) effects.push({ kind: reads ? 'read' : 'write', target: '', redirect: true });
        const [only] = target.texts ?? [];
        if (reads) input = onDisk(only ?? place, scope) ?? { texts: null, from: /^\/dev\/(tcp|udp)\//.test(only ?? '') ? ['nc'] : stdin.from.length > 0 && /^\/dev\/(stdin|fd\/0)$/.test(item.target.value) ? stdin.from : [] };
      }
    }
    return { effects, outs, ...(input && { stdin: input }) };
  }

  function emit(command: { args: readonly Field[]; scope: Scope; effects: readonly Effect[]; node: SyntaxNode; doubts?: readonly string[]; inputs?: readonly string[]; wrapped?: string; bomb?: boolean; apart?: true | undefined }): void {
    const written = source.slice(command.node.pos, command.node.end);
    const hidden = reveal(written) !== written.replaceAll('\r\n', '\n') ? ['it holds invisible characters'] : [];
    // An unknown target stands as an empty one: it can't be judged as a path.
    const unknown = command.effects.some(({ target }) => target === '') ? ['a file it is redirected to is not known before it runs'] : [];
    const kills = programOf(command.args) === 'kill';
    const result: ShellCommand = {
      // What lists every process tells `kill` to end them all.
      words: command.args.flatMap(({ text, sketch }) => (text === null && kills && sketch?.trim() === '-1' ? ['--', '-1'] : [text])),
      text: show(command.args),
      source: written,
      cwd: command.scope.cwd,
      effects: command.effects.filter(({ target }) => target !== '').map((effect) => (effect.kind === 'net' ? effect : { ...effect, target: follow(effect.target, command.scope) })),
      doubts: [...new Set([...(command.doubts ?? []), ...hidden, ...unknown])],
      ...(command.inputs && command.inputs.length > 0 && { inputs: command.inputs }),
      ...(command.wrapped !== undefined && { wrapped: command.wrapped }),
      ...(command.bomb === true && { bomb: true as const }),
      ...((command.scope.apart ?? command.apart) && { apart: true as const }),
    };
    // Loops and functions are walked more than once.
    const key = JSON.stringify(result);
    if (!seen.has(key)) commands.push(result);
    seen.add(key);
  }

  try {
    runText(text, startScope(where), NOTHING);
    for (const [body, walk] of uncalled) if (uncalled.delete(body)) walk();
    return { ok: true, commands };
  } catch (error) {
    if (error instanceof Unreadable || error instanceof RangeError) return { ok: false, problem: error instanceof Unreadable ? error.message : 'it nests too deeply' };
    throw error;
  }
}
