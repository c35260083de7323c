// The guard: silence is noticed and given up on, and whatever a wire does the stream ends once and never throws.
import { expect, test } from 'vitest';
import type { Clock } from '../../src/providers/clock.ts';
import { guard } from '../../src/providers/guard.ts';
import type { Wire } from '../../src/providers/wire.ts';
import type { ProviderEvent } from '../../src/types/provider.ts';
import { collect, endsOnce, requestOf } from './wires.ts';

const about = { service: 'The server', url: 'http://host.example/v1/x', model: 'm', apiKey: undefined, keyHint: 'Set a key.' };
const START: ProviderEvent = { type: 'part_start', index: 0, part: 'text' };
const END: ProviderEvent = { type: 'end', stop: 'end' };

/** Time passes only while something waits for it, and then at once. */
function leapingClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    wait: async (ms, signal) => {
      await new Promise(setImmediate);
      if (!signal.aborted) now += ms;
    },
  };
}

async function run(wire: Wire, options: { timeoutMs?: number; clock?: Clock; fetch?: typeof fetch; signal?: AbortSignal } = {}): Promise<ProviderEvent[]> {
  const stream = guard(async () => wire, { about, timeoutMs: options.timeoutMs ?? 90_000, clock: options.clock ?? leapingClock(), fetch: options.fetch ?? fetch, cost: () => 0.5 });
  const events = await collect(stream(requestOf(), options.signal ?? new AbortController().signal));
  expect(endsOnce(events)).toBe(true);
  return events;
}

const aborted = (signal: AbortSignal) => new Promise<void>((resolve) => {
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
});

/** Says `events`, then does as told. */
function wireOf(events: ProviderEvent[], then: (signal: AbortSignal) => Promise<void>): Wire {
  return async function* (_, { signal }) {
    yield* events;
    await then(signal);
  };
}

const silent = wireOf([], aborted);
const throwing = (error: unknown): Wire => wireOf([], () => Promise.reject(error));

test('a finished answer is handed over at once, though its connection stays open', async () => {
  const never: Clock = { now: () => 0, wait: (_, signal) => aborted(signal) };
  expect(await run(wireOf([START, END], aborted), { clock: never })).toEqual([START, END]);
});

test('silence is worth a word from 20 s on, and is given up on at the limit', async () => {
  const events = await run(silent, { timeoutMs: 42_000 });
  expect(events).toEqual([
    ...[20, 25, 30, 35, 40].map((seconds) => ({ type: 'waiting', seconds })),
    { type: 'error', error: { kind: 'timeout', message: 'The server sent nothing for 42 seconds. Try again, or raise timeout in the configuration.' } },
  ]);
});

test('a limit below 20 s holds without a word', async () => {
  expect((await run(silent, { timeoutMs: 5_000 })).map((event) => event.type)).toEqual(['error']);
});

test('bytes count, even those that make no event', async () => {
  const clock = leapingClock();
  const pinging: typeof fetch = async () => {
    let pings = 0;
    return new Response(new ReadableStream({
      async pull(out) {
        await clock.wait(15_000, new AbortController().signal);
        pings += 1;
        if (pings > 20) out.close();
        else out.enqueue(new TextEncoder().encode(': ping\n\n'));
      },
    }), { headers: { 'content-type': 'text/event-stream' } });
  };
  const wire: Wire = async function* (_, connection) {
    await (await connection.fetch('http://host.example')).text();
    yield END;
  };
  // The watchdog's own waits push the time on as well: what matters is that 20 pings outlive the limit.
  expect((await run(wire, { clock, timeoutMs: 60_000, fetch: pinging })).at(-1)).toEqual(END);
});

test('a usage gets its price', async () => {
  const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 };
  expect(await run(wireOf([{ type: 'usage', usage }, END], async () => {}))).toEqual([{ type: 'usage', usage, costUsd: 0.5 }, END]);
});

test.each<[string, Wire, object]>([
  ['throws', throwing(new Error('boom')), { kind: 'server', message: 'The server failed to answer: boom. Try again later.' }],
  ['throws no Error', throwing('boom'), { kind: 'server', message: 'The server failed to answer: boom. Try again later.' }],
  ['ends without an end', wireOf([START], async () => {}), { kind: 'network', message: 'The answer of The server broke off before its end. Check the network, or try again.' }],
])('a wire that %s', async (_, wire, error) => {
  expect((await run(wire)).at(-1)).toEqual({ type: 'error', error });
});

test('nothing follows an end', async () => {
  const events = await run(wireOf([END, { type: 'waiting', seconds: 1 }], () => Promise.reject(new Error('late'))));
  expect(events).toEqual([END]);
});

test('an abort waits a moment for the bill, not for ever', async () => {
  const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 };
  const billed = new AbortController();
  const bills: Wire = async function* (_, { signal }) {
    yield START;
    billed.abort();
    await aborted(signal);
    yield { type: 'usage', usage };
  };
  expect((await run(bills, { signal: billed.signal })).slice(-2)).toEqual([{ type: 'usage', usage, costUsd: 0.5 }, { type: 'error', error: { kind: 'aborted', message: 'Cancelled.' } }]);

  const stuck = new AbortController();
  const hangs = wireOf([START], () => {
    stuck.abort();
    return new Promise(() => {});
  });
  expect((await run(hangs, { signal: stuck.signal })).at(-1)).toEqual({ type: 'error', error: { kind: 'aborted', message: 'Cancelled.' } });
});

test('a reader that leaves closes the connection', async () => {
  let closed = false;
  const wire = wireOf([START], (signal) => {
    signal.addEventListener('abort', () => { closed = true; });
    return new Promise(() => {});
  });
  const stream = guard(async () => wire, { about, timeoutMs: 90_000, clock: leapingClock(), fetch, cost: () => undefined });
  for await (const event of stream(requestOf(), new AbortController().signal)) if (event.type === 'part_start') break;
  expect(closed).toBe(true);
});
