// What is remembered of MCP servers' tools between sessions: a fingerprint of each, so that a changed one is noticed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomicSync } from '../lib/atomic.ts';
import type { McpServerSettings } from '../types/settings.ts';
import type { Paths } from './paths.ts';

type Prints = Readonly<Record<string, string>>;

/** `get` gives `undefined` for a server that was never seen as it is configured now. `set` is best effort: what can't be written is only forgotten. */
export function openKnownTools(paths: Pick<Paths, 'userDir' | 'root'>): { get(server: McpServerSettings): Prints | undefined; set(server: McpServerSettings, prints: Prints): void } {
  const file = join(paths.userDir, 'mcp-tools.json');
  const read = (): Record<string, Prints> => {
    try {
      const all: unknown = JSON.parse(readFileSync(file, 'utf8'));
      return typeof all === 'object' && all !== null && !Array.isArray(all) ? (all as Record<string, Prints>) : {};
    } catch {
      return {};
    }
  };
  return {
    get(server) {
      const all = read();
      const key = keyOf(server, paths.root);
      return Object.hasOwn(all, key) ? all[key] : undefined;
    },
    set(server, prints) {
      try {
        writeAtomicSync(file, `${JSON.stringify({ ...read(), [keyOf(server, paths.root)]: prints }, null, 1)}\n`);
      } catch {
        // The next session sees the server for the first time again.
      }
    },
  };
}

/** Another program or address, or another project's server of that name, is another server. */
function keyOf({ name, scope, via }: McpServerSettings, root: string): string {
  const what = via.kind === 'stdio' ? [via.command, ...via.args] : [via.url];
  return `${name} ${createHash('sha256').update(JSON.stringify([scope === 'user' ? '' : root, what])).digest('hex').slice(0, 16)}`;
}
