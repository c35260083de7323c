// The layers that are no files of ours alone: configuration files as they lie on disk, variables, flags.
import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { UserError } from '../types/user-error.ts';
import { unknownName, type Fault } from './faults.ts';
import { isBlock, type Layer } from './merge.ts';
import { modeNames } from './modes.ts';
import { shortPath, type Paths } from './paths.ts';
import { readText } from './permission-files.ts';
import { findProtocol, protocolNames } from './protocols.ts';
import type { Config } from './schema.ts';
import { parseSize, SIZE } from './sizes.ts';

/** What the command line may set. */
export type Flags = { provider?: string; model?: string; mode?: string; maxRounds?: number; maxCostUsd?: number; debug?: boolean; allow?: readonly string[]; deny?: readonly string[]; /** A file of MCP servers, absolute. */ mcpConfig?: string };

export type ConfigFile = Layer & { path: string; text: string };

/** The configuration files that are there, lowest rank first. A file that the user named must exist. */
export async function readConfigFiles(paths: Paths, named: string | undefined, faults: Fault[]): Promise<ConfigFile[]> {
  const explicit = named === undefined ? undefined : real(resolve(paths.cwd, named));
  const places = [
    { path: paths.userConfig, kind: 'user' as const },
    ...paths.projectConfigs.map((path) => ({ path, kind: 'project' as const })),
    ...(explicit === undefined ? [] : [{ path: explicit, kind: 'file' as const }]),
  ];
  const files: ConfigFile[] = [];
  for (const { path, kind } of places) {
    // What the user named is read once, in his name.
    if (kind !== 'file' && real(path) === explicit) continue;
    const plain = kind === 'project' && path !== join(paths.projectDir, 'config.yaml');
    if (plain && !statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    const text = readText(path);
    if (text === undefined && kind === 'file') throw new UserError(`There is no configuration file ${named}.`, `Looked for ${path}.`);
    if (text === undefined) continue;
    const { checkText, configSchema, peek } = await import('./check.ts');
    if (plain && !isOurs(peek(text))) continue;
    const label = kind === 'file' && named !== undefined && !isAbsolute(named) ? named : shortPath(path, paths);
    const checked = checkText(text, label, configSchema, faults);
    if (checked) files.push({ kind, path, text, label, config: checked.value, where: (at) => `${label}:${checked.line(at)}` });
  }
  return files;
}

/** Many programs have a `config.yaml`; ours has a `protocol`, or a `provider` that we know. */
function isOurs(raw: unknown): boolean {
  if (!isBlock(raw)) return false;
  return 'protocol' in raw || knows(raw['provider']) || (isBlock(raw['providers']) && Object.values(raw['providers']).some((entry) => isBlock(entry) && knows(entry['protocol'])));
}

const knows = (name: unknown) => typeof name === 'string' && findProtocol(name) !== undefined;

/** A layer for each variable that is set; keys are looked up elsewhere, since a literal one in a file stays. */
export function readVariables(env: NodeJS.ProcessEnv, entries: readonly string[], faults: Fault[]): Layer[] {
  return [
    ...variable(env, ['MEWCODE_PROVIDER', 'LLM_PROVIDER'], faults, (value, fault) => choose(value, entries, fault)),
    ...variable(env, ['MEWCODE_MODEL', 'LLM_MODEL'], faults, (value) => ({ model: value })),
    ...variable(env, ['MEWCODE_BASE_URL', 'LLM_BASE_URL'], faults, (value) => ({ base_url: value })),
    ...variable(env, ['MEWCODE_CONTEXT_WINDOW'], faults, (value, fault) => {
      const size = parseSize(value);
      return size === undefined ? fault(`can't be ${JSON.stringify(value)}. Accepted: ${SIZE}.`) : { context_window: size };
    }),
    ...variable(env, ['LLM_TIMEOUT'], faults, (value, fault) => {
      const timeout = Number(value);
      return Number.isFinite(timeout) && timeout >= 0 ? { timeout } : fault(`can't be ${JSON.stringify(value)}. Accepted: a number of seconds.`);
    }),
  ];
}

/** The first of `names` that is set, as a layer of its own. */
function variable(env: NodeJS.ProcessEnv, names: readonly string[], faults: Fault[], read: (value: string, fault: (text: string) => undefined) => Config | undefined): Layer[] {
  const label = names.find((name) => env[name]);
  if (label === undefined) return [];
  const config = read(env[label] ?? '', (text) => { faults.push({ where: label, text }); return undefined; });
  return config ? [{ kind: 'environment', label, config, where: () => label }] : [];
}

/** A layer for each flag that was given. */
export function readFlags(flags: Flags, entries: readonly string[], faults: Fault[]): Layer[] {
  const layers: Layer[] = [];
  const add = (label: string, config: Config | undefined) => { if (config) layers.push({ kind: 'flag', label, config, where: () => label }); };
  if (flags.provider !== undefined) add('--provider', choose(flags.provider, entries, (text) => { faults.push({ where: '--provider', text }); return undefined; }));
  if (flags.model !== undefined) add('--model', { model: flags.model });
  if (flags.mode !== undefined) {
    const known = modeNames.find((mode) => mode === flags.mode);
    if (known) add('--mode', { permissions: { mode: known } });
    else faults.push({ where: '--mode', text: unknownName(`there is no mode \`${flags.mode}\``, flags.mode, modeNames) });
  }
  if (flags.maxRounds !== undefined) {
    if (Number.isSafeInteger(flags.maxRounds) && flags.maxRounds > 0) add('--max-rounds', { agent: { max_rounds: flags.maxRounds } });
    else faults.push({ where: '--max-rounds', text: 'must be a whole number, at least 1.' });
  }
  if (flags.maxCostUsd !== undefined) {
    if (Number.isFinite(flags.maxCostUsd) && flags.maxCostUsd >= 0) add('--max-cost', { agent: { max_cost_usd: flags.maxCostUsd } });
    else faults.push({ where: '--max-cost', text: 'must be a number of dollars.' });
  }
  if (flags.debug !== undefined) add('--debug', { debug: flags.debug });
  return layers;
}

/** A name stands for the entry that is called so, else for the protocol. */
function choose(name: string, entries: readonly string[], fault: (text: string) => undefined): Config | undefined {
  if (entries.includes(name)) return { active: name };
  const protocol = findProtocol(name)?.name;
  return protocol === undefined ? fault(unknownName(`there is no provider \`${name}\``, name, [...entries, ...protocolNames])) : { protocol };
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
