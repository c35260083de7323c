// The way to a login page and back: a browser and a small server on loopback, or a request that follows by itself.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../types/user-error.ts';
import type { Browse } from './oauth.ts';

/** How long somebody may take to log in. */
const PATIENCE_MS = 5 * 60_000;
const PATH = '/callback';

/** Listens on loopback, at the port of `redirectUrl` where that is free. `open` shows the page to the user. */
export async function browseBy(open: (url: string) => void, { redirectUrl, signal }: { redirectUrl: string | undefined; signal: AbortSignal }): Promise<Browse & { close(): void }> {
  const came = Promise.withResolvers<URLSearchParams>();
  came.promise.catch(() => {});
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const known = pathname === PATH && (searchParams.has('code') || searchParams.has('error'));
    response.writeHead(known ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(known ? 'MewCode has what it needs. You can close this page.\n' : 'There is nothing here.\n');
    if (known) came.resolve(searchParams);
  });
  const listen = (port: number) => new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => { server.off('error', reject); resolve(); });
  });
  const before = Number(redirectUrl === undefined ? 0 : new URL(redirectUrl).port);
  await listen(before).catch(() => listen(0));
  const onAbort = () => came.reject(new UserError('the login was stopped'));
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => came.reject(new UserError(`nobody logged in within ${PATIENCE_MS / 60_000} minutes`)), PATIENCE_MS);
  return {
    redirectUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    visit(url) {
      open(url.href);
      return came.promise;
    },
    close() {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      server.close();
    },
  };
}

/** Asks the login page itself, for servers that let everybody in: tests and conformance suites. */
export function browseHeadless(send: typeof fetch): Browse {
  return {
    redirectUrl: 'http://127.0.0.1:41700/callback',
    async visit(url) {
      const response = await send(url, { redirect: 'manual' });
      const location = response.headers.get('location');
      if (location === null) throw new UserError(`the login page answered ${response.status} and led nowhere`);
      return new URL(location, url).searchParams;
    },
  };
}
