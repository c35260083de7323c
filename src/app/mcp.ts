// The MCP servers of a run: started behind the first paint, their tools beside the built-in ones, their news for the model.
import { join } from 'node:path';
import type { Loaded } from '../config/load.ts';
import { openKnownTools } from '../config/mcp-known.ts';
import { makeProjectDir } from '../config/paths.ts';
import { serverNews } from '../context/server-news.ts';
import { head } from '../lib/cut.ts';
import { openJsonl } from '../lib/jsonl.ts';
import { childEnv } from '../lib/spawn.ts';
import type { Manager, McpWorld } from '../mcp/manager.ts';
import { proxiedFetch } from '../providers/proxy.ts';
import { callTool } from '../tools/call-tool.ts';
import { listMcpResources, readMcpResource, type Resources } from '../tools/mcp-resources.ts';
import { toolSearch } from '../tools/tool-search.ts';
import type { Happening, McpServerState } from '../types/event.ts';
import type { Message } from '../types/message.ts';
import type { Tool } from '../types/tool.ts';
import type { Start } from './start.ts';

export type Mcp = {
  /** Resolves once the servers are being connected to; commands and dialogs reach them through it. */
  manager: Promise<Manager>;
  /** What finds and calls servers' tools, then every tool of every server there is now. */
  tools(): readonly Tool[];
  unconfirmed(): readonly string[];
  /** Takes changed tools of a server, or one by its registered name, for good. Gives their names. */
  confirm(name: string): string[];
  /** What the model has to be told before a prompt. At the first one it waits a while for servers whose tools are to be in the list. */
  news(messages: readonly Message[]): Promise<readonly string[]>;
  /** Says the state of the servers again: to a session that has just begun. */
  tell(): void;
  close(): Promise<void>;
};

/** How long the first prompt waits for servers with `defer: false`, and a search for any. */
const EAGER_MS = 5_000;
const SEARCH_MS = 15_000;
/** What the debug log takes of one text and of a whole run, in characters. */
const LOGGED = { one: 4_000, all: 5_000_000 };

/** `undefined` where no server is to be started: then nothing of all this is loaded. `more` is what servers may ask of us. */
export function openMcp(start: Start, loaded: Loaded, { emit, mask, more = {} }: { emit(happening: Happening): void; mask(text: string): string; more?: Pick<McpWorld, 'auth' | 'capabilities' | 'prepare'> }): Mcp | undefined {
  const servers = loaded.mcp.filter(({ enabled }) => enabled);
  if (servers.length === 0) return undefined;
  const { paths, env } = start;
  let states: readonly McpServerState[] = servers.map(({ name }) => ({ name, state: 'connecting', tools: 0 }));
  let made: Manager | undefined;
  let closed = false;
  const changed = (next: readonly McpServerState[]) => { states = next; emit({ type: 'mcp', servers: next }); };
  const notice = (level: 'info' | 'warn') => (text: string) => emit({ type: 'notice', level, text });
  const world: McpWorld = { version: start.version, roots: [paths.root, ...(start.addDirs ?? [])], env: childEnv(env), fetch: proxiedFetch(env), log: loaded.debug ? openLog(start, mask) : () => {}, ...more };

  const manager = new Promise((resolve) => { setImmediate(resolve); }).then(async () => {
    const { startServers } = await import('../mcp/manager.ts');
    made = startServers(closed ? [] : servers, world, openKnownTools(paths), { changed, info: notice('info'), warn: notice('warn') });
    return made;
  });
  const resources: Resources = {
    servers: () => servers.map(({ name, trustReadOnly }) => ({ name, trusted: trustReadOnly })),
    list: async (name, signal) => (await (await manager).find(name)?.resources(signal)) ?? [],
    async read(name, uri, signal) {
      const [raw, { contentsOf }] = await Promise.all([(await manager).find(name)?.readResource(uri, signal), import('../mcp/content.ts')]);
      return contentsOf(raw ?? {});
    },
  };
  const search = toolSearch({
    async tools(signal) {
      const aborted = new Promise<void>((resolve) => { signal.addEventListener('abort', () => resolve(), { once: true }); });
      await Promise.race([manager.then((all) => all.settled(() => true, SEARCH_MS)), aborted]);
      return made?.tools() ?? [];
    },
    absent: () => states.flatMap(({ name, state, problem = '' }) => (state === 'ready' ? [] : [state === 'failed' ? `The MCP server "${name}" is not there: ${head(problem, 300)}` : `The MCP server "${name}" is still connecting; search again later.`])),
  });
  const builtins: readonly Tool[] = [search, callTool(), listMcpResources(resources), readMcpResource(resources)];

  return {
    manager,
    tools: () => [...builtins, ...(made?.tools() ?? [])],
    unconfirmed: () => made?.unconfirmed() ?? [],
    confirm: (name) => made?.confirm(name) ?? [],
    async news(messages) {
      const first = !messages.some(({ role }) => role === 'assistant');
      if (first && servers.some(({ defer }) => !defer)) await manager.then((all) => all.settled(({ defer }) => !defer, EAGER_MS));
      const told = serverNews(servers.map(({ name }) => {
        const there = made?.servers().find(({ connection }) => connection.server.name === name);
        const instructions = there?.connection.instructions();
        const deferred = there?.tools.filter((tool) => tool.deferred).map((tool) => tool.name) ?? [];
        return { name, state: there?.connection.state().kind ?? 'connecting', tools: deferred.map((tool) => tool.slice(there?.prefix.length)), prefix: there?.prefix ?? '', ...(instructions !== undefined && { instructions }) };
      }), messages);
      return told === null ? [] : [told];
    },
    tell: () => emit({ type: 'mcp', servers: states }),
    async close() {
      closed = true;
      await made?.close();
    },
  };
}

/** What servers log, under .mewcode/logs; as much as a run may fill the disk with. */
function openLog({ paths }: Start, mask: (text: string) => string): McpWorld['log'] {
  let room = LOGGED.all;
  let log: ReturnType<typeof openJsonl> | undefined;
  return (server, text) => {
    if (room <= 0) return;
    const kept = head(text, LOGGED.one);
    room -= kept.length + 100;
    try {
      if (!log) { makeProjectDir(paths); log = openJsonl(join(paths.logs, 'mcp.jsonl')); }
      log.append({ at: new Date().toISOString(), server, text: mask(kept) });
    } catch {
      // A log that can't be written is no reason to stop.
      room = 0;
    }
  };
}
