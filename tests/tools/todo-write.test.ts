// TodoWrite: the list as the screen gets it.
import { expect, test } from 'vitest';
import { todoWrite } from '../../src/tools/todo-write.ts';
import { toolContext } from '../helpers/tool-context.ts';

test('gives the list as a view and says how far it is', async () => {
  const ctx = toolContext();
  const tool = todoWrite();
  const items = [
    { content: 'Read it', status: 'completed' as const },
    { content: 'Fix it', status: 'in_progress' as const, active_form: 'Fixing it' },
  ];
  expect(await tool.run({ items }, ctx)).toEqual({
    ok: true,
    text: 'The todo list has 2 items, 1 completed. Now: Fixing it',
    view: { type: 'todos', items: [{ content: 'Read it', status: 'completed' }, { content: 'Fix it', status: 'in_progress' }] },
  });
  expect(await tool.run({ items: [] }, ctx)).toEqual({ ok: true, text: 'The todo list is empty now.', view: { type: 'todos', items: [] } });
  expect([tool.title({ items }), tool.access({ items }, '/p')]).toEqual(['2 items', [{ kind: 'none', target: '' }]]);
  ctx.dispose();
});
