// A store: state that changes by a pure function, and listeners that hear of it at most once a frame.
import type { Readable } from '../types/state.ts';

export type Store<S, A> = Readable<S> & {
  /** Changes the state at once. Listeners are told at once for an urgent action, else when this turn of the event loop is over, and then a frame apart: closer at the start, wider where it goes on and on. */
  dispatch(action: A): void;
  /** Tells the listeners now what they have not heard yet. */
  flush(): void;
};

export type StoreOptions<A> = {
  /** Which actions can't wait for the frame: keys, questions. */
  urgent?(action: A): boolean;
  frameMs?: number;
  /** Between frames once they have followed each other without a pause for a second. Text that streams in looks the same, at two thirds of the cost. Default 50. */
  calmFrameMs?: number;
};

/** After so long without news the next is a fresh start; the frames that follow it at once (the first words behind the prompt) are waited for; after so much without a pause frames may come more slowly. */
const PAUSE_MS = 200;
const START_FRAMES = 3;
const STREAK_MS = 1_000;

/** Makes a store. Nothing is scheduled while nothing is pending, and an action that changes nothing tells nobody. */
export function createStore<S, A>(reduce: (state: S, action: A) => S, initial: S, options: StoreOptions<A> = {}): Store<S, A> {
  const { urgent, frameMs = 33, calmFrameMs = Math.max(50, frameMs) } = options;
  const listeners = new Set<() => void>();
  let state = initial;
  let told = initial;
  let toldAt = -Infinity;
  let streakFrom = 0;
  let frames = 0;
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (told === state) return;
    told = state;
    const now = performance.now();
    if (now - toldAt > PAUSE_MS) { streakFrom = now; frames = 0; }
    frames += 1;
    toldAt = now;
    for (const listener of listeners) listener();
  };

  const gap = () => {
    if (frames < START_FRAMES) return frameMs / 4;
    return toldAt - streakFrom > STREAK_MS ? calmFrameMs : frameMs;
  };

  return {
    get: () => state,
    dispatch(action) {
      state = reduce(state, action);
      if (state === told) return;
      if (urgent?.(action)) flush();
      else timer ??= setTimeout(flush, Math.max(0, toldAt + gap() - performance.now()));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => { listeners.delete(listener); };
    },
    flush,
  };
}
