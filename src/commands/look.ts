// Commands that only look: /tools, /session, /cwd.
import type { Command } from '../types/command.ts';

export const tools: Command = {
  name: 'tools',
  summary: 'List the tools that the model may call',
  where: 'chat',
  whileBusy: true,
  async run(app) {
    const rows = app.tools().map((tool) => [tool.name, firstSentence(tool.description)]);
    return { view: { type: 'table', head: ['tool', 'what it does'], rows } };
  },
};

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
