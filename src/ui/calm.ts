// The figures of the meter, told only as often as an eye can read them while an answer streams in.
import type { Meter, Readable, SessionState } from '../types/state.ts';

/** Four times a second. */
const FIGURES_MS = 250;

/** The session's meter; while an answer is on its way it moves at most every `ms`. */
export function calmMeter(session: Readable<SessionState>, ms = FIGURES_MS): Readable<Meter> {
  const listeners = new Set<() => void>();
  let shown = session.get().meter;
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;

  const tell = () => {
    clearTimeout(timer);
    timer = undefined;
    shown = session.get().meter;
    toldAt = performance.now();
    for (const listener of listeners) listener();
  };
  const hear = () => {
    const { live, meter } = session.get();
    if (meter === shown) return;
    const wait = live === null ? 0 : toldAt + ms - performance.now();
    if (wait <= 0) tell();
    else timer ??= setTimeout(tell, wait);
  };
  return {
    get: () => (listeners.size > 0 ? shown : session.get().meter),
    subscribe(listener) {
      if (listeners.size === 0) {
        shown = session.get().meter;
        stop = session.subscribe(hear);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        clearTimeout(timer);
        timer = undefined;
      };
    },
  };
}
