// What plain commands print, as far as that can be known: texts that a later shell or xargs may be given.
import { basename, dirname, resolve } from 'node:path';
import { nameOf, onDisk } from './disk.ts';
import { foundBy } from './found.ts';
import { type Field, type Scope, sketchOf, type Value, programOf } from './words.ts';

type Printed = Omit<Value, 'from'> & { from?: readonly string[] };

const NONE: Printed = { texts: null };
/* Numbers, names, lines of them. */
const TAME: Printed = { texts: null, tame: true };
/* They say nothing when all goes well. */
const SILENT = /^(true|:|cd|pushd|export|unset|set|shopt|mkdir|touch|chmod|chown|cp|mv|ln|rm|sleep|read|test|\[|local|declare|readonly|typeset|wait|alias)$/;
/* They pass on what they are given, in whatever order. */
const PASSING = /^(tac|sort|pv|envsubst|iconv|strings|ts|expand|unexpand|dos2unix|buffer|sponge|xargs|tee|nohup)$/;

/** What a command prints, given what comes on its standard input. `root` is the top of the project. */
export function printed(args: readonly Field[], { stdin, scope, root }: { stdin: Value; scope: Scope; root: string }): Printed {
  const name = programOf(args);
  const rest = args.slice(1);
  const texts = rest.map(({ text, sketch }) => text ?? sketch ?? '$_');
  const print = (text: string): Printed => (rest.every(({ text: whole }) => whole !== null) ? { texts: [text] } : { texts: null, sketch: text });
  const operands = rest.filter(({ text }) => text === null || !text.startsWith('-') || text === '-').map(({ text }) => text);
  // A filter reads the files it names, else its standard input.
  const filter = (change: (text: string) => string | null, files: readonly (string | null)[]): Printed => {
    const [file] = files.filter((one) => one !== '-');
    const input = file === undefined ? stdin : onDisk(file ?? rest.map(nameOf).find((named) => onDisk(named, scope)), scope);
    if (!input) return NONE;
    const changed = input.texts?.map(change) ?? null;
    return { texts: changed?.every((text) => text !== null) ? changed : null, sketch: change(sketchOf(input)) ?? '$_', from: input.from };
  };
  const flagged = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  if (SILENT.test(name) && !flagged(/^-[a-zA-Z]*[fp]/)) return { texts: [''] };
  if (PASSING.test(name)) return filter((text) => text, name === 'tee' || name === 'xargs' ? [] : operands);
  switch (name) {
    case 'echo': {
      const flags = texts.findIndex((text) => !/^-[neE]+$/.test(text));
      const said = texts.slice(flags < 0 ? texts.length : flags).join(' ');
      return print(`${texts[0]?.includes('e') && flags > 0 ? unescaped(said) : said}\n`);
    }
    case 'printf': {
      const [format = '', ...values] = texts;
      if (/%[^s%bcqd]/.test(format)) return NONE;
      // The format is used again until no value is left.
      const slots = format.match(/%[sbcqd]/g)?.length ?? 0;
      const rounds = slots === 0 ? 1 : Math.min(1_000, Math.max(1, Math.ceil(values.length / slots)));
      return print(Array.from({ length: rounds }, (_, round) => {
        const left = values.slice(round * slots);
        return unescaped(format).replace(/%[sbcqd]/g, (slot) => (slot === '%b' ? unescaped(left.shift() ?? '') : slot === '%c' ? (left.shift() ?? '').slice(0, 1) : left.shift() ?? '')).replaceAll('%%', '%');
      }).join(''));
    }
    case 'declare': case 'typeset': {
      const own = scope.functions.get(operands[0] ?? '');
      return own ? { texts: [`${operands[0] ?? ''}() ${own.source.slice(own.body.pos, own.body.end)}\n`] } : NONE;
    }
    case 'yes': return print(`${texts.join(' ') || 'y'}\n`);
    case 'cat': case 'bat': return filter((text) => text, operands);
    case 'head': case 'tail': return filter((text) => someLines(text, name, texts), operands.filter((text) => !/^\d+$/.test(text ?? '')));
    case 'rev': return filter((text) => text.split('\n').map((line) => [...line].toReversed().join('')).join('\n'), operands);
    case 'tr': return filter((text) => translated(text, texts), []);
    case 'sed': return filter((text) => substituted(text, texts), operands.slice(flagged(/^-e/) ? 0 : 1));
    case 'cut': return filter((text) => cut(text, texts), []);
    case 'grep': case 'egrep': case 'fgrep': return filter((text) => grepped(text, texts), operands.slice(1));
    case 'awk': case 'gawk': case 'mawk': return awk(texts, filter);
    case 'base64': return flagged(/^-[diDw]*[dD]|^--decode$/) ? filter((text) => Buffer.from(text, 'base64').toString(), operands) : NONE;
    case 'openssl': return flagged(/^-?base64$/) && flagged(/^-d$/) ? filter((text) => Buffer.from(text, 'base64').toString(), []) : NONE;
    case 'python': case 'python3': return texts[0] === '-m' && texts[1] === 'base64' && flagged(/^-d$/) ? filter((text) => Buffer.from(text, 'base64').toString(), []) : NONE;
    case 'xxd': return flagged(/^-\w*r/) ? filter((text) => Buffer.from(text.replace(/\s/g, ''), 'hex').toString(), operands) : NONE;
    case 'find': case 'fd': case 'fdfind': case 'ls': {
      const found = foundBy(args).map((path) => (scope.cwd === null ? path : resolve(scope.cwd, path)));
      return found.length > 0 ? { texts: null, sketch: found.join('\n') } : NONE;
    }
    // Every process there is: what `kill -1` means.
    case 'ps': return !flagged(/^(--?(p|C|q|ppid|pid|u|U|t|G|g)$|--(ppid|pid|user|tty))/) && flagged(/^-?\w*[aexA]/) ? { texts: null, sketch: '-1' } : NONE;
    case 'pgrep': return operands.every((text) => /^(\.|\.\*|)$/.test(text ?? 'x')) && !flagged(/^-[a-z]*[uUPtg]/) ? { texts: null, sketch: '-1', tame: true } : flagged(/^-\w*[la]/) ? NONE : TAME;
    case 'pwd': return { texts: scope.cwd === null ? null : [scope.cwd] };
    case 'dirname': return operands.length > 0 ? print(`${operands.map((text) => dirname(text ?? '$_')).join('\n')}\n`) : NONE;
    case 'basename': return typeof operands[0] === 'string' ? print(`${basename(operands[0], operands[1] ?? '')}\n`) : NONE;
    case 'realpath': case 'readlink': return typeof operands[0] === 'string' && scope.cwd !== null && (name === 'realpath' || flagged(/^-[fem]|^--can/)) ? { texts: [resolve(scope.cwd, operands[0])] } : NONE;
    // A name that nobody knows, but the same one wherever it is put.
    case 'mktemp': return { texts: null, sketch: '/tmp/mktemp.new' };
    case 'nproc': case 'id': case 'whoami': case 'hostname': case 'uname': case 'arch': case 'seq': case 'wc': case 'jobs': return TAME;
    case 'lsof': return flagged(/^-\w*t/) ? TAME : NONE;
    case 'docker': case 'podman': return flagged(/^(-\w*q\w*|--quiet)$/) ? TAME : NONE;
    case 'date': return flagged(/^\+?-|^\+.*\s-/) ? NONE : TAME;
    case 'which': return typeof operands[0] === 'string' ? { texts: [`/usr/bin/${operands[0]}`] } : NONE;
    case 'command': case 'type': return typeof operands[0] === 'string' && flagged(/^-[vpP]$/) ? { texts: [operands[0]] } : NONE;
    case 'git': return texts[0] !== 'rev-parse' ? NONE : texts.includes('--show-toplevel') ? { texts: null, sketch: root } : texts.at(-1) === 'HEAD' ? TAME : NONE;
    default: return NONE;
  }
}

/** Backslash sequences as `printf` and `echo -e` read them. */
export function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|u([0-9a-fA-F]{4})|(.))/gs, (_, hex?: string, octal?: string, wide?: string, char = '') =>
    (hex || wide ? String.fromCharCode(parseInt(hex ?? wide ?? '', 16)) : octal ? String.fromCharCode(parseInt(octal, 8)) : ({ n: '\n', t: '\t', r: '\r', '\\': '\\' }[String(char)] ?? `\\${String(char)}`)));
}

