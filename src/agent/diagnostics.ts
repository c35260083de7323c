// What checkers find: their outputs read, two states compared, and the difference said.

/** One finding. `file` is as the checker names it; `line` and `column` count from 1. */
export type Diagnostic = { file: string; line?: number; column?: number; level: 'error' | 'warning'; code?: string; message: string };

/** Two states of the same check. */
export type Change = { fresh: readonly Diagnostic[]; fixed: number; older: number };

const MOST_SHOWN = 50;
const MOST_CHARACTERS = 8_000;

/** Compares by file, code and message, never by line: an edit moves what stands below it. */
export function compare(before: readonly Diagnostic[], after: readonly Diagnostic[]): Change {
  const left = new Map<string, number>();
  for (const one of before) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1);
  const fresh = after.filter((one) => {
    const count = left.get(keyOf(one)) ?? 0;
    left.set(keyOf(one), count - 1);
    return count <= 0;
  });
  return { fresh, fixed: before.length - (after.length - fresh.length), older: after.length - fresh.length };
}

/** Both together. */
export function addChange(a: Change | undefined, b: Change): Change {
  return a === undefined ? b : { fresh: [...a.fresh, ...b.fresh], fixed: a.fixed + b.fixed, older: a.older + b.older };
}

const keyOf = ({ file, code, message }: Diagnostic): string => JSON.stringify([file, code, message]);

/** `2 new, 1 fixed, 14 older hidden`, and the new ones in full. */
export function sayChange({ fresh, fixed, older }: Change): string {
  const counts = [
    `${fresh.length === 0 ? 'nothing' : fresh.length} new`,
    ...(fixed > 0 ? [`${fixed} fixed`] : []),
    ...(older > 0 ? [`${older} older hidden`] : []),
  ].join(', ');
  return [counts, ...sayAll(fresh)].join('\n');
}

/** Errors first, a line each, bounded. */
export function sayAll(diagnostics: readonly Diagnostic[]): string[] {
  const sorted = diagnostics.toSorted((a, b) => Number(a.level !== 'error') - Number(b.level !== 'error'));
  let room = MOST_CHARACTERS;
  const lines = sorted.slice(0, MOST_SHOWN).map(sayOne).filter((line) => (room -= line.length) > 0);
  return lines.length === sorted.length ? lines : [...lines, `… and ${sorted.length - lines.length} more; run the checker to see them all.`];
}

function sayOne({ file, line, column, level, code, message }: Diagnostic): string {
  const place = [file, line, column].filter((part) => part !== undefined && part !== '').join(':');
  return `${place === '' ? '' : `${place} `}${level}${code === undefined ? '' : ` ${code}`}: ${message}`;
}

/** `tsc --pretty false`: `src/a.ts(3,5): error TS2322: …`, explained by indented lines. */
export function readTsc(output: string): Diagnostic[] {
  return readBlocks(output, /^(?:(.+?)\((\d+),(\d+)\): )?(error|warning) (TS\d+): (.*)$/, ([, file = '', line, column, level, code, message = '']) => ({ file, ...place(line, column), level: levelOf(level), code: code ?? '', message }));
}

/** What compilers and linters usually print: `a.c:3:5: error: …`. Indented lines belong to the one above. */
export function readLines(output: string): Diagnostic[] {
  return readBlocks(output, /^(?:vet: )?([^\s:][^:]*):(\d+)(?::(\d+))?:? (?:\[?(error|warning|note|[EFWCR]\d+)\]?:? )?(.*)$/, ([, file = '', line, column, level, message = '']) => ({ file: file.replace(/^\.\//, ''), ...place(line, column), level: levelOf(level), message }));
}

/** Line of a pattern and the indented ones behind it. */
function readBlocks(output: string, head: RegExp, make: (found: RegExpExecArray) => Diagnostic): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const line of output.split(/\r?\n/)) {
    const match = head.exec(line);
    const last = found.at(-1);
    if (match) found.push(make(match));
    else if (last && /^\s+\S/.test(line)) last.message += `\n${line}`;
  }
  return found;
}

type CargoLine = { reason?: string; message?: { level?: string; message?: string; code?: { code?: string } | null; spans?: { is_primary?: boolean; file_name?: string; line_start?: number; column_start?: number; label?: string | null }[] } };

/** `cargo --message-format=json`: a JSON object a line (https://doc.rust-lang.org/cargo/reference/external-tools.html). */
export function readCargo(output: string): Diagnostic[] {
  return output.split('\n').flatMap((line) => {
    const { reason, message } = (parse(line) ?? {}) as CargoLine;
    const level = message?.level;
    // Sums such as "aborting due to 2 errors" name no place.
    const span = message?.spans?.find(({ is_primary }) => is_primary);
    if (reason !== 'compiler-message' || !span || (level !== 'error' && level !== 'warning')) return [];
    const code = message?.code?.code;
    const text = [message?.message ?? '', ...(span.label ? [`  ${span.label}`] : [])].join('\n');
    return [{ file: span.file_name ?? '', ...place(span.line_start, span.column_start), level, ...(code && { code }), message: text }];
  });
}

/** `node --check`: the place, the source line, a caret, then the error. */
export function readNode(output: string): Diagnostic[] {
  const [, file, line] = /^(?:file:\/\/)?(.+):(\d+)$/m.exec(output) ?? [];
  const [, message] = /^(\w*Error.*)$/m.exec(output) ?? [];
  return file === undefined || message === undefined ? [] : [{ file, ...place(line, undefined), level: 'error', message }];
}

/** `python -m py_compile`: `File "a.py", line 3`, source, caret, then the error; or one line with the place in brackets. */
export function readPython(output: string): Diagnostic[] {
  const [, file, line] = /File "(.+?)", line (\d+)/.exec(output) ?? [];
  const [, message = ''] = /^(?:Sorry: )?(\w*Error: .*)$/m.exec(output) ?? [];
  return file === undefined ? [] : [{ file, ...place(line, undefined), level: 'error', message: message.replace(/ \(.*, line \d+\)$/, '') }];
}

/** `ruff check --output-format=json`. */
export function readRuff(output: string): Diagnostic[] {
  const all = (parse(output) ?? []) as { filename?: string; location?: { row?: number; column?: number }; code?: string | null; message?: string }[];
  return all.map(({ filename = '', location, code, message = '' }) => ({ file: filename, ...place(location?.row, location?.column), level: code && !/^(E9|F)/.test(code) ? 'warning' : 'error', ...(code && { code }), message }));
}

/** `pyright --outputjson`; its lines count from 0. */
export function readPyright(output: string): Diagnostic[] {
  const { generalDiagnostics = [] } = (parse(output) ?? {}) as { generalDiagnostics?: { file?: string; severity?: string; message?: string; rule?: string; range?: { start?: { line?: number; character?: number } } }[] };
  return generalDiagnostics.map(({ file = '', severity, message = '', rule, range }) => ({
    file, ...place(range?.start?.line === undefined ? undefined : range.start.line + 1, range?.start?.character === undefined ? undefined : range.start.character + 1), level: levelOf(severity), ...(rule && { code: rule }), message,
  }));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const levelOf = (word: string | undefined): Diagnostic['level'] => (word === undefined || /^(error|[EF]\d)/.test(word) ? 'error' : 'warning');

function place(line: string | number | undefined, column: string | number | undefined): { line?: number; column?: number } {
  return { ...(line !== undefined && { line: Number(line) }), ...(column !== undefined && { column: Number(column) }) };
}
