// /help: every command with what it does, made from the registry itself.
import { nearest } from '../lib/nearest.ts';
import type { Command } from '../types/command.ts';
import type { View } from '../types/message.ts';
import { UserError } from '../types/user-error.ts';

export const help: Command = {
  name: 'help',
  summary: 'List the commands, or say what one does',
  usage: '[COMMAND]',
  where: 'chat',
  whileBusy: true,
  async run(app, [wanted]) {
    const known = app.commands().filter((command) => command.where !== 'shell');
    if (wanted === undefined) return { view: tableOf(known) };
    const name = wanted.replace(/^\//, '');
    const command = known.find((command) => spellings(command).includes(name));
    if (command) return { view: tableOf([command]) };
    const near = nearest(name, known.flatMap(spellings));
    throw new UserError(`There is no command /${name}.`, near === undefined ? '/help lists them all.' : `Did you mean /${near}?`);
  },
};

const spellings = (command: Command): string[] => [command.name, ...(command.aliases ?? [])];

const slashed = (name: string): string => (name.startsWith(':') ? name : `/${name}`);

function tableOf(commands: readonly Command[]): View {
  const rows = commands.map((command) => [
    [...spellings(command).map(slashed), ...(command.usage ? [command.usage] : [])].join(' '),
    command.summary,
  ]);
  return { type: 'table', head: ['command', 'what it does'], rows };
}
