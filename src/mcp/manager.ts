// All servers: connects them at the same time, keeps their tools under one roof, and says what becomes of them.
import type { McpServerState } from '../types/event.ts';
import type { McpServerSettings } from '../types/settings.ts';
import type { Tool } from '../types/tool.ts';
import { asTool } from './as-tool.ts';
import { connectServer, type Connection } from './connection.ts';
import { fingerprint } from './lists.ts';
import { serverPrefixes, toolNames } from './names.ts';
import type { McpWorld } from './transport.ts';

export type { Connection } from './connection.ts';
export type { McpWorld } from './transport.ts';

/** What is remembered of tools from one session to the next: a fingerprint of each, by server. */
export type KnownTools = {
  /** `undefined` or nothing of a tool: it was never seen. */
  get(server: McpServerSettings): Readonly<Record<string, string>> | undefined;
  set(server: McpServerSettings, prints: Readonly<Record<string, string>>): void;
};

export type ServerTools = { connection: Connection; /** As `Tool`s with their registered names. */ tools: readonly Tool[]; /** What those names begin with. */ prefix: string };

export type Manager = {
  /** By the order of the configuration. */
  servers(): readonly ServerTools[];
  /** Every tool there is now. */
  tools(): readonly Tool[];
  find(name: string): Connection | undefined;
  /** Registered names of tools that are no longer what the user allowed. */
  unconfirmed(): readonly string[];
  /** Takes the tools of a server, or one tool by its registered name, for what they are now. Gives the names. */
  confirm(name: string): string[];
  /** Resolves when none of them is connecting any more, or after `ms`. */
  settled(which: (server: McpServerSettings) => boolean, ms: number): Promise<void>;
  /** Asks all to end and waits a moment; who then leaves the program calls `killAllGroups` for those that do not. */
  close(): Promise<void>;
};

/** Between two starts: keys that are typed meanwhile want to be seen. */
const BREATH_MS = 10;
/** Events are gathered for so long. */
const GATHER_MS = 30;
/** Those that take longer are told of later. */
const FIRST_WORD_MS = 5_000;

