// What the layers say of each backend: keys, addresses and limits stay with the protocol they were given for.
import type { JsonObject } from '../types/json.ts';
import type { Price, ProviderSettings } from '../types/settings.ts';
import { githubApiOf, type Login } from './credentials.ts';
import type { Fault } from './faults.ts';
import { expand, findKey } from './keys.ts';
import type { Layer, Said } from './merge.ts';
import { findProtocol, protocolNames, protocols } from './protocols.ts';
import type { Backend, Config } from './schema.ts';
import { belongs, entryProtocol, followSelection, selectEntries, type Selection } from './selection.ts';
import { parseSize, SIZE } from './sizes.ts';

/** All that a backend is made of. */
type Sources = { layers: readonly Layer[]; merged: Config; env: NodeJS.ProcessEnv; /** The selection at each layer. */ at: readonly (Selection | undefined)[]; login(): Login | undefined };

export type Resolved = { settings: ProviderSettings; origins: Map<string, string>; faults: Fault[] };

export type Backends = {
  active: Resolved;
  /** By whose choice it is active, and whether nobody chose. */
  by: string;
  auto: boolean;
  /** Every entry of `providers`. */
  entries: readonly ProviderSettings[];
};

/** Belongs to the backend; the others (thinking, timeout, debug) hold for any. */
const GENERAL: readonly string[] = ['thinking', 'timeout', 'debug'];
const KEYS = ['model', 'base_url', 'api_key', 'api_key_env', 'thinking', 'thinking_model', 'context_window', 'max_tokens', 'timeout', 'debug', 'tool_protocol', 'extra'] as const;
/** Handed to a wire that needs them with `extra`. */
const SPECIAL = ['access_team', 'mmauth_token', 'mmuser_id', 'csrf_token', 'model_key', 'request'] as const;

/** Whose key may be a stored login. */
const LOGIN = 'copilot';

type Key = (typeof KEYS)[number] | (typeof SPECIAL)[number];

/** The active backend and all entries. Faults of what is not active are not told: a key may be missing there. */
export function resolveBackends(layers: readonly Layer[], merged: Config, env: NodeJS.ProcessEnv, { faults, login }: { faults: Fault[]; /** The stored login of `LOGIN`. */ login(): Login | undefined }): Backends {
  const providers = merged.providers ?? {};
  for (const [name, entry] of Object.entries(providers)) {
    if (entry && entryProtocol(name, entry) === undefined) faults.push({ where: whereSaid(layers, ['providers', name]), text: `\`providers.${name}\` needs a \`protocol\`. Accepted: ${protocolNames.join(', ')}.` });
  }
  const { at, by } = followSelection(layers, providers, faults);
  const sources = { layers, merged, env, at, login };
  const entries = selectEntries(providers).map((selection) => ({ selection, settings: resolveBackend(sources, selection).settings }));
  const chosen = at.at(-1);
  if (chosen) return { active: resolveBackend(sources, chosen), by, auto: false, entries: entries.map((entry) => entry.settings) };

  const first = entries.find(({ settings }) => settings.apiKey !== undefined) ?? entries[0];
  const hasUrl = merged.base_url != null;
  const keyed = protocols.find((row) => (hasUrl || !row.needsUrl) && (row.keyVars.some((name) => env[name]) || (row.name === LOGIN && login() !== undefined)));
  const selection = first?.selection ?? { protocol: keyed?.name ?? (hasUrl ? 'openai-compatible' : 'demo') };
  return { active: resolveBackend(sources, selection), by: first ? 'first of providers' : keyed ? 'found by its key' : 'default', auto: true, entries: entries.map((entry) => entry.settings) };
}

/** All that is said of one backend, the highest layer's word for each key. */
function collect({ layers, at }: Sources, selection: Selection): Map<Key, Said> {
  const said = new Map<Key, Said>();
  let protocol: string | undefined;
  /** Back to the default. */
  const take = (key: Key) => {
    const standard = layers[0]?.config[key];
    if (layers[0] && standard != null) said.set(key, { value: standard, layer: layers[0], path: [key] });
    else said.delete(key);
  };
  layers.forEach((layer, index) => {
    const put = (block: Backend, path: readonly string[], given: Selection | undefined) => {
      for (const key of [...KEYS, ...SPECIAL]) {
        const value = block[key];
        if (value === undefined || (!GENERAL.includes(key) && !belongs(given, selection))) continue;
        if (value === null) take(key);
        else said.set(key, { value: key === 'extra' ? { ...(said.get(key)?.value as object), ...(value as object) } : value, layer, path: [...path, key] });
      }
    };
    put(layer.config, [], at[index]);
    const entry = selection.entry === undefined ? undefined : layer.config.providers?.[selection.entry];
    if (!entry) return;
    protocol = entryProtocol('', entry) ?? protocol;
    put(entry, ['providers', selection.entry ?? ''], { entry: selection.entry ?? '', protocol: protocol ?? selection.protocol });
  });
  return said;
}

