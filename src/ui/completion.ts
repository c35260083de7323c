// Slash commands while they are typed: what fits, the longest common start, the hint for arguments.
import type { Command } from '../types/command.ts';
import type { Context, ScreenState } from './state.ts';

export type Completion = { name: string; command: Command };

/** Commands whose name or alias starts with what stands between the slash and the cursor; empty when no list is due. */
export function completions(screen: Pick<ScreenState, 'editor' | 'completion'>, commands: Context['commands']): Completion[] {
  const { text, cursor } = screen.editor;
  if (screen.completion.closed || cursor !== text.length || !/^\/\S*$/.test(text)) return [];
  const typed = text.slice(1).toLowerCase();
  return commands.filter((command) => command.where !== 'shell').flatMap((command) => {
    const name = [command.name, ...(command.aliases ?? [])].find((name) => name.toLowerCase().startsWith(typed));
    return name === undefined ? [] : [{ name, command }];
  }).sort((a, b) => a.name.localeCompare(b.name));
}

/** The longest start that all names share. */
export function commonStart(names: readonly string[]): string {
  const [first = '', ...rest] = names;
  let length = first.length;
  for (const name of rest) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** The command whose arguments are being typed. */
export function argumentHint(text: string, commands: Context['commands']): Command | null {
  const name = /^\/(\S+)\s/.exec(text)?.[1];
  return commands.find((command) => command.where !== 'shell' && (command.name === name || command.aliases?.includes(name ?? ''))) ?? null;
}

/** Whether a command can't run without arguments: its usage starts with a word that is not in brackets. */
export function needsArguments(command: Command): boolean {
  return command.usage !== undefined && !command.usage.startsWith('[');
}
