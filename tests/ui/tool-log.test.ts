// The tool-call log: a row for each state, the opened call, the todo list, and the window over a long log.
import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { TaskEntry, ToolEntry } from '../../src/types/state.ts';
import { createTheme } from '../../src/ui/themes.ts';
import { moveSelection, toolLogWindow, type ToolLogState, type ToolLogView } from '../../src/ui/tool-log.ts';
import { anyText } from './texts.ts';

const theme = createTheme('dark', 'none');
const view = (change: Partial<ToolLogView> = {}): ToolLogView => ({ width: 30, height: 20, theme, now: 10_000, selected: null, ...change });
const entry = (id: string, change: Partial<ToolEntry> = {}): ToolEntry => ({ call: { id, name: 'Do', input: { what: 'x' } }, agent: 'main', title: `t${id}`, status: 'done', calledAt: 0, ms: 2, tail: '', ...change });
const state = (tools: ToolEntry[], change: Partial<ToolLogState> = {}): ToolLogState => ({ tools, todos: [], messages: [], tasks: [], ...change });
const rowsOf = (log: ToolLogState, change: Partial<ToolLogView> = {}) => toolLogWindow(log, view(change)).rows;

test('a row for each state', () => {
  const log = state([
    entry('1', { size: 1_234 }),
    entry('2', { status: 'failed', ms: 2_500 }),
    entry('3', { status: 'denied' }),
    entry('4', { status: 'cancelled' }),
    entry('5', { status: 'running', startedAt: 6_000, tail: 'one\ntwo\nthree\n', agent: 'main/2' }),
    entry('6', { status: 'asking' }),
    entry('7', { status: 'waiting', title: 'a title that is far too long for it' }),
  ]);
  expect(toolLogWindow(log, view())).toEqual({
    rows: [
      '✓ Do t1               2ms 1.2K',
      '✗ Do t2                   2.5s',
      '⊘ Do t3                 denied',
      '× Do t4              cancelled',
      '  ● Do t5                   4s',
      '  └ two',
      '    three',
      '? Do t6                 asking',
      '○ Do a title that is f…waiting',
    ],
    owners: ['1', '2', '3', '4', '5', '5', '5', '6', '7'],
    ticking: true,
  });
});

const title = (at: number) => `✓ Do t${at}`.padEnd(27) + '2ms';

test('the log follows its end, or shows the selected call whole', () => {
  const tools = Array.from({ length: 50 }, (_, at) => entry(String(at)));
  expect(rowsOf(state(tools), { height: 3 })).toEqual([title(47), title(48), title(49)]);
  expect(rowsOf(state(tools), { height: 5, selected: '20' })).toEqual([title(17), title(18), title(19), title(20), '  what: x']);
  expect(rowsOf(state(tools), { height: 5, selected: '0' })).toEqual([title(0), '  what: x', title(1), title(2), title(3)]);
});

test('the opened call shows arguments, decision and output', () => {
  const opened = entry('1', {
    call: { id: '1', name: 'Do', input: { path: 'a.ts', lines: Array.from({ length: 3 }), text: 'a\n'.repeat(9) } }, size: 6,
    decision: { verdict: 'allow', layer: 'rules', rule: 'Do(*)', because: 'a rule says so', trace: [] },
  });
  const log = state([opened], { messages: [{ id: 't', role: 'tool', at: 0, parts: [{ type: 'tool_result', callId: '1', name: 'Do', ok: true, text: 'the\noutput' }] }] });
  expect(rowsOf(log, { width: 50, selected: '1' })).toEqual([
    `✓ Do t1${' '.repeat(38)}2ms 6`,
    '  path: a.ts', '  lines: [null,null,null]',
    '  text: a', '  a', '  a', '  a', '  a', '  a', '  …',
    '  allow by rules: a rule says so (Do(*))', '  the', '  output',
  ]);
});

test('todos stand at the bottom, finished ones giving way', () => {
  const todos = [{ content: 'one', status: 'completed' }, { content: 'two', status: 'in_progress' }, { content: 'three', status: 'pending' }] as const;
  expect(rowsOf(state([entry('1')], { todos }))).toEqual(['✓ Do t1                    2ms', 'todo 1/3', '✓ one', '● two', '○ three']);
  expect(rowsOf(state([entry('1')], { todos }), { height: 8 })).toEqual(['✓ Do t1                    2ms', 'todo 1/3', '● two', '○ three']);
});

test('the selection moves along the log and leaves it at the end', () => {
  const tools = [entry('1'), entry('2'), entry('3')];
  expect([moveSelection(tools, null, -1), moveSelection(tools, '3', -1), moveSelection(tools, '1', -1), moveSelection(tools, '2', 1), moveSelection(tools, '3', 1), moveSelection(tools, 'gone', -1), moveSelection([], null, -1), moveSelection(tools, null, 1)])
    .toEqual(['3', '2', '1', '3', null, '3', null, null]);
});

test('nothing is wider or taller than the pane', () => {
  fc.assert(fc.property(anyText, anyText, fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 30 }), fc.constantFrom(null, '1', '2'), (one, two, width, height, selected) => {
    const log = state([
      entry('1', { title: one, status: 'running', startedAt: 0, tail: two }), entry('2', { call: { id: '2', name: two, input: { [one]: two } }, title: two, status: 'asking' }), entry('3'),
    ], { todos: [{ content: one, status: 'pending' }, { content: two, status: 'completed' }] });
    const { rows, owners } = toolLogWindow(log, view({ width, height, selected }));
    expect(rows.length).toBeLessThanOrEqual(height);
    expect(owners.length).toBe(rows.length);
    for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(width);
  }));
});

const task = (id: string, change: Partial<TaskEntry> = {}): TaskEntry => ({ id, title: `run ${id}`, callId: 'c', status: 'running', startedAt: 4_000, tail: '', ...change });

test('commands in the background stand below the calls while they run, with their last line', () => {
  const log = state([entry('1')], { tasks: [task('bg_1', { tail: 'one\n\x1b[31mtwo\n' }), task('bg_2', { status: 'done', ms: 3 }), task('bg_3', { title: 'a title that is far too long for it' })] });
  expect(toolLogWindow(log, view())).toEqual({
    rows: ['✓ Do t1                    2ms', '● bg_1 run bg_1             6s', '  └ two', '● bg_3 a title that is far …6s'],
    owners: ['1', null, null, null], ticking: true,
  });
  expect(rowsOf(state([entry('1')], { tasks: Array.from({ length: 16 }, (_, n) => task(`bg_${n}`)) }))).toHaveLength(7);
});
