// Which backend is active, and what the layers say of each: keys, addresses and limits stay with the protocol they were given for.
import type { JsonObject } from '../types/json.ts';
import type { Price, ProviderSettings } from '../types/settings.ts';
import { unknownName, type Fault } from './faults.ts';
import { expand, findKey } from './keys.ts';
import type { Layer, Said } from './merge.ts';
import { findProtocol, protocolNames, protocols } from './protocols.ts';
import type { Backend, Config } from './schema.ts';
import { parseSize, SIZE } from './sizes.ts';

/** An entry of `providers`, or a protocol by itself. */
export type Selection = { entry?: string; protocol: string };

export type Resolved = { settings: ProviderSettings; origins: Map<string, string>; faults: Fault[] };

export type Resolver = {
  /** What is active after all layers, and by whose choice; `auto` when nobody chose. */
  active: Selection & { by: string; auto?: true };
  /** The selection of an entry by name. */
  entry(name: string): Selection;
  resolve(selection: Selection): Resolved;
};

/** Belongs to the backend; the others (thinking, timeout, debug) hold for any. */
const GENERAL: readonly string[] = ['thinking', 'timeout', 'debug'];
const KEYS = ['model', 'base_url', 'api_key', 'api_key_env', 'thinking', 'thinking_model', 'context_window', 'max_tokens', 'timeout', 'debug', 'tool_protocol', 'extra'] as const;
/** Handed to a wire that needs them with `extra`. */
const SPECIAL = ['access_team', 'mmauth_token', 'mmuser_id', 'csrf_token', 'model_key', 'request'] as const;

type Key = (typeof KEYS)[number] | (typeof SPECIAL)[number];

export function createResolver(layers: readonly Layer[], merged: Config, env: NodeJS.ProcessEnv, faults: Fault[]): Resolver {
  const entries = merged.providers ?? {};
  for (const [name, entry] of Object.entries(entries)) {
    if (entry && entryProtocol(name, entry) === undefined) faults.push({ where: whereSaid(layers, ['providers', name]), text: `\`providers.${name}\` needs a \`protocol\`. Accepted: ${protocolNames.join(', ')}.` });
  }

  /** The selection in effect at each layer. */
  const at: (Selection | undefined)[] = [];
  let by = '';
  for (const layer of layers) {
    const selection = selectionOf(layer);
    if (selection) by = layer.label;
    at.push(selection ?? at.at(-1));
  }

  function selectionOf(layer: Layer): Selection | undefined {
    const { active, protocol, provider } = layer.config;
    if (active != null) {
      const entry = entries[active];
      const found = entry ? entryProtocol(active, entry) : findProtocol(active)?.name;
      if (found !== undefined) return { ...(entry && { entry: active }), protocol: found };
      if (!entry) faults.push({ where: layer.where(['active']), text: unknownName(`there is no provider \`${active}\``, active, [...Object.keys(entries), ...protocolNames]) });
    }
    const named = protocol ?? provider;
    const found = named == null ? undefined : findProtocol(named);
    return found && { protocol: found.name };
  }

  /** All that is said of one backend, the highest layer's word for each key. */
  function collect(selection: Selection): Map<Key, Said> {
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
  function addModel(said: Map<Key, Said>, selection: Selection, model: string | undefined): void {
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

  function resolve(selection: Selection): Resolved {
    const found: Fault[] = [];
    const said = collect(selection);
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
    addModel(said, selection, plain);
    const thinking = use('thinking') as ProviderSettings['thinking'];
    const model = thinking === 'off' ? plain : (text('thinking_model') ?? plain);
    if (model !== plain) addModel(said, selection, model);

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
    const key = findKey({ protocol: selection.protocol, literal: said.get('api_key'), named: said.get('api_key_env'), env, general: belongs(forEnv, selection) }, found);

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
      },
    };
  }

  /** The selection that MEWCODE_API_KEY was given for: that of the variables, flags left out. */
  const forEnv = at[layers.findLastIndex((layer) => layer.kind !== 'flag')];

  function choose(): Resolver['active'] {
    const chosen = at.at(-1);
    if (chosen) return { ...chosen, by };
    const names = Object.entries(entries).flatMap(([name, entry]) => (entry && entryProtocol(name, entry) !== undefined ? [name] : []));
    const first = names.find((name) => resolve(entryOf(name)).settings.apiKey !== undefined) ?? names[0];
    if (first !== undefined) return { ...entryOf(first), by: 'first entry of providers with a key', auto: true };
    const keyed = protocols.find((row) => row.keyVars.some((name) => env[name]));
    if (keyed) return { protocol: keyed.name, by: 'found by its key', auto: true };
    return { protocol: merged.base_url == null ? 'demo' : 'openai-compatible', by: 'default', auto: true };
  }
  const entryOf = (name: string): Selection => ({ entry: name, protocol: entryProtocol(name, entries[name]) ?? 'demo' });
  return { active: choose(), entry: entryOf, resolve };
}

/** An entry that is called like a protocol needs no other word. */
function entryProtocol(name: string, entry: Backend | null | undefined): string | undefined {
  return findProtocol(entry?.protocol ?? entry?.provider ?? name)?.name;
}

/** Whether what was said while `given` was active is meant for `selection`. */
function belongs(given: Selection | undefined, selection: Selection): boolean {
  if (given === undefined) return true;
  return given.protocol === selection.protocol && (given.entry === undefined || selection.entry === undefined || given.entry === selection.entry);
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
