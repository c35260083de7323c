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
import { toolSearch, type Findable } from '../tools/tool-search.ts';
import type { Command, McpDesk } from '../types/command.ts';
import type { Happening, McpServerState } from '../types/event.ts';
import type { Message } from '../types/message.ts';
import type { McpServerSettings } from '../types/settings.ts';
import type { Tool } from '../types/tool.ts';
import { UserError } from '../types/user-error.ts';
import { attachResources } from './mcp-mentions.ts';
import { promptCommands } from './mcp-prompts.ts';
import { loginsOf } from './mcp-shell.ts';
import type { Start } from './start.ts';
import { choose } from './toolset.ts';

export type Mcp = {
  /** Every configured server as it is now; starts to connect to the enabled ones where that has not begun. */
  manager(): Promise<Manager>;
  desk: McpDesk;
  /** What finds and calls servers' tools, then every tool of every server there is now. */
  tools(): readonly Tool[];
  /** Their prompts. */
  commands(): readonly Command[];
  unconfirmed(): readonly string[];
  /** Waits a while, once, for servers whose tools are to be in the list of the first request. */
  begin(): Promise<void>;
  /** What the model has to be told and was not yet. */
  news(messages: readonly Message[]): readonly string[];
  /** What a prompt attaches by `@server:uri`. */
  attach(prompt: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Says the state of the servers again: to a session that has just begun. */
  tell(): void;
  close(): Promise<void>;
};

/** Its tools are in the list from the start. */
const eager = ({ enabled, defer }: McpServerSettings): boolean => enabled && !defer;

/** Where none is configured. */
export const NO_SERVERS: McpDesk = { list: () => [], login: async () => {}, reconnect: async () => {}, switchOff: async () => {}, confirm: () => [] };

/** How long the first prompt waits for servers with `defer: false`, and a search for any. */
const EAGER_MS = 5_000;
const SEARCH_MS = 15_000;
/** What the debug log takes of one text and of a whole run, in characters. */
const LOGGED = { one: 4_000, all: 5_000_000 };

/** `undefined` where no server is configured: then nothing of all this is loaded. `more` gives what servers may ask of us, once they are started. */
export function openMcp(start: Start, loaded: Loaded, { emit, mask, more }: { emit(happening: Happening): void; mask(text: string): string; more?(): Promise<Pick<McpWorld, 'capabilities' | 'prepare'>> }): Mcp | undefined {
  const servers = loaded.mcp;
  if (servers.length === 0) return undefined;
  const { paths, env } = start;
  const wanted = choose(loaded.config.tools ?? {});
  const anyEnabled = servers.some(({ enabled }) => enabled);
  let states: readonly McpServerState[] = [];
  let starting: Promise<Manager> | undefined;
  let made: Manager | undefined;
  let begun: Promise<void> | undefined;
  let closed = false;
  const closing = new AbortController();

  const open = async () => {
    const [{ startServers }, { keptLogin }] = await Promise.all([import('../mcp/manager.ts'), import('../mcp/login.ts')]);
    const answers = await more?.();
    const world: McpWorld = { version: start.version, roots: [paths.root, ...(start.addDirs ?? [])], env: childEnv(env), fetch: proxiedFetch(env), log: loaded.debug ? openLog(start, mask) : () => {}, withLogin: keptLogin(loginsOf(start)), ...answers };
    made = startServers(closed ? [] : servers, world, openKnownTools(paths), {
      changed(next) { states = next; emit({ type: 'mcp', servers: next }); },
      info: (text) => emit({ type: 'notice', level: 'info', text }),
      warn: (text) => emit({ type: 'notice', level: 'warn', text }),
    });
    return made;
  };
  const manager = () => (starting ??= open());
  // Behind what the screen is busy with now.
  if (anyEnabled) setImmediate(manager);

  const find = async (name: string) => {
    const connection = (await manager()).find(name);
    if (!connection) throw new UserError(`There is no MCP server "${name}".`, `There are: ${servers.map((server) => server.name).join(', ')}.`);
    return connection;
  };
  const resources: Resources = {
    servers: () => servers.filter(({ name }) => states.some((state) => state.name === name)).map(({ name, trustReadOnly }) => ({ name, trusted: trustReadOnly })),
    list: async (name, signal) => (await find(name)).resources(signal),
    async read(name, uri, signal) {
      const raw = await (await find(name)).readResource(uri, signal);
      const { contentsOf } = await import('../mcp/content.ts');
      return contentsOf(raw);
    },
  };
  const findable: Findable = {
    async tools(signal) {
      const aborted = new Promise<void>((resolve) => { signal.addEventListener('abort', () => resolve(), { once: true }); });
      await Promise.race([manager().then((all) => all.settled(() => true, SEARCH_MS)), aborted]);
      return findable.ready();
    },
    ready: () => made?.tools().filter(({ name }) => wanted(name)) ?? [],
    absent: () => states.flatMap(({ name, state, problem = '' }) => (state === 'ready' ? [] : [state === 'failed' ? `The MCP server "${name}" is not there: ${head(problem, 300)}` : `The MCP server "${name}" is still connecting; search again later.`])),
  };
  const builtins: readonly Tool[] = [toolSearch(findable), callTool(), listMcpResources(resources), readMcpResource(resources)];

  const desk: McpDesk = {
    list: () => servers.map((server) => {
      const there = made?.servers().find(({ connection }) => connection.server === server);
      const state = there?.connection.state() ?? { kind: server.enabled ? 'connecting' : 'off' };
      const tools = there?.tools ?? [];
      return {
        name: server.name, from: server.from, kind: server.via.kind, what: server.via.kind === 'stdio' ? [server.via.command, ...server.via.args].join(' ') : server.via.url, state: state.kind,
        ...(state.kind === 'failed' && { problem: state.problem }), tools: tools.map(({ name, description }) => ({ name, description })),
        changed: (made?.unconfirmed() ?? []).filter((name) => tools.some((tool) => tool.name === name)),
      };
    }),
    async login(name, say) {
      const [{ logInTo }, connection] = await Promise.all([import('../mcp/login.ts'), find(name)]);
      await logInTo(connection.server, { storeOf: loginsOf(start), env, send: proxiedFetch(env), signal: closing.signal, say });
      await connection.reconnect();
    },
    reconnect: async (name) => (await find(name)).reconnect(),
    switchOff: async (name) => (await find(name)).switchOff(),
    confirm: (name) => made?.confirm(name) ?? [],
  };

  return {
    manager, desk,
    tools: () => [...builtins, ...(made?.tools() ?? [])],
    commands: () => promptCommands(made?.servers() ?? []),
    unconfirmed: () => made?.unconfirmed() ?? [],
    begin: () => (begun ??= servers.some(eager) ? manager().then((all) => all.settled(eager, EAGER_MS)) : Promise.resolve()),
    news(messages) {
      const told = serverNews(anyEnabled && !made ? servers.filter(({ enabled }) => enabled).map(({ name }) => ({ name, state: 'connecting', tools: [], prefix: '' })) : (made?.servers() ?? []).flatMap(({ connection, tools, prefix }) => {
        const { kind } = connection.state();
        const instructions = connection.instructions();
        const names = tools.filter((tool) => tool.deferred && wanted(tool.name)).map(({ name }) => name.slice(prefix.length));
        return kind === 'off' ? [] : [{ name: connection.server.name, state: kind, tools: names, prefix, ...(instructions !== undefined && { instructions }) }];
      }), messages);
      return told === null ? [] : [told];
    },
    attach: (prompt, signal) => attachResources(prompt, { servers: servers.map(({ name }) => name), read: resources.read, warn: (text) => emit({ type: 'notice', level: 'warn', text }) }, signal),
    tell: () => emit({ type: 'mcp', servers: states }),
    async close() {
      closed = true;
      closing.abort();
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
