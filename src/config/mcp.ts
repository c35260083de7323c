// MCP servers: reads the files that other tools share (`mcpServers`), and makes of them and of `mcp_servers` what is to be started.
import { isAbsolute, join, resolve } from 'node:path';
import { reveal } from '../lib/clean.ts';
import type { McpServerSettings } from '../types/settings.ts';
import { UserError } from '../types/user-error.ts';
import { isSecretKey, type Fault } from './faults.ts';
import { expand } from './keys.ts';
import { readEntry, type Entry } from './mcp-entry.ts';
import { isBlock } from './merge.ts';
import { shortPath, type Paths } from './paths.ts';
import { readText } from './permission-files.ts';
import type { ConfigFile } from './sources.ts';
import { clip, hashOf, type Steering } from './trust.ts';

type Scope = McpServerSettings['scope'];

/** A file of servers. `servers` are as it spells them, unchecked. */
export type McpFile = { path: string; label: string; scope: Scope; text: string; servers: readonly { name: string; raw: unknown; where: string }[] };

const LONGEST_NAME = 100;
const TIMEOUT_MS = 30_000;
const LONGEST_TIMEOUT_MS = 86_400_000;

/** The files that are there, the nearest last. A file that can't be read as JSON is a warning; one that the user named must exist. */
export async function readMcpFiles(paths: Paths, named: string | undefined, warnings: string[]): Promise<McpFile[]> {
  const places: { path: string; scope: Scope }[] = [
    { path: join(paths.userDir, 'mcp.json'), scope: 'user' },
    ...(paths.hasProject ? [{ path: join(paths.root, '.mcp.json'), scope: 'project' as const }, { path: join(paths.projectDir, 'mcp.json'), scope: 'project' as const }] : []),
    ...(named === undefined ? [] : [{ path: resolve(paths.cwd, named), scope: 'flag' as const }]),
  ];
  const files: McpFile[] = [];
  for (const { path, scope } of places) {
    const text = readText(path);
    if (text === undefined && scope === 'flag') throw new UserError(`There is no file of MCP servers ${path}.`, '--mcp-config names a JSON file with "mcpServers".');
    if (text === undefined || text.trim() === '') continue;
    files.push(await parseFile(text, { path, scope, label: shortPath(path, paths) }, warnings));
  }
  return files;
}

async function parseFile(text: string, file: Pick<McpFile, 'path' | 'scope' | 'label'>, warnings: string[]): Promise<McpFile> {
  const { readYaml } = await import('./check.ts');
  const faults: Fault[] = [];
  // JSON is YAML, but for the comments that some write into it; lines stay where they are.
  const plain = text.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (match, quoted: string | undefined) => quoted ?? match.replace(/[^\n]/g, ' '));
  const read = readYaml(plain, file.label, faults);
  warnings.push(...faults.slice(0, 1).map(({ where, text: fault }) => `${where}: ${fault.replace('YAML', 'JSON')}. Its MCP servers are left out.`));
  const all = isBlock(read?.value) ? read.value['mcpServers'] : undefined;
  if (read && !isBlock(all)) warnings.push(`${file.label}: there are no "mcpServers" in it. The shape is {"mcpServers": {"NAME": {"command": "…", "args": []}}}.`);
  const servers = isBlock(all) ? Object.entries(all).map(([name, raw]) => ({ name, raw, where: `${file.label}:${read?.line(['mcpServers', name]) ?? 1}` })) : [];
  return { ...file, text, servers };
}

/** What a project's files would start, for the question of trust. */
export function steeringMcp(files: readonly McpFile[]): Steering[] {
  return files.filter(({ scope }) => scope === 'project').flatMap(({ path, text, servers }) => {
    const why = servers.flatMap(({ name, raw }) => { const what = describeServer(raw); return what === undefined ? [] : [`MCP server ${reveal(name)}: ${what}`]; });
    return why.length === 0 ? [] : [{ path, hash: hashOf(text), text, why }];
  });
}

/** What a server would do when it is started: `npx -y pkg (runs a program)`; `undefined` for an entry that starts nothing. */
function describeServer(raw: unknown): string | undefined {
  if (!isBlock(raw)) return undefined;
  const address = raw['url'] ?? raw['httpUrl'] ?? raw['serverUrl'];
  const words = [raw['command'], ...(Array.isArray(raw['args']) ? (raw['args'] as unknown[]) : [])].flat().filter((word) => word !== undefined).map(String);
  const variables = Object.keys(isBlock(raw['env']) ? raw['env'] : {});
  const set = variables.length === 0 ? '' : ` with ${clip(variables.join(', '))}`;
  if (words.length > 0) return `${clip(words.join(' '))}${set} (runs a program)`;
  return address === undefined ? undefined : `${clip(String(address))} (what its tools are called with goes there)`;
}

/**
 * The servers of all files, farthest first: of two with one name the nearer wins whole. What can't be used is left out
 * with a warning. `configs` and `files` hold what is trusted only.
 */