/** Starts all that are enabled at once. `told.changed` gets the state of all after each change; the other two are for the screen. */
export function startServers(settings: readonly McpServerSettings[], world: McpWorld, known: KnownTools, told: { changed(states: readonly McpServerState[]): void; info(text: string): void; warn(text: string): void }): Manager {
  const prefixes = serverPrefixes(settings.map(({ name }) => name));
  const failures = new Map<string, string>();
  /** Registered names by server. */
  const unconfirmed = new Map<string, readonly string[]>();
  let registered: readonly ServerTools[] | undefined;
  let timer: NodeJS.Timeout | undefined = setTimeout(look, 0);
  /** How many were connected when it was last said; `undefined` before the first time. */
  let announced: number | undefined;
  let closed = false;

  const connections: readonly Connection[] = settings.map((server, index) => connectServer(server, world, {
    after: index * BREATH_MS,
    changed() {
      registered = undefined;
      // At once: no call may slip through between a change and our notice of it.
      const connection = connections[index];
      if (connection?.state().kind === 'ready') compare(connection);
      timer ??= setTimeout(look, GATHER_MS);
    },
    warn: told.warn,
  }));
  const firstWord = setTimeout(announce, FIRST_WORD_MS);
  firstWord.unref();
  Promise.all(connections.map((connection) => connection.settled())).then(announce);

  function look(): void {
    timer = undefined;
    if (closed) return;
    for (const { connection } of servers()) {
      const state = connection.state();
      const { name } = connection.server;
      if (state.kind === 'ready') failures.delete(name);
      if (state.kind !== 'failed' || failures.get(name) === state.problem) continue;
      failures.set(name, state.problem);
      told.warn(`The MCP server "${name}" is skipped: ${state.problem}`);
    }
    told.changed(servers().flatMap(({ connection, tools }): McpServerState[] => {
      const state = connection.state();
      return state.kind === 'off' ? [] : [{ name: connection.server.name, state: state.kind, tools: tools.length, ...(state.kind === 'failed' && { problem: state.problem }) }];
    }));
    if (announced !== undefined) announce();
  }

  /** Says how many there are; again when there are more. */
  function announce(): void {
    clearTimeout(firstWord);
    const ready = servers().filter(({ connection }) => connection.state().kind === 'ready');
    const more = ready.length > (announced ?? 0);
    announced = Math.max(announced ?? 0, ready.length);
    if (more && !closed) told.info(`Connected to ${ready.length} MCP server(s), ${ready.flatMap(({ tools }) => tools).length} tools registered`);
  }

  /** Holds the tools of a server against what is known of them. What has changed stays as it was known, until it is confirmed. */
  function compare(connection: Connection): void {
    const { server } = connection;
    const before = known.get(server) ?? {};
    const now = printsOf(connection);
    const isChanged = (tool: string) => Object.hasOwn(before, tool) && before[tool] !== now[tool];
    const fresh = Object.entries(now).filter(([tool]) => !Object.hasOwn(before, tool));
    if (fresh.length > 0) known.set(server, { ...before, ...Object.fromEntries(fresh) });
    const names = nameAll(server, connection);
    const doubtful = Object.keys(now).filter(isChanged).map((tool) => names.get(tool) ?? tool);
    const unsaid = doubtful.filter((name) => !unconfirmed.get(server.name)?.includes(name));
    unconfirmed.set(server.name, doubtful);
    if (unsaid.length > 0) told.warn(`The MCP server "${server.name}" has changed what it says of ${unsaid.join(', ')}. Rules that allow ${unsaid.length === 1 ? 'it' : 'them'} do not count until you confirm the change: /mcp confirm ${server.name}`);
  }

  function nameAll(server: McpServerSettings, connection: Connection): Map<string, string> {
    const prefix = prefixes.get(server.name) ?? server.name;
    return toolNames(prefix, connection.tools().map(({ name }) => name), [...prefixes.values()].filter((other) => other !== prefix));
  }

  function servers(): readonly ServerTools[] {
    return (registered ??= connections.map((connection) => {
      const { server } = connection;
      const names = nameAll(server, connection);
      const { kind } = connection.state();
      const counted = kind === 'failed' || kind === 'off' ? [] : connection.tools().filter(({ name }) => isWanted(name, server));
      return { connection, prefix: `${prefixes.get(server.name) ?? ''}_`, tools: counted.map((tool) => asTool({ name: names.get(tool.name) ?? tool.name, server: server.name, tool, defer: server.defer, trustReadOnly: server.trustReadOnly, ask: connection.call })) };
    }));
  }

  return {
    servers,
    tools: () => servers().flatMap(({ tools }) => tools),
    find: (name) => connections.find(({ server }) => server.name === name),
    unconfirmed: () => [...unconfirmed.values()].flat(),
    confirm(name) {
      return connections.flatMap((connection) => {
        const { server } = connection;
        const names = (unconfirmed.get(server.name) ?? []).filter((one) => server.name === name || one === name);
        if (names.length === 0) return [];
        const now = printsOf(connection);
        const registeredNames = nameAll(server, connection);
        known.set(server, { ...known.get(server), ...Object.fromEntries(Object.entries(now).filter(([tool]) => names.includes(registeredNames.get(tool) ?? ''))) });
        unconfirmed.set(server.name, (unconfirmed.get(server.name) ?? []).filter((one) => !names.includes(one)));
        return names;
      });
    },
    async settled(which, ms) {
      const waiting = connections.filter((connection) => which(connection.server) && connection.state().kind === 'connecting');
      if (waiting.length === 0) return;
      const late = Promise.withResolvers<void>();
      const limit = setTimeout(late.resolve, ms);
      await Promise.race([Promise.all(waiting.map((connection) => connection.settled())), late.promise]);
      clearTimeout(limit);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      clearTimeout(firstWord);
      await Promise.all(connections.map((connection) => connection.close()));
    },
  };
}

const printsOf = (connection: Connection): Record<string, string> => Object.fromEntries(connection.tools().map((tool) => [tool.name, fingerprint(tool)]));

/** Whether the configuration lets a tool count; `*` in a pattern stands for anything. */
function isWanted(name: string, { allow, deny }: Pick<McpServerSettings, 'allow' | 'deny'>): boolean {
  const fits = (patterns: readonly string[]) => patterns.some((pattern) => matches(pattern, name));
  return (allow === undefined || fits(allow)) && !(deny && fits(deny));
}

function matches(pattern: string, name: string): boolean {
  const body = pattern.split('*').map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)).join('.*');
  return new RegExp(`^${body}$`, 's').test(name);
}
