// Folding a session back: what was cut off is brought to an end, what is damaged is left out and counted.
import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldSession } from '../../src/session/fold.ts';
import { listSessions, newestSession, newSessionId } from '../../src/session/list.ts';
import { EVENTS, openLog, verifyLog } from '../../src/session/log.ts';
import { makeRecord } from '../../src/session/record.ts';
import { initialState, reduce } from '../../src/store/reduce.ts';
import type { AgentEvent } from '../../src/types/event.ts';
import type { SessionState } from '../../src/types/state.ts';
import { at, fold, linesOf, makeFolder, script, user } from './helpers.ts';

/** A session's folder with these events in its file. */
function record(events: readonly AgentEvent[], dir = join(makeFolder(), 'one')): string {
  const log = openLog(dir);
  for (const event of events) log.append(event);
  log.close();
  return dir;
}

/** Every call with how many results it has, right behind it. */
function results(state: SessionState): Record<string, number> {
  const found: Record<string, number> = {};
  state.messages.forEach((message, index) => {
    for (const part of message.parts) {
      if (part.type !== 'tool_call') continue;
      const next = state.messages[index + 1];
      found[part.id] = next?.role === 'tool' ? next.parts.filter((one) => one.type === 'tool_result' && one.callId === part.id).length : 0;
    }
  });
  return found;
}

const atRest = ({ turn, questions, live, doing, tools }: SessionState) => ({ running: turn.running, questions, live, doing, unfinished: tools.filter((tool) => ['waiting', 'asking', 'running'].includes(tool.status)) });
const REST = { running: false, questions: [], live: null, doing: { what: 'idle' }, unfinished: [] };

