// The merged configuration as text: each value with the layer it came from, secrets masked.
import { maskSecret } from '../lib/mask.ts';
import { isSecretKey } from './faults.ts';
import type { Loaded } from './load.ts';
import { leaves } from './merge.ts';

/** One line a value, `key: value  # layer`; first the active backend as it came out, then all that was said. Ends with a newline. */
export function describeConfig(loaded: Loaded): string {
  const { provider, origins } = loaded;
  const active: [string, unknown][] = [
    ['protocol', provider.protocol], ['model', provider.model ?? '(the usual one)'], ['base_url', provider.baseUrl ?? '(the usual one)'], ['api_key', provider.apiKey ?? '(none)'],
    ['thinking', provider.thinking], ['context_window', provider.contextWindow ?? '(by model)'], ['max_tokens', provider.maxTokens ?? '(by model)'], ['timeout', provider.timeoutMs / 1_000],
    ['tool_protocol', provider.toolProtocol], ['extra', provider.extra],
  ];
  const shown = new Set([...active.map(([key]) => key), 'provider', 'api_key_env', 'thinking_model']);
  const rest = leaves(loaded.config).filter(({ path }) => !shown.has(path[0] ?? '')).map(({ path, value }): [string, unknown] => [path.join('.'), value]);
  const lines = [
    `# active: ${provider.name}`,
    ...active.map(([key, value]) => line(key, value, origins[key])),
    '',
    ...rest.map(([key, value]) => line(key, value, origins[key])),
    ...(loaded.rules.length > 0 ? ['', '# rules'] : []),
    ...loaded.rules.map((rule) => `${rule.final ? 'always_deny' : rule.verdict}: ${rule.text}  # ${rule.from}`),
    ...loaded.warnings.map((warning) => `# ${warning}`),
  ];
  return `${lines.join('\n')}\n`;
}

function line(key: string, value: unknown, origin: string | undefined): string {
  const shown = JSON.stringify(value, (name, inner: unknown) => (typeof inner === 'string' && isSecretKey(name) ? maskSecret(inner) : inner));
  const safe = typeof value === 'string' && isSecretKey(key) && !value.startsWith('(') ? maskSecret(value) : undefined;
  return `${key}: ${safe ?? (typeof value === 'string' ? value : shown)}  # ${origin ?? 'default'}`;
}
