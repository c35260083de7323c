// The backend that answers: made from the configuration, exchanged by a switch, its limits refined by the service's own list.
import type { Loaded } from '../config/load.ts';
import { createProvider, limitsOf, providerDefaults, addressOf, priceOf } from '../providers/index.ts';
import type { Limits } from '../providers/model-list.ts';
import type { BackendInfo, ModelDetails, Ping } from '../types/command.ts';
import type { Provider } from '../types/provider.ts';
import type { Price, ProviderSettings } from '../types/settings.ts';
import { UserError } from '../types/user-error.ts';
import { cachedLimits } from './model-cache.ts';
import { ping } from './ping.ts';
import type { Choice, Start } from './start.ts';

export type Backends = {
  provider(): Provider;
  settings(): ProviderSettings;
  list(): readonly BackendInfo[];
  details(): ModelDetails;
  /** Rejects with a `UserError` and changes nothing where the choice can't be used. */
  use(choice: Choice): Promise<void>;
  /** Asks the service for the limits of its models, unless that was done in the last day. `true` when the window has changed. */
  refine(signal: AbortSignal): Promise<boolean>;
  ping(): Promise<Ping>;
  priceOf(model: string): Price | undefined;
};

/** What a backend is called: its name, and its model or the usual one. */
export function nameOf({ name, protocol, model }: ProviderSettings): { provider: string; model: string } {
  return { provider: name, model: model ?? providerDefaults(protocol)?.model ?? '' };
}

/** Rejects with a `UserError` where the active backend can't be used. `send` is the fetch that all requests go through, `plain` the same without a log. */
export async function createBackends(start: Start, loaded: Loaded, send: typeof fetch, plain: typeof fetch = send): Promise<Backends> {
  const { env } = start;
  const demo = { rate: env.MEWCODE_DEMO_RATE ? Number(env.MEWCODE_DEMO_RATE) : undefined, script: env.MEWCODE_DEMO_SCRIPT || undefined };
  const limits = cachedLimits(start.paths, send, Date.now, plain);
  /** Of every model that has answered, as it was configured then. */
  const prices = new Map<string, Price | undefined>();
  const make = (settings: ProviderSettings, listed?: Limits) => {
    prices.set(nameOf(settings).model, priceOf(settings));
    return createProvider(settings, { demo, fetch: send, plain, listed: listed ?? limits.known(settings) });
  };

  let { provider: settings, providers, pricing } = loaded;
  let provider = await make(settings);
  const load = (choice: Choice) => start.load(start.trust, choice);

  return {
    provider: () => provider,
    settings: () => settings,
    list: () => listBackends(providers, settings),
    details: () => ({
      ...nameOf(settings), protocol: settings.protocol, thinking: settings.thinking, thinks: provider.abilities.thinking,
      window: provider.abilities.window, maxOutput: provider.abilities.maxOutput, tools: provider.abilities.tools,
      ...optional('baseUrl', addressOf(settings)), ...optional('price', priceOf(settings)),
    }),
    async use(choice) {
      const next = await resolve({ provider: settings.name, ...choice }, load, providers);
      provider = await make(next.provider);
      ({ provider: settings, providers, pricing } = next);
    },
    async refine(signal) {
      const asked = settings;
      const listed = await limits.fetch(asked, signal);
      if (settings !== asked || !listed) return false;
      const before = provider.abilities;
      if (isSame(before, { ...before, ...limitsOf(settings, listed) })) return false;
      provider = await make(settings, listed);
      return provider.abilities.window !== before.window;
    },
    ping: () => ping(provider),
    priceOf: (model) => prices.get(model) ?? pricing[model] ?? priceOf({ ...settings, model, price: undefined }),
  };
}

/** `work/gpt-5` is a model of `work` where there is such a provider, else the whole is the name of a model: gateways have slashes in theirs. */
async function resolve(choice: Choice & { provider: string }, load: (choice: Choice) => Promise<Loaded>, providers: readonly ProviderSettings[]): Promise<Loaded> {
  const { model } = choice;
  if (model === undefined) return load(choice);
  if (/\s/.test(model)) throw new UserError(`"${model}" is no name of a model: it has blanks in it.`);
  const [, first = '', rest = ''] = /^([^/]+)\/(.+)$/.exec(model) ?? [];
  if (first === choice.provider || providers.some(({ name }) => name === first)) return load({ provider: first, model: rest });
  if (first !== '' && providerDefaults(first)) {
    // A protocol by itself counts only where it could be used.
    const other = await load({ provider: first, model: rest }).catch((error: unknown) => { if (!(error instanceof UserError)) throw error; });
    if (other?.provider.apiKey !== undefined || first === 'demo') return other ?? load(choice);
  }
  return load(choice);
}

function listBackends(entries: readonly ProviderSettings[], active: ProviderSettings): BackendInfo[] {
  const known = entries.some(({ name }) => name === active.name) ? entries : [active, ...entries];
  return known.map((entry) => {
    const { provider: name, model } = nameOf(entry.name === active.name ? active : entry);
    return { name, protocol: entry.protocol, active: name === active.name, ...(model === '' ? {} : { model }) };
  });
}

const isSame = (a: { window: number; maxOutput: number }, b: { window: number; maxOutput: number }): boolean => a.window === b.window && a.maxOutput === b.maxOutput;

const optional = <K extends string, V>(key: K, value: V | undefined) => (value === undefined ? {} : { [key]: value }) as { [P in K]?: V };
