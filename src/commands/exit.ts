// /exit: leaves the program.
import type { Command } from '../types/command.ts';

export const exit: Command = {
  name: 'exit',
  aliases: ['quit', ':q'],
  summary: 'Leave MewCode',
  where: 'chat',
  whileBusy: true,
  run: async () => ({ exit: 0 }),
};
