// Reads the configuration: layers from defaults to flags, trust applied, as the values that the rooms take.
import { join, resolve } from 'node:path';
import type { Category, Mode, Verdict } from '../types/permission.ts';
import type { McpServerSettings, Price, ProviderSettings, RuleText } from '../types/settings.ts';
import { UserError } from '../types/user-error.ts';
import { resolveBackends, toPrice } from './backend.ts';
import { readLogin, type Login } from './credentials.ts';
import { defaults } from './defaults.ts';
import { isSecretKey, throwFaults, type Fault } from './faults.ts';
import { readMcpFiles, resolveServers, secretsOfServers, steeringMcp } from './mcp.ts';
import { leaves, mergeLayers, type Layer } from './merge.ts';
import { findPaths, type Paths } from './paths.ts';
import { RANK, readRuleFile, readRuleFiles, readText, steeringRules } from './permission-files.ts';
import { protocols } from './protocols.ts';
import type { Config } from './schema.ts';
import { readConfigFiles, readFlags, readVariables, type ConfigFile, type Flags } from './sources.ts';
import { steeringExtensions } from './trust-extensions.ts';
import { findTrust, hashOf, splitByTrust, type Steering, type TrustNeed } from './trust.ts';

export type { Flags } from './sources.ts';

/** What is wanted of the configuration, where that is not all. */
export type Scope = {
  /** Only rules and mode: what is wrong elsewhere is a warning. */
  forRules?: boolean;
  /** A file of rules that stands in place of the permission files. */
  rules?: string;
};

export type LoadOptions = Scope & {
  cwd: string;
  env: NodeJS.ProcessEnv;
  home?: string;
  /** A configuration file that the user named. */
  file?: string;
  flags?: Flags;
  /** Project files count whole, whatever was answered before. */
  trusted?: boolean;
};

export type Loaded = {
  /** The active backend. */
  provider: ProviderSettings;
  /** Every entry of `providers`, for switching; what is missing for those that are not active is not told. */
  providers: readonly ProviderSettings[];
  mode: Mode;
  maxRounds: number;
  maxCostUsd: number | undefined;
  rules: readonly RuleText[];
  custom: Readonly<Partial<Record<Category, Verdict>>>;
  /** Globs in the order of .gitignore: the last that matches counts, `!` takes back. */
  ignorePatterns: readonly string[];
  passEnv: readonly string[];
  commandTimeoutMs: number;
  debug: boolean;
  /** Per million tokens, by model or provider/model. */
  pricing: Readonly<Record<string, Price>>;
  ui: Ui;
  /** MCP servers, those that are switched off among them. */
  mcp: readonly McpServerSettings[];
  /** Everything, merged, as the file spells it. */
  config: Config;
  /** The layer behind each dotted key. */
  origins: Readonly<Record<string, string>>;
  /** One line each. */
  warnings: readonly string[];
  /** Values that must never be shown or stored. */
  secrets: readonly string[];
  /** Set when the demo model answers only because nothing else was found: what would change it, on one line. */
  hint: string | undefined;
  /** Whether the project's files count whole, those that are read later too. */
  trusted: boolean;
  /** What the user has to be asked before all of it counts. */
  trust: TrustNeed | null;
  /** Files that were read. */
  files: readonly string[];
};

type Given<T> = { readonly [K in keyof T]-?: NonNullable<T[K]> };
type UiKeys = NonNullable<Config['ui']>;
export type Ui = Given<Omit<UiKeys, 'status_line'>> & { readonly status_line: string | undefined };

