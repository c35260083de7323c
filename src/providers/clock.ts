// Time as the providers see it, so that a test can hand in its own.
import { setTimeout as sleep } from 'node:timers/promises';

export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

/** The machine's own. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
};
