// The store: state at once, listeners at most once a frame, nothing scheduled while nothing is pending.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore } from '../../src/store/store.ts';

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

const add = (sum: number, action: number) => sum + action;

test('listeners hear once a frame, the state is there at once', () => {
  const store = createStore(add, 0);
  const heard: number[] = [];
  const stop = store.subscribe(() => heard.push(store.get()));
  store.dispatch(1);
  store.dispatch(2);
  expect([store.get(), heard]).toEqual([3, []]);
  vi.advanceTimersByTime(33);
  expect([heard, vi.getTimerCount()]).toEqual([[3], 0]);
  stop();
  store.dispatch(1);
  vi.runAllTimers();
  expect(heard).toEqual([3]);
});

test('urgent actions are told at once, with what was pending', () => {
  const store = createStore(add, 0, { urgent: (action) => action > 10 });
  const heard: number[] = [];
  store.subscribe(() => heard.push(store.get()));
  store.dispatch(1);
  store.dispatch(11);
  expect([heard, vi.getTimerCount()]).toEqual([[12], 0]);
});

test('an action that changes nothing tells nobody and schedules nothing', () => {
  const store = createStore(add, 0, { urgent: () => true });
  const heard: number[] = [];
  store.subscribe(() => heard.push(store.get()));
  store.dispatch(0);
  expect([heard, vi.getTimerCount()]).toEqual([[], 0]);
});

test('flush tells what is pending, once', () => {
  const store = createStore(add, 0, { frameMs: 50 });
  const heard: number[] = [];
  store.subscribe(() => heard.push(store.get()));
  store.dispatch(1);
  store.flush();
  store.flush();
  vi.runAllTimers();
  expect([heard, vi.getTimerCount()]).toEqual([[1], 0]);
});

test('a listener may dispatch', () => {
  const store = createStore(add, 0);
  const heard: number[] = [];
  store.subscribe(() => { heard.push(store.get()); if (store.get() < 3) store.dispatch(1); });
  store.dispatch(1);
  vi.advanceTimersByTime(33 * 4);
  expect([heard, vi.getTimerCount()]).toEqual([[1, 2, 3], 0]);
});

test('what goes on and on is told less often, until it pauses; the urgent never waits', () => {
  const store = createStore(add, 0, { urgent: (action) => action > 10, frameMs: 20, calmFrameMs: 100 });
  let heard = 0;
  store.subscribe(() => { heard += 1; });
  const hearFor = (ms: number) => {
    const before = heard;
    for (let at = 0; at < ms; at += 5) { store.dispatch(1); vi.advanceTimersByTime(5); }
    return heard - before;
  };
  const counts = [hearFor(1_000), hearFor(1_000)];
  const before = heard;
  store.dispatch(11);
  const urgent = heard - before;
  vi.advanceTimersByTime(500);
  counts.push(hearFor(500));
  expect({ quick: counts[0], calm: counts[1], urgent, quickAgain: counts[2] }).toEqual({ quick: 52, calm: 10, urgent: 1, quickAgain: 27 });
});
