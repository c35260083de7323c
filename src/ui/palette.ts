// The command palette: what it lists and what each entry does.
import type { Command } from '../types/command.ts';
import { needsArguments } from './completion.ts';
import { fuzzyFilter } from './fuzzy.ts';
import { keyOf, type ActionName } from './keymap.ts';
import type { Context } from './state.ts';

/** What Enter on an entry does: a mode, a command to send or to go on typing, or an action of the screen. */
export type PaletteDoes = { mode: string } | { submit: string } | { type: string } | { action: ActionName };

export type PaletteItem = { id: string; label: string; detail: string; key?: string; does: PaletteDoes };

export type PaletteContext = Pick<Context, 'modes' | 'commands'> & { session: { mode: string } };

/* Actions of the screen worth finding by name. */
const SCREEN: readonly { action: ActionName; label: string }[] = [
  { action: 'unfold', label: 'Unfold or fold thinking and results' },
  { action: 'toggleLog', label: 'Walk the tool log' },
  { action: 'nextLayout', label: 'Move the tool log: beside, below, hidden' },
  { action: 'showKeys', label: 'Show the keys' },
  { action: 'repaint', label: 'Repaint the screen' },
];

/** All entries that fit the filter, best first. */
export function paletteItems({ modes, commands, session }: PaletteContext, filter: string): PaletteItem[] {
  const items = [
    ...modes.map((mode): PaletteItem => ({
      id: `mode ${mode.name}`, label: `mode: ${mode.name}`, detail: mode.name === session.mode ? `${mode.summary} (now)` : mode.summary,
      ...(mode.cycle === undefined ? {} : { key: keyOf('nextMode') }), does: { mode: mode.name },
    })),
    ...commands.filter((command) => command.where !== 'shell').map((command): PaletteItem => ({
      id: `command ${command.name}`, label: usageOf(command), detail: command.summary,
      does: needsArguments(command) ? { type: `/${command.name} ` } : { submit: `/${command.name}` },
    })),
    ...SCREEN.map(({ action, label }): PaletteItem => ({ id: `action ${action}`, label, detail: '', key: keyOf(action), does: { action } })),
  ];
  return fuzzyFilter(items, filter);
}

/** A command as it is typed: `/mode [MODE]`. */
export function usageOf(command: Command): string {
  return command.usage ? `/${command.name} ${command.usage}` : `/${command.name}`;
}
