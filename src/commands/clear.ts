// /clear: a new session in the same window.
import type { Command } from '../types/command.ts';

export const clear: Command = {
  name: 'clear',
  aliases: ['new'],
  summary: 'Start a new session in this window; the old one stays on disk',
  where: 'chat',
  run: async (app) => app.clear(),
};
