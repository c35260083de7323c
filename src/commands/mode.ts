// /mode and one command a mode: what calls may do without asking.
import { nearest } from '../lib/nearest.ts';
import type { App, Command, Done } from '../types/command.ts';
import { UserError } from '../types/user-error.ts';

export const mode: Command = {
  name: 'mode',
  summary: 'Show the permission modes, or switch to one',
  usage: '[MODE]',
  where: 'chat',
  whileBusy: true,
  async run(app, [wanted]) {
    if (wanted !== undefined) return switchMode(app, wanted);
    const current = app.state.get().mode;
    const rows = app.modes().map(({ name, summary }) => [name === current ? `● ${name}` : `  ${name}`, summary]);
    return { view: { type: 'table', head: ['mode', 'what it allows'], rows } };
  },
};

/** `plan` has a command of its own, which can also leave it. */
const NAMES = ['default', 'acceptEdits', 'bypassPermissions', 'dontAsk', 'custom'];

export const modeCommands: readonly Command[] = NAMES.map((name) => ({
  name,
  summary: `Switch to mode ${name}`,
  where: 'chat',
  whileBusy: true,
  run: async (app) => switchMode(app, name),
}));

/** Switches, and says what is allowed from now on. Throws a `UserError` with the nearest name when there is no such mode. */
export function switchMode(app: App, wanted: string): Done {
  const modes = app.modes();
  const found = modes.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (!found) {
    const near = nearest(wanted, modes.map(({ name }) => name));
    throw new UserError(`There is no mode "${wanted}".`, near === undefined ? `Modes: ${modes.map(({ name }) => name).join(', ')}.` : `Did you mean ${near}?`);
  }
  app.setMode(found.name);
  return { view: { type: 'text', text: `Mode ${found.name}: ${found.summary}` } };
}
