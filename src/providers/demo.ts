// The demo model: offline, free and deterministic, yet a real client of the loop. It plays what demo-moves decides or a script says.
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { ModelRequest, Provider, ProviderEvent, StreamPart, Usage } from '../types/provider.ts';
import { sentenceOf } from '../types/user-error.ts';
import { decideStep } from './demo-moves.ts';
import type { Step } from './demo-script.ts';
import { shownTools } from './wire.ts';

export type DemoOptions = {
  /** Words a second; 0 is as fast as possible. Default 60. */
  rate?: number;
  /** Path of a YAML file with what to answer (docs/demo.md), in place of understanding requests. */
  script?: string;
  model?: string;
  /** Resolves after so many milliseconds; may reject once the signal aborts. */
  wait?(ms: number, signal: AbortSignal): Promise<unknown>;
};

const DEFAULT_RATE = 60;
/** No more deltas a second than this; faster rates send several words at once. */
const DELTAS = 100;
/** Words between two breaths for the event loop where the rate is 0. */
const BREATH = 64;

/** What is remembered of a session: how many requests it made, and the tokens of the last one, which the next reads from the pretended cache. */
type Memory = { requests: number; sent: number };

/** Makes the demo model. A script that can't be read fails the first request. */
export function createDemo(options: DemoOptions = {}): Provider {
  const wait = options.wait ?? ((ms, signal) => setTimeout(ms, undefined, { signal }));
  const memories = new Map<string, Memory>();
  let calls = 0;
  let script: Promise<(request: number) => Step> | undefined;

  return {
    name: 'demo',
    model: options.model ?? 'demo',
    abilities: { tools: 'native', images: false, thinking: true, bindsThinking: false, toolReferences: false, window: 200_000, maxOutput: 32_000, cacheLifeMs: 300_000 },
    async *stream(request, signal) {
      const memory = memories.get(request.sessionId) ?? { requests: 0, sent: 0 };
      memories.set(request.sessionId, memory);
      if (options.script !== undefined) script ??= loadScript(options.script);
      const step = script ? (await script)(memory.requests) : decideStep(request);
      memory.requests += 1;
      // A resumed session already holds calls of an earlier process.
      calls = Math.max(calls, countCalls(request));
      const parts = partsOf(step, request).map((part) => (part.kind === 'tool_call' ? { ...part, id: `demo-${++calls}` } : part));

      const rate = step.rate ?? options.rate ?? DEFAULT_RATE;
      const pause = (words: number) => (rate > 0 ? wait((words / rate) * 1_000, signal) : setImmediate());
      try {
        for (const [index, part] of parts.entries()) {
          yield { type: 'part_start', index, part: part.kind, ...(part.kind === 'tool_call' && { id: part.id, name: part.name }) };
          for (const delta of cutWords(part.text, rate > 0 ? Math.ceil(rate / DELTAS) : BREATH)) {
            await pause(delta.words);
            if (signal.aborted) return yield cancelled();
            yield { type: 'part_delta', index, delta: delta.text };
          }
          yield { type: 'part_end', index };
        }
        await pause(0);
      } catch (error) {
        if (!signal.aborted) throw error;
      }
      if (signal.aborted) return yield cancelled();
      if (step.error) return yield { type: 'error', error: step.error };
      yield { type: 'usage', usage: step.usage ?? usageOf(request, parts, memory), costUsd: 0 };
      yield { type: 'end', stop: step.stop ?? (step.calls?.length ? 'tools' : 'end') };
    },
  };
}

type PlayedPart = { kind: StreamPart; text: string; name?: string; id?: string };

function partsOf(step: Step, request: ModelRequest): PlayedPart[] {
  return [
    ...(step.thinking && request.thinking !== 'off' ? [{ kind: 'thinking' as const, text: step.thinking }] : []),
    ...(step.text ? [{ kind: 'text' as const, text: step.text }] : []),
    ...(step.calls ?? []).map((call) => ({ kind: 'tool_call' as const, name: call.name, text: call.rawArguments ?? JSON.stringify(call.input) })),
  ];
}

function* cutWords(text: string, atOnce: number): Generator<{ text: string; words: number }> {
  const words = text.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? [];
  for (let start = 0; start < words.length; start += atOnce) {
    const some = words.slice(start, start + atOnce);
    yield { text: some.join(''), words: some.length };
  }
}

const cancelled = (): ProviderEvent => ({ type: 'error', error: { kind: 'aborted', message: 'The answer was cancelled.' } });

/** The n-th step of a script. Its parser is loaded only for those who have one. */
async function loadScript(path: string): Promise<(request: number) => Step> {
  const { readScript } = await import('./demo-script.ts');
  try {
    const steps = readScript(path);
    return (request) => steps[request] ?? unusable(`The demo script has ${steps.length} steps, and one more was asked for. Add a step to it.`);
  } catch (error) {
    return () => unusable(sentenceOf(error));
  }
}

const unusable = (message: string): Step => ({ error: { kind: 'invalid_request', message } });

const countCalls = (request: ModelRequest): number => request.messages.reduce((sum, message) => sum + message.parts.filter((part) => part.type === 'tool_call').length, 0);

/** A token is taken for four bytes. */
const tokens = (value: unknown): number => Math.ceil(Buffer.byteLength(JSON.stringify(value)) / 4);

/** What was sent before counts as read from the cache. */
function usageOf(request: ModelRequest, parts: readonly PlayedPart[], memory: Memory): Usage {
  const prompt = tokens([request.system, shownTools(request), request.messages.map((message) => message.parts)]);
  const cacheRead = Math.min(memory.sent, prompt);
  memory.sent = prompt;
  const ofKind = (kind: StreamPart) => parts.filter((part) => part.kind === kind).reduce((sum, part) => sum + tokens(part.text), 0);
  const reasoning = ofKind('thinking');
  return { input: prompt - cacheRead, cacheRead, cacheWrite: 0, output: reasoning + ofKind('text') + ofKind('tool_call'), reasoning };
}
