// TodoRead tells the list and leaves it alone; TodoClear makes it empty by its view, from which the session's state is made.
import { expect, test } from 'vitest';
import { todoClear, todoRead } from '../../src/tools/todo-list.ts';
import type { Todo } from '../../src/types/message.ts';
import { toolContext } from '../helpers/tool-context.ts';

test('the list as it stands, and none', async () => {
  const ctx = toolContext();
  let items: readonly Todo[] = [{ content: 'Read it', status: 'completed' }, { content: 'Fix it', status: 'in_progress' }];
  const read = todoRead(() => items);
  expect(await read.run({}, ctx)).toEqual({ ok: true, text: '1. [completed] Read it\n2. [in_progress] Fix it' });
  items = [];
  expect(await read.run({}, ctx)).toEqual({ ok: true, text: 'The todo list is empty.' });
  expect(await todoClear().run({}, ctx)).toEqual({ ok: true, text: 'The todo list is empty now.', view: { type: 'todos', items: [] } });
  expect([read.parse({ x: 1 }).ok, read.parse({}).ok]).toEqual([false, true]);
  ctx.dispose();
});
