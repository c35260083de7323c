// Writes servers into the mcp.json files and takes them out; what else is in them stays.
import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomicSync } from '../lib/atomic.ts';
import { withLock } from '../lib/lock.ts';
import { UserError } from '../types/user-error.ts';
import { isBlock } from './merge.ts';
import { makeProjectDir, shortPath, type Paths } from './paths.ts';
import { readText } from './permission-files.ts';

type Scope = 'user' | 'project';

const LONGEST_NAME = 60;

/** Adds a server and gives the file it stands in now. Throws a `UserError` when there is one of that name, or the file can't be read. */
export function addServer(paths: Paths, { name, entry, scope }: { name: string; entry: object; scope: Scope }): string {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name) || name.length > LONGEST_NAME) throw new UserError(`"${name}" can't be the name of a server.`, `Use up to ${LONGEST_NAME} letters, digits, dots, dashes and underscores.`);
  if (scope === 'project') makeProjectDir(paths);
  const path = scope === 'user' ? join(paths.userDir, 'mcp.json') : join(paths.projectDir, 'mcp.json');
  change(path, paths, (servers) => {
    if (Object.hasOwn(servers, name)) throw new UserError(`${shortPath(path, paths)} has a server "${name}" already.`, `mewcode mcp remove ${name} takes it out.`);
    return { ...servers, [name]: entry };
  });
  return path;
}

/** Takes a server out of the nearest file that has it, and gives that file; `undefined` where none has. */
export function removeServer(paths: Paths, { name, scope }: { name: string; scope?: Scope }): string | undefined {
  const places = [
    ...(scope !== 'user' && paths.hasProject ? [join(paths.projectDir, 'mcp.json'), join(paths.root, '.mcp.json')] : []),
    ...(scope !== 'project' ? [join(paths.userDir, 'mcp.json')] : []),
  ];
  return places.find((path) => {
    let found = false;
    if (readText(path) === undefined) return false;
    change(path, paths, ({ [name]: entry, ...others }) => {
      found = entry !== undefined;
      return found ? others : undefined;
    });
    return found;
  });
}

/** `edit` gives the servers as they shall be; `undefined` leaves the file alone. */
function change(path: string, paths: Paths, edit: (servers: Readonly<Record<string, unknown>>) => object | undefined): void {
  withLock(`${path}.lock`, () => {
    const text = readText(path) ?? '';
    const content = text.trim() === '' ? {} : parse(text, shortPath(path, paths));
    const servers = content['mcpServers'] ?? {};
    if (!isBlock(servers)) throw new UserError(`"mcpServers" in ${shortPath(path, paths)} is not an object.`, 'Correct the file by hand first.');
    const next = edit(servers);
    // Whoever made it a link meant the file behind it.
    const target = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? realpathSync(path) : path;
    if (next !== undefined) writeAtomicSync(target, `${JSON.stringify({ ...content, mcpServers: next }, null, 2)}\n`, { mode: 0o600 });
  });
}

function parse(text: string, label: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isBlock(value)) return { ...value };
  } catch {
    // Told below.
  }
  throw new UserError(`${label} is not plain JSON, so it can't be changed without losing something.`, 'Change it by hand.');
}
