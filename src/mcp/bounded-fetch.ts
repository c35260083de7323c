// A fetch whose answers are bounded: none is longer than what is taken, and a stream of messages without end has to wait.
import { setTimeout as sleep } from 'node:timers/promises';

const NEWLINE = 10;
/** So many lines of a stream in a row; then a pause. */
const BURST = { lines: 2_000, pauseMs: 50 };

/** `longest` is the bytes of a whole answer, or of one line of an event stream. What is longer fails the reader. */
export function boundedFetch(send: typeof fetch, longest: number): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (!response.body) return response;
    const stream = /text\/event-stream/i.test(response.headers.get('content-type') ?? '');
    let size = 0;
    let lines = 0;
    const bounds = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        const last = stream ? chunk.lastIndexOf(NEWLINE) : -1;
        size = last < 0 ? size + chunk.length : chunk.length - last - 1;
        if (size > longest) throw new Error(`The answer has more than ${longest / 1_048_576} MiB, so it was not taken.`);
        controller.enqueue(chunk);
        if (last < 0) return;
        for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
        if (lines < BURST.lines) return;
        lines = 0;
        await sleep(BURST.pauseMs);
      },
    });
    const bounded = new Response(response.body.pipeThrough(bounds), { status: response.status, statusText: response.statusText, headers: response.headers });
    // Whoever follows redirects wants to know where it came from.
    Object.defineProperty(bounded, 'url', { value: response.url });
    Object.defineProperty(bounded, 'redirected', { value: response.redirected });
    Object.defineProperty(bounded, 'type', { value: response.type });
    return bounded;
  };
}