export function resolveServers({ configs, files, paths, env, warnings }: { configs: readonly ConfigFile[]; files: readonly McpFile[]; paths: Paths; env: NodeJS.ProcessEnv; warnings: string[] }): McpServerSettings[] {
  const found = new Map<string, McpServerSettings>();
  const take = (name: string, entry: Entry, from: { label: string; where: string; scope: Scope }) => {
    // Names stand in lines of ours, to the user and to the model.
    if (name.trim() === '' || name.length > LONGEST_NAME || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) {
      warnings.push(`${from.where}: an MCP server is skipped: its name is empty, too long or has characters that can't be seen.`);
      return;
    }
    const before = found.get(name);
    // An entry that only says `enabled: false` switches off what a farther file has.
    if (entry.command == null && entry.url == null) {
      if (before) found.set(name, { ...before, enabled: false });
      return;
    }
    const made = makeServer(name, entry, { ...from, paths, env });
    if ('problem' in made) warnings.push(`${from.where}: the MCP server "${name}" is skipped: ${made.problem}`);
    else found.set(name, made);
  };
  const fromFile = (file: McpFile) => {
    for (const { name, raw, where } of file.servers) {
      const entry = readEntry(raw, (note) => warnings.push(`${where}: the MCP server "${name}": ${note}`));
      if (typeof entry === 'string') warnings.push(`${where}: the MCP server "${name}" is skipped: ${entry}`);
      else take(name, entry, { label: file.label, where, scope: file.scope });
    }
  };
  const fromConfig = (file: ConfigFile) => {
    const scope: Scope = file.kind === 'project' ? 'project' : file.kind === 'user' ? 'user' : 'flag';
    for (const [name, entry] of Object.entries(file.config.mcp_servers ?? {})) take(name, entry, { label: file.label, where: file.where(['mcp_servers', name]), scope });
  };
  for (const scope of ['user', 'project', 'flag'] as const) {
    if (scope !== 'flag') files.filter((file) => file.scope === scope).forEach(fromFile);
    configs.filter(({ kind }) => (scope === 'flag' ? kind === 'file' : kind === scope)).forEach(fromConfig);
    // What was named for this purpose is nearest.
    if (scope === 'flag') files.filter((file) => file.scope === scope).forEach(fromFile);
  }
  return [...found.values()];
}

/** Headers and variables that must never be shown or stored. */
export function secretsOfServers(servers: readonly McpServerSettings[]): string[] {
  return servers.flatMap(({ via }) => Object.entries(via.kind === 'http' ? via.headers : via.env))
    .flatMap(([name, value]) => (isSecretKey(name) || /(?:^|[-_])(?:auth|key|pat|pass)(?:$|[-_])/i.test(name) ? [value, value.replace(/^\w+ /, '')] : []));
}

function makeServer(name: string, entry: Entry, { label, scope, paths, env }: { label: string; scope: Scope; paths: Paths; env: NodeJS.ProcessEnv }): McpServerSettings | { problem: string } {
  const enabled = entry.enabled ?? true;
  const missing = new Set<string>();
  const put = (text: string) => {
    const expanded = expand(text, env);
    for (const variable of expanded.missing) missing.add(variable);
    return expanded.value;
  };
  const putAll = (values: Readonly<Record<string, unknown>> | null | undefined) => Object.fromEntries(Object.entries(values ?? {}).map(([key, value]) => [key, put(String(value))]));
  const base = scope === 'user' ? paths.home : paths.root;
  const folder = put(entry.cwd ?? '');
  const cwd = folder === '' ? paths.root : folder === '~' || folder.startsWith('~/') ? join(paths.home, folder.slice(1)) : isAbsolute(folder) ? folder : resolve(base, folder);
  const via: McpServerSettings['via'] = entry.command != null
    ? { kind: 'stdio', command: put(entry.command), args: (entry.args ?? []).map(put), env: putAll(entry.env), cwd }
    : { kind: 'http', url: put(entry.url ?? ''), headers: putAll(entry.headers), sse: entry.type === 'sse' };
  if (enabled && missing.size > 0) {
    const names = [...missing];
    return { problem: `the variable ${names.join(', ')} is not set. Set it, or say what stands for it: \${${names[0]}:-…}` };
  }
  if (enabled && via.kind === 'http' && !/^https?:$/.test(URL.canParse(via.url) ? new URL(via.url).protocol : '')) return { problem: `${via.url} is no address that begins with http:// or https://` };
  const timeout = entry.timeout == null || entry.timeout === 0 ? TIMEOUT_MS : entry.timeout * 1_000;
  return {
    name, from: label, scope, enabled, via, timeoutMs: Math.min(timeout, LONGEST_TIMEOUT_MS), trustReadOnly: entry.trust_read_only ?? false, defer: entry.defer ?? true,
    ...(entry.tools?.allow && { allow: entry.tools.allow }), ...(entry.tools?.deny && { deny: entry.tools.deny }),
  };
}
