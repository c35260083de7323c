// Logging in to an MCP server: in the browser, the way back on loopback, the login kept by the server's address.
import { openBrowser } from '../lib/browser.ts';
import type { McpServerSettings } from '../types/settings.ts';
import { sentenceOf, UserError } from '../types/user-error.ts';
import { browseBy } from './browse.ts';
import { withLogin, type LoginStore } from './oauth.ts';

/** `storeOf` gives where the login at an address is kept. */
export type LoginWays = { storeOf(url: string): LoginStore; env: NodeJS.ProcessEnv; send: typeof fetch; signal: AbortSignal; /** Takes lines for the user. */ say(text: string): void };

/** What any server answers, logged in or not. */
const HELLO = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'mewcode', version: '0' } } };

/** Resolves when the login is kept. Rejects with a `UserError` where there is nothing to log in to, or it failed. */
export async function logInTo(server: McpServerSettings, { storeOf, env, send, signal, say }: LoginWays): Promise<void> {
  const { url, headers } = addressOf(server);
  const store = storeOf(url);
  const { client, redirectUrl, scope } = store.get() ?? {};
  // More rights are given by a new login only, and whoever logs in again wants that too.
  store.set({ ...(client && { client }), ...(redirectUrl !== undefined && { redirectUrl }), ...(scope !== undefined && { scope }) });
  const browse = await browseBy((page) => {
    const opened = openBrowser(page, env);
    say(`${opened ? `The login page of "${server.name}" opens in your browser. If it does not, open` : `To log in to "${server.name}", open`}:\n\n    ${page}\n\nWaiting …\n`);
  }, { redirectUrl, signal });
  try {
    const ask = withLogin({ url, store, send, browse });
    const response = await ask(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }, body: JSON.stringify(HELLO), signal });
    await response.body?.cancel();
    if (response.status === 401 || response.status === 403) throw new UserError('it refused the login that it has just given');
    if (!store.get()?.tokens) throw new UserError('it wants no login');
    const { scope: _had, ...kept } = store.get() ?? {};
    store.set(kept);
  } catch (error) {
    throw new UserError(`The login at "${server.name}" failed: ${signal.aborted ? 'it was stopped' : sentenceOf(error).replace(/[.]$/, '')}.`);
  } finally {
    browse.close();
  }
}

/** Forgets a login; whether there was one. */
export function logOutOf(server: McpServerSettings, storeOf: LoginWays['storeOf']): boolean {
  const store = storeOf(addressOf(server).url);
  const had = store.get()?.tokens !== undefined;
  store.set(undefined);
  return had;
}

/** What a run sends of a kept login, without bothering anybody. */
export function keptLogin(storeOf: LoginWays['storeOf']): (server: McpServerSettings, send: typeof fetch) => typeof fetch {
  return (server, send) => withLogin({ url: addressOf(server).url, store: storeOf(addressOf(server).url), send });
}

function addressOf({ name, via }: McpServerSettings): { url: string; headers: Readonly<Record<string, string>> } {
  if (via.kind === 'http') return via;
  throw new UserError(`"${name}" is a program, and there is nothing to log in to.`, 'A key goes into its `env`.');
}