/** Loads everything. Throws one `UserError` that lists all faults. Reads no package when there is no file. */
export async function loadConfig(options: LoadOptions): Promise<Loaded> {
  const { env, flags = {} } = options;
  const paths = findPaths({ cwd: options.cwd, env: { ...env, HOME: options.home ?? env['HOME'] } });
  const faults: Fault[] = [];
  const ruleFaults: Fault[] = [];
  const warnings: string[] = [];
  const files = (await readConfigFiles(paths, options.file, faults)).map((file) => neverBypass(file, warnings));
  const ruleFiles = options.rules === undefined ? await readRuleFiles(paths, ruleFaults) : [await readRuleFile(resolve(options.cwd, options.rules), paths, ruleFaults)];
  const mcpFiles = await readMcpFiles(paths, flags.mcpConfig, warnings);

  const steering = [...steeringConfigs(files), ...steeringRules(ruleFiles), ...steeringMcp(mcpFiles), ...(await steeringExtensions(paths))];
  const answer = options.trusted ? 'trust' : await findTrust(paths, steering);
  const trusted = answer === 'trust';
  if (!trusted) warnings.push(notTrusted(steering));
  const counted = files.map((file) => (file.kind === 'project' && !trusted ? { ...file, config: splitByTrust(file.config).safe } : file));

  const mcp = resolveServers({ configs: counted, files: mcpFiles.filter(({ scope }) => trusted || scope !== 'project'), paths, env, warnings });

  const entries = counted.flatMap((file) => Object.keys(file.config.providers ?? {}));
  const standard: Layer = { kind: 'default', label: 'default', config: defaults as unknown as Config, where: () => 'default' };
  const layers = [standard, ...counted, ...readVariables(env, entries, faults), ...readFlags(flags, entries, faults)];
  const { config, origins } = mergeLayers(layers);
  const { active, by, auto, entries: providers } = resolveBackends(layers, config, env, { faults, login: storedLogin(paths, warnings) });
  if (options.forRules) {
    throwFaults([...ruleFaults, ...faults.filter(({ where }) => where === '--mode')]);
    for (const { where, text } of faults) warnings.push(`Judged without it: ${where}: ${text}`);
  } else throwFaults([...faults, ...ruleFaults, ...active.faults]);
  for (const [key, label] of [...active.origins, ['protocol', by] as const]) origins.set(key, label);

  const rules = [
    ...ruleFiles.flatMap((file) => file.rules.filter((rule) => trusted || !file.project || rule.verdict !== 'allow')),
    ...counted.flatMap(rulesOfConfig),
    ...(flags.allow ?? []).map((text): RuleText => ({ text, verdict: 'allow', from: '--allow', rank: RANK.flag })),
    ...(flags.deny ?? []).map((text): RuleText => ({ text, verdict: 'deny', from: '--deny', rank: RANK.flag })),
  ];
  return {
    provider: active.settings, providers, rules, config, warnings, mcp,
    mode: config.permissions?.mode ?? 'default',
    maxRounds: config.agent?.max_rounds ?? defaults.agent.max_rounds,
    maxCostUsd: config.agent?.max_cost_usd ?? undefined,
    custom: Object.fromEntries(Object.entries(config.permissions?.custom ?? {}).filter(([, verdict]) => verdict !== null)),
    ignorePatterns: [...readIgnores(paths), ...(config.security?.ignore_patterns ?? [])],
    passEnv: config.security?.pass_env ?? [],
    commandTimeoutMs: (config.security?.command_timeout ?? defaults.security.command_timeout) * 1_000,
    debug: config.debug ?? false,
    pricing: Object.fromEntries(Object.entries(config.pricing ?? {}).flatMap(([model, price]) => (price ? [[model, toPrice(price)]] : []))),
    ui: { ...defaults.ui, ...config.ui, status_line: config.ui?.status_line ?? undefined } as Ui,
    origins: Object.fromEntries(origins),
    secrets: [...new Set([...findSecrets(env, files, [active.settings, ...providers]), ...secretsOfServers(mcp)])],
    hint: auto && active.settings.protocol === 'demo' ? demoHint(env) : undefined,
    trusted,
    trust: typeof answer === 'string' ? null : answer,
    files: [...files, ...ruleFiles, ...mcpFiles].map((file) => file.path),
  };
}

/** Reads the stored login once, when it is first asked for. A damaged file is a warning: there are other providers. */
function storedLogin(paths: Paths, warnings: string[]): () => Login | undefined {
  let read: { login: Login | undefined } | undefined;
  return () => {
    try {
      read ??= { login: readLogin(paths.credentials, 'copilot') };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      warnings.push(error.text);
      read = { login: undefined };
    }
    return read.login;
  };
}