function someLines(text: string, name: string, args: readonly string[]): string | null {
  const count = /(?:^|\s)-(?:n|-lines=?)?\s*([+-]?\d+)/.exec(args.join(' '))?.[1] ?? '10';
  if (args.some((arg) => /^-[a-z]*[cf]/.test(arg))) return null;
  const lines = text.replace(/\n$/, '').split('\n');
  const number = Number(count);
  if (name === 'head') return `${lines.slice(0, number).join('\n')}\n`;
  return `${(count.startsWith('+') ? lines.slice(number - 1) : lines.slice(-Math.abs(number))).join('\n')}\n`;
}

/* `a-z`, classes and escapes of tr written out. */
function letters(set: string): string[] {
  const classes: Readonly<Record<string, string>> = { lower: 'a-z', upper: 'A-Z', digit: '0-9', alpha: 'A-Za-z', alnum: 'A-Za-z0-9', space: ' \t\n' };
  const plain = unescaped(set.replace(/\[:(\w+):\]/g, (_, name: string) => classes[name] ?? '').replace(/^\[(.*)\]$/s, '$1'));
  return [...plain.matchAll(/([^])-([^])|([^])/g)].flatMap(([, from, to, one]) => {
    if (one !== undefined || !from || !to) return [one ?? ''];
    const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
    return last < first || last - first > 255 ? [from, '-', to] : Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i));
  });
}

