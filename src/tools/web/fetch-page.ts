// Fetches a web page so that nobody's private network can be reached by it: every address is looked at, and that very one is dialled.
import { lookup as lookUpName } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { UserError } from '../../types/user-error.ts';
import { hostOf, isAllowed, isPublic } from './address.ts';

export type Address = { address: string; family: number };
export type LookUp = (host: string) => Promise<Address[]>;

/** The way out: hosts that may be private, a proxy for each scheme with the hosts that need none, and who knows the addresses of names. */
export type WebOptions = {
  allowedHosts?: readonly string[];
  proxy?: { http?: string; https?: string; except: string } | undefined;
  lookUp?: LookUp;
  /** For the whole of it, in ms. */
  timeoutMs?: number;
};

/** `bytes` are no more than the limit; `cut` says that there were more. `elsewhere` is where a redirection to another host leads. */
export type Fetched = { url: URL; status: number; statusText: string; type: string; bytes: Uint8Array; cut: boolean } | { url: URL; status: number; elsewhere: URL };

const MAX_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const HEADERS = { 'user-agent': 'Mozilla/5.0 (compatible; MewCode)', accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1', 'accept-language': 'en, *;q=0.5' };

/** Follows redirections on the same host. Throws a `UserError` that says why there is no page. */
export async function fetchPage(start: URL, { timeoutMs = 30_000, ...options }: WebOptions, signal: AbortSignal): Promise<Fetched> {
  const time = AbortSignal.timeout(timeoutMs);
  const over = AbortSignal.any([signal, time]);
  try {
    let url = start;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const got = await fetchOnce(url, options, over);
      if (!('next' in got)) return got;
      const { next, status } = got;
      const why = whyRefused(next);
      if (why !== undefined) throw new UserError(`${url.host} leads to ${next.href}, which is not fetched: ${why}.`);
      // The usual port has no number, be it of http or https.
      if (hostOf(url) !== hostOf(next) || url.port !== next.port) return { url, status, elsewhere: next };
      url = next;
    }
    throw new UserError(`${start.host} leads from one address to the next more than ${MAX_REDIRECTS} times.`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UserError) throw error;
    if (time.aborted) throw new UserError(`${start.host} took longer than ${timeoutMs / 1000} s.`);
    throw new UserError(`${start.host} could not be reached: ${causeOf(error)}.`);
  }
}

/** What of a URL itself is against fetching it. */
export function whyRefused(url: URL): string | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'only http and https are fetched';
  return url.username !== '' || url.password !== '' ? 'an address with a name or password in it gives them away' : undefined;
}

async function fetchOnce(url: URL, options: WebOptions, signal: AbortSignal): Promise<Fetched | { next: URL; status: number }> {
  const dispatcher = await dispatcherFor(url, options, signal);
  try {
    const { default: { fetch } } = await import('undici');
    const response = await fetch(url, { dispatcher, signal, redirect: 'manual', headers: HEADERS });
    const { status, headers } = response;
    const location = headers.get('location');
    if (REDIRECTS.has(status) && location !== null && URL.canParse(location, url)) return { next: new URL(location, url), status };
    // Behind a proxy undici leaves it out, whatever its types say.
    return { url, status, statusText: response.statusText || '', type: headers.get('content-type') ?? '', ...(await readBody(response.body)) };
  } finally {
    // Also ends what is still coming in.
    void dispatcher.destroy();
  }
}

/** A way to the host that leads to the addresses that were looked at and nowhere else, or to the proxy. */
async function dispatcherFor(url: URL, { allowedHosts = [], proxy, lookUp = (host) => lookUpName(host, { all: true }) }: WebOptions, signal: AbortSignal): Promise<Dispatcher> {
  const { default: { Agent, ProxyAgent } } = await import('undici');
  const host = hostOf(url);
  const through = proxy && !isExcepted(url, proxy.except) ? proxy[url.protocol === 'https:' ? 'https' : 'http'] : undefined;
  const refuse = (what: string) => new UserError(`${host} is not fetched: ${what} is not public.`, `To allow it, the user can add ${url.host} to web.allowed_hosts in the configuration.`);
  const free = isAllowed(url, allowedHosts);
  // Behind a proxy names may mean something only to it: what is known here is looked at all the same.
  const addresses = await untilAborted(lookUp(host), signal).catch((error: unknown) => {
    if (through === undefined || signal.aborted) throw error;
    return [];
  });
  const hidden = free ? undefined : addresses.find(({ address }) => !isPublic(address));
  if (hidden) throw refuse(hidden.address === host ? 'the address' : `its address ${hidden.address}`);
  if (through !== undefined) {
    if (!free && /(?:^|\.)(?:localhost|local|internal)$/i.test(host)) throw refuse('the name');
    return new ProxyAgent({ uri: through, proxyTunnel: url.protocol === 'https:' });
  }
  const [first] = addresses;
  if (!first) throw new UserError(`${host} has no address.`);
  const lookup: LookupFunction = (_host, { all }, done) => (all ? done(null, addresses) : done(null, first.address, first.family));
  return new Agent({ connect: { lookup } });
}

async function readBody(body: AsyncIterable<Uint8Array> | null): Promise<{ bytes: Uint8Array; cut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // What was packed is unpacked chunk by chunk: a few bytes that would become gigabytes end here as well.
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, MAX_BYTES), cut: size > MAX_BYTES };
}

/** A look-up can't be called off; it is only no longer waited for. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** As curl reads `no_proxy`: hosts, or ends of them, with a port where only that one is meant. */
function isExcepted(url: URL, except: string): boolean {
  return except.toLowerCase().split(/[\s,]+/).filter(Boolean).some((entry) => {
    const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry.replace(/^\*?\./, '')) ?? [];
    if (port !== undefined && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false;
    return name === '*' || hostOf(url) === name || hostOf(url).endsWith(`.${name}`);
  });
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code } = cause as { code?: string };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'there is no such host';
  if (!(cause instanceof Error)) return String(cause);
  return code === undefined || cause.message.includes(code) ? cause.message : [code, cause.message].filter(Boolean).join(', ');
}
