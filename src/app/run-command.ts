// Slash commands as typed: finds the row, runs it, shows what it gives.
import { findCommand } from '../commands/index.ts';
import { nearest } from '../lib/nearest.ts';
import type { App, Done } from '../types/command.ts';
import { UserError } from '../types/user-error.ts';

/** `/name`, or vi's `:q`. A path such as `/usr/bin` is a prompt. */
const TYPED = /^(?:\/([A-Za-z][\w:-]*)|(:q))(?:\s+([\s\S]*))?$/;

/** Whether a line orders something rather than says something. */
export function isCommand(line: string): boolean {
  return TYPED.test(line.trim());
}

/** Runs a command line and shows its view. Mistakes become notices. */
export async function runCommand(app: App, line: string): Promise<Done | void> {
  const [, slash, colon, rest = ''] = TYPED.exec(line.trim()) ?? [];
  const name = slash ?? colon ?? '';
  const rows = app.commands().filter(({ where }) => where !== 'shell');
  const command = findCommand(rows, name);
  try {
    if (!command) {
      const near = nearest(name, rows.flatMap((row) => [row.name, ...(row.aliases ?? [])]));
      throw new UserError(`There is no command /${name}.`, near === undefined ? '/help lists them all.' : `Did you mean /${near}?`);
    }
    if (app.state.get().turn.running && !command.whileBusy) throw new UserError(`/${command.name} has to wait until the turn is over.`, 'Esc stops the turn.');
    const args = rest.split(/\s+/).filter((word) => word !== '');
    const io = { ...SILENT, typed: rest };
    const done = command.needsApp === false ? await command.run(args, io) : await command.run(app, args, io);
    if (done?.view) app.emit({ type: 'notice', level: 'info', text: line.trim(), view: done.view });
    return done;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    app.emit({ type: 'notice', level: 'warn', text: error.text });
  }
}

/** In the chat a command shows views; it has no streams. */
const SILENT = { stdin: (async function* none() {})(), out: () => {}, err: () => {} };
