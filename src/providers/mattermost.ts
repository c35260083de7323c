// The wire of Mattermost's plugins that speak to a model, over the cookies of a browser's session; with `request` in the settings, of any JSON service.
import type { JsonObject } from '../types/json.ts';
import { failWith } from './failures.ts';
import { askJson, checkHeader, valuesOf } from './json-http.ts';
import type { Wire, WireOptions } from './wire.ts';

/** The plugin's command that is called where none is configured. */
const COMMAND = 'sendMessageToChatGPT';
const NAME = 'Mattermost';

/** Settings that are no part of the body; the configuration has checked them. */
type Own = { access_team?: string; mmauth_token?: string; mmuser_id?: string; csrf_token?: string; model_key?: string; request?: { path?: string | null; body?: JsonObject | null; answer?: string | null } };
const KEYS: readonly string[] = ['access_team', 'mmauth_token', 'mmuser_id', 'csrf_token', 'model_key', 'request'] satisfies (keyof Own)[];

const read = (extra: JsonObject): Own => extra;

/** What stands behind the base URL. */
export function pluginPath(extra: JsonObject): string {
  const { request, model_key: command = COMMAND } = read(extra);
  return `/${(request?.path ?? command).replace(/^\/+/, '')}`;
}

/** What must be shown to nobody. */
export function pluginSecrets(extra: JsonObject): string[] {
  const { mmauth_token, mmuser_id, csrf_token } = read(extra);
  return [mmauth_token, mmuser_id, csrf_token].filter((value) => value !== undefined);
}

const header = (key: string, value: string): string => checkHeader(key, value, { service: NAME });

/** Makes the wire. The answer comes whole, as one text. */
export function createPlugin({ url, apiKey, extra }: WireOptions): Wire {
  const { access_team: team, mmauth_token, mmuser_id, csrf_token, request: own } = read(extra);
  const rest = Object.fromEntries(Object.entries(extra).filter(([key]) => !KEYS.includes(key)));

  return async function* (request, connection) {
    // Another service may well do without.
    if (!own && (mmauth_token === undefined || mmuser_id === undefined)) {
      throw failWith({ kind: 'auth', message: `There is no login for ${NAME}. Set mmauth_token, mmuser_id and csrf_token to the cookies MMAUTHTOKEN, MMUSERID and MMCSRF of a browser that is logged in.` });
    }
    const cookies = [
      ...(mmauth_token === undefined ? [] : [`MMAUTHTOKEN=${header('mmauth_token', mmauth_token)}`]),
      ...(mmuser_id === undefined ? [] : [`MMUSERID=${header('mmuser_id', mmuser_id)}`]),
    ];
    const headers = {
      ...(cookies.length > 0 && { cookie: cookies.join('; ') }),
      ...(csrf_token !== undefined && { 'x-csrf-token': header('csrf_token', csrf_token) }),
      ...(apiKey !== undefined && { authorization: `Bearer ${header('api_key', apiKey)}` }),
    };
    const body = { ...(own?.body ?? { team: '{team}', messages: '{messages}' }), ...rest };
    yield* askJson({ url, headers, body, answer: own?.answer ?? undefined }, { ...valuesOf(request), team }, connection);
  };
}
