// /mcp: the configured servers, what they have, and switching, reconnecting and confirming them.
import type { App, Command, Done, McpServerInfo } from '../types/command.ts';
import { UserError } from '../types/user-error.ts';

/** Of a command line in the table. */
const MOST_SHOWN = 60;

const ORDERS = ['tools', 'login', 'reconnect', 'enable', 'disable', 'confirm'] as const;

export const mcp: Command = {
  name: 'mcp',
  summary: 'Show the MCP servers, or: tools NAME, login NAME, reconnect NAME, enable NAME, disable NAME, confirm NAME (after its tools have changed)',
  usage: `[${ORDERS.join(' | ')} NAME]`,
  where: 'chat',
  whileBusy: true,
  async run(app, [order, ...rest]) {
    await app.ready;
    if (order === undefined) return overview(app.mcp().list());
    const known = ORDERS.find((one) => one === order.toLowerCase());
    const [name] = [rest.join(' ')];
    if (known === undefined) {
      // The name alone asks what it has.
      if (rest.length === 0 && app.mcp().list().some((server) => server.name === order)) return toolsOf(find(app, order));
      throw new UserError(`/mcp can't do "${order}".`, `It is /mcp, or /mcp ${ORDERS.join('|')} NAME.`);
    }
    const server = find(app, name ?? '');
    switch (known) {
      case 'tools': return toolsOf(server);
      case 'login':
        await app.mcp().login(server.name, (said) => app.emit({ type: 'notice', level: 'info', text: said }));
        return overview([find(app, server.name)]);
      case 'reconnect': case 'enable':
        await app.mcp().reconnect(server.name);
        return overview([find(app, server.name)]);
      case 'disable':
        await app.mcp().switchOff(server.name);
        return text(`${server.name} is off for this session. \`enabled: false\` in ${server.from} keeps it off.`);
      case 'confirm': {
        const names = app.mcp().confirm(server.name);
        return text(names.length === 0 ? `Nothing of ${server.name} has changed.` : `Confirmed as they are now: ${names.join(', ')}.`);
      }
    }
  },
};

function find(app: App, name: string): McpServerInfo {
  const servers = app.mcp().list();
  const found = servers.find((server) => server.name === name) ?? servers.find((server) => server.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  throw new UserError(name === '' ? 'Which server?' : `There is no MCP server "${name}".`, servers.length === 0 ? 'None is configured.' : `There are: ${servers.map((server) => server.name).join(', ')}.`);
}

const STATES: Readonly<Record<McpServerInfo['state'], string>> = { off: 'off', connecting: 'connecting', ready: 'connected', failed: 'failed' };

function overview(servers: readonly McpServerInfo[]): Done {
  if (servers.length === 0) return text('No MCP server is configured. mcp_servers in config.yaml, .mewcode/mcp.json or .mcp.json names them.');
  const rows = servers.map(({ name, kind, state, problem, tools, changed, what }) => [
    name, kind, `${STATES[state]}${problem === undefined ? '' : `: ${problem.split('\n')[0]}`}`,
    state === 'ready' ? `${tools.length}${changed.length > 0 ? ` (${changed.length} changed: /mcp confirm ${name})` : ''}` : '', what.length > MOST_SHOWN ? `${what.slice(0, MOST_SHOWN - 1)}…` : what,
  ]);
  return { view: { type: 'table', head: ['server', 'type', 'state', 'tools', 'command or address'], rows } };
}

function toolsOf({ name, tools, state, problem, changed }: McpServerInfo): Done {
  if (tools.length === 0) return text(`${name} has no tools${state === 'ready' ? '' : `: it is ${STATES[state]}${problem === undefined ? '' : `, ${problem}`}`}.`);
  return { view: { type: 'table', head: ['tool', '', 'what it does'], rows: tools.map((tool) => [tool.name, changed.includes(tool.name) ? 'changed' : '', tool.description.trim().split('\n')[0] ?? '']) } };
}

const text = (said: string): Done => ({ view: { type: 'text', text: said } });
