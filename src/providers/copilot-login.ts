// GitHub's device flow (RFC 8628): a code for the user to type in, and the wait until he has.
import { cleanLine } from '../lib/clean.ts';
import { UserError } from '../types/user-error.ts';
import { systemClock, type Clock } from './clock.ts';

export type LoginOptions = {
  clientId: string;
  /** `https://github.com`, or the address of a GitHub Enterprise server. */
  host: string;
  fetch?: typeof fetch;
  clock?: Clock;
  signal: AbortSignal;
};

/** What the user needs (cleaned for the screen), and what the wait needs. */
export type Device = { userCode: string; url: string; deviceCode: string; intervalMs: number; expiresMs: number };

/** `expiresAt`: milliseconds since 1970; absent: it does not run out by itself. */
export type LoginEnd =
  | { kind: 'done'; token: string; expiresAt?: number }
  | { kind: 'denied' | 'expired' | 'cancelled' }
  | { kind: 'failed'; message: string };

const SCOPE = 'read:user';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** More between two questions after each `slow_down`, as the RFC wants it. */
const SLOWER_MS = 5_000;
/** A network that comes back within so many questions is no failure. */
const FAILURES = 5;
const PATIENCE_MS = 30_000;

type Reply = Readonly<Record<string, unknown>>;

/** Asks for a code. Rejects with a `UserError`. */
export async function requestDevice(options: LoginOptions): Promise<Device> {
  const { clientId, host, clock = systemClock, signal } = options;
  let answer: { status: number; reply: Reply };
  try {
    answer = await post(options, '/login/device/code', { client_id: clientId, scope: SCOPE });
  } catch (error) {
    throw new UserError(signal.aborted ? 'Cancelled.' : `${host} can't be reached (${reasonOf(error)}).`, signal.aborted ? undefined : 'Check the network, and copilot.host in the configuration.');
  }
  const { status, reply } = answer;
  const { device_code: deviceCode, user_code: userCode, verification_uri: uri, interval, expires_in: expires } = reply;
  if (typeof deviceCode === 'string' && typeof userCode === 'string' && typeof uri === 'string' && isWebAddress(uri)) {
    return { deviceCode, userCode: cleanLine(userCode), url: cleanLine(uri), intervalMs: secondsOf(interval, 5) * 1_000, expiresMs: clock.now() + secondsOf(expires, 900) * 1_000 };
  }
  if (status === 404 || reply['error'] === 'incorrect_client_credentials') throw new UserError(`${host} knows no OAuth app with the client id ${cleanLine(clientId)}.`, 'Check copilot.client_id in the configuration.');
  if (reply['error'] === 'device_flow_disabled') throw new UserError('The OAuth app does not allow the device flow.', 'Switch on "Enable Device Flow" in its settings on GitHub.');
  throw new UserError(`${host} gave no code for the login (status ${status}${said(reply)}).`, 'Try again later, and check copilot.host and copilot.client_id.');
}

/** Asks until the user has decided, the code has run out, or `signal` aborts. Never rejects. */
export async function awaitLogin({ deviceCode, intervalMs, expiresMs }: Device, options: LoginOptions): Promise<LoginEnd> {
  const { clientId, clock = systemClock, signal } = options;
  let interval = intervalMs;
  let failures = 0;
  for (;;) {
    await clock.wait(interval, signal);
    if (signal.aborted) return { kind: 'cancelled' };
    if (clock.now() >= expiresMs) return { kind: 'expired' };
    let answer: { status: number; reply: Reply } | undefined;
    let reason = '';
    try {
      answer = await post(options, '/login/oauth/access_token', { client_id: clientId, device_code: deviceCode, grant_type: GRANT });
    } catch (error) {
      reason = reasonOf(error);
    }
    if (signal.aborted) return { kind: 'cancelled' };
    if (answer === undefined || answer.status >= 500 || answer.status === 429) {
      failures += 1;
      if (failures >= FAILURES) return { kind: 'failed', message: `${options.host} could not be asked ${FAILURES} times in a row (${answer ? `status ${answer.status}` : reason}).` };
      continue;
    }
    failures = 0;
    const { access_token: token, expires_in: expires, error, interval: wanted } = answer.reply;
    if (typeof token === 'string' && token !== '') return { kind: 'done', token, ...(typeof expires === 'number' && { expiresAt: clock.now() + expires * 1_000 }) };
    switch (error) {
      case 'authorization_pending': break;
      case 'slow_down': interval = Math.max(interval + SLOWER_MS, secondsOf(wanted, 0) * 1_000); break;
      case 'expired_token': return { kind: 'expired' };
      case 'access_denied': return { kind: 'denied' };
      default: return { kind: 'failed', message: `${options.host} refused the login (status ${answer.status}${said(answer.reply)}).` };
    }
  }
}

async function post({ host, fetch: send = fetch, signal }: LoginOptions, path: string, body: Record<string, string>): Promise<{ status: number; reply: Reply }> {
  const response = await send(host.replace(/\/+$/, '') + path, {
    method: 'POST', redirect: 'error', signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    headers: { accept: 'application/json', 'content-type': 'application/json' }, body: JSON.stringify(body),
  });
  const text = await response.text();
  try {
    const reply: unknown = JSON.parse(text);
    return { status: response.status, reply: typeof reply === 'object' && reply !== null ? { ...reply } : {} };
  } catch {
    return { status: response.status, reply: {} };
  }
}

const secondsOf = (value: unknown, otherwise: number): number => (typeof value === 'number' && value > 0 && value < 86_400 ? value : otherwise);

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** What GitHub says of an error: never the answer itself, which may hold a token. */
function said({ error, error_description: description }: Reply): string {
  const words = [error, description].filter((word): word is string => typeof word === 'string').map((word) => cleanLine(word).slice(0, 200));
  return words.length === 0 ? '' : `: ${words.join(', ')}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error as { cause?: { code?: string; message?: string } };
  return cause?.code ?? cause?.message ?? error.message;
}
