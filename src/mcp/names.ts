// Names of servers' tools as every provider takes them: valid, at most 64 characters, one for each tool, the same at every start.
import { createHash } from 'node:crypto';

const LONGEST = 64;

const slug = (text: string): string => text.replace(/[^a-zA-Z0-9_-]/g, '_') || '_';

/**
 * For each configured server the prefix of its tools' names. It hangs on what is configured alone, never on which
 * server was quicker: a rule that allows a tool must mean the same one tomorrow.
 */
export function serverPrefixes(servers: readonly string[]): Map<string, string> {
  const prefixes = new Map<string, string>();
  const taken = new Set<string>();
  // Names that need no change have the first right to theirs.
  for (const name of [...servers].sort((a, b) => Number(slug(a) !== a) - Number(slug(b) !== b) || (a < b ? -1 : 1))) {
    const prefix = firstFree(`mcp_${slug(name)}`, taken);
    taken.add(prefix);
    prefixes.set(name, prefix);
  }
  return prefixes;
}

/** The registered name of each tool of one server. `others` are the prefixes of the other servers: what could be a name of theirs gets a hash. */
export function toolNames(prefix: string, tools: readonly string[], others: Iterable<string> = []): Map<string, string> {
  const foreign = [...others].filter((other) => other.startsWith(`${prefix}_`));
  const isTheirs = (name: string) => foreign.some((other) => name.startsWith(`${other}_`));
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const tool of [...new Set(tools)].sort((a, b) => Number(slug(a) !== a) - Number(slug(b) !== b) || (a < b ? -1 : 1))) {
    const name = `${prefix}_${slug(tool)}`;
    const plain = name.length > LONGEST ? undefined : firstFree(name, taken);
    const free = plain === undefined || isTheirs(plain) ? firstFree(hashed(name, tool), taken) : plain;
    taken.add(free);
    names.set(tool, free);
  }
  return names;
}

/** The end of the name is a hash of the whole. */
function hashed(name: string, tool: string): string {
  const hash = createHash('sha256').update(`${name}\n${tool}`).digest('hex').slice(0, 8);
  return `${name.slice(0, LONGEST - 9)}_${hash}`;
}

function firstFree(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : `_${number}`;
    const candidate = `${name.slice(0, LONGEST - end.length)}${end}`;
    if (!taken.has(candidate)) return candidate;
  }
}
