// What braces and the operations of `${name…}` make of texts that are known.
import picomatch from 'picomatch';
import type { ParameterOperation } from 'unbash';

/** More alternatives, or longer ones, count as not known. */
export const MOST = 64;

/** A change of one text by `${name%x}` and the like; its operands are read already. `null` where it can't be known. */
export function operate(operation: ParameterOperation, text: string, operands: readonly string[]): string | null {
  const [first = '', second = ''] = operands;
  switch (operation.type) {
    case 'Remove': return removed(text, first, operation.operator);
    case 'Replace': {
      const matches = matcher(first);
      if (operation.operator === '/#') return affix(text, matches, { front: true, longest: true, by: second });
      if (operation.operator === '/%') return affix(text, matches, { front: false, longest: true, by: second });
      return replaced(text, matches, { by: second, all: operation.operator === '//' });
    }
    case 'Slice': {
      const [from, length] = [Number(first), operands.length > 1 ? Number(second) : text.length];
      if (!Number.isInteger(from) || !Number.isInteger(length)) return null;
      const start = from < 0 ? Math.max(0, text.length + from) : from;
      return text.slice(start, length < 0 ? length : start + length);
    }
    case 'CaseModification': {
      if (operation.operand !== undefined) return null;
      const to = operation.operator.startsWith('^') ? (piece: string) => piece.toUpperCase() : (piece: string) => piece.toLowerCase();
      return operation.operator.length > 1 ? to(text) : to(text.slice(0, 1)) + text.slice(1);
    }
    case 'Transform': return ({ U: text.toUpperCase(), L: text.toLowerCase(), u: text.slice(0, 1).toUpperCase() + text.slice(1) })[first] ?? null;
    case 'Default': return /^:?[?]$/.test(operation.operator) ? text : /^:?[+]$/.test(operation.operator) ? first : null;
    case 'Names': case 'Unknown': return null;
  }
}

/* Longer ones are not worth the time that trying every cut takes. */
const LONGEST = 256;

function matcher(pattern: string): (text: string) => boolean {
  // A wildcard of the shell's own matches slashes too.
  const body = [...pattern.replaceAll('[!', '[^').matchAll(/\\([^])|(\*+)|(\?)|(\[[^\]]+\])|([^])/g)]
    .map(([, escaped, star, one, set, char]) => (star ? '[^]*' : one ? '[^]' : set ?? (escaped ?? char ?? '').replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))).join('');
  // Many wildcards would take very long to try.
  if (body.split('[^]*').length > 4) return (text) => text === pattern;
  try {
    const whole = new RegExp(`^(?:${body})$`);
    return (text) => whole.test(text);
  } catch {
    return (text) => text === pattern;
  }
}

function removed(text: string, pattern: string, operator: string): string | null {
  return affix(text, matcher(pattern), { front: operator.startsWith('#'), longest: operator.length > 1, by: '' });
}

function affix(text: string, matches: (text: string) => boolean, how: { front: boolean; longest: boolean; by: string }): string | null {
  if (text.length > LONGEST) return null;
  const lengths = Array.from({ length: text.length + 1 }, (_, i) => (how.longest ? text.length - i : i));
  const found = lengths.find((length) => matches(how.front ? text.slice(0, length) : text.slice(text.length - length)));
  if (found === undefined) return text;
  return how.front ? how.by + text.slice(found) : text.slice(0, text.length - found) + how.by;
}

function replaced(text: string, matches: (text: string) => boolean, how: { by: string; all: boolean }): string | null {
  if (text.length > LONGEST) return null;
  let result = '';
  for (let at = 0; at < text.length;) {
    let end = text.length;
    while (end > at && !matches(text.slice(at, end))) end -= 1;
    if (end === at) { result += text[at]; at += 1; continue; }
    result += how.by;
    at = end;
    if (!how.all) return result + text.slice(at);
  }
  return result;
}

/** A wildcard of the shell as a test of whole paths. */
export function pathPattern(pattern: string): (path: string) => boolean {
  return picomatch(pattern.replaceAll('[!', '[^'), { dot: true });
}

/** The items of one `{a,b}` or `{1..9}`; `null` when there are too many. */
export function expandBraces(text: string): string[] | null {
  const inner = text.slice(1, -1);
  const range = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(inner);
  if (range) {
    const [, first = '', last = '', step = '1'] = range;
    const letters = /[A-Za-z]/.test(first);
    const at = (end: string) => (letters ? end.charCodeAt(0) : Number(end));
    const [from, to, by] = [at(first), at(last), Math.abs(Number(step)) || 1];
    const count = Math.floor(Math.abs(to - from) / by) + 1;
    if (count > MOST) return null;
    return Array.from({ length: count }, (_, i) => from + (to < from ? -i : i) * by).map((code) => (letters ? String.fromCharCode(code) : String(code)));
  }
  const items: string[] = [''];
  let depth = 0;
  let quote = '';
  for (let i = 0; i < inner.length; i += 1) {
    const char = inner[i] ?? '';
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if ('({'.includes(char)) depth += 1;
    else if (')}'.includes(char)) depth -= 1;
    if (char === ',' && depth === 0 && quote === '') { items.push(''); continue; }
    items[items.length - 1] += char + (char === '\\' ? inner[i += 1] ?? '' : '');
  }
  return items;
}
