// mewcode doctor: looks at everything that a session needs, without a session and with a broken configuration as well.
import { accessSync, constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Loaded } from '../config/load.ts';
import { cleanLine } from '../lib/clean.ts';
import { maskSecret } from '../lib/mask.ts';
import { nearest } from '../lib/nearest.ts';
import { childEnv } from '../lib/spawn.ts';
import { addressOf, listingOf, sendFor } from '../providers/index.ts';
import { listModels } from '../providers/model-list.ts';
import { proxiedFetch, proxyOf, withoutKey } from '../providers/proxy.ts';
import { findProgram } from '../lib/find-program.ts';
import type { Check } from '../types/command.ts';
import type { McpServerSettings } from '../types/settings.ts';
import { UserError } from '../types/user-error.ts';
import { nameOf } from './backends.ts';
import { tryServer, type McpStart } from './mcp-shell.ts';
import { parseRules } from './policy.ts';
import type { Start } from './start.ts';

export type DoctorOptions = {
  fetch?: typeof fetch;
  patienceMs?: number;
  /** What the terminal is: the process's own where not given. */
  terminal?: { isTTY?: boolean; columns?: number; rows?: number };
};

const PATIENCE_MS = 5_000;
const FEWEST = { columns: 40, rows: 10 };

/** Everything at once, told in a fixed order. Never rejects for what it finds. */
export async function examine(start: Pick<Start, 'load' | 'paths' | 'env' | 'trust' | 'version' | 'addDirs'>, options: DoctorOptions = {}): Promise<Check[]> {
  const { env, paths } = start;
  const loaded = await told(start.load(start.trust));
  const backends = loaded instanceof UserError ? [] : namesOf(loaded);
  const checks = await Promise.all([
    ok('node', `${process.versions.node}, ${process.platform} ${process.arch}`),
    checkTerminal(options.terminal ?? process.stdout, env),
    checkConfig(loaded),
    checkRules(loaded),
    ...backends.map(async (name) => {
      const active = !(loaded instanceof UserError) && loaded.provider.name === name;
      return checkBackend(name, active ? loaded : await told(start.load(start.trust, { provider: name })), { ...options, active, send: options.fetch ?? proxiedFetch(env) });
    }),
    ...(loaded instanceof UserError ? [] : loaded.mcp.filter(({ enabled }) => enabled).map((server) => checkServer(server, start))),
    checkProxy(env),
    checkProgram('git', env, 'the model is not told the branch and what has changed'),
    checkProgram('rg', env, 'searches use the built-in search, which is slower'),
    checkSandbox(env, loaded),
    checkFolder(paths.root),
  ]);
  return checks.flat();
}

const ok = (what: string, text: string): Check => ({ level: 'ok', what, text });

/** A `UserError` as a value; anything else is a bug. */
async function told<T>(promise: Promise<T>): Promise<T | UserError> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

function checkTerminal({ isTTY, columns = 0, rows = 0 }: NonNullable<DoctorOptions['terminal']>, env: NodeJS.ProcessEnv): Check {
  const what = 'terminal';
  if (!isTTY) return { level: 'warn', what, text: 'this is not a terminal', hint: 'Without one there is only mewcode -p "PROMPT".' };
  const text = `${env['TERM'] ?? 'TERM is not set'}, ${columns} × ${rows}${env['COLORTERM'] ? `, ${env['COLORTERM']}` : ''}`;
  if (env['TERM'] === 'dumb') return { level: 'warn', what, text, hint: 'A dumb terminal has no full screen: use mewcode -p "PROMPT".' };
  if (columns < FEWEST.columns || rows < FEWEST.rows) return { level: 'warn', what, text, hint: `Make it at least ${FEWEST.columns} × ${FEWEST.rows}.` };
  return ok(what, text);
}

/** Only what is wrong: with a rule that can't be read no session begins. */
async function checkRules(loaded: Loaded | UserError): Promise<Check[]> {
  const rules = loaded instanceof UserError ? [] : await told(new Promise((resolve) => { resolve(parseRules(loaded.rules)); }));
  return rules instanceof UserError ? [{ level: 'fail', what: 'rules', text: rules.text }] : [];
}

function checkConfig(loaded: Loaded | UserError): Check[] {
  const what = 'config';
  if (loaded instanceof UserError) return [{ level: 'fail', what, text: loaded.text }];
  const warnings = [...loaded.warnings, ...(loaded.hint === undefined ? [] : [loaded.hint])].map((text): Check => ({ level: 'warn', what, text }));
  return [ok(what, loaded.files.length === 0 ? 'no files, so the defaults' : loaded.files.join(', ')), ...warnings];
}

/** Every configured entry; the active one first where it is none of them. */
function namesOf({ provider, providers }: Loaded): string[] {
  return [...new Set([provider.name, ...providers.map(({ name }) => name)])];
}

