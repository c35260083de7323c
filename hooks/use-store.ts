// useStore: reads a part of a store and renders again when it changes.
import { useSyncExternalStore } from 'react';
import type { Readable } from '../src/types/state.ts';

/** `select` must give stored references, never fresh objects. */
export function useStore<S, T>(store: Readable<S>, select: (state: S) => T): T {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
