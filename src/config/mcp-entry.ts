// One entry of a `mcpServers` file, as MewCode or another tool wrote it, as one of ours.
import { nearest } from '../lib/nearest.ts';
import { isBlock } from './merge.ts';
import type { Config } from './schema.ts';

/** An entry of `mcp_servers` in config.yaml. */
export type Entry = NonNullable<NonNullable<Config['mcp_servers']>[string]>;

const KINDS: Readonly<Record<string, 'stdio' | 'http' | 'sse'>> = { stdio: 'stdio', local: 'stdio', http: 'http', 'streamable-http': 'http', streamableHttp: 'http', streamable_http: 'http', remote: 'http', sse: 'sse' };
const OURS = ['command', 'args', 'env', 'cwd', 'url', 'headers', 'type', 'timeout', 'enabled', 'trust_read_only', 'defer', 'tools'];
/** What other tools write there: read where it means something here, else passed over. */
const THEIRS = ['transport', 'disabled', 'alwaysAllow', 'autoApprove', 'alwaysLoad', 'disabledTools', 'enabledTools', 'includeTools', 'excludeTools', 'httpUrl', 'serverUrl', 'environment', 'description', 'name', 'title', 'icon', 'trust',
  'oauth', 'authProviderType', 'envFile', 'gallery', 'version', 'dev', 'sandbox', 'sandboxEnabled', 'startup_timeout_ms', 'initTimeout', 'startupTimeout', 'note', 'comment', '_comment', 'timeout_ms', 'required', 'network', 'config'];
const NOT_DONE: Readonly<Record<string, string>> = { headersHelper: 'a program for headers is not run; write `headers` instead', envFile: 'files of variables are not read; write `env` instead' };

/** An entry of a JSON file as one of config.yaml, or what is wrong with it. `note` gets what is passed over. */
export function readEntry(raw: unknown, note: (text: string) => void): Entry | string {
  if (!isBlock(raw)) return 'it must be an object with "command" or "url".';
  for (const key of Object.keys(raw)) {
    const known = [...OURS, ...THEIRS, ...Object.keys(NOT_DONE)];
    const meant = known.includes(key) ? undefined : nearest(key, OURS);
    if (!known.includes(key)) note(`\`${key}\` is not known and passed over.${meant === undefined ? '' : ` Did you mean \`${meant}\`?`}`);
    if (NOT_DONE[key] !== undefined) note(`\`${key}\`: ${NOT_DONE[key]}.`);
  }
  const [command, ...words] = [raw['command']].flat();
  const url = raw['url'] ?? raw['httpUrl'] ?? raw['serverUrl'];
  const enabled = raw['enabled'] !== false && raw['disabled'] !== true;
  if (command === undefined && url === undefined && !enabled) return { enabled };
  if ((command === undefined) === (url === undefined)) return 'exactly one of "command" and "url" is needed.';
  const wrong = [
    ['command', command === undefined || typeof command === 'string', 'a text'], ['url', url === undefined || typeof url === 'string', 'a text'],
    ['args', areScalars(raw['args'] ?? []), 'a list of texts'], ['env', areNamed(raw['env'] ?? raw['environment'] ?? {}), 'an object of texts'],
    ['headers', areNamed(raw['headers'] ?? {}), 'an object of texts'], ['cwd', raw['cwd'] == null || typeof raw['cwd'] === 'string', 'a text'],
    ['timeout', raw['timeout'] == null || (typeof raw['timeout'] === 'number' && raw['timeout'] >= 0), 'a number of milliseconds'],
  ].find(([, fits]) => !fits);
  if (wrong) return `"${String(wrong[0])}" must be ${String(wrong[2])}.`;
  const said = raw['type'] ?? raw['transport'];
  const type = typeof said === 'string' ? KINDS[said] : said === undefined ? KINDS['http'] : undefined;
  if (type === undefined) return `"type" can't be ${JSON.stringify(said)}. Accepted: stdio, http, sse.`;
  const ours = isBlock(raw['tools']) ? raw['tools'] : {};
  const allow = textsOf(ours['allow'] ?? (Array.isArray(raw['tools']) ? raw['tools'] : undefined) ?? raw['includeTools'] ?? raw['enabledTools']);
  const deny = textsOf(ours['deny'] ?? raw['excludeTools'] ?? raw['disabledTools']);
  return {
    ...(command === undefined ? { url: String(url) } : { command: String(command) }),
    args: [...words, ...((raw['args'] ?? []) as unknown[])].map(String), env: stringsOf(raw['env'] ?? raw['environment']), headers: stringsOf(raw['headers']),
    cwd: (raw['cwd'] ?? null) as string | null, type, timeout: typeof raw['timeout'] === 'number' ? raw['timeout'] / 1_000 : null, enabled,
    trust_read_only: raw['trust_read_only'] === true, defer: raw['defer'] !== false && raw['alwaysLoad'] !== true,
    tools: { ...(allow && { allow }), ...(deny && { deny }) },
  };
}

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
const areScalars = (value: unknown): boolean => Array.isArray(value) && value.every(isScalar);
const areNamed = (value: unknown): boolean => isBlock(value) && Object.values(value).every(isScalar);
const textsOf = (value: unknown): string[] | undefined => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined);
const stringsOf = (value: unknown): Record<string, string> => Object.fromEntries(Object.entries((value ?? {}) as Record<string, unknown>).map(([key, one]) => [key, String(one)]));
