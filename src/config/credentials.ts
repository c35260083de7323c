// The credentials file of the user's folder: logins that a command stored, mode 0600.
import { readFileSync } from 'node:fs';
import { writeAtomicSync } from '../lib/atomic.ts';
import { UserError } from '../types/user-error.ts';

/** A login at GitHub. Times are milliseconds since 1970; `expiresAt` is absent where the token does not run out by itself. */
export type Login = { token: string; host: string; api: string; at: number; expiresAt?: number };

/** The usual host of logins. */
export const GITHUB = 'https://github.com';

/** Address of the API of a GitHub host: beside the public one, in front of a company's own domain, or on an Enterprise server itself. */
export function githubApiOf(host: string): string {
  const url = URL.canParse(host) ? new URL(host) : new URL(GITHUB);
  const cloud = url.hostname === 'github.com' || url.hostname.endsWith('.ghe.com');
  return cloud ? `https://api.${url.hostname}` : `${url.origin}/api/v3`;
}

/** Logins by the protocol they are for. What else is in the file stays in it. */
type Credentials = Record<string, unknown>;

/** The stored login; `undefined` when there is none. Throws a `UserError` when the file can't be read. */
export function readLogin(file: string, name: string): Login | undefined {
  const login = read(file)[name];
  if (login === undefined) return undefined;
  if (!isLogin(login)) throw damaged(file);
  return login;
}

/** Stores a login, or with `undefined` takes it away. Throws a `UserError` when the file can't be read: it is never overwritten then. */
export function storeLogin(file: string, name: string, login: Login | undefined): void {
  const { [name]: _old, ...others } = read(file);
  writeAtomicSync(file, `${JSON.stringify(login ? { ...others, [name]: login } : others, null, 2)}\n`, { mode: 0o600 });
}

function read(file: string): Credentials {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UserError(`The stored logins in ${file} can't be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`, 'Correct its permissions.');
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Told below; the parser's own words would quote the file.
  }
  throw damaged(file);
}

function isLogin(value: unknown): value is Login {
  if (typeof value !== 'object' || value === null) return false;
  const { token, host, api, at, expiresAt } = value as Record<string, unknown>;
  return [token, host, api].every((text) => typeof text === 'string' && text !== '') && typeof at === 'number' && (expiresAt === undefined || typeof expiresAt === 'number');
}

const damaged = (file: string): UserError => new UserError(`The stored logins in ${file} are damaged.`, 'Delete the file and log in again.');

/** The part of the file that belongs to one MCP server, by its address; `T` is the login's own affair. `set(undefined)` forgets it. Both throw a `UserError` when the file can't be read. */
export function mcpLogin<T extends object>(file: string, url: string): { get(): T | undefined; set(login: T | undefined): void } {
  const all = (): Credentials => {
    const { mcp } = read(file);
    return typeof mcp === 'object' && mcp !== null ? { ...mcp } : {};
  };
  return {
    get: () => all()[url] as T | undefined,
    set(login) {
      const { [url]: _old, ...others } = all();
      writeAtomicSync(file, `${JSON.stringify({ ...read(file), mcp: login ? { ...others, [url]: login } : others }, null, 2)}\n`, { mode: 0o600 });
    },
  };
}
