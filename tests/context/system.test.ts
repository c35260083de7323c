// The system prompt is the same bytes for the same input; reminders follow the mode.
import { expect, test } from 'vitest';
import { describeSurroundings, planReminder } from '../../src/context/reminders.ts';
import { renderSystem } from '../../src/context/system.ts';
import type { Message } from '../../src/types/message.ts';

test('sections stand in the order of their priority, empty ones are left out', () => {
  expect(renderSystem({})).toEqual(renderSystem({}));
  expect(renderSystem({}).map((text) => text.split('\n')[0])).toEqual([
    expect.stringMatching(/^You are MewCode/), '# How you are run', '# Doing tasks', '# Acting with care', '# Using tools', '# Editing files', '# Tone', '# Format',
  ]);
  expect(renderSystem({ append: 'Speak Welsh.' }, [{ id: 'x', priority: 5, render: () => 'X' }])).toEqual([renderSystem({})[0], 'X', ...renderSystem({}).slice(1), 'Speak Welsh.']);
});

test('surroundings', () => {
  const where = { cwd: '/p', system: 'Linux 6', date: new Date(0) };
  expect(describeSurroundings({ ...where, git: { branch: 'main', status: ' M a.ts' } })).toBe('Working directory: /p\nSystem: Linux 6\nDate: 1970-01-01 00:00 UTC\nGit branch: main\nGit status:\n M a.ts');
  expect(describeSurroundings({ ...where, git: null })).toBe('Working directory: /p\nSystem: Linux 6\nDate: 1970-01-01 00:00 UTC');
});

test('plan mode is told in full, then briefly, in full again after five turns, and that it is over', () => {
  const messages: Message[] = [];
  const add = (text: string, source?: string) => messages.push({ id: `m${messages.length}`, role: 'user', at: 0, parts: [{ type: 'text', text }], ...(source && { source }) });
  const said: string[] = [];
  for (const mode of ['default', 'plan', 'plan', 'plan', 'plan', 'plan', 'plan', 'default', 'default', 'plan']) {
    const reminder = planReminder(mode, messages);
    said.push(reminder === null ? '-' : reminder.split(/[:,.]/)[0] ?? '');
    if (reminder !== null) add(`<system-reminder>\n${reminder}\n</system-reminder>`, 'reminder');
    add('prompt');
  }
  const [full, short, over] = ['Plan mode is on', 'Plan mode is still on', 'Plan mode is off'];
  expect(said).toEqual(['-', full, short, short, short, short, full, over, '-', full]);
});
