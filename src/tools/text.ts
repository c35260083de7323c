// Small helpers on text that goes to the model: cutting, counting, naming paths.
import { isAbsolute, relative } from 'node:path';
import { head } from '../lib/cut.ts';

/** The longest result that reaches a model whole. */
export const MAX_RESULT = 50_000;

/** A long line with its end left out, and said. */
export function cutLine(line: string, limit: number): string {
  return line.length <= limit ? line : `${head(line, limit)}… [line cut: ${line.length.toLocaleString('en')} characters]`;
}

/** `text` within the limit of a result, what was left out said. `hint` says how to get the rest. */
export function bounded(text: string, hint: string, limit = MAX_RESULT): string {
  if (text.length <= limit) return text;
  const room = limit - hint.length - 80;
  const kept = head(text, room);
  // Whole lines, unless one is most of the text.
  const border = kept.lastIndexOf('\n') + 1;
  const whole = border > room / 2 ? kept.slice(0, border) : kept;
  return `${whole.trimEnd()}\n[${(text.length - whole.length).toLocaleString('en')} more characters left out. ${hint}]`;
}

/** A path as results name it: relative to the project root where it lies below. */
export function shownPath(path: string, root: string): string {
  const short = relative(root, path);
  if (short === '') return '.';
  return short.split(/[/\\]/)[0] === '..' || isAbsolute(short) ? path : short;
}
