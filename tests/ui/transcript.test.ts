// The transcript: what is drawn for each kind of entry, how it scrolls, and that a long session costs no more.
import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { initialState, reduce } from '../../src/store/reduce.ts';
import type { Happening } from '../../src/types/event.ts';
import type { Message } from '../../src/types/message.ts';
import type { SessionState } from '../../src/types/state.ts';
import { createTheme } from '../../src/ui/themes.ts';
import { createTranscript, type Anchor, type TranscriptView } from '../../src/ui/transcript.ts';
import { anyText } from './texts.ts';

const theme = createTheme('dark', 'none');
const view = (change: Partial<TranscriptView> = {}): TranscriptView => ({ width: 40, height: 10, anchor: 'end', theme, unfolded: new Set(), showThinking: false, ...change });

function play(...events: Happening[]): SessionState {
  return events.reduce((state, event, at) => reduce(state, { agent: 'main', at: at * 100, ...event }), initialState());
}
const says = (id: string, text: string): Happening => ({ type: 'message', message: { id, role: 'user', parts: [{ type: 'text', text }], at: 0 } });
const answers = (id: string, text: string): Happening => ({ type: 'part', messageId: id, role: 'assistant', part: { type: 'text', text } });
const thinks = (id: string, text: string): Happening => ({ type: 'part', messageId: id, role: 'assistant', part: { type: 'thinking', text } });
const calls = (id: string, callId: string, title: string): Happening[] => [
  { type: 'part', messageId: id, role: 'assistant', part: { type: 'tool_call', id: callId, name: 'Do', input: { what: title } } },
  { type: 'tool_called', call: { id: callId, name: 'Do', input: { what: title } }, title },
];
const gives = (id: string, callId: string, result: object): Happening =>
  ({ type: 'part', messageId: id, role: 'tool', part: { type: 'tool_result', callId, name: 'Do', ok: true, text: '', ...result } });
const stream = (event: Extract<Happening, { type: 'stream' }>['event']): Happening => ({ type: 'stream', messageId: 'a', event });
const ends = (callId: string, outcome: 'done' | 'failed' | 'denied' = 'done', ms = 5): Happening => ({ type: 'tool_ended', callId, outcome, ms });
const rowsOf = (state: SessionState, change: Partial<TranscriptView> = {}) => createTranscript().window(state, view({ height: 100, ...change })).rows;

