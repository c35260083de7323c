// TodoWrite: the model's list of what it is doing, shown live on the screen.
import { z } from 'zod';
import { cleanLine } from '../lib/clean.ts';
import type { Tool } from '../types/tool.ts';
import { defineTool } from './define.ts';

const input = z.strictObject({
  items: z.array(z.strictObject({
    content: z.string().min(1).describe('What is to be done, as an order: "Add the test"'),
    status: z.enum(['pending', 'in_progress', 'completed']),
    active_form: z.string().optional().describe('The same while it is being done: "Adding the test"'),
  })).describe('The whole list, in order; it replaces the one before. An empty list clears it.'),
});

/** Keeps no list itself: the last result is the list. */
export function todoWrite(): Tool<z.infer<typeof input>> {
  return defineTool({
    name: 'TodoWrite',
    description: 'Replaces the todo list that the user sees. Use it for work of three steps or more: write the list at the start, keep one item in_progress, and mark each item completed as soon as it is done.',
    input,
    title: ({ items }) => (items.length === 1 ? '1 item' : `${items.length} items`),
    access: () => [{ kind: 'none', target: '' }],
    async run({ items }) {
      const done = items.filter(({ status }) => status === 'completed').length;
      const now = items.find(({ status }) => status === 'in_progress');
      const text = items.length === 0 ? 'The todo list is empty now.' : `The todo list has ${items.length === 1 ? '1 item' : `${items.length} items`}, ${done} completed.${now ? ` Now: ${cleanLine(now.active_form ?? now.content)}` : ''}`;
      return { ok: true, text, view: { type: 'todos', items: items.map(({ content, status }) => ({ content, status })) } };
    },
  });
}
