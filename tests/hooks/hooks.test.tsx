// The hooks: a selector that has not changed draws nothing, one timer for all who count, none for nobody.
import { Text } from 'ink';
import { cleanup, render } from 'ink-testing-library';
import { useEffect } from 'react';
import { afterEach, expect, test } from 'vitest';
import { useStore } from '../../hooks/use-store.ts';
import { useTick } from '../../hooks/use-tick.ts';
import { createStore } from '../../src/store/store.ts';
import type { Readable } from '../../src/types/state.ts';
import { settle } from '../components/fixtures.ts';

afterEach(cleanup);

test('useStore draws again only when what it selects has changed', async () => {
  const store = createStore<{ a: number; b: number }, { a?: number; b?: number }>((state, change) => ({ ...state, ...change }), { a: 1, b: 1 }, { urgent: () => true });
  const drawn: number[] = [];
  function Show() {
    const a = useStore(store, (state) => state.a);
    useEffect(() => { drawn.push(a); });
    return <Text>{a}</Text>;
  }
  const view = render(<Show />);
  await settle();
  store.dispatch({ b: 2 });
  await settle();
  expect(drawn).toEqual([1]);
  store.dispatch({ a: 2 });
  await settle();
  expect([view.lastFrame(), drawn]).toEqual(['2', [1, 2]]);
});

test('useTick listens only while it is active', async () => {
  const listeners = new Set<() => void>();
  let time = 1;
  const ticker: Readable<number> = { get: () => time, subscribe: (listener) => { listeners.add(listener); return () => { listeners.delete(listener); }; } };
  function Clock({ active }: { active: boolean }) {
    return <Text>{useTick(ticker, active)}</Text>;
  }
  const view = render(<Clock active={false} />);
  await settle();
  expect(listeners.size).toBe(0);
  view.rerender(<Clock active />);
  await settle();
  time = 2;
  for (const tell of listeners) tell();
  await settle();
  expect([view.lastFrame(), listeners.size]).toEqual(['2', 1]);
  view.rerender(<Clock active={false} />);
  await settle();
  expect(listeners.size).toBe(0);
});
