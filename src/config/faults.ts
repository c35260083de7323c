// Faults: what is wrong in the configuration, where, and what would be right. All are told at once.
import { nearest } from '../lib/nearest.ts';
import { UserError } from '../types/user-error.ts';

/** `where` is a file with its line, a variable or a flag. */
export type Fault = { where: string; text: string };

/** Throws a `UserError` that lists the faults, if there are any. */
export function throwFaults(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const lines = faults.map(({ where, text }) => `${where}: ${text}`);
  throw new UserError(lines.length === 1 ? `The configuration has a fault. ${lines[0]}` : `The configuration has ${lines.length} faults:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/** The text of a fault for a name that is none of `known`. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return `${what}.${meant === undefined ? '' : ` Did you mean \`${meant}\`?`} Accepted: ${known.join(', ')}.`;
}

/** Keys whose values are never shown. */
export const isSecretKey = (key: string): boolean => /(?:api_?key|token|secret|password|authorization|cookie|mmuser_id)$/i.test(key) && key !== 'max_tokens' && key !== 'budget_tokens';
