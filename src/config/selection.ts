// Which backend is active at each layer: an entry of `providers`, or a protocol by itself.
import { unknownName, type Fault } from './faults.ts';
import type { Layer } from './merge.ts';
import { findProtocol, protocolNames } from './protocols.ts';
import type { Backend, Config } from './schema.ts';

/** An entry of `providers`, or a protocol by itself. */
export type Selection = { entry?: string; protocol: string };

export type Entries = NonNullable<Config['providers']>;

/** The selection in effect at each layer, and the layer that made the last one. What names nothing goes to `faults`. */
export function followSelection(layers: readonly Layer[], entries: Entries, faults: Fault[]): { at: readonly (Selection | undefined)[]; by: string } {
  const at: (Selection | undefined)[] = [];
  let by = '';
  for (const layer of layers) {
    const selection = selectionOf(layer, entries, faults);
    if (selection) by = layer.label;
    at.push(selection ?? at.at(-1));
  }
  return { at, by };
}

function selectionOf({ config, where }: Layer, entries: Entries, faults: Fault[]): Selection | undefined {
  const { active, protocol, provider } = config;
  if (active != null) {
    const entry = entries[active];
    const found = entry ? entryProtocol(active, entry) : findProtocol(active)?.name;
    if (found !== undefined) return { ...(entry && { entry: active }), protocol: found };
    if (!entry) faults.push({ where: where(['active']), text: unknownName(`there is no provider \`${active}\``, active, [...Object.keys(entries), ...protocolNames]) });
  }
  const found = findProtocol(protocol ?? provider ?? '');
  return found && { protocol: found.name };
}

/** An entry that is called like a protocol needs no other word. */
export function entryProtocol(name: string, entry: Backend | null | undefined): string | undefined {
  return findProtocol(entry?.protocol ?? entry?.provider ?? name)?.name;
}

/** The entries that say what they are. */
export function selectEntries(entries: Entries): (Selection & { entry: string })[] {
  return Object.entries(entries).flatMap(([name, entry]) => {
    const protocol = entry ? entryProtocol(name, entry) : undefined;
    return protocol === undefined ? [] : [{ entry: name, protocol }];
  });
}

/** Whether what was said while `given` was active is meant for `selection`. */
export function belongs(given: Selection | undefined, selection: Selection): boolean {
  if (given === undefined) return true;
  return given.protocol === selection.protocol && (given.entry === undefined || selection.entry === undefined || given.entry === selection.entry);
}
