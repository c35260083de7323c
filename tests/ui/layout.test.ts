// The layout: the panes of an ordinary screen whole, and for any size no overlap and nothing outside.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { layout, type Rect } from '../../src/ui/layout.ts';

test('an ordinary screen', () => {
  expect(layout({ columns: 120, rows: 40 }, { prompt: 2, spinner: true, log: 'side', tab: 'chat' })).toEqual({
    frame: true,
    header: { x: 0, y: 0, width: 120, height: 1 },
    chat: { x: 2, y: 1, width: 74, height: 32 },
    divider: { x: 77, y: 1, width: 1, height: 32 },
    tools: { x: 79, y: 1, width: 39, height: 32 },
    spinner: { x: 2, y: 33, width: 116, height: 1 },
    prompt: { x: 2, y: 35, width: 116, height: 2 },
    status: { x: 2, y: 38, width: 116, height: 1 },
    rules: [
      { y: 34, text: `├${'─'.repeat(118)}┤` },
      { y: 37, text: `├${'─'.repeat(118)}┤` },
      { y: 39, text: `└${'─'.repeat(118)}┘` },
    ],
  });
});

test('the divider meets the rule when nothing is between them', () => {
  const { rules, divider } = layout({ columns: 120, rows: 40 }, { prompt: 1, spinner: false, log: 'side', tab: 'chat' });
  expect([rules[0]?.text.indexOf('┴'), rules[0]?.text.length]).toEqual([divider?.x, 120]);
});

test('under 100 columns the log is a tab', () => {
  const options = { prompt: 1, spinner: false, log: 'side' } as const;
  const { chat: open } = layout({ columns: 99, rows: 30 }, { ...options, tab: 'chat' });
  expect(layout({ columns: 99, rows: 30 }, { ...options, tab: 'tools' })).toMatchObject({ chat: { ...open, height: 0 }, tools: open });
  expect(layout({ columns: 99, rows: 30 }, { ...options, tab: 'chat' })).toMatchObject({ tools: null });
  expect(layout({ columns: 200, rows: 30 }, { ...options, log: 'hidden', tab: 'tools' })).toMatchObject({ tools: null, divider: null });
  expect(layout({ columns: 99, rows: 30 }, { ...options, log: 'bottom', tab: 'chat' })).toMatchObject({ chat: { height: 15 }, tools: { y: 17, height: 8 } });
});

test('the smallest screen still has a chat, a prompt and a status bar', () => {
  expect(layout({ columns: 20, rows: 6 }, { prompt: 9, spinner: true, log: 'side', tab: 'chat' })).toEqual({
    frame: false, header: { x: 0, y: 0, width: 20, height: 1 }, chat: { x: 0, y: 1, width: 20, height: 2 }, tools: null, divider: null,
    spinner: { x: 0, y: 3, width: 20, height: 1 }, prompt: { x: 0, y: 4, width: 20, height: 1 }, status: { x: 0, y: 5, width: 20, height: 1 }, rules: [],
  });
});

const overlap = (a: Rect, b: Rect) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test('for any size nothing overlaps, is negative or outside', () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 40 }), fc.boolean(), fc.constantFrom('side', 'bottom', 'hidden'), fc.constantFrom('chat', 'tools'), (columns, rows, prompt, spinner, log, tab) => {
    const made = layout({ columns, rows }, { prompt, spinner, log, tab });
    const rects: Rect[] = [made.header, made.chat, made.tools, made.spinner, made.prompt, made.status, made.divider, ...made.rules.map(({ y }) => ({ x: 0, y, width: columns, height: 1 }))].filter((rect) => rect !== null);
    for (const [at, rect] of rects.entries()) {
      expect(Math.min(rect.x, rect.y, rect.width, rect.height)).toBeGreaterThanOrEqual(0);
      expect(rect.x + rect.width).toBeLessThanOrEqual(columns);
      expect(rect.y + rect.height).toBeLessThanOrEqual(rows);
      expect(rects.slice(at + 1).filter((other) => overlap(rect, other))).toEqual([]);
    }
    for (const { text } of made.rules) expect(text.length).toBe(columns);
    if (columns >= 20 && rows >= 6) expect(Math.min(made.prompt.height, made.status.height, made.header.height, Math.max(made.chat.height, made.tools?.height ?? 0))).toBeGreaterThanOrEqual(1);
  }));
});
