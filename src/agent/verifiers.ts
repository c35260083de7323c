// The checkers: which files each covers, how it is started, how its output is read. A checker is a row.
import { existsSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { findProgram } from '../lib/find-program.ts';
import { readCargo, readLines, readNode, readPyright, readPython, readRuff, readTsc, type Diagnostic } from './diagnostics.ts';

/** What one check is about. */
export type Target = {
  /** The project's folder, or the file's own for checkers of single files. */
  folder: string;
  /** The changed file, absolute. */
  file: string;
  /** The folder above which nothing is looked for. */
  root: string;
  env: Readonly<Record<string, string>>;
  /** For what a checker keeps between two runs; `null`: nowhere. */
  cacheDir: string | null;
};

export type Verifier = {
  /** As in `--- tsc verifier ---`. */
  name: string;
  covers(file: string): boolean;
  /** A file of this name marks the folder of the project that is checked as a whole; absent: the changed file alone is. */
  project?: string;
  /** It runs at the root, and once for all files where its command names none. */
  atRoot?: 'each file' | 'once';
} & (
  | { /** `undefined` where the checker is not installed. */ command(target: Target): { argv: readonly string[]; env?: Readonly<Record<string, string>> } | undefined; read(output: string): Diagnostic[] }
  /** Needs no program. */
  | { look(text: string, file: string): Promise<Diagnostic[]> }
);

const ends = (...suffixes: readonly string[]) => (file: string): boolean => suffixes.some((suffix) => file.endsWith(suffix));

export const verifiers: readonly Verifier[] = [
  {
    name: 'cargo', covers: ends('.rs'), project: 'Cargo.toml', read: readCargo,
    command: ({ env }) => started('cargo', env, ['check', '--message-format=json', '-q']),
  },
  {
    name: 'tsc', covers: (file) => /\.[cm]?tsx?$/.test(file), project: 'tsconfig.json', read: readTsc,
    command({ folder, root, env, cacheDir }) {
      const local = upwards(folder, root).map((at) => join(at, 'node_modules', '.bin', 'tsc')).find((path) => existsSync(path));
      const tsc = local ?? findProgram('tsc', env);
      const kept = cacheDir === null ? [] : ['--incremental', '--tsBuildInfoFile', join(cacheDir, `tsc-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}.json`)];
      return tsc === undefined ? undefined : { argv: [tsc, '--noEmit', '-p', '.', '--pretty', 'false', ...kept] };
    },
  },
  { name: 'go', covers: ends('.go'), project: 'go.mod', read: readLines, command: ({ env }) => started('go', env, ['vet', './...']) },
  python('pyright', ['--outputjson'], readPyright),
  python('ruff', ['check', '--output-format=json', '--no-cache'], readRuff),
  {
    name: 'python', covers: ends('.py'), read: readPython,
    command({ file, env, cacheDir }) {
      const program = ['python3', 'python'].map((name) => findProgram(name, env)).find((path) => path !== undefined);
      // Compiled files belong elsewhere than beside the source.
      return program === undefined ? undefined : { argv: [program, '-m', 'py_compile', file], env: { PYTHONPYCACHEPREFIX: cacheDir === null ? '/dev/null' : join(cacheDir, 'pycache') } };
    },
  },
  { name: 'node', covers: (file) => /\.[cm]?js$/.test(file), read: readNode, command: ({ file }) => ({ argv: [process.execPath, '--check', file] }) },
  { name: 'json', covers: ends('.json'), look: lookAtJson },
  { name: 'yaml', covers: (file) => /\.ya?ml$/.test(file), look: lookAtYaml },
];

/** The rows that count for a file: of several checkers of Python the most thorough that is there. */
export function verifiersOf(file: string, rows: readonly Verifier[], installed: (row: Verifier) => boolean): Verifier[] {
  const found = rows.filter((row) => row.covers(file) && installed(row));
  const first = found.find(({ name }) => PYTHON.includes(name));
  return found.filter((row) => !PYTHON.includes(row.name) || row === first);
}

const PYTHON: readonly string[] = ['pyright', 'ruff', 'python'];

function python(name: string, args: readonly string[], read: (output: string) => Diagnostic[]): Verifier {
  return { name, covers: ends('.py'), read, command: ({ file, env }) => started(name, env, [...args, file]) };
}

function started(name: string, env: Readonly<Record<string, string>>, args: readonly string[]): { argv: readonly string[] } | undefined {
  const program = findProgram(name, env);
  return program === undefined ? undefined : { argv: [program, ...args] };
}

/** A checker of the user's: `command` is shell text in which `{file}` stands for the changed file. */
export function configuredVerifier({ command, matches, parser }: { command: string; matches(file: string): boolean; parser: string | undefined }): Verifier {
  const readers: Readonly<Record<string, (output: string) => Diagnostic[]>> = { tsc: readTsc, cargo: readCargo, ruff: readRuff, pyright: readPyright, python: readPython, node: readNode };
  const name = /[^\s/]+(?=\s|$)/.exec(command)?.[0] ?? command;
  return {
    name, covers: matches, atRoot: command.includes('{file}') ? 'each file' : 'once', read: readers[parser ?? ''] ?? readLines,
    // The name is an argument of the shell, never part of its text.
    command: ({ file }) => ({ argv: ['sh', '-c', command.replaceAll('{file}', '"$1"'), 'sh', file] }),
  };
}

/** `folder` and those above it, up to `root`. */
export function upwards(folder: string, root: string): string[] {
  const all = [folder];
  for (let at = folder; at !== root && at !== dirname(at); at = dirname(at)) all.push(dirname(at));
  return all;
}

/** Files that are called JSON and may hold comments. */
const WITH_COMMENTS = /(^|\/)([tj]sconfig[^/]*|\.eslintrc|\.babelrc|\.swcrc|devcontainer|launch|settings|tasks|extensions|keybindings|api-extractor|\.jshintrc|deno|turbo|wrangler|renovate|biome|\.oxlintrc)\.json$/;

async function lookAtJson(text: string, file: string): Promise<Diagnostic[]> {
  try {
    JSON.parse(WITH_COMMENTS.test(file) ? withoutComments(text) : text.replace(/^\ufeff/, ''));
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? text.length);
    const lines = text.slice(0, at).split('\n');
    // The place is no part of what is compared.
    return [{ file, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, level: 'error', message: message.replace(/(, "[^]*" is not valid JSON)$| (in JSON )?at position \d+.*$/, '') }];
  }
}

/** Comments and last commas become blanks; texts stay. */
function withoutComments(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (piece) => (piece.startsWith('"') ? piece : piece.replace(/[^\n]/g, ' '))).replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (piece) => (piece === ',' ? ' ' : piece));
}

async function lookAtYaml(text: string, file: string): Promise<Diagnostic[]> {
  // Templates of Helm, Jinja and the like are no YAML yet.
  if (/\{\{|\{%/.test(text)) return [];
  const { default: { parseAllDocuments } } = await import('yaml');
  const documents = parseAllDocuments(text, { prettyErrors: true, logLevel: 'silent' });
  return ('empty' in documents ? [] : documents).flatMap(({ errors }) => errors).map(({ code, message, linePos }) => ({
    file, ...(linePos && { line: linePos[0].line, column: linePos[0].col }), level: 'error' as const, code, message: (message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, ''),
  }));
}
