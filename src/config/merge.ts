// Layers over layers: later wins key by key, lists replace; and which layer each value came from.
import type { Config } from './schema.ts';

export type LayerKind = 'default' | 'user' | 'project' | 'file' | 'environment' | 'flag';

/** One source of settings. `label` names it to the user; `where` gives the place of a key in it. */
export type Layer = { kind: LayerKind; label: string; config: Config; where(path: readonly string[]): string };

/** A value with the layer that said it and its path there. */
export type Said = { value: unknown; layer: Layer; path: readonly string[] };

type Block = Record<string, unknown>;

/** All layers as one, and the label of the layer behind each dotted key. The first layer is the defaults. */
export function mergeLayers(layers: readonly Layer[]): { config: Config; origins: Map<string, string> } {
  const origins = new Map<string, string>();
  const config = layers.reduce<Block>((merged, layer) => mergeBlock(merged, withoutNulls(layer.config, layers[0]?.config), [], layer.label, origins), {});
  return { config: config as Config, origins };
}

/** A `null` takes back what earlier layers said: it is the default again. An empty block says nothing. */
function withoutNulls(config: Block, base: Block = {}): Block {
  return Object.fromEntries(Object.entries(config).flatMap(([key, value]): [string, unknown][] => {
    const standard = base[key];
    if (value === null) return isBlock(standard) ? [] : [[key, standard ?? null]];
    return [[key, isBlock(value) ? withoutNulls(value, isBlock(standard) ? standard : {}) : value]];
  }));
}

function mergeBlock(below: Block, above: Block, path: readonly string[], label: string, origins: Map<string, string>): Block {
  const merged = new Map(Object.entries(below));
  for (const [key, value] of Object.entries(above)) {
    if (value === undefined) continue;
    const here = [...path, key];
    const old = merged.get(key);
    if (value === null && isBlock(old)) continue;
    if (isBlock(value) && !isWhole(here)) {
      merged.set(key, mergeBlock(isBlock(old) ? old : {}, value, here, label, origins));
      continue;
    }
    const dotted = here.join('.');
    for (const name of origins.keys()) if (name.startsWith(`${dotted}.`)) origins.delete(name);
    origins.set(dotted, label);
    merged.set(key, value);
  }
  // fromEntries defines own keys, whatever they are called.
  return Object.fromEntries(merged);
}

/** A way of thinking is one value, though it may be written as a block. */
const isWhole = (path: readonly string[]) => path.at(-1) === 'thinking' && path[0] !== 'extra';

export const isBlock = (value: unknown): value is Block => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every value of a configuration that is no block, with its path. */
export function leaves(config: Block, path: readonly string[] = []): { path: readonly string[]; value: unknown }[] {
  return Object.entries(config).flatMap(([key, value]) => {
    const here = [...path, key];
    if (value === undefined) return [];
    return isBlock(value) && !isWhole(here) ? leaves(value, here) : [{ path: here, value }];
  });
}

/** The configuration made of some leaves. */
export function fromLeaves(some: readonly { path: readonly string[]; value: unknown }[]): Config {
  let config: Block = {};
  for (const { path, value } of some) {
    const nested = path.reduceRight<unknown>((inner, key) => Object.fromEntries([[key, inner]]), value);
    config = mergeBlock(config, nested as Block, [], '', new Map());
  }
  return config as Config;
}
