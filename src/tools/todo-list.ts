// TodoRead and TodoClear: the list as it stands, and no list any more. Neither keeps one: the last result is the list.
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import type { Todo } from '../types/message.ts';
import type { Tool } from '../types/tool.ts';
import { defineTool } from './define.ts';

const nothing = z.strictObject({});
const access = () => [{ kind: 'none' as const, target: '' }];

/** `todos` gives the session's list. */
export function todoRead(todos: () => readonly Todo[]): Tool<z.infer<typeof nothing>> {
  return defineTool({
    name: 'TodoRead',
    description: 'Gives the todo list as it stands, for when it is no longer in sight.',
    input: nothing,
    title: () => '',
    access,
    async run() {
      const items = todos();
      const text = items.length === 0 ? 'The todo list is empty.' : items.map(({ content, status }, at) => `${at + 1}. [${status}] ${cleanLine(content)}`).join('\n');
      // A view of todos would make it the list again, even where a neighbour has just written another.
      return { ok: true, text };
    },
  });
}

export function todoClear(): Tool<z.infer<typeof nothing>> {
  return defineTool({
    name: 'TodoClear',
    description: 'Takes the todo list away, once all of it is done or no longer wanted.',
    input: nothing,
    title: () => '',
    access,
    run: async () => ({ ok: true, text: 'The todo list is empty now.', view: { type: 'todos', items: [] } }),
  });
}
