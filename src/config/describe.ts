// --check-config: the merged configuration as text, each value with the layer it came from, secrets masked.
import { createMask, maskSecret } from '../lib/mask.ts';
import { isSecretKey } from './faults.ts';
import type { Loaded } from './load.ts';
import { leaves } from './merge.ts';

/** A line a value, `key: value  # layer`: first the active backend as it came out of all layers, then the rest, then the rules and what there is to say. Ends with a newline. */
export function describeConfig(loaded: Loaded): string {
  const { provider, origins } = loaded;
  const active: [string, unknown][] = [
    ['protocol', provider.protocol], ['model', provider.model ?? '(the usual one)'], ['base_url', provider.baseUrl ?? '(the usual one)'], ['api_key', provider.apiKey ?? '(none)'],
    ['thinking', provider.thinking], ['context_window', provider.contextWindow ?? '(by model)'], ['max_tokens', provider.maxTokens ?? '(by model)'], ['timeout', provider.timeoutMs / 1_000],
    ['tool_protocol', provider.toolProtocol], ['extra', provider.extra],
  ];
  const shown = new Set([...active.map(([key]) => key), 'provider', 'api_key_env', 'thinking_model']);
  const rest = leaves(loaded.config).filter(({ path }) => !shown.has(path[0] ?? '')).map(({ path, value }): [string, unknown] => [path.join('.'), value]);
  const mask = createMask(loaded.secrets);
  const lines = [
    `# active: ${provider.name}`,
    ...[...active, ...rest].map(([key, value]) => `${key}: ${show(key, value)}  # ${origins[key] ?? 'default'}`),
    ...loaded.rules.map((rule) => `${rule.final ? 'always_deny' : rule.verdict}: ${rule.text}  # ${rule.from}`),
    ...[...loaded.warnings, ...(loaded.hint === undefined ? [] : [loaded.hint])].map((note) => `# ${note}`),
  ];
  return mask(`${lines.join('\n')}\n`);
}

function show(key: string, value: unknown): string {
  if (typeof value === 'string') return isSecretKey(key) && !value.startsWith('(') ? maskSecret(value) : value;
  return JSON.stringify(value, (name, inner: unknown) => (typeof inner === 'string' && isSecretKey(name) ? maskSecret(inner) : inner));
}