/** Adds what `models` says of the model, where no variable and no flag said otherwise. */
function addModel({ layers }: Sources, said: Map<Key, Said>, selection: Selection, model: string | undefined): void {
  if (model === undefined) return;
  for (const name of [model, `${selection.protocol}/${model}`, `${selection.entry ?? ''}/${model}`]) {
    for (const layer of layers) {
      for (const [key, value] of Object.entries(layer.config.models?.[name] ?? {}) as [Key, unknown][]) {
        const before = said.get(key)?.layer.kind;
        if (value != null && before !== 'environment' && before !== 'flag') said.set(key, { value, layer, path: ['models', name, key] });
      }
    }
  }
}

/** The settings of one backend, and what is wrong with them. */
function resolveBackend(sources: Sources, selection: Selection): Resolved {
  const { layers, at, merged, env } = sources;
  const found: Fault[] = [];
  const said = collect(sources, selection);
  const use = (key: Key): unknown => said.get(key)?.value;
  /** A text with its variables put in. */
  const text = (key: Key): string | undefined => {
    const one = said.get(key);
    if (!one) return undefined;
    const { value, missing } = expand(String(one.value), env);
    for (const name of missing) found.push({ where: one.layer.where(one.path), text: `\`${one.path.join('.')}\`: the variable ${name} is not set. Set it, or write the value itself.` });
    return missing.length === 0 ? value : undefined;
  };
  // An entry may have its own way of thinking, and that may choose the model.
  const plain = text('model');
  addModel(sources, said, selection, plain);
  const thinking = use('thinking') as ProviderSettings['thinking'];
  // Whoever names a model for this run means that one.
  const model = thinking === 'off' || said.get('model')?.layer.kind === 'flag' ? plain : (text('thinking_model') ?? plain);
  if (model !== plain) addModel(sources, said, selection, model);

  const { max_tokens: extraMax, ...extra } = (use('extra') ?? {}) as JsonObject;
  const extraTokens = extraMax === undefined ? undefined : parseSize(extraMax);
  const extraSaid = said.get('extra');
  if (extraMax !== undefined && extraTokens === undefined && extraSaid) found.push({ where: extraSaid.layer.where([...extraSaid.path, 'max_tokens']), text: `\`${extraSaid.path.join('.')}.max_tokens\` can't be ${JSON.stringify(extraMax)}. Accepted: ${SIZE}.` });
  for (const key of SPECIAL) {
    const value = key === 'request' ? use(key) : text(key);
    if (value !== undefined) extra[key] = value as JsonObject;
  }

  const baseUrl = text('base_url');
  const url = said.get('base_url');
  if (url && baseUrl !== undefined && !isWebAddress(baseUrl)) found.push({ where: url.layer.where(url.path), text: `\`${url.path.join('.')}\` can't be ${JSON.stringify(baseUrl)}. Accepted: an address that begins with http:// or https://.` });
  if (!url && findProtocol(selection.protocol)?.needsUrl) {
    found.push({ where: whereSaid(layers, selection.entry === undefined ? ['protocol'] : ['providers', selection.entry]), text: `${selection.protocol} needs a \`base_url\`, the address of your server.` });
  }
  // MEWCODE_API_KEY was given for what files and variables chose, flags left out.
  const forEnv = at[layers.findLastIndex((layer) => layer.kind !== 'flag')];
  const given = findKey({ protocol: selection.protocol, literal: said.get('api_key'), named: said.get('api_key_env'), env, general: belongs(forEnv, selection) }, found);

  const stored = selection.protocol === LOGIN ? sources.login() : undefined;
  const key = given ?? (stored && { value: stored.token, from: 'mewcode auth login' });
  const { api, host } = merged.copilot ?? {};
  const githubApi = selection.protocol === LOGIN ? (api ?? (given ? undefined : stored?.api) ?? (host == null ? undefined : githubApiOf(host))) : undefined;
  const origins = new Map([...said].map(([name, one]) => [name as string, one.layer.label]));
  if (key) origins.set('api_key', key.from);
  else origins.delete('api_key');
  const name = selection.entry ?? selection.protocol;
  const pricing = merged.pricing ?? {};
  const price = model === undefined ? undefined : (pricing[`${name}/${model}`] ?? pricing[`${selection.protocol}/${model}`] ?? pricing[model]);
  return {
    origins, faults: found,
    settings: {
      name, protocol: selection.protocol, model, baseUrl, apiKey: key?.value, thinking,
      contextWindow: use('context_window') as number | undefined,
      maxTokens: (use('max_tokens') as number | undefined) ?? extraTokens,
      timeoutMs: (use('timeout') as number) * 1_000,
      toolProtocol: use('tool_protocol') as ProviderSettings['toolProtocol'],
      extra, price: price ? toPrice(price) : undefined,
      ...(githubApi !== undefined && { githubApi }),
    },
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Where the highest layer that says something at `path` says it. */
function whereSaid(layers: readonly Layer[], path: readonly string[]): string {
  const layer = layers.findLast(({ config }) => path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], config) != null);
  return layer?.where(path) ?? 'configuration';
}

/** A price as the file spells it. */
export function toPrice({ input, output, cache_read, cache_write }: NonNullable<NonNullable<Config['pricing']>[string]>): Price {
  return { input, output, ...(cache_read != null && { cacheRead: cache_read }), ...(cache_write != null && { cacheWrite: cache_write }) };
}
