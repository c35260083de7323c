// mewcode auth: logs in to GitHub Copilot, forgets the login, and tells where each provider's key comes from.
import { authText, deviceText, type AuthAction, type AuthRow } from '../commands/auth.ts';
import { GITHUB, githubApiOf, readLogin, storeLogin, type Login } from '../config/credentials.ts';
import type { Loaded } from '../config/load.ts';
import { clean } from '../lib/clean.ts';
import { maskSecret } from '../lib/mask.ts';
import { systemClock, type Clock } from '../providers/clock.ts';
import { awaitLogin, requestDevice, type LoginEnd } from '../providers/copilot-login.ts';
import { createTokens } from '../providers/copilot-token.ts';
import { proxiedFetch } from '../providers/proxy.ts';
import type { Failure } from '../types/provider.ts';
import type { ProviderSettings } from '../types/settings.ts';
import { sentenceOf, UserError } from '../types/user-error.ts';
import type { Start } from './start.ts';

export type AuthOptions = {
  signal: AbortSignal;
  /** Takes the lines for the user. */
  out(text: string): void;
  fetch?: typeof fetch;
  clock?: Clock;
};

type AuthStart = Pick<Start, 'load' | 'paths' | 'env' | 'trust'>;

const NAME = 'copilot';

/** Does it and gives the exit code. Rejects with a `UserError`. */
export function runAuth(action: AuthAction, start: AuthStart, options: AuthOptions): Promise<number> {
  switch (action) {
    case 'login': return login(start, options);
    case 'logout': return logout(start, options);
    case 'status': return status(start, options);
  }
}

async function login(start: AuthStart, { signal, out, fetch: send = proxiedFetch(start.env), clock = systemClock }: AuthOptions): Promise<number> {
  const { copilot } = (await start.load(start.trust)).config;
  const clientId = copilot?.client_id;
  if (!clientId) {
    throw new UserError('There is no client id to log in to GitHub Copilot with.', `Register an OAuth app at ${GITHUB}/settings/applications/new, switch on its device flow, and put its id into ${start.paths.userConfig}: copilot: {client_id: YOUR_ID}`);
  }
  const host = copilot.host ?? GITHUB;
  if (!URL.canParse(host) || !/^https?:$/.test(new URL(host).protocol)) throw new UserError(`copilot.host "${host}" is no address.`, `Write it like ${GITHUB}.`);
  const flow = { clientId, host, fetch: send, clock, signal };
  const device = await requestDevice(flow);
  out(deviceText({ ...device, minutes: Math.max(1, Math.round((device.expiresMs - clock.now()) / 60_000)) }));
  const end = await awaitLogin(device, flow);
  if (end.kind === 'done') {
    const stored: Login = { token: end.token, host, api: copilot.api ?? githubApiOf(host), at: clock.now(), ...(end.expiresAt !== undefined && { expiresAt: end.expiresAt }) };
    storeLogin(start.paths.credentials, NAME, stored);
    out(`You are logged in. The login is kept in ${start.paths.credentials}; mewcode --provider copilot uses it.\n`);
    return 0;
  }
  out(`${ENDS[end.kind](end)} Nothing was stored.\n`);
  return end.kind === 'cancelled' ? 130 : 1;
}

const ENDS: Record<Exclude<LoginEnd['kind'], 'done'>, (end: LoginEnd) => string> = {
  denied: () => 'The login was denied on GitHub.',
  expired: () => 'The code ran out before it was entered. Run mewcode auth login copilot again.',
  cancelled: () => 'Cancelled.',
  failed: (end) => (end.kind === 'failed' ? end.message : ''),
};

async function logout({ paths }: AuthStart, { out }: AuthOptions): Promise<number> {
  const stored = readLogin(paths.credentials, NAME);
  if (!stored) {
    out('You were not logged in.\n');
    return 0;
  }
  storeLogin(paths.credentials, NAME, undefined);
  out(`The login is forgotten here. To withdraw it at GitHub as well: ${stored.host}/settings/applications\n`);
  return 0;
}

async function status(start: AuthStart, options: AuthOptions): Promise<number> {
  const loaded = await start.load(start.trust);
  const names = [...new Set([loaded.provider.name, ...loaded.providers.map(({ name }) => name)])];
  const rows = await Promise.all(names.map(async (name) => {
    const active = name === loaded.provider.name;
    return rowOf(active ? loaded : await start.load(start.trust, { provider: name }).catch(told), { name, active, start, options });
  }));
  const stored = rows.some(({ protocol }) => protocol === NAME) ? undefined : readLogin(start.paths.credentials, NAME);
  const extra: AuthRow[] = stored ? [{ name: NAME, protocol: NAME, active: false, key: maskSecret(stored.token), from: 'mewcode auth login', note: sinceOf(stored) }] : [];
  options.out(authText([...rows, ...extra]));
  return 0;
}

function told(error: unknown): UserError {
  if (error instanceof UserError) return error;
  throw error;
}

async function rowOf(loaded: Loaded | UserError, { name, active, start, options }: { name: string; active: boolean; start: AuthStart; options: AuthOptions }): Promise<AuthRow> {
  if (loaded instanceof UserError) return { name, protocol: '?', active, note: clean(loaded.text) };
  const { provider: settings, origins } = loaded;
  const { apiKey, protocol, extra } = settings;
  const row: AuthRow = { name, protocol, active };
  if (protocol === 'demo') return { ...row, note: 'needs none' };
  if (typeof extra['mmauth_token'] === 'string') return { ...row, key: maskSecret(extra['mmauth_token']), from: origins['mmauth_token'] ?? 'the configuration' };
  const keyed = apiKey === undefined ? row : { ...row, key: maskSecret(apiKey), from: origins['api_key'] ?? 'the configuration' };
  if (protocol !== NAME) return keyed;
  if (apiKey === undefined) return { ...row, note: 'not logged in. Run mewcode auth login copilot' };
  const stored = readLogin(start.paths.credentials, NAME);
  return { ...keyed, note: [...(stored?.token === apiKey ? [sinceOf(stored)] : []), await tokenNote(settings, start, options)].join('; ') };
}

function sinceOf({ host, at, expiresAt }: Login): string {
  return `logged in at ${new URL(host).host} since ${new Date(at).toISOString().slice(0, 10)}${expiresAt === undefined ? '' : `, until ${new Date(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`}`;
}

/** What GitHub says of the login now. */
async function tokenNote(settings: ProviderSettings, start: AuthStart, { fetch: send = proxiedFetch(start.env), clock = systemClock }: AuthOptions): Promise<string> {
  const about = { service: 'GitHub Copilot', url: '', model: '', apiKey: settings.apiKey, keyHint: 'Run mewcode auth login copilot.' };
  const tokens = createTokens({ oauthToken: settings.apiKey ?? '', githubApi: settings.githubApi ?? githubApiOf(GITHUB), fetch: send, clock, about });
  try {
    const { expiresAt } = await tokens.get();
    return expiresAt === undefined ? 'used as it is' : `its token of the moment ends at ${new Date(expiresAt).toISOString().slice(11, 16)} UTC and is renewed by itself`;
  } catch (error) {
    return (error as { failure?: Failure }).failure?.message ?? sentenceOf(error);
  }
}
