// What is remembered of MCP servers' tools between sessions: a fingerprint of each, so that a changed one is noticed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomic } from '../lib/atomic.ts';
import type { McpServerSettings } from '../types/settings.ts';
import type { Paths } from './paths.ts';

type Prints = Readonly<Record<string, string>>;

/** `get` gives `undefined` for a server that was never seen as it is configured now. `set` counts at once and is written soon; what can't be written is only forgotten. */
export function openKnownTools(paths: Pick<Paths, 'userDir' | 'root'>): { get(server: McpServerSettings): Prints | undefined; set(server: McpServerSettings, prints: Prints): void } {
  const file = join(paths.userDir, 'mcp-tools.json');
  const ours = new Map<string, Prints>();
  let known: Readonly<Record<string, Prints>> | undefined;
  let writing: Promise<void> | undefined;
  let due = false;

  /** One write for all that is set meanwhile; what other sessions have written stays, unless they do so at the same instant: then they see a server for the first time again. */
  async function write(): Promise<void> {
    while (due) {
      due = false;
      await writeAtomic(file, `${JSON.stringify({ ...read(file), ...Object.fromEntries(ours) }, null, 1)}\n`, { mode: 0o600 }).catch(() => {});
    }
    writing = undefined;
  }

  return {
    get(server) {
      const key = keyOf(server, paths.root);
      known ??= read(file);
      return ours.get(key) ?? (Object.hasOwn(known, key) ? known[key] : undefined);
    },
    set(server, prints) {
      ours.set(keyOf(server, paths.root), prints);
      due = true;
      writing ??= Promise.resolve().then(write);
    },
  };
}

/** What can't be read is as if nothing had been seen. */
function read(file: string): Record<string, Prints> {
  try {
    const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Prints>;
    return Object.fromEntries(Object.entries(all).filter(([, prints]) => typeof prints === 'object' && prints !== null));
  } catch {
    return {};
  }
}

/** Another program or address, or another project's server of that name, is another server. */
function keyOf({ name, scope, via }: McpServerSettings, root: string): string {
  const what = via.kind === 'stdio' ? [via.command, ...via.args] : [via.url];
  return `${name} ${createHash('sha256').update(JSON.stringify([scope === 'user' ? '' : root, what])).digest('hex').slice(0, 16)}`;
}
