// mewcode mcp …: adds, removes, lists, tests and logs in to MCP servers.
import { mcpHelp, type McpOrder } from '../commands/mcp-shell.ts';
import { mcpLogin } from '../config/credentials.ts';
import { addServer, removeServer } from '../config/mcp-file.ts';
import { shortPath } from '../config/paths.ts';
import { clean, cleanLine } from '../lib/clean.ts';
import { nearest } from '../lib/nearest.ts';
import { plural } from '../lib/plural.ts';
import { childEnv } from '../lib/spawn.ts';
import { columnsOf } from '../lib/width.ts';
import type { Connection } from '../mcp/connection.ts';
import type { KeptLogin, LoginStore } from '../mcp/oauth.ts';
import { proxiedFetch } from '../providers/proxy.ts';
import type { McpServerSettings } from '../types/settings.ts';
import { sentenceOf, UserError } from '../types/user-error.ts';
import type { Start } from './start.ts';

export type McpStreams = { signal: AbortSignal; out(text: string): void; err(text: string): void };

/** What reaching a server takes. */
export type McpStart = Pick<Start, 'paths' | 'env' | 'version' | 'addDirs'>;

/** A server is asked once: whoever waits at a prompt wants an answer, not patience. */
const CONNECT_MS = 30_000;

/** Does it and gives the exit code. Rejects with a `UserError`. */
export async function runMcp(order: McpOrder, start: Start, streams: McpStreams): Promise<number> {
  const { out } = streams;
  switch (order.action) {
    case 'help': out(mcpHelp(order.of)); return 0;
    case 'add': return add(order, start, streams);
    case 'remove': return remove(order, start, streams);
    case 'list': return list(order, start, streams);
    case 'test': return test(await find(order.name, start, streams), start, streams);
    case 'login': {
      const [{ logInTo }, server] = await Promise.all([import('../mcp/login.ts'), find(order.name, start, streams)]);
      await logInTo(server, { storeOf: loginsOf(start), env: start.env, send: proxiedFetch(start.env), signal: streams.signal, say: out });
      out(`You are logged in to "${order.name}". The login is kept in ${shortPath(start.paths.credentials, start.paths)}.\n`);
      return 0;
    }
    case 'logout': {
      const [{ logOutOf }, server] = await Promise.all([import('../mcp/login.ts'), find(order.name, start, streams)]);
      out(logOutOf(server, loginsOf(start)) ? `The login at "${order.name}" is forgotten here.\n` : 'You were not logged in.\n');
      return 0;
    }
    case 'serve': {
      const { runMcpServe } = await import('./mcp-serve.ts');
      return runMcpServe({ ...start, session: { kind: 'none' } }, process);
    }
    case 'conformance': {
      const { runConformance } = await import('../mcp/conformance.ts');
      return runConformance(order.url, { ...start, err: streams.err });
    }
  }
}

function add({ name, entry, scope }: Extract<McpOrder, { action: 'add' }>, { paths }: Start, { out }: McpStreams): number {
  const file = addServer(paths, { name, entry, scope });
  const what = 'url' in entry ? `${entry.type ?? 'http'}: ${entry.url}` : `stdio: ${[entry.command, ...(entry.args ?? [])].join(' ')}`;
  const asked = scope === 'project' ? ' The next start here asks whether to trust it.' : '';
  out(clean(`Added MCP server ${name} (${what}) to ${shortPath(file, paths)}.${asked}\nmewcode mcp test ${name} tries it.\n`));
  return 0;
}

async function remove({ name, scope }: Extract<McpOrder, { action: 'remove' }>, start: Start, streams: McpStreams): Promise<number> {
  const file = removeServer(start.paths, { name, ...(scope && { scope }) });
  if (file === undefined) {
    const server = await find(name, start, streams);
    throw new UserError(`"${name}" stands in ${server.from}.`, scope === undefined ? 'Take it out there by hand.' : `It is not in the ${scope}'s mcp.json.`);
  }
  streams.out(clean(`Removed MCP server ${name} from ${shortPath(file, start.paths)}.\n`));
  return 0;
}

async function list({ verbose, test: tested }: Extract<McpOrder, { action: 'list' }>, start: Start, streams: McpStreams): Promise<number> {
  const servers = await load(start, streams);
  if (servers.length === 0) {
    streams.out('No MCP server is configured. mewcode mcp add --help shows how to add one.\n');
    return 0;
  }
  if (tested) streams.out('Testing server connections...\n');
  const answers = await Promise.all(servers.map(async (server) => {
    if (!tested || !server.enabled) return '-';
    const answer = await tryServer(server, start);
    return answer.ok ? `OK (${answer.tools})` : answer.problem;
  }));
  const rows = servers.map((server, i) => [server.name, server.via.kind, whatIs(server), server.enabled ? 'Enabled' : 'Disabled', verbose ? (answers[i] ?? '') : brief(answers[i] ?? '')]);
  streams.out(`\nMCP Servers\n\n${tableOf([['Name', 'Type', 'URL/Command', 'Status', 'Connection'], ...rows])}`);
  if (verbose) {
    for (const { name, via, from } of servers) {
      const names = Object.keys(via.kind === 'stdio' ? via.env : via.headers);
      streams.out(cleanLine(`${name}: from ${from}${names.length === 0 ? '' : `; ${via.kind === 'stdio' ? 'environment' : 'headers'}: ${names.join(', ')}`}`) + '\n');
    }
  }
  return 0;
}

