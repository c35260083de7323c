// Makes providers: a vendor's row leads to a wire, the catalogue gives limits and prices, decorators go around.
import { nearest } from '../lib/nearest.ts';
import type { JsonObject } from '../types/json.ts';
import type { Provider } from '../types/provider.ts';
import type { Price, ProviderSettings } from '../types/settings.ts';
import { UserError } from '../types/user-error.ts';
import { endpointUrl } from './base-url.ts';
import { findModel, type ModelRow } from './catalogue.ts';
import { systemClock, type Clock } from './clock.ts';
import { createTokens, withToken } from './copilot-token.ts';
import type { About } from './failures.ts';
import { guard } from './guard.ts';
import type { Limits, Listing } from './model-list.ts';
import { pluginPath, pluginSecrets } from './mattermost.ts';
import { costOf } from './pricing.ts';
import { retry } from './retry.ts';
import { textTools } from './text-tools.ts';
import { thinkTags } from './think-tags.ts';
import { VENDORS, type Vendor } from './vendors.ts';
import type { Wire, WireOptions } from './wire.ts';

export type ProviderOptions = {
  clock?: Clock;
  fetch?: typeof fetch;
  /** The same without any log, for what is answered with a secret. */
  plain?: typeof fetch;
  /** From 0 to below 1, for the jitter of waits. */
  random?(): number;
  /** What the service's own list says of the model. */
  listed?: Limits;
  /** For protocol `demo`. */
  demo?: { rate?: number; script?: string };
};

/** Each API: its path, what a request for its list of models needs besides the key, and how to load the wire that speaks it. */
const WIRES: Record<Vendor['wire'], { path: string | ((extra: JsonObject) => string); list?: Record<string, string>; load(options: WireOptions): Promise<Wire> }> = {
  messages: { path: '/messages', list: { 'anthropic-version': '2026-10-21' }, load: async (options) => (await import('./anthropic.ts')).createMessages(options) },
  responses: { path: '/responses', load: async (options) => (await import('./openai-responses.ts')).createResponses(options) },
  chat: { path: '/chat/completions', load: async (options) => (await import('./openai-chat.ts')).createChat(options) },
  plugin: { path: pluginPath, load: async (options) => (await import('./mattermost.ts')).createPlugin(options) },
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
  const { url, own } = locate(vendor, baseUrl, settings.extra);
  const toolReferences = own && vendor.quirks.toolReferences === true;
  return {
    name: settings.name,
    model,
    abilities: {
      tools: toolsOf(settings, vendor, row),
      images: row.images ?? false,
      thinking: [row.thinking, row.efforts].some((list) => list !== undefined && list.length > 0),
      bindsThinking: row.bindsThinking ?? false,
      toolReferences,
      ...limitsOf({ ...settings, model }, options.listed),
      cacheLifeMs: vendor.cacheLifeMs,
    },
    ...createStream({ settings, vendor, model, url, own, row, toolReferences }, options),
  };
}

/** Limits of the settings' model in tokens: as configured, else as the service's list says, else as the catalogue has them. */
export function limitsOf({ protocol, model, contextWindow, maxTokens }: ProviderSettings, listed: Limits = {}): { window: number; maxOutput: number } {
  const row = findModel(model ?? providerDefaults(protocol)?.model ?? '');
  return { window: contextWindow ?? listed.window ?? row.window ?? WINDOW, maxOutput: maxTokens ?? listed.output ?? row.output ?? OUTPUT };
}

/** Dollars per million tokens of the settings' model; `undefined` when nobody knows. */
export function priceOf({ protocol, model, price }: ProviderSettings): Price | undefined {
  return price ?? (VENDORS.get(protocol)?.flat ? undefined : findModel(model ?? providerDefaults(protocol)?.model ?? '').price);
}

/** The whole address that requests go to; `undefined` where there is none. Throws a `UserError` on a base URL that is no http address. */
export function addressOf({ protocol, baseUrl, extra }: ProviderSettings): string | undefined {
  const vendor = VENDORS.get(protocol);
  const base = baseUrl ?? vendor?.baseUrl;
  return vendor && base !== undefined ? locate(vendor, base, extra).url : undefined;
}

