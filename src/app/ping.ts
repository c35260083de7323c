// Asks a model for next to nothing, to see whether it answers and how quickly.
import type { Ping } from '../types/command.ts';
import type { Provider, Usage } from '../types/provider.ts';

/** Enough for a word; the least that every service takes. */
const MAX_TOKENS = 64;
const PATIENCE_MS = 60_000;

/** Never throws. The first failure counts: nothing is tried again. */
export async function ping(provider: Provider, now: () => number = () => performance.now()): Promise<Ping> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), PATIENCE_MS);
  const began = now();
  let firstMs: number | undefined;
  let usage: Usage | undefined;
  try {
    const request = {
      model: provider.model, system: [], tools: [], thinking: 'off' as const, maxTokens: MAX_TOKENS, sessionId: 'ping',
      messages: [{ id: 'ping', role: 'user' as const, parts: [{ type: 'text' as const, text: 'ping' }], at: 0 }],
    };
    for await (const event of provider.stream(request, controller.signal)) {
      if (event.type === 'part_delta') firstMs ??= now() - began;
      if (event.type === 'usage') usage = event.usage;
      if (event.type === 'retrying') return { ok: false, failure: event.failure };
      if (event.type === 'error') {
        const { error } = event;
        return { ok: false, failure: error.kind === 'aborted' ? { kind: 'timeout', message: `There was no whole answer within ${PATIENCE_MS / 1_000} seconds.` } : error };
      }
    }
    return { ok: true, totalMs: now() - began, ...(firstMs === undefined ? {} : { firstMs }), ...(usage === undefined ? {} : { usage }) };
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}