describe('the fold', () => {
  test('gives the state that the live session had', () => {
    const events = script();
    expect(fold(record(events))).toEqual({ state: events.reduce(reduce, initialState()), damaged: 0, events: events.length });
  });

  test('a missing file folds to nothing', () => {
    expect(fold(makeFolder())).toEqual({ state: initialState(), damaged: 0, events: 0 });
  });

  test('a session cut after any event comes to rest, and each call has exactly one result', () => {
    const events = script();
    events.forEach((_, index) => {
      const { state } = fold(record(events.slice(0, index + 1)));
      expect(atRest(state)).toEqual(REST);
      expect(Object.values(results(state)).every((count) => count === 1)).toBe(true);
    });
    const { state } = fold(record(events.slice(0, 12)));
    expect(state.messages.at(-1)?.parts).toEqual([
      { type: 'tool_result', callId: 'c1', name: 'ReadFile', ok: true, text: 'contents' },
      { type: 'tool_result', callId: 'c2', name: 'WriteFile', ok: false, text: 'interrupted' },
    ]);
  });

  test('results of a cut turn stand where they belong when the session went on later', () => {
    const events = script();
    const resumed = [at({ type: 'session_resumed', provider: 'demo', model: 'demo', window: 5 }), user('again'), at({ type: 'turn_started' }), ...script().slice(3).map((event) => JSON.parse(JSON.stringify(event).replaceAll(/"(a1|a2|t1|c1|c2|q1)"/g, '"$1-later"')) as AgentEvent)];
    const { state } = fold(record([...events.slice(0, 8), ...resumed]));
    expect(results(state)).toEqual({ c1: 1, c2: 1, 'c1-later': 1, 'c2-later': 1 });
    expect(state.messages.map((message) => message.id)).toEqual(['u-read and write', 'a1', 'a1-results', 'u-again', 'a1-later', 't1-later', 'a2-later']);
    expect(atRest(state)).toEqual(REST);
  });

  test('a subagent\'s turn does not end the main one, and its calls come to rest too', () => {
    const events = script().slice(0, 10);
    const child = [at({ type: 'turn_started' }, 'main/2'), at({ type: 'tool_called', call: { id: 's1', name: 'LS', input: {} }, title: '.' }, 'main/2'), at({ type: 'tool_started', callId: 's1', acts: true }, 'main/2')];
    const done = at({ type: 'part', messageId: 't1', role: 'tool', part: { type: 'tool_result', callId: 'c1', name: 'ReadFile', ok: true, text: 'late' } });
    const { state } = fold(record([...events, ...child, done]));
    expect(state.messages.at(-1)?.parts.map((part) => part.type === 'tool_result' && part.text)).toEqual(['late', 'interrupted']);
    expect(atRest(state)).toEqual(REST);
  });

  test('a message that was taken back has no open calls', () => {
    const events = script().slice(0, 6);
    const { state } = fold(record([...events, at({ type: 'message', message: { id: 'a1', role: 'assistant', parts: [], at: 1 } })]));
    expect(state.messages.map((message) => message.id)).toEqual(['u-read and write']);
  });

  test('cut at every byte: never throws, keeps every intact line, counts the rest', () => {
    const dir = record(script().slice(0, 7));
    const bytes = readFileSync(join(dir, EVENTS));
    const file = join(makeFolder(), EVENTS);
    const wrong: object[] = [];
    for (let length = 0; length <= bytes.length; length++) {
      const cut = bytes.subarray(0, length);
      writeFileSync(file, cut);
      const rest = length - (cut.lastIndexOf(0x0a) + 1);
      // A line whose newline alone is missing is intact.
      const complete = rest > 0 && bytes[length] === 0x0a;
      const expected = { events: cut.toString('latin1').split('\n').length - 1 + (complete ? 1 : 0), damaged: rest > 0 && !complete ? 1 : 0 };
      const { events, damaged } = foldSession(file, (count: number) => count, 0);
      if (events !== expected.events || damaged !== expected.damaged) wrong.push({ length, events, damaged, expected });
    }
    expect(wrong).toEqual([]);
  });

  test('whatever happens to single lines, the others are kept', () => {
    const dir = record(script());
    const lines = linesOf(dir);
    const file = join(makeFolder(), EVENTS);
    const ids = (text: string) => { writeFileSync(file, text); const seen: number[] = []; const { damaged } = foldSession(file, (_: null, event) => { seen.push(event.at); return null; }, null); return { seen, damaged }; };
    const all = lines.map((line) => (JSON.parse(line) as { t: number }).t);
    const without = (index: number) => all.filter((_, other) => other !== index);
    fc.assert(fc.property(fc.nat(lines.length - 1), fc.nat(1000), fc.constantFrom('nul', 'cut', 'flip', 'blank', 'other json', 'newer'), (index, where, how) => {
      const line = lines[index] ?? '';
      const place = where % line.length;
      const hurt = {
        nul: `${line.slice(0, place)}${'\0'.repeat(8)}${line.slice(place)}`, cut: line.slice(0, place), flip: `${line.slice(0, place)}\u0001${line.slice(place + 1)}`,
        blank: '', 'other json': '{"v":1,"seq":"x"}', newer: line.replace('{"v":1', '{"v":2'),
      }[how];
      const { seen, damaged } = ids([...lines.slice(0, index), hurt, ...lines.slice(index + 1), ''].join('\n'));
      // An end of an interrupted turn is added behind, and a flip inside a text may leave it intact JSON: never is another line lost.
      expect(without(index).every((time) => seen.includes(time))).toBe(true);
      expect(damaged).toBeLessThanOrEqual(1);
    }), { numRuns: 300 });
    expect(ids([...lines.slice(0, 3), `${lines[3]}${lines[4]}`, ...lines.slice(5), ''].join('\n')).damaged).toBe(1);
    expect(ids(`${[...lines.slice(0, 3), lines[2], ...lines.slice(3)].join('\n')}\n`)).toEqual({ seen: all, damaged: 0 });
  });

  test('an event that the reducer can\'t take is damage, not an end', () => {
    const dir = record([user('a'), user('b')]);
    const { state, damaged, events } = foldSession(join(dir, EVENTS), (seen: string[], event) => { if (event.type === 'message' && event.message.id === 'u-a') throw new TypeError('broken'); return [...seen, event.type]; }, []);
    expect({ state, damaged, events }).toEqual({ state: ['message'], damaged: 1, events: 1 });
  });

  test('folding never writes', () => {
    const dir = record(script().slice(0, 8));
    appendFileSync(join(dir, EVENTS), '{"torn');
    const before = readFileSync(join(dir, EVENTS));
    expect(fold(dir).damaged).toBe(1);
    expect(readFileSync(join(dir, EVENTS))).toEqual(before);
  });

  test('ten thousand events', () => {
    const events = Array.from({ length: 2_500 }, (_, index) => [
      user(`p${index}`), at({ type: 'part', messageId: `a${index}`, role: 'assistant', part: { type: 'tool_call', id: `c${index}`, name: 'LS', input: {} } }),
      at({ type: 'tool_called', call: { id: `c${index}`, name: 'LS', input: {} }, title: '.' }),
      at({ type: 'part', messageId: `t${index}`, role: 'tool', part: { type: 'tool_result', callId: `c${index}`, name: 'LS', ok: true, text: 'a b c' } }),
    ]).flat();
    const dir = makeFolder();
    let h = '';
    const lines = events.map((event, index) => { const one = makeRecord(event, index + 1, h); h = one.h; return JSON.stringify(one); });
    writeFileSync(join(dir, EVENTS), `${lines.join('\n')}\n`);
    expect(verifyLog(dir)).toEqual({ lines: 10_000, damaged: 0, broken: [] });
    const start = performance.now();
    const { state, ...rest } = fold(dir);
    const whole = performance.now() - start;
    const alone = performance.now();
    foldSession(join(dir, EVENTS), (count: number) => count + 1, 0);
    console.log(`10,000 events: ${Math.round(whole)} ms with the reducer, ${Math.round(performance.now() - alone)} ms without`);
    expect({ messages: state.messages.length, ...rest }).toEqual({ messages: 7_500, damaged: 0, events: 10_000 });
  });
});

