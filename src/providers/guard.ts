// Makes an honest stream of a wire: it never throws, never hangs, and ends exactly once.
import type { Failure, ModelRequest, ProviderEvent, Usage } from '../types/provider.ts';
import type { Clock } from './clock.ts';
import { failWith, failureOf, type About } from './failures.ts';
import type { Stream, Wire } from './wire.ts';

export type GuardOptions = {
  about: About;
  /** Milliseconds without a byte until the request is given up. */
  timeoutMs: number;
  clock: Clock;
  fetch: typeof fetch;
  /** The answer is one JSON document, not a stream. */
  whole?: boolean;
  /** Dollars; `undefined` when the model's price is not known. */
  cost(usage: Usage): number | undefined;
};

/** Silence that is worth a word, and how often from then on. */
const QUIET_MS = 20_000;
const REPEAT_MS = 5_000;
/** How long a wire may take to say what a broken-off answer has cost. */
const LAST_WORDS_MS = 100;
/** How long the rest of a finished answer is read, while its reader has long gone on. */
const REST_MS = 1_000;

/** `wire` is asked for when the first request comes, so that its SDK is loaded only then. */
export function guard(wire: () => Promise<Wire>, options: GuardOptions): Stream {
  return (request, signal) => run(wire, options, request, signal);
}

async function* run(wire: () => Promise<Wire>, options: GuardOptions, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ProviderEvent> {
  const { about, clock } = options;
  const socket = new AbortController();
  let heard = clock.now();
  const hear = () => { heard = clock.now(); };

  // The wire is read at its own pace, so that a slow reader of ours never looks like a silent service.
  let queue: ProviderEvent[] = [];
  let over = false;
  let wake: (() => void) | undefined;
  const put = (event: ProviderEvent) => {
    if (over) return;
    over = event.type === 'end' || event.type === 'error';
    queue.push(event);
    if (event.type === 'error') socket.abort();
    wake?.();
  };
  const fail = (error: Failure) => put({ type: 'error', error });

  const cancelled = () => fail({ kind: 'aborted', message: 'Cancelled.' });
  // The wire gets a moment to say what the broken-off answer has cost.
  const onAbort = () => {
    socket.abort();
    void clock.wait(LAST_WORDS_MS, new AbortController().signal).then(cancelled);
  };
  const pump = async () => {
    try {
      const connection = { signal: socket.signal, fetch: listening(options, hear) };
      for await (const event of (await wire())(request, connection)) {
        put(event.type === 'usage' ? priced(event.usage, options) : event);
      }
      if (signal.aborted) cancelled();
      else fail({ kind: 'network', message: `The answer of ${about.service} broke off before its end. Check the network, or try again.` });
    } catch (error) {
      if (signal.aborted) cancelled();
      else fail(failureOf(error, about, clock));
    }
  };
  const watch = async () => {
    let said = 0;
    for (;;) {
      if (over) return;
      const silent = clock.now() - heard;
      if (silent >= options.timeoutMs) {
        fail({ kind: 'timeout', message: `${about.service} sent nothing for ${Math.round(silent / 1_000)} seconds. Try again, or raise timeout in the configuration.` });
        return;
      }
      if (silent < QUIET_MS) said = 0;
      else if (said === 0 || silent - said >= REPEAT_MS) {
        said = silent;
        put({ type: 'waiting', seconds: Math.floor(silent / 1_000) });
      }
      const next = silent < QUIET_MS ? QUIET_MS : said + REPEAT_MS;
      await clock.wait(Math.max(1, Math.min(next, options.timeoutMs) - silent), socket.signal);
    }
  };

  signal.addEventListener('abort', onAbort, { once: true });
  let pumping: Promise<void> | undefined;
  try {
    if (signal.aborted) cancelled();
    else {
      pumping = pump();
      void watch();
    }
    for (;;) {
      const events = queue;
      queue = [];
      for (const event of events) yield event;
      if (over && queue.length === 0) return;
      if (queue.length === 0) await new Promise<void>((resolve) => { wake = resolve; });
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    // A connection that is read to its end can be used again; nobody waits for that.
    const rest = over && pumping !== undefined ? Promise.race([pumping, clock.wait(REST_MS, socket.signal)]) : undefined;
    over = true;
    if (rest) void rest.then(() => socket.abort());
    else socket.abort();
  }
}

function priced(usage: Usage, options: GuardOptions): ProviderEvent {
  const costUsd = options.cost(usage);
  return costUsd === undefined ? { type: 'usage', usage } : { type: 'usage', usage, costUsd };
}

/** A fetch that says whenever something comes, and refuses an answer that is no stream: the SDKs would take it for an empty one. */
function listening({ fetch: plain, about, whole = false }: GuardOptions, hear: () => void): typeof fetch {
  return async (input, init) => {
    const response = await plain(input, init);
    hear();
    if (!response.ok || response.body === null) return response;
    const type = response.headers.get('content-type') ?? '';
    if ((whole ? /\bhtml\b/ : /\bhtml\b|\bjson\b/).test(type)) {
      const start = (await response.text()).replace(/\s+/g, ' ').slice(0, 200);
      throw failWith({ kind: 'invalid_request', message: `${about.service} answered at ${about.url} with ${type}, not with ${whole ? 'JSON' : 'a stream'}: ${start} Check base_url.` });
    }
    const reader = response.body.getReader();
    const bytes = new ReadableStream<Uint8Array>({
      async pull(out) {
        const { done, value } = await reader.read();
        hear();
        if (done) out.close();
        else out.enqueue(value);
      },
      // The SDKs let go at `[DONE]`: what little follows is read all the same. `signal` is what closes a socket.
      async cancel() {
        while (!(await reader.read()).done);
      },
    });
    return new Response(bytes, response);
  };
}
