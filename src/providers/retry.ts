// A decorator that asks again when a try failed in a way that may pass, and says so while it waits.
import type { Failure, FailureKind } from '../types/provider.ts';
import type { Clock } from './clock.ts';
import type { Stream } from './wire.ts';

export type RetryOptions = { clock: Clock; /** From 0 to below 1. */ random?(): number };

const RETRIES = 3;
const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
const PASSING: readonly FailureKind[] = ['rate_limit', 'overloaded', 'server', 'network', 'timeout'];

/** `stream` with up to three more tries, also where a try failed in mid-answer: `retrying` takes the partial answer back. */
export function retry(stream: Stream, options: RetryOptions): Stream {
  const { clock, random = Math.random } = options;
  return async function* (request, signal) {
    for (let attempt = 1; ; attempt += 1) {
      let failure: Failure | undefined;
      for await (const event of stream(request, signal)) {
        if (event.type === 'error' && PASSING.includes(event.error.kind)) failure = event.error;
        else yield event;
      }
      if (failure === undefined) return;
      if (attempt > RETRIES) return yield { type: 'error', error: { ...failure, message: `${failure.message} (${attempt} tries)` } };
      // The service's own word counts; else 1 s, 2 s, 4 s, a quarter more or less.
      const waitMs = Math.min(LONGEST_MS, Math.round(failure.retryAfterMs ?? FIRST_MS * 2 ** (attempt - 1) * (0.75 + random() / 2)));
      yield { type: 'retrying', failure, attempt, waitMs };
      await clock.wait(waitMs, signal);
      if (signal.aborted) return yield { type: 'error', error: { kind: 'aborted', message: 'Cancelled.' } };
    }
  };
}