describe('the list', () => {
  test('sessions by last use, with their first prompt', () => {
    const folder = makeFolder();
    const reminder = at({ type: 'message', message: { id: 'r', role: 'user', source: 'reminder', parts: [{ type: 'text', text: 'cwd is /p' }], at: 1 } });
    const ids = ['20260101-000000-aaaaaa', '20260102-000000-bbbbbb', '20260103-000000-cccccc'];
    record([reminder, user('first\n \u001b[31mprompt')], join(folder, ids[0] ?? ''));
    record([user('x'.repeat(300))], join(folder, ids[1] ?? ''));
    record([at({ type: 'turn_started' })], join(folder, ids[2] ?? ''));
    ids.forEach((id, index) => utimesSync(join(folder, id, EVENTS), 1000 - index, 1000 - index));
    mkdirSync(join(folder, 'no session'));
    writeFileSync(join(folder, 'a file'), '');
    const sessions = listSessions(folder);
    expect(sessions.map(({ id, title, changedAt }) => ({ id, title, changedAt }))).toEqual([
      { id: ids[0], title: 'first prompt', changedAt: 1_000_000 }, { id: ids[1], title: `${'x'.repeat(99)}…`, changedAt: 999_000 }, { id: ids[2], title: '', changedAt: 998_000 },
    ]);
    expect(sessions[0]?.startedAt).toBe(reminder.at);
    expect([newestSession(folder), newestSession(join(folder, 'nothing')), listSessions(join(folder, 'nothing'))]).toEqual([ids[0], undefined, []]);
  });

  test('ids sort by time', () => {
    expect(newSessionId(() => Date.UTC(2026, 10, 21, 8, 11, 7), (count) => new Uint8Array(count).fill(171))).toBe('20261121-081107-ababab');
    expect(newSessionId()).toMatch(/^\d{8}-\d{6}-[0-9a-f]{6}$/);
  });
});
