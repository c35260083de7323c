// The address that a request goes to, from whatever form of base URL a user wrote down.
import { UserError } from '../types/user-error.ts';

/** Where an API's requests go: its path, and the version that stands before it where a base URL names none. */
export type Endpoint = { path: string; version: string };

/**
 * The whole address: `base` with or without a slash at its end, with or without the version, or the whole endpoint
 * already (whose query is kept). Throws a `UserError` when it is no http address.
 */
export function endpointUrl(base: string, { path, version }: Endpoint): string {
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) {
    throw new UserError(`base_url "${base}" is not an http address.`, 'Write it like https://host/v1.');
  }
  const url = new URL(base);
  url.hash = '';
  let place = url.pathname.replace(/\/+$/, '');
  if (!place.endsWith(path)) {
    if (!/\/v\d[^/]*(\/|$)/.test(place)) place += version;
    place += path;
  }
  url.pathname = place;
  return url.href;
}
