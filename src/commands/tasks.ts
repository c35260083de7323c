// /tasks: the commands in the background.
import type { Command } from '../types/command.ts';
import type { TaskEntry } from '../types/state.ts';

export const tasks: Command = {
  name: 'tasks',
  summary: 'List the commands in the background',
  where: 'chat',
  whileBusy: true,
  async run(app) {
    const all = app.state.get().tasks;
    if (all.length === 0) return { view: { type: 'text', text: 'Nothing runs in the background.' } };
    return { view: { type: 'table', head: ['id', 'command', 'state', 'time', 'last line'], rows: all.map((task) => rowOf(task, Date.now())) } };
  },
};

const LONGEST = 60;

function rowOf({ id, title, outcome = 'running', startedAt, ms, tail }: TaskEntry, now: number): string[] {
  const last = tail.trimEnd().split('\n').at(-1) ?? '';
  return [id, cut(title), outcome, `${Math.round((ms ?? now - startedAt) / 1_000)}s`, cut(last)];
}

const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);
