// mewcode auth login | logout | status: what it says. The work is the composition root's.
import { cleanLine } from '../lib/clean.ts';
import { nearest } from '../lib/nearest.ts';
import { UserError } from '../types/user-error.ts';

const ACTIONS = ['login', 'logout', 'status'] as const;
export type AuthAction = (typeof ACTIONS)[number];

/** The only service with a login of ours. */
const SERVICE = 'copilot';

/** What `auth …` orders; `undefined` where the words are a prompt that begins so. Throws a `UserError` that names the nearest. */
export function parseAuth(words: readonly string[]): AuthAction | undefined {
  const [first, action, service, ...rest] = words;
  if (first !== 'auth') return undefined;
  const known = ACTIONS.find((one) => one === action);
  if (known === undefined) {
    if (words.length > 2) return undefined;
    const near = action === undefined ? undefined : nearest(action, ACTIONS);
    throw new UserError(action === undefined ? 'mewcode auth needs a word more.' : `There is no mewcode auth ${action}.`, `${near === undefined ? '' : `Did you mean ${near}? `}There are mewcode auth ${ACTIONS.join(', ')}.`);
  }
  if (rest.length > 0) return undefined;
  if (service !== undefined && service !== SERVICE && service !== 'github_copilot') throw new UserError(`There is no login for ${service}.`, `Only ${SERVICE} has one; other providers take a key: see mewcode auth status.`);
  return known;
}

/** What the user has to do now. */
export function deviceText({ userCode, url, minutes }: { userCode: string; url: string; minutes: number }): string {
  return `Open ${cleanLine(url)} and enter this code:\n\n    ${cleanLine(userCode)}\n\nIt is good for ${minutes} minutes. Waiting (Ctrl-C stops) …\n`;
}

/** One provider: its key as it may be shown and where it is from, or what is missing. */
export type AuthRow = { name: string; protocol: string; active: boolean; key?: string; from?: string; note?: string };

const width = (cells: readonly string[]): number => Math.max(0, ...cells.map((cell) => cell.length));

/** A line for each provider; the active one is marked. */
export function authText(rows: readonly AuthRow[]): string {
  const clean = rows.map((row) => ({ ...row, name: cleanLine(row.name), protocol: cleanLine(row.protocol) }));
  const [names, protocols] = [width(clean.map(({ name }) => name)), width(clean.map(({ protocol }) => protocol))];
  return clean.map(({ name, protocol, active, key, from, note }) => {
    const text = [key === undefined ? 'no key' : `key ${key}${from === undefined ? '' : ` from ${from}`}`, ...(note === undefined ? [] : [note])].join('; ');
    return `${active ? '*' : ' '} ${name.padEnd(names)}  ${protocol.padEnd(protocols)}  ${cleanLine(text)}\n`;
  }).join('');
}