describe('entries', () => {
  test.each<[string, Happening[], string[]]>([
    ['a prompt and an answer', [says('u', 'find\nit'), answers('a', 'It is in **src**.')], ['> find', '  it', '', 'It is in src.']],
    ['a reminder is not shown', [{ type: 'message', message: { id: 'r', role: 'user', parts: [{ type: 'text', text: 'x' }], at: 0, source: 'reminder' } }, says('u', 'hi')], ['> hi']],
    ['another source is named', [{ type: 'message', message: { id: 'r', role: 'user', parts: [{ type: 'text', text: 'x' }], at: 0, source: 'judge' } }], ['> [judge] x']],
    ['thinking is folded', [thinks('a', 'First.\n\nSecond.'), answers('a', 'Done.')], ['∴ First. …', '', 'Done.']],
    ['calls without a body stand together', [...calls('a', '1', 'x'), ...calls('a', '2', 'y'), ends('1'), gives('t', '1', { text: 'l1\nl2\n' })], ['✓ Do: x · 2 lines', '○ Do: y']],
    ['a running call shows its tail', [...calls('a', '1', 'x'), { type: 'tool_started', callId: '1', acts: true }, { type: 'tool_output', callId: '1', text: 'a\nb\nc\nd\n' }], ['● Do: x', '  └ … 1 earlier line', '    b', '    c', '    d']],
    ['a failed call shows why', [...calls('a', '1', 'x'), ends('1', 'failed', 1500), gives('t', '1', { ok: false, text: 'No such file.' })], ['✗ Do: x · 1.5s', '  └ No such file.']],
    ['a call without a title shows its first text', [{ type: 'tool_called', call: { id: '1', name: 'Do', input: {} }, title: '' }, { type: 'part', messageId: 'a', role: 'assistant', part: { type: 'tool_call', id: '1', name: 'Do', input: { n: 1, path: 'x.ts' } } }], ['○ Do: x.ts']],
    ['a call that says nothing but the name of its tool', [...calls('a', '1', 'Do'), ends('1', 'failed'), gives('t', '1', { ok: false, text: 'No.' })], ['✗ Do', '  └ No.']],
    ['a denied call', [...calls('a', '1', 'x'), ends('1', 'denied'), gives('t', '1', { ok: false, text: 'Denied by the user.' })], ['⊘ Do: x · denied', '  └ Denied by the user.']],
    ['a diff', [...calls('a', '1', 'f'), ends('1'), gives('t', '1', { view: { type: 'diff', path: 'f', patch: '@@ -1,2 +1,2 @@\n a\n-b\n+c\n' } })], ['✓ Do: f', '  └ 1   a', '    2 - b', '    2 + c']],
    ['notices in their place', [says('u', 'hi'), { type: 'notice', level: 'warn', text: 'Careful.' }, answers('a', 'ok'), { type: 'notice', level: 'info', text: '◇ Compacted' }], ['> hi', '', '! Careful.', '', 'ok', '', '◇ Compacted']],
    ['control sequences do not pass', [says('u', 'a\x1b[2Jb'), answers('a', 'x\x1b]0;t\x07y')], ['> ab', '', 'xy']],
  ])('%s', (_name, events, rows) => {
    expect(rowsOf(play(...events))).toEqual(rows);
  });

  test('unfolding shows thinking and whole results', () => {
    const state = play(thinks('a', 'First.\n\nSecond.'), ...calls('a', '1', 'x'), ends('1'), gives('t', '1', { text: 'l1\nl2' }));
    const thinking = ['∴ First.', '  ', '  Second.'];
    const call = ['✓ Do: x · 2 lines', '  └ l1', '    l2'];
    expect(rowsOf(state, { unfolded: 'all' })).toEqual([...thinking, '', ...call]);
    expect(rowsOf(state, { unfolded: new Set(['1']) })).toEqual(['∴ First. …', '', ...call]);
    expect(rowsOf(state, { showThinking: true })).toEqual([...thinking, '', '✓ Do: x · 2 lines']);
  });

  test('rows say whose they are', () => {
    const state = play(says('u', 'hi'), ...calls('a', '1', 'x'));
    expect(createTranscript().window(state, view())).toEqual({ rows: ['> hi', '', '○ Do: x'], owners: ['u', 'a', '1'], anchor: 'end', below: 0, above: false });
  });

  test('the answer on its way replaces its finished parts', () => {
    const start = [
      says('u', 'hi'), stream({ type: 'part_start', index: 0, part: 'thinking' }), stream({ type: 'part_delta', index: 0, delta: 'Hm.\n\nSo' }),
    ];
    expect(rowsOf(play(...start))).toEqual(['> hi', '', '∴ Hm.', '  ', '  So']);
    const more = [
      ...start, stream({ type: 'part_end', index: 0 }), thinks('a', 'Hm.\n\nSo'),
      stream({ type: 'part_start', index: 1, part: 'text' }), stream({ type: 'part_delta', index: 1, delta: 'Answer **is' }),
    ];
    expect(rowsOf(play(...more))).toEqual(['> hi', '', '∴ Hm. …', '', 'Answer **is']);
    const call = [...more, stream({ type: 'part_start', index: 2, part: 'tool_call', id: '1', name: 'Do' }), stream({ type: 'part_delta', index: 2, delta: '{"a":' })];
    expect(rowsOf(play(...call)).at(-1)).toBe('○ Do … 5 characters');
  });
});

/** A long session: each message takes four rows but the first, which has no empty row before it. */
const messages = (count: number): Message[] => Array.from({ length: count }, (_, at) => ({ id: `m${at}`, role: 'assistant', parts: [{ type: 'text', text: `${at} a\n\n${at} b` }], at }));
const session = (count: number): SessionState => ({ ...initialState(), messages: messages(count) });

