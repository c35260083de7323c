// useTick: the time, moving only while it is wanted. All who want it share one timer; without any the program rests.
import { useSyncExternalStore } from 'react';
import type { Readable } from '../src/types/state.ts';

const never = () => () => {};

/** Milliseconds since 1970, renewed with each tick while `active`. */
export function useTick(ticker: Readable<number>, active: boolean): number {
  return useSyncExternalStore(active ? ticker.subscribe : never, ticker.get);
}