function translated(text: string, args: readonly string[]): string | null {
  const sets = args.filter((arg) => !/^-[cCdst]+$/.test(arg)).map(letters);
  const [from = [], to = []] = sets;
  const flags = args.filter((arg) => /^-[cCdst]+$/.test(arg)).join('');
  if (/[cC]/.test(flags)) return null;
  if (flags.includes('d')) return [...text].filter((char) => !from.includes(char)).join('');
  if (to.length === 0) return text;
  return [...text].map((char) => (from.includes(char) ? to[Math.min(from.lastIndexOf(char), to.length - 1)] ?? char : char)).join('');
}

/** What simple `s/a/b/` of sed make of a text; `null` for any other program. */
function substituted(text: string, args: readonly string[]): string | null {
  const given = args.flatMap((arg, i) => (arg === '-e' ? [args[i + 1] ?? ''] : []));
  const scripts = (given.length > 0 ? given : args.filter((arg) => !arg.startsWith('-')).slice(0, 1)).flatMap((script) => script.split(/(?<=[/|#,@:!][gI]*);\s*/));
  if (args.some((arg) => /^-[a-zA-Z]*[nfsz]/.test(arg))) return null;
  let result = text;
  for (const script of scripts) {
    const [, by, from = '', to = '', flags = ''] = /^s([^\w\s\\])((?:\\[^]|(?!\1)[^\\])*)\1((?:\\[^]|(?!\1)[^\\])*)\1([gI]*)$/.exec(script.trim()) ?? [];
    if (by === undefined || from.length > 80 || /[*+}].*[*+}]/.test(from)) return null;
    try {
      const plain = from.replaceAll(`\\${by}`, by);
      const pattern = new RegExp(args.some((arg) => /^-[a-zA-Z]*[Er]/.test(arg)) ? plain : plain.replace(/\\([(){}|+?])|([(){}|+?])/g, (_, escaped?: string, bare?: string) => escaped ?? `\\${bare ?? ''}`), `${flags.includes('g') ? 'g' : ''}${flags.includes('I') ? 'i' : ''}`);
      result = result.split('\n').map((line) => line.replace(pattern, (...found: string[]) => to.replaceAll(`\\${by}`, by).replace(/\\(\d)|(\\.)|&/g, (all, group?: string, escaped?: string) => (group ? found[Number(group)] ?? '' : escaped ? unescaped(escaped).replace(/^\\/, '') : all === '&' ? found[0] ?? '' : all)))).join('\n');
    } catch {
      return null;
    }
  }
  return result;
}

function cut(text: string, args: readonly string[]): string | null {
  const line = args.join(' ');
  const [, kind, from, dash, to] = /(?:^|\s)-([cbf])\s*(\d+)?(-)?(\d+)?(?:\s|$)/.exec(line) ?? [];
  if (kind === undefined) return null;
  const by = kind === 'f' ? /-d\s*(\S| )/.exec(line)?.[1] ?? '\t' : '';
  const first = Number(from ?? 1) - 1;
  const end = dash === undefined ? first + 1 : to === undefined ? undefined : Number(to);
  return text.split('\n').map((row) => row.split(by).slice(first, end).join(by)).join('\n');
}

function grepped(text: string, args: readonly string[]): string | null {
  const flags = args.filter((arg) => arg.startsWith('-')).join('');
  const pattern = args.find((arg) => !arg.startsWith('-')) ?? '';
  if (/[^-viEFhsa]/.test(flags) || pattern.length > 80 || /[*+}].*[*+}]/.test(pattern)) return null;
  try {
    const matches = new RegExp(flags.includes('F') ? pattern.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`) : pattern, flags.includes('i') ? 'i' : '');
    return text.split('\n').filter((line) => line !== '' && matches.test(line) !== flags.includes('v')).map((line) => `${line}\n`).join('');
  } catch {
    return null;
  }
}

function awk(args: readonly string[], filter: (change: (text: string) => string | null, files: readonly (string | null)[]) => Printed): Printed {
  const program = (args.find((arg) => !arg.startsWith('-')) ?? '').trim();
  const said = /^BEGIN\s*\{\s*printf?\s*\(?\s*"((?:\\.|[^"\\])*)"\s*\)?\s*;?\s*\}$/s.exec(program)?.[1];
  if (said !== undefined) return { texts: [`${unescaped(said)}\n`] };
  if (/^(1|\{\s*print(\s+\$0)?\s*;?\s*\})$/.test(program)) return filter((text) => text, []);
  const column = /^(?:NR\s*>\s*1\s*)?\{\s*print\s+\$(\d)\s*;?\s*\}$/.exec(program)?.[1];
  if (column === undefined || args.some((arg) => arg.startsWith('-F'))) return NONE;
  // `-1` stands for a whole table of processes.
  return filter((text) => (text === '-1' ? text : text.split('\n').map((line) => line.trim().split(/\s+/)[Number(column) - 1] ?? '').join('\n')), []);
}
