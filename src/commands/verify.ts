// /verify: the checkers, run by hand.
import type { Command } from '../types/command.ts';

export const verify: Command = {
  name: 'verify',
  summary: 'Run the checkers on files, or on what was changed and the project',
  usage: '[PATH …]',
  where: 'chat',
  async run(app, paths) {
    return { view: { type: 'text', text: await app.verify(paths) } };
  },
};
