// Retries: which failures, how often, how long, and that waiting can be cancelled.
import { expect, test } from 'vitest';
import type { Clock } from '../../src/providers/clock.ts';
import { retry } from '../../src/providers/retry.ts';
import type { Stream } from '../../src/providers/wire.ts';
import type { Failure, FailureKind, ProviderEvent } from '../../src/types/provider.ts';
import { collect, endsOnce, requestOf } from './wires.ts';

const failure = (kind: FailureKind, extra: Partial<Failure> = {}): Failure => ({ kind, message: `It failed: ${kind}.`, ...extra });
const END: ProviderEvent = { type: 'end', stop: 'end' };
const START: ProviderEvent = { type: 'part_start', index: 0, part: 'text' };

/** A stream that plays one list of events a try. */
function plays(...tries: ProviderEvent[][]): Stream & { count(): number } {
  let count = 0;
  return Object.assign(async function* () { yield* tries[count++] ?? []; }, { count: () => count });
}

function fakeClock(onWait?: () => void): Clock & { waits: number[] } {
  const waits: number[] = [];
  return { waits, now: () => 0, wait: async (ms) => { waits.push(ms); onWait?.(); } };
}

async function run(stream: Stream, options: { random?: number; clock?: Clock; signal?: AbortSignal } = {}): Promise<ProviderEvent[]> {
  const retried = retry(stream, { clock: options.clock ?? fakeClock(), random: () => options.random ?? 0.5 });
  const events = await collect(retried(requestOf(), options.signal ?? new AbortController().signal));
  expect(endsOnce(events)).toBe(true);
  return events;
}

test('a good answer passes through untouched', async () => {
  expect(await run(plays([START, END]))).toEqual([START, END]);
});

test.each<[FailureKind, number]>([
  ['rate_limit', 4], ['overloaded', 4], ['server', 4], ['network', 4], ['timeout', 4],
  ['auth', 1], ['invalid_request', 1], ['context_overflow', 1], ['content_filter', 1], ['aborted', 1], ['unknown', 1],
])('%s: %i tries', async (kind, tries) => {
  const error: ProviderEvent = { type: 'error', error: failure(kind) };
  const stream = plays([error], [error], [error], [error], [END]);
  const events = await run(stream);
  expect(stream.count()).toBe(tries);
  expect(events.at(-1)).toEqual(tries === 1 ? error : { type: 'error', error: failure(kind, { message: `It failed: ${kind}. (4 tries)` }) });
});

test.each([[0, [750, 1500, 3000]], [0.5, [1000, 2000, 4000]], [0.999_999, [1250, 2500, 5000]]])('waits double, with jitter %d', async (random, waits) => {
  const error: ProviderEvent = { type: 'error', error: failure('server') };
  const clock = fakeClock();
  await run(plays([error], [error], [error], [END]), { random, clock });
  expect(clock.waits).toEqual(waits);
});

test.each([[0, 0], [2_000, 2_000], [59_999, 59_999], [3_600_000, 60_000]])('a service that asks for %i ms gets %i', async (retryAfterMs, waited) => {
  const clock = fakeClock();
  const asked = failure('rate_limit', { retryAfterMs });
  expect(await run(plays([{ type: 'error', error: asked }], [END]), { clock })).toEqual([{ type: 'retrying', failure: asked, attempt: 1, waitMs: waited }, END]);
  expect(clock.waits).toEqual([waited]);
});

test('a try that fails in mid-answer is taken back', async () => {
  const events = await run(plays([START, { type: 'part_delta', index: 0, delta: 'Hel' }, { type: 'error', error: failure('network') }], [START, END]));
  expect(events.map((event) => event.type)).toEqual(['part_start', 'part_delta', 'retrying', 'part_start', 'end']);
});

test('cancelling ends the wait, and nothing more is tried', async () => {
  const controller = new AbortController();
  const stream = plays([{ type: 'error', error: failure('rate_limit') }], [END]);
  const events = await run(stream, { clock: fakeClock(() => controller.abort()), signal: controller.signal });
  expect(events.map((event) => event.type)).toEqual(['retrying', 'error']);
  expect(events.at(-1)).toEqual({ type: 'error', error: { kind: 'aborted', message: 'Cancelled.' } });
  expect(stream.count()).toBe(1);
});
