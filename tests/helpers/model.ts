// A provider that answers from a list: each request takes the next step. For tests of the loop.
import type { ModelRequest, Provider, ProviderEvent, StopReason } from '../../src/types/provider.ts';

export type Step = {
  thinking?: string;
  text?: string;
  calls?: { id: string; name: string; input?: unknown; raw?: string }[];
  /** Events before the end, as they are. */
  events?: ProviderEvent[];
  /** What it says it cost. */
  usage?: ProviderEvent;
  /** The last event; by default `end` with `tools` or `end`. */
  end?: ProviderEvent;
  /** Waits for this before the last event; an abort ends the wait. */
  hold?: Promise<void>;
};

/** Gives the provider and every request it was sent. */
export function scriptedModel(steps: readonly Step[]): { provider: Provider; requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const provider: Provider = {
    name: 'scripted', model: 'scripted-1',
    abilities: { tools: 'native', images: true, thinking: true, bindsThinking: false, toolReferences: false, window: 100_000, maxOutput: 8_000, cacheLifeMs: 300_000 },
    async *stream(request, signal) {
      // The loop hands over its own state: keep what it was at this moment.
      requests.push(structuredClone(request));
      const step = steps[requests.length - 1] ?? { text: 'Nothing more to say.' };
      yield* eventsOf(step);
      if (step.hold) await Promise.race([step.hold, new Promise<void>((resolve) => { if (signal.aborted) resolve(); signal.addEventListener('abort', () => resolve(), { once: true }); })]);
      if (signal.aborted) {
        yield { type: 'error', error: { kind: 'aborted', message: 'aborted' } };
        return;
      }
      yield step.usage ?? { type: 'usage', usage: { input: 10, cacheRead: 0, cacheWrite: 0, output: 5 } };
      const stop: StopReason = step.calls?.length ? 'tools' : 'end';
      yield step.end ?? { type: 'end', stop };
    },
  };
  return { provider, requests };
}

function* eventsOf(step: Step): Generator<ProviderEvent> {
  let index = 0;
  for (const [part, text] of [['thinking', step.thinking], ['text', step.text]] as const) {
    if (text === undefined) continue;
    yield { type: 'part_start', index, part };
    for (const delta of text.match(/\S+\s*/g) ?? []) yield { type: 'part_delta', index, delta };
    yield { type: 'part_end', index };
    index += 1;
  }
  for (const call of step.calls ?? []) {
    yield { type: 'part_start', index, part: 'tool_call', id: call.id, name: call.name };
    yield { type: 'part_delta', index, delta: call.raw ?? JSON.stringify(call.input ?? {}) };
    yield { type: 'part_end', index };
    index += 1;
  }
  yield* step.events ?? [];
}
