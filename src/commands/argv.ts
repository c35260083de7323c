// Reads the command line.
import { existsSync } from 'node:fs';
import { nearest } from '../lib/nearest.ts';
import { UserError } from '../types/user-error.ts';
import { parseAuth } from './auth.ts';
import { flags, type Invocation } from './flags.ts';
import { isMcpOrder, parseMcp } from './mcp-shell.ts';
import { parsePermissions } from './permissions.ts';

/** What `argv` (without node and the program) orders. Throws a `UserError` that names the nearest spelling of an unknown flag. `exists` tells a configuration file from a prompt. */
export function parseArgv(argv: readonly string[], exists: (path: string) => boolean = existsSync): Invocation {
  const invocation: Invocation = {
    door: 'app', format: 'text', renderer: 'own', session: { kind: 'new' }, trust: false, failOnDenied: false,
    settings: { allow: [], deny: [], addDirs: [] },
  };
  const words: string[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === 'mcp' && words.length === 0 && isMcpOrder(rest[0])) {
      // Our own server works with the flags that the app has, and clients' files have them behind.
      if (rest[0] === 'serve') takeFlagsBehind(rest, invocation);
      return { ...invocation, door: 'mcp', mcp: parseMcp(rest) };
    }
    if (word === '--') words.push(...rest.splice(0));
    else if (/^-./.test(word)) takeFlag(word, rest, invocation);
    else words.push(word);
  }

  // `chat "prompt"` is the older spelling of -p; `chat` alone opens the app.
  if (words[0] === 'chat') {
    words.shift();
    if (words.length > 0 && invocation.door === 'app') invocation.door = 'print';
  }
  // Only alone: "doctor, what ails me" is a prompt.
  if (words.length === 1 && words[0] === 'doctor' && invocation.door === 'app') {
    words.shift();
    invocation.door = 'doctor';
  }
  const auth = invocation.door === 'app' ? parseAuth(words) : undefined;
  if (auth !== undefined) return { ...invocation, door: 'auth', auth };
  const permissions = invocation.door === 'app' || invocation.door === 'help' ? parsePermissions(words, { help: invocation.door === 'help' }) : undefined;
  if (permissions !== undefined) return { ...invocation, door: 'permissions', permissions };
  for (const [flag, given] of [['--rules', invocation.rules], ['--json', invocation.json]] as const) {
    if (given !== undefined && invocation.door === 'app') throw new UserError(`${flag} goes with mewcode permissions.`, 'See mewcode permissions --help.');
  }
  const [first] = words;
  if (first !== undefined && /\.ya?ml$/.test(first) && exists(first)) {
    invocation.config ??= first;
    words.shift();
  }
  if (words.length > 0) invocation.prompt = words.join(' ');
  return invocation;
}

/** Takes the flags out that follow the first word. */
function takeFlagsBehind(rest: string[], invocation: Invocation): void {
  const behind = rest.splice(1);
  for (let [word] = behind; word?.startsWith('--') && word !== '--help'; [word] = behind) {
    behind.shift();
    takeFlag(word, behind, invocation);
  }
  rest.push(...behind);
}

function takeFlag(word: string, rest: string[], invocation: Invocation): void {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  const name = equals < 0 ? word : word.slice(0, equals);
  const flag = findFlag(name);
  if (!flag) {
    const near = nearest(name, flags.flatMap((known) => known.names));
    throw new UserError(`There is no flag ${name}.`, near === undefined ? 'See mewcode --help. A prompt that begins with a dash goes after --.' : `Did you mean ${near}?`);
  }
  const given = equals < 0 ? undefined : word.slice(equals + 1);
  if (flag.value === undefined) {
    if (given !== undefined) throw new UserError(`${name} takes no value, but was given "${given}".`);
    return flag.set(invocation, '');
  }
  const value = given ?? (rest[0] !== undefined && !findFlag(rest[0]) ? rest.shift() : undefined);
  if (!value) throw new UserError(`${name} needs a value: ${name} ${flag.value}.`);
  flag.set(invocation, value);
}

const findFlag = (name: string) => flags.find((flag) => flag.names.includes(name));

const CALLS = [
  ['mewcode [CONFIG.yaml]', 'open the app'],
  ['mewcode "PROMPT"', 'open the app with this prompt submitted'],
  ['mewcode -p "PROMPT"', 'answer once, without the screen (also: mewcode chat "PROMPT")'],
  ['mewcode doctor', 'check terminal, configuration, keys, providers, git, sandbox; exit 1 when something fails'],
  ['mewcode auth login|logout|status', 'log in to GitHub Copilot, forget the login, tell where each key comes from'],
  ['mewcode permissions explain CALL', 'say what would become of a tool call, and why; see mewcode permissions --help'],
  ['mewcode mcp add|remove|list|test|login|serve', 'MCP servers; see mewcode mcp --help'],
  ['cat FILE | mewcode -p "PROMPT"', 'the same, with the file attached'],
];

/** What `--help` prints. */
export function helpText(): string {
  const rows = flags.flatMap((flag) => (flag.summary ? [[[...shown(flag.names), ...(flag.value ? [flag.value] : [])].join(' '), flag.summary]] : []));
  return `MewCode, a full-screen coding agent for the terminal.\n\n${columns(CALLS)}\n\nFlags:\n${columns(rows)}\n\nInside the app: /help. Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 denied (--fail-on-denied), 4 limit reached.\n`;
}

/** The long spelling and the short one. */
const shown = ([first, ...others]: readonly string[]): string[] => [first ?? '', ...others.filter((name) => /^-[a-z]$/.test(name))];

function columns(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([left = '']) => left.length));
  return rows.map(([left = '', right = '']) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}
