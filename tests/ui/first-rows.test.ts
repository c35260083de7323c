// The first paint: the same geometry as the components' first frame, at any size.
import { expect, test } from 'vitest';
import { initialState } from '../../src/store/reduce.ts';
import { firstRows } from '../../src/ui/first-rows.ts';
import { columnsOf, unpainted } from '../../src/lib/width.ts';
import { initialScreen } from '../../src/ui/state.ts';
import { createTheme } from '../../src/ui/themes.ts';

const theme = createTheme('dark', 'truecolor');
const at = (columns: number, rows: number) => firstRows(initialScreen({ columns, rows }), initialState(), { project: 'demo', branch: null }, theme);

test.each([[20, 6], [59, 13], [60, 14], [80, 24], [100, 30], [200, 60]])('%d×%d: every row fits and the cursor stands in the prompt', (columns, rows) => {
  const first = at(columns, rows);
  const plainRows = first.rows.map(unpainted);
  expect(first.rows.length).toBe(rows);
  expect(plainRows.filter((row) => columnsOf(row) > columns)).toEqual([]);
  expect(plainRows[first.cursor.y]?.slice(0, first.cursor.x)).toMatch(/> $/);
});

test('with a frame', () => {
  const rows = at(60, 14).rows.map(unpainted);
  expect([rows[0], rows[1], ...rows.slice(-5)]).toEqual([
    '┌ MewCode ── demo ────────────────────────────── default ┐'.replace('── default', '──── default'),
    `│${' '.repeat(58)}│`,
    `├${'─'.repeat(58)}┤`,
    '│ > ask for something · / commands · ? keys                │',
    `├${'─'.repeat(58)}┤`,
    '│ default ⏵ ctx 0 · ↑0 ↓0                                  │',
    `└${'─'.repeat(58)}┘`,
  ]);
});
