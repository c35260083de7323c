// What plain commands print, read and change in the shell they run in, as far as that can be known.
import { resolve } from 'node:path';
import { foundBy } from './programs.ts';
import { ANY, type Field, merge, type Scope, sketchOf, UNKNOWN, type Value } from './words.ts';
import { programOf } from './wrappers.ts';

/** Whether the program takes its standard input as a program: an interpreter that is given none. */
export function readsProgram(args: readonly Field[]): boolean {
  return args.slice(1).every(({ text }) => text !== null && (text === '-' || (/^-[^cmep]/.test(text) && !/^--?(eval|print|check|version|help)/.test(text))));
}

/** What a plain command prints, as far as that is known. */
export function printed(args: readonly Field[], stdin: Value, scope: Scope): Omit<Value, 'from'> {
  const rest = args.slice(1);
  const texts = rest.map(({ text, sketch }) => text ?? sketch ?? '$_');
  const print = (text: string) => (rest.every(({ text }) => text !== null) ? { texts: [text] } : { texts: null, sketch: text });
  const passed = { texts: stdin.texts, sketch: sketchOf(stdin) };
  switch (programOf(args)) {
    case 'echo': {
      const flags = texts.findIndex((text) => !/^-[neE]+$/.test(text));
      const said = texts.slice(flags < 0 ? texts.length : flags).join(' ');
      return print(`${texts[0]?.includes('e') && flags > 0 ? unescaped(said) : said}\n`);
    }
    case 'printf': {
      const [format = '', ...values] = texts;
      if (/%[^s%b]/.test(format)) return { texts: null };
      // The format is used again until no value is left.
      const slots = format.match(/%[sb]/g)?.length ?? 0;
      const rounds = slots === 0 ? 1 : Math.max(1, Math.ceil(values.length / slots));
      return print(Array.from({ length: rounds }, (_, round) => {
        const left = values.slice(round * slots);
        return unescaped(format).replace(/%[sb]/g, () => left.shift() ?? '').replaceAll('%%', '%');
      }).join(''));
    }
    case 'cat': return texts.every((text) => text === '-') ? passed : { texts: null };
    case 'tee': return passed;
    case 'base64': return texts.some((text) => /^(-d|-D|--decode)$/.test(text)) ? { texts: stdin.texts?.map((text) => Buffer.from(text, 'base64').toString()) ?? null } : { texts: null };
    case 'find': return foundBy(args).length > 0 ? { texts: null, sketch: foundBy(args).join('\n') } : { texts: null };
    case 'pwd': return { texts: scope.cwd === null ? null : [scope.cwd] };
    case 'true': case ':': return { texts: [''] };
    default: return { texts: null };
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|(.))/g, (_, hex?: string, octal?: string, char = '') => (hex ? String.fromCharCode(parseInt(hex, 16)) : octal ? String.fromCharCode(parseInt(octal, 8)) : ({ n: '\n', t: '\t', r: '\r' }[String(char)] ?? (char === '\\' ? '\\' : `\\${String(char)}`))));
}

/** What `xargs` makes of its command with the words of its input. */
export function fed(rest: readonly Field[], stdin: Value, args: readonly Field[]): Field[] {
  const at = args.findIndex(({ text }) => /^(-I|-i|--replace)/.test(text ?? ''));
  const option = args[at]?.text ?? '';
  const texts = stdin.texts ?? (stdin.sketch !== undefined && !stdin.sketch.includes('$_') ? [stdin.sketch] : undefined);
  const words = texts?.flatMap((text) => text.split(/[\s\0]+/)).filter(Boolean).map((text): Field => ({ text, source: text, from: stdin.from }));
  if (at < 0) return [...rest, ...(words ?? [{ text: null, source: '…', from: stdin.from }])];
  const mark = option === '-I' ? (args[at + 1]?.text ?? '{}') : option.replace(/^(-I|-i|--replace=?)/, '') || '{}';
  return rest.flatMap((arg): Field[] => {
    if (!arg.text?.includes(mark)) return [arg];
    const { text } = arg;
    return words?.map((word) => ({ ...arg, text: text.replaceAll(mark, word.text ?? ''), from: stdin.from })) ?? [{ text: null, source: arg.source, from: [...arg.from, ...stdin.from] }];
  });
}

/** Where `env -C` and `sudo -D` run their command. */
export function movedBy(name: string, args: readonly Field[], scope: Scope): Scope {
  const at = /^(env|sudo)$/.test(name) ? args.findIndex(({ text }) => /^(-C|-D|--chdir)/.test(text ?? '')) : -1;
  if (at < 0) return scope;
  const folder = args[at]?.text?.replace(/^(-C|-D|--chdir)=?/, '') || (args[at + 1]?.text ?? null);
  return { ...scope, cwd: folder === null || (scope.cwd === null && !folder.startsWith('/')) ? null : resolve(scope.cwd ?? '/', folder) };
}

/** What `cd`, `read`, `unset` and the like change for the commands after them. */
export function changeScope(name: string, args: readonly Field[], { scope, stdin }: { scope: Scope; stdin: Value }): void {
  const operands = args.slice(1).filter(({ text }) => !/^-./.test(text ?? ''));
  switch (name) {
    case 'cd': case 'pushd': case 'chdir': {
      const target = operands.length === 0 ? (scope.vars.get('HOME')?.texts?.[0] ?? null) : (operands[0]?.text ?? null);
      const unclear = target === null || target === '-' || /^[+-]\d+$|[*?[]/.test(target) || (scope.cwd === null && !target.startsWith('/'));
      scope.cwd = unclear ? null : resolve(scope.cwd ?? '/', target);
      return;
    }
    case 'source': case '.': case 'eval':
      if (name !== 'eval' || args.some(({ text }) => text === null)) scope.vars.set(ANY, UNKNOWN);
      return;
    case 'popd': scope.cwd = null; return;
    case 'unset': for (const { text } of operands) if (text !== null) scope.vars.delete(text); return;
    case 'read': case 'mapfile': case 'readarray': case 'getopts':
      for (const { text } of operands) if (text !== null) scope.vars.set(text, { texts: merge(stdin.texts?.flatMap((line) => line.split('\n').filter(Boolean)) ?? null, []), from: stdin.from });
      return;
    case 'shift': scope.positional = scope.positional?.slice(Number(operands[0]?.text ?? 1)) ?? null; return;
    case 'printf':
      if (args[1]?.text === '-v' && typeof args[2]?.text === 'string') scope.vars.set(args[2].text, { ...printed([...args.slice(0, 1), ...args.slice(3)], stdin, scope), from: args.flatMap(({ from }) => from) });
      return;
    case 'set':
      if (args.some(({ text }) => /^-[a-z]*u/.test(text ?? '') || text === 'nounset')) scope.vars.set(ANY, UNKNOWN);
      if (operands.length > 0) scope.positional = operands.map(({ text, from }) => ({ texts: text === null ? null : [text], from })); return;
    default:
  }
}