/** One line, however much it is. */
function notTrusted(steering: readonly Steering[]): string {
  const all = steering.flatMap((file) => file.why.map((why) => why.replace(/ \([^)]*\)$/, '')));
  const more = all.length - TOLD;
  return `Not trusted, so ignored: ${all.slice(0, TOLD).join(', ')}${more > 0 ? ` and ${more} more` : ''}. --trust reads them.`;
}

/** Things that a warning names one by one. */
const TOLD = 12;

/** A project may never switch the questions off, trusted or not. */
function neverBypass(file: ConfigFile, warnings: string[]): ConfigFile {
  if (file.kind !== 'project' || file.config.permissions?.mode !== 'bypassPermissions') return file;
  warnings.push(`${file.where(['permissions', 'mode'])}: a project file can't set bypassPermissions; ignored.`);
  const { mode: _mode, ...permissions } = file.config.permissions;
  return { ...file, config: { ...file.config, permissions } };
}

function steeringConfigs(files: readonly ConfigFile[]): Steering[] {
  return files.flatMap((file) => {
    const why = file.kind === 'project' ? splitByTrust(file.config).why : [];
    return why.length === 0 ? [] : [{ path: file.path, hash: hashOf(file.text), text: file.text, why }];
  });
}

/** `command_whitelist` and `require_confirmation` are rules of the file they stand in. */
function rulesOfConfig(file: ConfigFile): RuleText[] {
  const rank = file.kind === 'user' ? RANK.user : file.kind === 'project' ? RANK.team : RANK.local;
  const { command_whitelist, require_confirmation } = file.config.security ?? {};
  const rulesOf = (key: string, verdict: Verdict, entries: readonly string[] | null | undefined, spell: (entry: string) => string): RuleText[] =>
    (entries ?? []).map((entry, index) => ({ text: spell(entry), verdict, from: file.where(['security', key, String(index)]), rank }));
  return [
    ...rulesOf('command_whitelist', 'allow', command_whitelist, asRule),
    // A command to be asked for is asked for with arguments, too.
    ...rulesOf('require_confirmation', 'ask', require_confirmation, (entry) => (asRule(entry) === entry || entry.includes('*') ? asRule(entry) : asRule(`${entry} *`))),
  ];
}

/** A tool's name or a rule stays; anything else is a command. */
const asRule = (entry: string): string => (/^(?:[A-Z]\w*|mcp_\w+)(?:$|[(:])/.test(entry) ? entry : `Bash(${entry})`);

/** What `.mewignore` hides comes first, so that nothing in it can take back what the configuration hides. */
function readIgnores(paths: Paths): string[] {
  const text = paths.hasProject ? (readText(join(paths.root, '.mewignore')) ?? '') : '';
  return text.split('\n').map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'));
}

/** Keys, and all that is called a key or token in files and environment. */
function findSecrets(env: NodeJS.ProcessEnv, files: readonly ConfigFile[], settings: readonly ProviderSettings[]): string[] {
  const named = files.flatMap((file) => leaves(file.config)).filter(({ path, value }) => typeof value === 'string' && !value.includes('${') && isSecretKey(path.at(-1) ?? '')).map(({ value }) => String(value));
  const usual = new Set(protocols.flatMap((row) => row.keyVars));
  const variables = Object.entries(env).filter(([name]) => usual.has(name) || /(?:_KEY|_TOKEN|SECRET|PASSWORD)$/.test(name)).map(([, value]) => value);
  return [...new Set([...settings.flatMap(({ apiKey, extra }) => [apiKey, ...Object.entries(extra).map(([key, value]) => (typeof value === 'string' && isSecretKey(key) ? value : undefined))]), ...named, ...variables].filter((value): value is string => value !== undefined && value !== ''))];
}

function demoHint(env: NodeJS.ProcessEnv): string {
  const key = ['MEWCODE_API_KEY', 'LLM_API_KEY'].find((name) => env[name]);
  if (key !== undefined) return `Demo model: ${key} is set, but not whose key it is. Say so: export MEWCODE_PROVIDER=anthropic`;
  if (env['LITELLM_API_KEY']) return 'Demo model: LITELLM_API_KEY is set, but not the address of the server. Say it: export MEWCODE_BASE_URL=http://…';
  return 'Demo model: no provider is configured and no API key was found. To use a real one: export ANTHROPIC_API_KEY=…';
}
