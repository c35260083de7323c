// Logins at HTTP servers (OAuth 2.1 as MCP wants it): a token goes with each request, is refreshed, and is asked for anew where the server wants one.
import { auth, extractWWWAuthenticateParams, type OAuthClientProvider, type OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { randomBytes } from 'node:crypto';
import { UserError } from '../types/user-error.ts';

/** What is kept of a login, as the SDK hands it out. `scope`: what a server asked for when nobody could log in; `redirectUrl`: what the client is registered with. */
export type KeptLogin = { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; scope?: string; redirectUrl?: string };

/** The login of one server; `set(undefined)` forgets it. */
export type LoginStore = { get(): KeptLogin | undefined; set(login: KeptLogin | undefined): void };

/** How somebody gets to the authorization server and comes back. */
export type Browse = {
  redirectUrl: string;
  /** Gives what the authorization server sent back. Rejects with a `UserError` when nobody came back. */
  visit(url: URL): Promise<URLSearchParams>;
};

export type LoginOptions = {
  /** The MCP server's address. */
  url: string;
  store: LoginStore;
  send: typeof fetch;
  /** Absent: nobody may be bothered now. Tokens are still sent and refreshed. */
  browse?: Browse;
  /** A client that is registered already. */
  client?: OAuthClientInformationMixed;
  /** Where the client is described, for authorization servers that read such documents. */
  clientMetadataUrl?: string;
};

/** A login is needed and nobody may be asked for one. */
export class LoginWanted extends UserError {
  constructor() {
    super('it wants a login');
  }
}

/** How often one request may lead to another authorization: a server that is never content must not go round for ever. */
const MOST_TRIES = 3;

/** A fetch for one server that answers 401 and "more rights are needed" by logging in, and sends the request again. */
export function withLogin({ url, store, send, browse, client, clientMetadataUrl }: LoginOptions): typeof fetch {
  let discovery: OAuthDiscoveryState | undefined;
  let verifier = '';
  let state = '';
  let visited: Promise<URLSearchParams> | undefined;
  /** One login at a time, whoever needs it. */
  let pending: Promise<void> | undefined;

  const keep = (change: KeptLogin) => store.set({ ...store.get(), ...change });

  /** `fresh`: the refresh token must not be used, since it would give the same rights again. */
  const providerFor = ({ fresh }: { fresh: boolean }): OAuthClientProvider => ({
    get redirectUrl() { return browse?.redirectUrl ?? store.get()?.redirectUrl ?? 'http://127.0.0.1/callback'; },
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
    get clientMetadata() {
      return { client_name: 'MewCode', redirect_uris: [String(this.redirectUrl)], grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'], token_endpoint_auth_method: 'none' };
    },
    clientInformation: () => client ?? store.get()?.client,
    saveClientInformation: (information) => keep({ client: information, ...(browse && { redirectUrl: browse.redirectUrl }) }),
    tokens() {
      const tokens = store.get()?.tokens;
      if (!tokens || !fresh) return tokens;
      const { refresh_token: _unused, ...rest } = tokens;
      return rest;
    },
    saveTokens: (tokens) => keep({ tokens: { ...(store.get()?.tokens?.refresh_token !== undefined && { refresh_token: store.get()?.tokens?.refresh_token }), ...tokens } }),
    state: () => (state = randomBytes(16).toString('hex')),
    redirectToAuthorization(at) {
      if (!browse) throw new LoginWanted();
      visited = visit(browse, at);
      // It is awaited in a moment; until then its failure is nobody's.
      visited.catch(() => {});
    },
    saveCodeVerifier: (text) => { verifier = text; },
    codeVerifier: () => verifier,
    saveDiscoveryState: (found) => { discovery = found; },
    discoveryState: () => discovery,
    invalidateCredentials(scope) {
      const { client: oldClient, tokens, ...rest } = store.get() ?? {};
      if (scope === 'all') store.set(rest);
      if (scope === 'client') store.set({ ...rest, ...(tokens && { tokens }) });
      if (scope === 'tokens') store.set({ ...rest, ...(oldClient && { client: oldClient }) });
      if (scope === 'all' || scope === 'discovery') discovery = undefined;
    },
  });

  async function logIn(response: Response): Promise<void> {
    const { resourceMetadataUrl, scope: wanted, error } = extractWWWAuthenticateParams(response);
    const fresh = error === 'insufficient_scope';
    const scope = wanted ?? store.get()?.scope;
    if (!browse && (fresh || store.get()?.tokens?.refresh_token === undefined)) {
      if (wanted !== undefined) keep({ scope: wanted });
      throw new LoginWanted();
    }
    // Registered for another way back: it has to be registered anew.
    if (browse && store.get()?.client && store.get()?.redirectUrl !== browse.redirectUrl) store.set({ ...store.get(), client: undefined });
    const provider = providerFor({ fresh });
    const options = { serverUrl: url, fetchFn: send, ...(resourceMetadataUrl && { resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
    if (await auth(provider, options) === 'AUTHORIZED') return;
    const back = await visited;
    const code = back?.get('code');
    if (!back || back.get('state') !== state) throw new UserError('what came back from its login page belongs to another login');
    if (back.get('error') !== null) throw new UserError(`the login was refused (${back.get('error_description') ?? back.get('error')})`);
    const issuer = discovery?.authorizationServerMetadata?.issuer;
    if (back.get('iss') !== null && issuer !== undefined && back.get('iss') !== issuer) throw new UserError('what came back from its login page is from another issuer');
    if (!code) throw new UserError('its login page sent no code back');
    await auth(provider, { ...options, authorizationCode: code });
  }

  return async (input, init) => {
    for (let tries = 0; ; tries += 1) {
      const token = store.get()?.tokens?.access_token;
      const headers = new Headers(init?.headers);
      const own = headers.has('authorization');
      if (token !== undefined && !own) headers.set('authorization', `Bearer ${token}`);
      const response = await send(input, { ...init, headers });
      const refused = response.status === 401 || (response.status === 403 && extractWWWAuthenticateParams(response).error === 'insufficient_scope');
      if (!refused || own || tries >= MOST_TRIES) return response;
      await response.body?.cancel();
      // Somebody else may have logged in meanwhile.
      if (store.get()?.tokens?.access_token !== token) continue;
      pending ??= logIn(response).finally(() => { pending = undefined; });
      await pending;
    }
  };
}

async function visit(by: Browse, at: URL): Promise<URLSearchParams> {
  // The address is the server's word: nothing but a page may be opened by it.
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(at.hostname);
  if (at.protocol !== 'https:' && !(at.protocol === 'http:' && local)) throw new UserError(`its login page ${at.origin} is not an https address`);
  return by.visit(at);
}
