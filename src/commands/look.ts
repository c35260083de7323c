// Commands that only look: /tools, /session, /cwd.
import { setTimeout } from 'node:timers/promises';
import type { App, Command, McpServerInfo } from '../types/command.ts';

export const tools: Command = {
  name: 'tools',
  summary: 'List the tools: where they come from, and what the mode makes of a plain call',
  where: 'chat',
  whileBusy: true,
  async run(app) {
    await app.ready;
    const absent = await awaitServers(app);
    const rows = app.listTools().map(({ name, kind, permission, deferred, disabled, description }) => [
      name, deferred ? `${kind}, deferred` : kind, disabled ? 'disabled' : (permission ?? 'depends'), firstSentence(description),
    ]);
    const missing = absent.map(({ name, state, problem = '' }) => [name, 'MCP server', state, firstSentence(problem)]);
    return { view: { type: 'table', head: ['tool', 'kind', 'permission', 'what it does'], rows: [...rows, ...missing] } };
  },
};

/** How long servers are waited for. */
const PATIENCE_MS = 5_000;

/** Waits for servers that are being connected to, and gives those that are not there. */
async function awaitServers(app: App): Promise<readonly McpServerInfo[]> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline && app.mcp().list().some(({ state }) => state === 'connecting')) await setTimeout(50);
  return app.mcp().list().filter(({ state }) => state !== 'ready');
}

export const session: Command = {
  name: 'session',
  summary: 'Show the session: id, folder, start, rounds, tokens',
  where: 'chat',
  whileBusy: true,
  async run(app) {
    const { id, startedAt, turn, meter } = app.state.get();
    const { input, cacheRead, cacheWrite, output } = meter.session;
    const rows = [
      ['id', id],
      ['folder', app.info.sessionDir ?? 'not kept (--no-session)'],
      ['started', new Date(startedAt).toISOString()],
      ['rounds of the last turn', String(turn.rounds)],
      ['tokens in', `${input + cacheRead + cacheWrite}, of them ${cacheRead} from the cache`],
      ['tokens out', String(output)],
      ['cost', meter.costUsd === null ? 'not known' : `$${meter.costUsd.toFixed(4)}`],
    ];
    return { view: { type: 'table', head: ['session', ''], rows } };
  },
};

export const cwd: Command = {
  name: 'cwd',
  summary: 'Show the working directory',
  where: 'chat',
  whileBusy: true,
  run: async (app) => ({ view: { type: 'text', text: app.state.get().cwd } }),
};

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0].replace(/\s+/g, ' ') ?? text.split('\n')[0] ?? '';
