// What find, fd and ls come across: where they start, and whether their tests leave anything out.
import { type Field, programOf } from './words.ts';

/* Tests that really pick some; those of age, size and owner pick nearly all where a system stands. */
const PICKING = /^-(i?name|i?path|i?regex|i?wholename|i?lname|samefile|inum|newer.*|empty)$/;
const WEAK = /^-([acm]time|[acm]min|size|user|group|perm|links|uid|gid|nouser|nogroup|readable|writable|executable)$/;
const SYSTEM = /^\/($|(bin|boot|dev|etc|home|lib\w*|opt|proc|root|run|sbin|srv|sys|usr|var)\/?$|(usr|var)\/[^/]+\/?$)/;
const ANYTHING = /^(\*+|\*\.\*|\?\*|\/\*+|\.\/\*+)$/;

/**
 * What is found when nothing narrows it: each start, and `start/**` for all below. Empty where something does.
 * `args` has the program first.
 */
export function foundBy(args: readonly Field[]): string[] {
  switch (programOf(args)) {
    case 'find': return byFind(args);
    case 'fd': case 'fdfind': return byFd(args);
    case 'ls': return byLs(args);
    default: return [];
  }
}

function byFind(args: readonly Field[]): string[] {
  const first = args.findIndex(({ text }, i) => i > 0 && /^[-(!]/.test(text ?? '') && !/^-[HLPOD]/.test(text ?? ''));
  const tests = first < 0 ? args.length : first;
  const given = args.slice(1, tests).flatMap(({ text, sketch }) => (text === null ? (sketch?.startsWith('/') && !sketch.includes('$_') ? [sketch] : []) : text.startsWith('-') ? [] : [text]));
  const named = args.slice(1, tests).length > args.slice(1, tests).filter(({ text }) => text?.startsWith('-')).length;
  const starts = named ? given : ['.'];
  const picks = (test: RegExp) => args.some(({ text }, i) => i >= tests && test.test(text ?? '') && !/^(!|-not|-o|-or)$/.test(args[i - 1]?.text ?? '') && !ANYTHING.test(args[i + 1]?.text ?? ''));
  if (picks(PICKING)) return [];
  return starts.filter((start) => SYSTEM.test(start) || !picks(WEAK)).flatMap((start) => below(start, args));
}

/* `-type f` and `-type l` leave all folders out. */
function below(start: string, args: readonly Field[]): string[] {
  const all = `${start.replace(/\/+$/, '')}/**`;
  return args.some(({ text }, i) => text === '-type' && !/d/.test(args[i + 1]?.text ?? 'd')) ? [all] : [start, all];
}

function byFd(args: readonly Field[]): string[] {
  const end = args.findIndex(({ text }) => /^(-[xX]|--exec(-batch)?)$/.test(text ?? ''));
  const own = args.slice(1, end < 0 ? undefined : end);
  if (own.some(({ text }) => /^(-e|--extension|-E|--exclude|-S|--size|--changed.*|-o|--owner)$/.test(text ?? ''))) return [];
  const operands = own.filter(({ text }, i) => !(text ?? '').startsWith('-') && !/^(-t|--type|-d|--max-depth|-j|--base-directory)$/.test(own[i - 1]?.text ?? ''));
  const [pattern, ...starts] = operands.map(({ text }) => text);
  if (pattern !== undefined && !/^(\.|\.\*|\*|)$/.test(pattern ?? 'x')) return [];
  return (starts.length > 0 ? starts : ['.']).flatMap((start) => (start === null ? [] : [start, `${start.replace(/\/+$/, '')}/**`]));
}

function byLs(args: readonly Field[]): string[] {
  const folders = args.slice(1).flatMap(({ text }) => (text === null || text.startsWith('-') ? [] : [text]));
  const itself = args.some(({ text }) => /^-[a-zA-Z]*d/.test(text ?? ''));
  return (folders.length > 0 ? folders : args.slice(1).some(({ text }) => text === null) ? [] : ['.']).map((folder) => (itself || /[*?[]/.test(folder) ? folder : `${folder.replace(/\/+$/, '')}/*`));
}
