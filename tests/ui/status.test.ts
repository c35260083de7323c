// Header, status bar and spinner line: their texts, and what goes first on a narrow screen.
import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { initialState } from '../../src/store/reduce.ts';
import type { SessionState } from '../../src/types/state.ts';
import { headerRow, spinnerRow, statusRow } from '../../src/ui/status.ts';
import { createTheme } from '../../src/ui/themes.ts';
import { anyText } from './texts.ts';

const theme = createTheme('dark', 'none');
const NOTHING = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
const busy: SessionState = {
  ...initialState(),
  meter: { window: 200_000, context: 64_000, pending: 1_000, turn: { input: 480, cacheRead: 11_520, cacheWrite: 0, output: 1_200 }, session: NOTHING, costUsd: 0.42, speed: 84.3, answer: null },
  mcp: [{ name: 'a', state: 'ready', tools: 1 }, { name: 'b', state: 'ready', tools: 1 }],
};

test('the header', () => {
  expect(headerRow({ project: 'app', branch: 'main' }, { model: 'm1', mode: 'plan' }, { width: 50, theme, frame: true })).toBe('┌ MewCode ── app ── main ───────────── m1 · plan ┐');
  expect(headerRow({ project: 'app', branch: null }, { model: '', mode: '' }, { width: 24, theme, frame: false })).toBe('MewCode ── app ─────────');
});

describe('the status bar', () => {
  test.each<[number, string]>([
    [120, 'default ⏵ ctx 65.0K/200K ███░░░░░░░ 33% · ↑12K ↓1.2K 84 tok/s · cache 96% · $0.42 · 2 MCP'],
    [88, 'default ⏵ ctx 65.0K/200K ███░░░░░░░ 33% · ↑12K ↓1.2K 84 tok/s · cache 96% · $0.42'],
    [75, 'default ⏵ ctx 65.0K/200K ███░░░░░░░ 33% · ↑12K ↓1.2K 84 tok/s · $0.42'],
    [65, 'default ⏵ ctx 65.0K/200K ███░░░░░░░ 33% · ↑12K ↓1.2K · $0.42'],
    [50, 'default ⏵ ctx 65.0K/200K ███░░░░░░░ 33% · $0.42'],
    [40, 'default ⏵ ctx 65.0K/200K ███░░░░░░░ 33%'],
    [30, 'default ⏵ ctx 65.0K/200K 33%'],
  ])('on %i columns', (width, row) => {
    expect(statusRow(busy, { width, theme })).toBe(row);
  });

  test.each([
    [120, 'bubblewrap', 'default ⏵ ctx 65.0K/200K ███░░░░░░░ 33% · ↑12K ↓1.2K 84 tok/s · cache 96% · $0.42 · 2 MCP · bubblewrap'],
    [120, 'none', 'default ⏵ ctx 65.0K/200K ███░░░░░░░ 33% · ↑12K ↓1.2K 84 tok/s · cache 96% · $0.42 · 2 MCP · no sandbox'],
    [98, 'seatbelt', 'default ⏵ ctx 65.0K/200K ███░░░░░░░ 33% · ↑12K ↓1.2K 84 tok/s · cache 96% · $0.42 · 2 MCP'],
  ] as const)('on %i columns, with %s', (width, kind, row) => {
    expect(statusRow({ ...busy, sandbox: { kind } }, { width, theme })).toBe(row);
  });

  test('says what waits and what failed', () => {
    const state = { ...busy, queue: ['a', 'b'], mcp: [...busy.mcp, { name: 'c', state: 'failed' as const, tools: 0 }], meter: { ...initialState().meter, costUsd: null } };
    expect(statusRow(state, { width: 120, theme })).toBe('default ⏵ ctx 0 · ↑0 ↓0 · $? · 2 queued · 2/3 MCP');
    const task = { title: 'npm run dev', callId: 'c', startedAt: 0, tail: '' };
    const tasks = [{ ...task, id: 'bg_1', status: 'running' as const }, { ...task, id: 'bg_2', status: 'done' as const }];
    expect(statusRow({ ...state, tasks }, { width: 120, theme })).toBe('default ⏵ ctx 0 · ↑0 ↓0 · $? · 2 queued · 1 in background · 2/3 MCP');
  });

  test('goes from green over yellow to red', () => {
    const colours = createTheme('ansi16', 'ansi16');
    const barOf = (context: number) => /\x1b\[(\d+)m█+/.exec(statusRow({ ...busy, meter: { ...busy.meter, context, pending: 0 } }, { width: 120, theme: colours }))?.[1];
    expect([59, 60, 85, 86].map((percent) => barOf(percent * 2_000))).toEqual(['32', '33', '33', '31']);
  });

  test('names the context from 40 columns up, whatever the figures, and never overflows', () => {
    const figure = fc.integer({ min: 0, max: 1e9 });
    fc.assert(fc.property(anyText, figure, figure, figure, fc.integer({ min: 1, max: 130 }), (mode, window, context, output, width) => {
      const row = statusRow({ ...busy, mode, meter: { ...busy.meter, window, context, turn: { ...NOTHING, input: context, output } } }, { width, theme });
      expect(stringWidth(row)).toBeLessThanOrEqual(width);
      if (width >= 40) expect(row).toContain('ctx ');
    }));
  });
});

describe('the spinner line', () => {
  const row = (change: Partial<SessionState>, now = 12_000) => spinnerRow({ ...busy, turn: { running: true, startedAt: 0, rounds: 1 }, ...change }, { width: 100, theme, now });
  const title = [{ call: { id: '1', name: 'Do', input: {} }, agent: 'main', title: 'npm test', status: 'running' as const, calledAt: 0, tail: '' }];

  test.each<[string, string | null, Partial<SessionState>]>([
    ['idle', null, { doing: { what: 'idle' } }],
    ['requesting', 'waiting for the model · 12s · esc to interrupt', { doing: { what: 'requesting', at: 0 }, meter: initialState().meter }],
    ['answering', 'answering · 12s · ↓ 1.3K tokens · esc to interrupt', { doing: { what: 'answering', at: 0 }, meter: { ...busy.meter, answer: { at: 0, tokens: 100 } } }],
    ['running', 'running npm test · 12s · ↓ 1.2K tokens · esc to interrupt', { doing: { what: 'tools', at: 0 }, tools: title }],
    ['asking', 'waiting for your answer · 12s · ↓ 1.2K tokens · esc to interrupt', { doing: { what: 'tools', at: 0 }, tools: title.map((entry) => ({ ...entry, status: 'asking' as const })) }],
    ['retrying', 'Busy. · try 2 in 3 seconds · 12s · ↓ 1.2K tokens · esc to interrupt', { doing: { what: 'retrying', at: 11_000, until: 14_500, attempt: 1, failure: { kind: 'overloaded', message: 'Busy.' } } }],
    ['retrying for a long reason', `${'It is too busy, and '.repeat(9).slice(0, 37)}… · try 2 in 3 seconds · 12s · ↓ 1.2K tokens · esc to interrupt`, { doing: { what: 'retrying', at: 11_000, until: 14_500, attempt: 1, failure: { kind: 'overloaded', message: 'It is too busy, and '.repeat(9) } } }],
    ['about to retry', 'trying again (2) · 12s · ↓ 1.2K tokens · esc to interrupt', { doing: { what: 'retrying', at: 1, until: 2, attempt: 1, failure: { kind: 'overloaded', message: 'Busy.' } } }],
  ])('%s', (_name, expected, change) => {
    expect(row(change)).toBe(expected);
  });
});