async function test(server: McpServerSettings, start: Start, { out, signal }: McpStreams): Promise<number> {
  const began = performance.now();
  return using(server, start, async (connection) => {
    const state = connection.state();
    if (state.kind !== 'ready') {
      out(clean(`${server.name} (${server.via.kind}): ${state.kind === 'failed' ? state.problem : state.kind}\n`));
      return 1;
    }
    const connected = performance.now();
    let ping: string;
    try {
      await connection.ping(signal);
      ping = `ping ${Math.round(performance.now() - connected)} ms`;
    } catch (error) {
      ping = `no ping (${sentenceOf(error)})`;
    }
    const tools = connection.tools();
    out(clean(`${server.name} (${server.via.kind}): OK, connected in ${Math.round(connected - began)} ms, ${ping}\n${plural(tools.length, 'tool')}${tools.length === 0 ? '' : ':'}\n`));
    for (const { name, description } of tools) out(`  ${cleanLine(name)}  ${cleanLine(description.trim().split('\n')[0] ?? '')}\n`);
    return 0;
  });
}

/** How many tools a server has when it is asked now, or why it can't be reached. */
export async function tryServer(server: McpServerSettings, start: McpStart): Promise<{ ok: true; tools: string } | { ok: false; problem: string }> {
  return using(server, start, async (connection) => {
    const state = connection.state();
    return state.kind === 'ready' ? { ok: true, tools: plural(connection.tools().length, 'tool') } : { ok: false, problem: state.kind === 'failed' ? state.problem : state.kind };
  });
}

/** Connects, looks, and lets go. */
async function using<T>(server: McpServerSettings, start: McpStart, look: (connection: Connection) => Promise<T>): Promise<T> {
  const { paths, env, version, addDirs = [] } = start;
  const [{ connectServer }, { keptLogin }] = await Promise.all([import('../mcp/connection.ts'), import('../mcp/login.ts')]);
  const world = { version, roots: [paths.root, ...addDirs], env: childEnv(env), fetch: proxiedFetch(env), log: () => {}, withLogin: keptLogin(loginsOf(start)), connectMs: CONNECT_MS };
  const connection = connectServer({ ...server, enabled: true }, world, { changed: () => {}, warn: () => {} });
  try {
    await connection.settled();
    return await look(connection);
  } finally {
    await connection.close();
  }
}

/** Where logins at servers are kept. */
export function loginsOf({ paths }: Pick<Start, 'paths'>): (url: string) => LoginStore {
  return (url) => mcpLogin<KeptLogin>(paths.credentials, url);
}

/** The configured servers; what a project's files say only where they are trusted. */
async function load(start: Start, { err }: McpStreams): Promise<readonly McpServerSettings[]> {
  const { mcp, warnings } = await start.load(start.trust, undefined, { forRules: true });
  for (const warning of warnings) err(`${clean(warning)}\n`);
  return mcp;
}

async function find(name: string, start: Start, streams: McpStreams): Promise<McpServerSettings> {
  const servers = await load(start, streams);
  const found = servers.find((server) => server.name === name);
  if (found) return found;
  const near = nearest(name, servers.map((server) => server.name));
  throw new UserError(`There is no MCP server "${name}".`, near !== undefined ? `Did you mean ${near}?` : servers.length === 0 ? 'None is configured.' : `There are: ${servers.map((server) => server.name).join(', ')}.`);
}

const whatIs = ({ via }: McpServerSettings): string => (via.kind === 'http' ? via.url : [via.command, ...via.args].join(' '));

/** The first line, so that a table stays one. */
function brief(text: string): string {
  const [line = '', ...more] = text.split('\n');
  return more.length === 0 ? line : `${line} (-v shows more)`;
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const clear = rows.map((row) => row.map(cleanLine));
  const widths = (clear[0] ?? []).map((_, i) => Math.max(...clear.map((row) => columnsOf(row[i] ?? ''))));
  return clear.map((row) => `${row.map((cell, i) => (i === row.length - 1 ? cell : cell + ' '.repeat((widths[i] ?? 0) - columnsOf(cell)))).join('  ')}\n`).join('');
}
