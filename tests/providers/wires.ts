// What the provider tests share: settings, a clock that never makes a test wait, and streams read to their end.
import { createProvider, type ProviderOptions } from '../../src/providers/index.ts';
import type { Clock } from '../../src/providers/clock.ts';
import { assemble, keptParts } from '../../src/types/assemble.ts';
import type { Message, Part } from '../../src/types/message.ts';
import type { ModelRequest, Provider, ProviderEvent } from '../../src/types/provider.ts';
import type { ProviderSettings } from '../../src/types/settings.ts';
import type { Api } from '../helpers/sse-bytes.ts';

export const KEY = 'sk-test-0123456789abcdef';

/** Each API with a protocol that speaks it. */
export const WIRES: { api: Api; protocol: string }[] = [
  { api: 'messages', protocol: 'anthropic' },
  { api: 'responses', protocol: 'openai' },
  { api: 'chat', protocol: 'deepseek' },
];

export function settingsOf(protocol: string, changes: Partial<ProviderSettings> = {}): ProviderSettings {
  return {
    name: protocol, protocol, model: undefined, baseUrl: undefined, apiKey: KEY, thinking: 'auto', contextWindow: undefined, maxTokens: undefined,
    timeoutMs: 90_000, toolProtocol: 'native', extra: {}, price: undefined, ...changes,
  };
}

/** Waits of retries are over at once; those of the watchdog (20 s and more) only with their signal. */
export function impatientClock(): Clock & { waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => 0,
    wait: (ms, signal) => new Promise((resolve) => {
      if (ms >= 15_000) signal.addEventListener('abort', () => resolve(), { once: true });
      else {
        if (ms > 100) waits.push(ms);
        setImmediate(resolve);
      }
    }),
  };
}

export function providerFor(protocol: string, url: string, changes: Partial<ProviderSettings> = {}, options: ProviderOptions = {}): Promise<Provider> {
  return createProvider(settingsOf(protocol, { baseUrl: url, ...changes }), { clock: impatientClock(), random: () => 0.5, ...options });
}

export const user = (text: string, id = 'u1'): Message => ({ id, role: 'user', parts: [{ type: 'text', text }], at: 0 });

export function requestOf(messages: readonly Message[] = [user('Hello')], changes: Partial<ModelRequest> = {}): ModelRequest {
  return { model: 'test-model', system: ['You are a test.'], tools: [], messages, thinking: 'auto', maxTokens: 8_192, sessionId: 'session-1', ...changes };
}

export async function collect(stream: AsyncIterable<ProviderEvent>): Promise<ProviderEvent[]> {
  const events: ProviderEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** Events with neighbouring deltas of a part joined: how a service cuts its text is its own affair. */
export function joined(events: readonly ProviderEvent[]): ProviderEvent[] {
  const result: ProviderEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    if (event.type === 'part_delta' && last?.type === 'part_delta' && last.index === event.index) result[result.length - 1] = { ...last, delta: last.delta + event.delta };
    else result.push(event);
  }
  return result;
}

/** What the loop would keep of an answer. */
export function partsOf(events: readonly ProviderEvent[]): Part[] {
  return keptParts(events.reduce(assemble, { id: 'a', parts: [] }));
}

/** Whether exactly one `end` or `error` came, and came last. */
export function endsOnce(events: readonly ProviderEvent[]): boolean {
  return events.findIndex((event) => event.type === 'end' || event.type === 'error') === events.length - 1;
}
