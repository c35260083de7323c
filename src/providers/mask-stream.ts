// Masks the recorded text of an event stream: a key that the service sent in several pieces is in none of its lines, and still in all of them together.
import type { Json } from '../types/json.ts';

type Leaf = { holder: { [key: string]: Json }; key: string; text: string };

/** `body` with every secret masked that its events spell out piece by piece. What is no event stream is given back as it is. */
export function maskStream(body: string, mask: (text: string) => string): string {
  const lines = body.split('\n').map((line) => ({ line, json: line.startsWith('data:') ? parsed(line.slice(5)) : undefined }));
  const chains = new Map<string, Leaf[]>();
  for (const { json } of lines) if (json !== undefined) collect(json, '', chains);
  const changed = new Set<object>();
  for (const chain of chains.values()) {
    const whole = chain.map(({ text }) => text).join('');
    const masked = mask(whole);
    if (masked === whole || chain.length < 2) continue;
    // Where the pieces began is lost with them.
    chain.forEach(({ holder, key }, i) => { holder[key] = i === 0 ? masked : ''; changed.add(holder); });
  }
  if (changed.size === 0) return body;
  return lines.map(({ line, json }) => (json === undefined ? line : `data: ${JSON.stringify(json)}`)).join('\n');
}

/** Texts that follow each other stand at the same place of their events, under the same number. */
function collect(value: Json, path: string, chains: Map<string, Leaf[]>): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, `${path}[]`, chains);
    return;
  }
  const number = ['index', 'output_index', 'item_id'].map((name) => value[name]).filter((one) => one !== undefined).join(',');
  const place = `${path}${number === '' ? '' : `(${number})`}`;
  for (const [key, item] of Object.entries(value)) {
    if (typeof item !== 'string') { collect(item, `${place}.${key}`, chains); continue; }
    const name = `${place}.${key}`;
    const chain = chains.get(name) ?? [];
    chain.push({ holder: value, key, text: item });
    chains.set(name, chain);
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
