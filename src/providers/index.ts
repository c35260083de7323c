// Makes providers: a vendor's row leads to a wire, the catalogue gives limits and prices, decorators go around.
import { nearest } from '../lib/nearest.ts';
import type { Provider } from '../types/provider.ts';
import type { ProviderSettings } from '../types/settings.ts';
import { UserError } from '../types/user-error.ts';
import { endpointUrl } from './base-url.ts';
import { findModel, type ModelRow } from './catalogue.ts';
import { systemClock, type Clock } from './clock.ts';
import { guard } from './guard.ts';
import { costOf } from './pricing.ts';
import { retry } from './retry.ts';
import { thinkTags } from './think-tags.ts';
import { VENDORS, type Vendor } from './vendors.ts';
import type { Wire, WireOptions } from './wire.ts';

export type ProviderOptions = {
  clock?: Clock;
  fetch?: typeof fetch;
  /** From 0 to below 1, for the jitter of waits. */
  random?(): number;
  /** For protocol `demo`. */
  demo?: { rate?: number; script?: string };
};

/** Each API: its path, and how to load the wire that speaks it. */
const WIRES: Record<Vendor['wire'], { path: string; load(options: WireOptions): Promise<Wire> }> = {
  messages: { path: '/messages', load: async (options) => (await import('./anthropic.ts')).createMessages(options) },
  responses: { path: '/responses', load: async (options) => (await import('./openai-responses.ts')).createResponses(options) },
  chat: { path: '/chat/completions', load: async (options) => (await import('./openai-chat.ts')).createChat(options) },
};

/** Limits of a model of which nobody knows them. */
const WINDOW = 200_000;
const OUTPUT = 8_192;

/** Every protocol that there is, `demo` included. */
export function vendorNames(): string[] {
  return [...VENDORS.keys(), 'demo'];
}

/** What a protocol has without configuration; `undefined` when there is no such protocol. */
export function providerDefaults(protocol: string): { model: string | undefined; baseUrl: string | undefined; keyVars: string[] } | undefined {
  if (protocol === 'demo') return { model: 'demo', baseUrl: undefined, keyVars: [] };
  const vendor = VENDORS.get(protocol);
  return vendor && { model: vendor.model, baseUrl: vendor.baseUrl, keyVars: [...vendor.keyVars] };
}

/**
 * The provider that `settings` describe. Nothing is sent and no SDK is loaded before the first request; a missing key
 * is that request's failure. Rejects with a `UserError` on an unknown protocol, or where base URL or model are missing.
 */
export async function createProvider(settings: ProviderSettings, options: ProviderOptions = {}): Promise<Provider> {
  if (settings.protocol === 'demo') {
    const { createDemo } = await import('./demo.ts');
    return createDemo({ ...options.demo, ...(settings.model === undefined ? {} : { model: settings.model }) });
  }
  const vendor = VENDORS.get(settings.protocol);
  if (!vendor) throw new UserError(`There is no protocol ${settings.protocol}.`, `${didYouMean(settings.protocol)}There are ${vendorNames().join(', ')}.`);
  const model = settings.model ?? vendor.model;
  const baseUrl = settings.baseUrl ?? vendor.baseUrl;
  if (model === undefined) throw new UserError(`The provider ${settings.name} names no model.`, 'Set model in the configuration.');
  if (baseUrl === undefined) throw new UserError(`The provider ${settings.name} has no address.`, 'Set base_url in the configuration.');
  const row = findModel(model);
  const { path } = WIRES[vendor.wire];
  const url = endpointUrl(baseUrl, { path, version: vendor.version });
  const own = vendor.baseUrl !== undefined && endpointUrl(vendor.baseUrl, { path, version: vendor.version }) === url;
  const toolReferences = own && vendor.quirks.toolReferences === true;
  return {
    name: settings.name,
    model,
    abilities: {
      tools: settings.toolProtocol,
      images: row.images ?? false,
      thinking: [row.thinking, row.efforts].some((list) => list !== undefined && list.length > 0),
      bindsThinking: row.bindsThinking ?? false,
      toolReferences,
      window: settings.contextWindow ?? row.window ?? WINDOW,
      maxOutput: settings.maxTokens ?? row.output ?? OUTPUT,
      cacheLifeMs: vendor.cacheLifeMs,
    },
    ...createStream({ settings, vendor, model, url, own, row, toolReferences }, options),
  };
}

/** Sentences on settings that a request leaves out because the model would refuse them. */
export function settingsNotes(settings: ProviderSettings): string[] {
  const model = settings.model ?? providerDefaults(settings.protocol)?.model ?? '';
  const refused = (findModel(model).refuses ?? []).filter((field) => field in settings.extra);
  return refused.map((field) => `${model} does not take ${field}: extra.${field} is left out.`);
}

type Backend = { settings: ProviderSettings; vendor: Vendor; model: string; row: ModelRow; url: string; /** At the vendor's own address. */ own: boolean; toolReferences: boolean };

function createStream({ settings, vendor, model, row, url, own, toolReferences }: Backend, options: ProviderOptions): Pick<Provider, 'stream' | 'warm'> {
  const { load } = WIRES[vendor.wire];
  const { apiKey } = settings;
  const keyHint = vendor.keyVars.length === 0 ? 'Set api_key in the configuration.' : `Set ${vendor.keyVars.join(' or ')}, or api_key in the configuration.`;
  if (apiKey === undefined && own && vendor.needsKey) {
    return {
      async *stream() {
        yield { type: 'error', error: { kind: 'auth', message: `There is no API key for ${vendor.label}. ${keyHint}` } };
      },
    };
  }
  const headers = vendor.quirks.keyHeader !== undefined && apiKey !== undefined && !own ? { [vendor.quirks.keyHeader]: apiKey } : {};
  const extra = Object.fromEntries(Object.entries(settings.extra).filter(([field]) => field !== 'max_tokens' && !row.refuses?.includes(field)));
  const clock = options.clock ?? systemClock;
  const price = settings.price ?? row.price;
  let wire: Promise<Wire> | undefined;
  const loadOnce = () => (wire ??= load({ url, apiKey, headers, model: row, quirks: { ...vendor.quirks, toolReferences }, extra }));
  const guarded = guard(loadOnce, {
    about: { service: vendor.label, url, model, apiKey, keyHint },
    timeoutMs: settings.timeoutMs,
    clock,
    fetch: options.fetch ?? fetch,
    cost: (usage) => price && costOf(usage, price),
  });
  const stream = retry(vendor.quirks.thinkTags ? thinkTags(guarded) : guarded, { clock, ...(options.random && { random: options.random }) });
  // A wire that can't be loaded is told by the request that needs it.
  return { stream, warm: () => void loadOnce().catch(() => {}) };
}

function didYouMean(protocol: string): string {
  const name = nearest(protocol, vendorNames());
  return name === undefined ? '' : `Did you mean ${name}? `;
}