/** Where and how to ask the service for its models; `undefined` where there is nothing to ask. */
export function listingOf(settings: ProviderSettings): (Listing & { endpoint: string; needsKey: boolean }) | undefined {
  const vendor = VENDORS.get(settings.protocol);
  const endpoint = addressOf(settings);
  if (!vendor || endpoint === undefined) return undefined;
  const { path, list } = WIRES[vendor.wire];
  if (typeof path === 'function') return undefined;
  const url = new URL(endpoint);
  url.pathname = url.pathname.slice(0, -path.length) + (vendor.list ?? '/models');
  const { apiKey } = settings;
  const { own } = locate(vendor, endpoint, settings.extra);
  const key = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}`, ...(vendor.quirks.keyHeader !== undefined && !own && { [vendor.quirks.keyHeader]: apiKey }) };
  return { url: url.href, endpoint, needsKey: own && vendor.needsKey, headers: { ...list, ...key }, about: aboutOf(settings, vendor, url.href) };
}

/** The endpoint for a base URL, and whether it is the vendor's own. */
function locate({ wire, baseUrl, version }: Vendor, base: string, extra: JsonObject): { url: string; own: boolean } {
  const given = WIRES[wire].path;
  const path = typeof given === 'string' ? given : given(extra);
  const url = endpointUrl(base, { path, version });
  return { url, own: baseUrl !== undefined && endpointUrl(baseUrl, { path, version }) === url };
}

function aboutOf({ apiKey, model = '', extra }: ProviderSettings, { label, keyVars, keyHint: own }: Vendor, url: string): About {
  const keyHint = own !== undefined ? own : keyVars.length === 0 ? 'Set api_key in the configuration.' : `Set ${keyVars.join(' or ')}, or api_key in the configuration.`;
  return { service: label, url, model, apiKey, keyHint, secrets: () => pluginSecrets(extra) };
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
  const about = aboutOf({ ...settings, model }, vendor, url);
  if (apiKey === undefined && own && vendor.needsKey) {
    return {
      async *stream() {
        yield { type: 'error', error: { kind: 'auth', message: `There is no API key for ${vendor.label}. ${about.keyHint}` } };
      },
    };
  }
  const headers = vendor.quirks.keyHeader !== undefined && apiKey !== undefined && !own ? { [vendor.quirks.keyHeader]: apiKey } : {};
  const extra = Object.fromEntries(Object.entries(settings.extra).filter(([field]) => field !== 'max_tokens' && !row.refuses?.includes(field)));
  const clock = options.clock ?? systemClock;
  const price = settings.price ?? (vendor.flat ? undefined : row.price);
  let wire: Promise<Wire> | undefined;
  const loadOnce = () => (wire ??= load({ url, apiKey, headers, model: row, quirks: { ...vendor.quirks, toolReferences }, extra }));
  const { send, secrets } = sendAs({ settings, vendor, about, base: own ? vendor.baseUrl : undefined }, { ...options, clock });
  const guarded = guard(loadOnce, {
    about: secrets ? { ...about, secrets } : about,
    timeoutMs: settings.timeoutMs,
    clock,
    fetch: send,
    whole: vendor.wire === 'plugin',
    cost: (usage) => price && costOf(usage, price),
  });
  const thought = vendor.quirks.thinkTags ? thinkTags(guarded) : guarded;
  const stream = retry(toolsOf(settings, vendor, row) === 'text' ? textTools(thought) : thought, { clock, ...(options.random && { random: options.random }) });
  // A wire that can't be loaded is told by the request that needs it.
  return { stream, warm: () => void loadOnce().catch(() => {}) };
}

/** How the model is given tools: as text where it was asked for, or where service or model know no other way. */
function toolsOf({ toolProtocol }: ProviderSettings, vendor: Vendor, row: ModelRow): 'native' | 'text' {
  return vendor.tools ?? row.tools ?? toolProtocol;
}

type Sending = { settings: ProviderSettings; vendor: Vendor; about: About; /** The vendor's own address, when requests go there. */ base: string | undefined };

/** The fetch of a backend's requests: where its key is a login, with tokens made of that. */
function sendAs({ settings, vendor, about, base }: Sending, { fetch: send = fetch, plain = send, clock = systemClock }: ProviderOptions): { send: typeof fetch; secrets?(): readonly string[] } {
  const { apiKey: oauthToken, githubApi = vendor.login } = settings;
  if (githubApi === undefined || vendor.login === undefined || oauthToken === undefined) return { send };
  const tokens = createTokens({ oauthToken, githubApi, fetch: plain, clock, about });
  return { send: withToken(send, tokens, base), secrets: tokens.secrets };
}

/** The fetch for what else is asked of the settings' service, its list of models above all. */
export function sendFor(settings: ProviderSettings, options: ProviderOptions): typeof fetch {
  const vendor = VENDORS.get(settings.protocol);
  const url = addressOf(settings);
  if (!vendor || url === undefined) return options.fetch ?? fetch;
  const base = locate(vendor, url, settings.extra).own ? vendor.baseUrl : undefined;
  return sendAs({ settings, vendor, about: aboutOf(settings, vendor, url), base }, options).send;
}

function didYouMean(protocol: string): string {
  const name = nearest(protocol, vendorNames());
  return name === undefined ? '' : `Did you mean ${name}? `;
}