describe('scrolling', () => {
  test('up and down, to messages and to the ends', () => {
    const transcript = createTranscript();
    const state = session(10);
    const at = (anchor: Anchor) => transcript.window(state, view({ anchor, height: 6 }));
    expect(at('end').rows).toEqual(['', '8 b', '', '9 a', '', '9 b']);
    const up = transcript.scroll(state, view({ height: 6 }), -3);
    expect(at(up)).toEqual({ rows: ['7 b', '', '8 a', '', '8 b', ''], owners: ['m7', 'm8', 'm8', 'm8', 'm8', 'm9'], anchor: { entry: 'm7', line: 3 }, below: 3, above: true });
    expect(transcript.scroll(state, view({ height: 6, anchor: up }), 3)).toBe('end');
    expect(transcript.jump(state, view({ height: 6, anchor: up }), 'previousMessage')).toEqual({ entry: 'm7', line: 0 });
    expect(transcript.jump(state, view({ height: 6, anchor: { entry: 'm7', line: 0 } }), 'previousMessage')).toEqual({ entry: 'm6', line: 0 });
    expect(transcript.jump(state, view({ height: 6, anchor: { entry: 'm6', line: 2 } }), 'nextMessage')).toEqual({ entry: 'm7', line: 0 });
    expect(transcript.jump(state, view({ height: 6 }), 'nextMessage')).toBe('end');
    expect(transcript.jump(state, view({ height: 6 }), 'top')).toEqual({ entry: 'm0', line: 0 });
    expect(at({ entry: 'm0', line: 0 })).toMatchObject({ rows: ['0 a', '', '0 b', '', '1 a', ''], above: false, below: 33 });
    expect(transcript.scroll(state, view({ height: 6 }), -1000)).toEqual({ entry: 'm0', line: 0 });
  });

  test('what fits on the screen stays at the end', () => {
    const transcript = createTranscript();
    const state = session(2);
    expect(transcript.scroll(state, view(), -5)).toBe('end');
    expect(transcript.jump(state, view(), 'top')).toBe('end');
    expect(transcript.window(state, view({ anchor: { entry: 'm0', line: 0 } })).anchor).toBe('end');
    expect(transcript.window(session(0), view())).toEqual({ rows: [], owners: [], anchor: 'end', below: 0, above: false });
    expect(transcript.window(state, view({ height: 0 })).rows).toEqual([]);
  });

  test('an anchor whose entry has gone goes to the end', () => {
    expect(createTranscript().window(session(5), view({ anchor: { entry: 'gone', line: 1 } })).anchor).toBe('end');
  });

  test('going up and as far down again shows the same', () => {
    const transcript = createTranscript();
    const state = { ...session(30), notices: [{ id: 'n', level: 'info' as const, text: 'one two three', at: 0, after: 12 }] };
    fc.assert(fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20 }), fc.integer({ min: 5, max: 50 }), (from, lines, height, width) => {
      const start = transcript.scroll(state, view({ height, width }), -from);
      const up = transcript.scroll(state, view({ height, width, anchor: start }), -lines);
      const there = transcript.window(state, view({ height, width, anchor: start }));
      fc.pre(up === 'end' || !(up.entry === 'm0' && up.line === 0));
      expect(transcript.window(state, view({ height, width, anchor: transcript.scroll(state, view({ height, width, anchor: up }), lines) }))).toEqual(there);
    }));
  });

  test('a scrolled window does not move when text arrives, and counts it', () => {
    const transcript = createTranscript();
    let state = session(10);
    const anchor = transcript.scroll(state, view({ height: 6 }), -7);
    const before = transcript.window(state, view({ height: 6, anchor }));
    expect(before.below).toBe(7);
    for (const [at, delta] of ['one\n\n', 'two\n\n', 'three'].entries()) {
      if (at === 0) state = reduce(state, { agent: 'main', at: 0, type: 'stream', messageId: 'live', event: { type: 'part_start', index: 0, part: 'text' } });
      state = reduce(state, { agent: 'main', at: 0, type: 'stream', messageId: 'live', event: { type: 'part_delta', index: 0, delta } });
      expect(transcript.window(state, view({ height: 6, anchor }))).toEqual({ ...before, below: 9 + 2 * at });
    }
  });

  test('a window follows its entry when notices come in above', () => {
    const transcript = createTranscript();
    const anchor: Anchor = { entry: 'm5', line: 1 };
    const before = transcript.window(session(10), view({ height: 4, anchor }));
    const state = { ...session(10), notices: [{ id: 'n', level: 'info' as const, text: 'x', at: 0, after: 2 }] };
    expect(transcript.window(state, view({ height: 4, anchor })).rows).toEqual(before.rows);
  });
});

/** How many blocks are drawn for a window at the end, and for one in the middle after it. */
function drawn(count: number): { atEnd: number; middle: number } {
  const transcript = createTranscript();
  const state = session(count);
  transcript.window(state, view());
  const atEnd = transcript.rendered();
  transcript.window(state, view());
  transcript.window(state, view({ anchor: { entry: `m${count / 2}`, line: 0 } }));
  return { atEnd, middle: transcript.rendered() - atEnd };
}

test('a window of 10,000 messages draws only what is in sight', () => {
  expect(drawn(10_000)).toEqual(drawn(100));
  expect(drawn(10_000)).toEqual({ atEnd: 3, middle: 11 });
});

test('a streamed answer is drawn anew in its last block only, and once whole at the end', () => {
  const transcript = createTranscript();
  let state = session(100);
  transcript.window(state, view());
  const before = transcript.rendered();
  state = reduce(state, { agent: 'main', at: 0, ...stream({ type: 'part_start', index: 0, part: 'text' }) });
  for (let at = 0; at < 100; at += 1) {
    state = reduce(state, { agent: 'main', at: 0, ...stream({ type: 'part_delta', index: 0, delta: `line ${at}\n\n` }) });
    transcript.window(state, view());
  }
  expect(transcript.rendered()).toBe(before);
});

test('no row is wider than the pane, whatever is in it', () => {
  fc.assert(fc.property(anyText, anyText, fc.integer({ min: 1, max: 40 }), (one, two, width) => {
    const state = play(
      says('u', one), thinks('a', two), answers('a', one), ...calls('a', '1', two), ends('1', 'failed'), gives('t', '1', { ok: false, text: one }),
      ...calls('a', '2', one), gives('t', '2', { view: { type: 'terminal', command: 'x', output: two, exit: 1 } }), ...calls('a', '3', one),
      gives('t', '3', { view: { type: 'table', head: ['a', one], rows: [[two, 'b']] } }), { type: 'notice', level: 'error', text: two, view: { type: 'todos', items: [{ content: one, status: 'pending' }] } },
    );
    for (const unfolded of ['all', new Set<string>()] as const) {
      for (const row of createTranscript().window(state, view({ width, height: 200, unfolded })).rows) expect(stringWidth(row)).toBeLessThanOrEqual(width);
    }
  }));
});