async function checkBackend(name: string, loaded: Loaded | UserError, { active, send, patienceMs = PATIENCE_MS }: { active: boolean; send: typeof fetch; patienceMs?: number }): Promise<Check[]> {
  const what = `provider ${name}`;
  if (loaded instanceof UserError) return [{ level: 'fail', what, text: loaded.text }];
  const { provider: settings, origins } = loaded;
  const { model } = nameOf(settings);
  const about = `${settings.protocol}${model === '' ? '' : `, ${model}`}${active ? ' (active)' : ''}`;
  const listing = await told((async () => listingOf(settings))());
  if (listing instanceof UserError) return [{ level: 'fail', what, text: listing.text }];
  const signal = AbortSignal.timeout(patienceMs);
  if (!listing) return [await reach({ what, about, name, address: addressOf(settings), model }, send, signal)];

  const { apiKey } = settings;
  if (apiKey === undefined && listing.needsKey) return [{ level: 'fail', what, text: `${about}: there is no key.`, hint: listing.about.keyHint }];
  const key = apiKey === undefined ? 'no key' : `key ${maskSecret(apiKey)} from ${origins['api_key'] ?? 'the configuration'}`;
  const began = performance.now();
  const answer = await listModels(listing, { fetch: sendFor(settings, { fetch: send }), signal, endpoint: listing.endpoint });
  const ms = Math.round(performance.now() - began);
  if (!answer.ok) return [{ level: 'fail', what, text: `${about}, ${key}: ${answer.failure.message}` }];
  const text = `${about}, ${key}: ${new URL(listing.url).host} answered in ${ms} ms`;
  const models = Object.keys(answer.list ?? {});
  if (model === '') return [{ level: 'fail', what, text, hint: `No model is named. Set model in the configuration${models.length === 0 ? '' : `: ${models.slice(0, 5).join(', ')} …`}` }];
  if (models.length === 0 || models.includes(model)) return [ok(what, text)];
  const near = nearest(model, models);
  return [{ level: 'warn', what, text, hint: `${model} is not among its ${models.length} models.${near === undefined ? '' : ` Did you mean ${near}?`}` }];
}

/** A service without a list, and which does not refuse an empty request either: whatever its server answers, it is there. */
async function reach({ what, about, name, address, model }: { what: string; about: string; name: string; address: string | undefined; model: string }, send: typeof fetch, signal: AbortSignal): Promise<Check> {
  if (address === undefined) return ok(what, `${about}: nothing to reach`);
  const { origin, host } = new URL(address);
  const answer = await listModels({ url: `${origin}/`, headers: {}, about: { service: name, url: origin, model, apiKey: undefined, keyHint: '' } }, { fetch: send, signal });
  if (answer.ok || (answer.failure.status ?? 500) < 500) return { ...ok(what, `${about}: ${host} is there`), hint: 'Whether it takes what it was given, /model test will tell.' };
  return { level: 'fail', what, text: `${about}: ${answer.failure.message}` };
}

async function checkServer(server: McpServerSettings, start: McpStart): Promise<Check> {
  const what = `MCP ${cleanLine(server.name)}`;
  const answer = await tryServer(server, start);
  return answer.ok ? ok(what, `${server.via.kind}, ${answer.tools}`) : { level: 'fail', what, text: answer.problem, hint: 'mewcode mcp list -v shows how it is started.' };
}

function checkProxy(env: NodeJS.ProcessEnv): Check[] {
  const certificates = env['NODE_EXTRA_CA_CERTS'];
  const { http, https, except = '' } = proxyOf(env) ?? {};
  const proxies = [...new Set([https, http])].filter((proxy) => proxy !== undefined).map(withoutKey);
  return [
    ...(proxies.length === 0 ? [] : [ok('proxy', `${proxies.join(', ')}${except === '' ? '' : `, not for ${except}`}`)]),
    ...(!certificates ? [] : [existsSync(certificates) ? ok('certificates', certificates) : { level: 'fail' as const, what: 'certificates', text: `NODE_EXTRA_CA_CERTS names ${certificates}, which is not there.`, hint: 'Correct or unset it.' }]),
  ];
}

function checkProgram(name: string, env: NodeJS.ProcessEnv, without: string): Check {
  const path = findProgram(name, env);
  return path === undefined ? { level: 'warn', what: name, text: `not on the PATH: ${without}`, hint: `Install ${name === 'rg' ? 'ripgrep' : name}.` } : ok(name, path);
}

/** Tries it, as a start does. */
async function checkSandbox(env: NodeJS.ProcessEnv, loaded: Loaded | UserError): Promise<Check> {
  const what = 'sandbox';
  const wanted = loaded instanceof UserError ? 'auto' : (loaded.config.security?.sandbox ?? 'auto');
  if (wanted === 'off') return { level: 'warn', what, text: 'off, as configured: commands run with all that you may do' };
  const { probe } = await import('../sandbox/probe.ts');
  const found = await probe({ env: childEnv(env) });
  switch (found.kind) {
    case 'bubblewrap': return ok(what, `${found.program}${found.disableUserns ? '' : ', older than 0.8: namespaces inside stay possible'}`);
    case 'seatbelt': return ok(what, 'seatbelt (sandbox-exec)');
    case 'none': return { level: wanted === 'require' ? 'fail' : 'warn', what, text: `none, so commands ${wanted === 'require' ? 'are not run (security.sandbox: require)' : 'run without one'}: ${found.because}`, ...(found.hint !== undefined && { hint: found.hint }) };
  }
}

async function checkFolder(root: string): Promise<Check> {
  const what = 'project';
  try {
    await access(root, constants.W_OK);
    const state = `${root}/.mewcode`;
    if (existsSync(state)) accessSync(state, constants.W_OK);
    return ok(what, `${root} can be written`);
  } catch {
    return { level: 'fail', what, text: `${root} can't be written: neither files nor sessions can be kept`, hint: 'Change its permissions, or work in another folder.' };
  }
}
