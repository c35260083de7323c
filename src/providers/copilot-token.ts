// The token that Copilot's requests carry: a short-lived one where GitHub gives it, fetched anew before it ends, else the login's own.
import type { Clock } from './clock.ts';
import { failureOf, failWith, type About } from './failures.ts';

export type TokenOptions = {
  /** Of the login. */
  oauthToken: string;
  /** `https://api.github.com`, or the API of a GitHub Enterprise server. */
  githubApi: string;
  fetch: typeof fetch;
  clock: Clock;
  about: About;
};

/** `api`: where the requests go, when GitHub says so. `expiresAt`: milliseconds since 1970; absent: the login's own token. */
export type Token = { token: string; api?: string; expiresAt?: number };

export type Tokens = {
  /** A token that is good for some minutes. Rejects with what `failureOf` understands. */
  get(): Promise<Token>;
  /** The service refused the token: the next one is fetched. */
  drop(): void;
  /** What must be shown to nobody. */
  secrets(): readonly string[];
};

const EARLY_MS = 5 * 60_000;
const PATIENCE_MS = 30_000;
const LIFE_MS = 25 * 60_000;

/** Makes the keeper of one login's tokens. Callers at the same time share one request. */
export function createTokens(options: TokenOptions): Tokens {
  const { oauthToken, clock } = options;
  let kept: { token: Token; until: number } | undefined;
  let asking: Promise<Token> | undefined;

  const ask = async (): Promise<Token> => {
    const token = await fetchToken(options);
    const life = (token.expiresAt ?? Infinity) - clock.now();
    kept = { token, until: clock.now() + life - Math.min(EARLY_MS, life / 2) };
    return token;
  };
  return {
    get() {
      if (kept && (kept.token.expiresAt === undefined || clock.now() < kept.until)) return Promise.resolve(kept.token);
      return (asking ??= ask().finally(() => { asking = undefined; }));
    },
    drop() {
      kept = undefined;
    },
    secrets: () => [oauthToken, ...(kept ? [kept.token.token] : [])],
  };
}

async function fetchToken({ oauthToken, githubApi, fetch, clock, about }: TokenOptions): Promise<Token> {
  const url = `${githubApi.replace(/\/+$/, '')}/copilot_internal/v2/token`;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json', authorization: `token ${oauthToken}` } });
    const text = await response.text();
    // Not every app and account has such tokens: then the login's own is good for requests.
    if (response.status === 403 || response.status === 404) return { token: oauthToken };
    if (response.status === 401) throw failWith({ kind: 'auth', status: 401, message: `GitHub no longer accepts the login of ${about.service}. ${about.keyHint}` });
    if (!response.ok) throw Object.assign(new Error(''), { status: response.status, headers: response.headers });
    const { token, expires_at: expires, refresh_in: refresh, endpoints } = JSON.parse(text) as { token?: unknown; expires_at?: unknown; refresh_in?: unknown; endpoints?: { api?: unknown } };
    if (typeof token !== 'string' || token === '') throw failWith({ kind: 'server', message: `GitHub gave no token for ${about.service}. Try again later.` });
    const api = endpoints?.api;
    return { token, expiresAt: endOf({ expires, refresh, now: clock.now() }), ...(typeof api === 'string' && isSafe(api, githubApi) && { api }) };
  } catch (error) {
    if (signal.aborted) throw failWith({ kind: 'timeout', message: `GitHub did not answer in time at ${new URL(url).host}. Check the network, or try again.` });
    throw failWith(failureOf(error, { ...about, url, service: 'GitHub' }, clock));
  }
}

/** `refresh_in` holds where this machine's clock is wrong: the end is counted from now, then. */
function endOf({ expires, refresh, now }: { expires: unknown; refresh: unknown; now: number }): number {
  const end = typeof expires === 'number' ? expires * 1_000 : Infinity;
  const soon = typeof refresh === 'number' && refresh > 0 ? now + refresh * 1_000 + EARLY_MS : Infinity;
  const least = Math.min(end > now ? end : Infinity, soon);
  return least === Infinity ? now + LIFE_MS : least;
}

/** A token must not travel less safely than it came. */
function isSafe(api: string, githubApi: string): boolean {
  if (!URL.canParse(api)) return false;
  const { protocol } = new URL(api);
  return protocol === 'https:' || protocol === new URL(githubApi).protocol;
}

/**
 * `send` with the token put into each request, and the request sent where GitHub wants it when it would go to `base`.
 * A token that is refused is fetched anew once.
 */
export function withToken(send: typeof fetch, tokens: Tokens, base: string | undefined): typeof fetch {
  const home = base?.replace(/\/+$/, '');
  return async (input, init) => {
    const once = async (): Promise<{ response: Response; token: Token }> => {
      const token = await tokens.get();
      const url = input instanceof Request ? input.url : String(input);
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${token.token}`);
      const place = token.api !== undefined && home !== undefined && url.startsWith(`${home}/`) ? token.api.replace(/\/+$/, '') + url.slice(home.length) : url;
      return { token, response: await send(place, { ...init, headers }) };
    };
    const first = await once();
    if (first.response.status !== 401 || first.token.expiresAt === undefined) return first.response;
    await first.response.body?.cancel();
    tokens.drop();
    return (await once()).response;
  };
}
