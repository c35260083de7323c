// What plain commands read and change in the shell they run in, as far as that can be known.
import { resolve } from 'node:path';
import { follow } from './disk.ts';
import { printed } from './output.ts';
import { ANY, type Field, oneOf, type Scope, UNKNOWN, type Value } from './words.ts';

/** Whether the program takes its standard input as a program: an interpreter that is given none. */
export function readsProgram(args: readonly Field[]): boolean {
  return args.slice(1).every(({ text }) => text !== null && (text === '-' || (/^-[^cmep]/.test(text) && !/^--?(eval|print|check|version|help)/.test(text))));
}

/** What `xargs` makes of its command with the words of its input. */
export function fed(rest: readonly Field[], piped: Value, args: readonly Field[]): Field[] {
  const named = args.findIndex(({ text }) => text === '-a' || text === '--arg-file');
  const stdin = named < 0 ? piped : (args[named + 1]?.holds ?? UNKNOWN);
  const at = args.findIndex(({ text }) => /^(-I|-i|--replace)/.test(text ?? ''));
  const option = args[at]?.text ?? '';
  // A sketch tells what it may be; only what is known becomes a word that a rule can cover.
  const texts = stdin.texts ?? (stdin.sketch !== undefined && !stdin.sketch.includes('$_') ? [stdin.sketch] : undefined);
  // Whole lines or records where it is told so.
  const apart = texts?.some((text) => text.includes('\0')) ? /\0+/ : at >= 0 || args.some(({ text }) => /^(-0|--null)$|^-[a-zA-Z]*0/.test(text ?? '')) || args.some(({ text }) => /^(-d|--delimiter)/.test(text ?? '')) ? /\n+/ : /\s+/;
  const words = texts?.flatMap((text) => text.split(apart)).filter((piece) => piece !== '');
  const word = (text: string): Field => ({ text: stdin.texts ? text : null, sketch: text, source: stdin.texts ? text : '…', from: stdin.from, ...(stdin.tame && { tame: true as const }) });
  if (at < 0) return [...rest, ...(words?.map(word) ?? [{ text: null, source: '…', from: stdin.from, ...(stdin.tame && { tame: true as const }) }])];
  const mark = option === '-I' ? (args[at + 1]?.text ?? '{}') : option.replace(/^(-I|-i|--replace=?)/, '') || '{}';
  return rest.flatMap((arg): Field[] => {
    if (!arg.text?.includes(mark)) return [arg];
    const { text } = arg;
    return words?.map((one) => ({ ...arg, ...word(text.replaceAll(mark, one)) })) ?? [{ text: null, source: arg.source, from: [...arg.from, ...stdin.from], ...(stdin.tame && { tame: true as const }) }];
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
      const [operand] = operands;
      const target = !operand ? (scope.vars.get('HOME')?.texts?.[0] ?? null) : operand.text === '-' ? (scope.vars.get('OLDPWD')?.texts?.[0] ?? null) : (operand.text ?? (operand.sketch?.startsWith('/') && !operand.sketch.includes('$_') ? operand.sketch : null));
      const unclear = target === null || /^[+-]\d+$|[*?[]/.test(target) || (scope.cwd === null && !target.startsWith('/'));
      scope.vars.set('OLDPWD', { texts: scope.cwd === null ? null : [scope.cwd], from: [] });
      scope.perhaps = [];
      scope.cwd = unclear ? null : resolve(follow(`${resolve(scope.cwd ?? '/', target)}/`, scope));
      return;
    }
    case 'alias':
      for (const { text } of operands) if (text?.includes('=')) scope.aliases.set(text.split('=')[0] ?? '', text.replace(/^[^=]*=/, ''));
      return;
    case 'unalias': scope.aliases.clear(); return;
    case 'source': case '.': case 'eval':
      if (name !== 'eval' || args.some(({ text }) => text === null)) scope.vars.set(ANY, UNKNOWN);
      return;
    case 'popd': scope.cwd = null; return;
    case 'unset': for (const { text } of operands) if (text !== null) scope.vars.delete(text); return;
    case 'read': case 'mapfile': case 'readarray': case 'getopts': setRead(name, args, { scope, stdin }); return;
    case 'shift': scope.positional = scope.positional?.slice(Number(operands[0]?.text ?? 1)) ?? null; return;
    case 'printf':
      if (args[1]?.text === '-v' && typeof args[2]?.text === 'string') scope.vars.set(args[2].text, { ...printed([...args.slice(0, 1), ...args.slice(3)], { stdin, scope, root: '' }), from: args.flatMap(({ from }) => from) });
      return;
    case 'set': {
      if (args.some(({ text }) => /^-[a-z]*u/.test(text ?? '') || text === 'nounset')) scope.vars.set(ANY, UNKNOWN);
      const first = args.findIndex(({ text }, i) => i > 0 && (text === '--' || (!/^[-+]/.test(text ?? 'x') && !/^[-+][a-zA-Z]*o$/.test(args[i - 1]?.text ?? ''))));
      if (first > 0) scope.positional = args.slice(args[first]?.text === '--' ? first + 1 : first).map(({ text, from, sketch }) => ({ texts: text === null ? null : [text], from, ...(sketch !== undefined && { sketch }) }));
      return;
    }
    default:
  }
}

/** The variables that `read` and its kin fill from their input, line by line. */
function setRead(name: string, args: readonly Field[], { scope, stdin }: { scope: Scope; stdin: Value }): void {
  const valued = name === 'read' ? /^-[a-zA-Z]*[dinNptu]$/ : /^-[a-zA-Z]*[dnOsucC]$/;
  const names = args.slice(1).filter(({ text }, i) => text !== null && !text.startsWith('-') && !valued.test(args[i]?.text ?? '')).map(({ text }) => text ?? '');
  const list = name !== 'read' || args.some(({ text }) => /^-[a-zA-Z]*a$/.test(text ?? ''));
  const lines = stdin.texts?.flatMap((text) => text.split('\n').filter(Boolean));
  const separators = scope.vars.get('IFS')?.texts?.[0] ?? ' \t\n';
  const cut = (line: string): string[] => (separators === '' ? [line] : line.split(new RegExp(`[${separators.replace(/[\]\\^-]/g, String.raw`\$&`)}]+`)).filter(Boolean));
  for (const [i, own] of names.entries()) {
    const pieces = lines?.flatMap((line) => (list && name === 'read' ? cut(line) : names.length === 1 || list ? [line] : [i === names.length - 1 ? cut(line).slice(i).join(' ') : cut(line)[i] ?? '']));
    scope.vars.set(own, pieces ? pieces.map((text): Value => ({ texts: [text], from: stdin.from })).reduce(oneOf, { texts: [], from: stdin.from }) : { texts: null, from: stdin.from, ...(stdin.sketch !== undefined && !stdin.sketch.includes('$_') && { sketch: stdin.sketch.split('\n')[0] ?? '' }) });
  }
}
