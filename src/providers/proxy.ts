// The way out through a proxy, as the usual variables say. Node's own fetch knows them only in newer versions, and there only when asked.
import { failWith } from './failures.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `name` in lower case counts before capitals, as everywhere. */
const variable = (env: Env, name: string): string | undefined => env[name.toLowerCase()] || env[name.toUpperCase()] || undefined;

/** What the variables say: a proxy for each scheme, and the hosts that need none. `undefined` where there is no proxy. */
export function proxyOf(env: Env): { http?: string; https?: string; except: string } | undefined {
  const all = variable(env, 'all_proxy');
  const http = variable(env, 'http_proxy') ?? all;
  const https = variable(env, 'https_proxy') ?? all;
  if (http === undefined && https === undefined) return undefined;
  return { ...(http !== undefined && { http: addressed(http) }), ...(https !== undefined && { https: addressed(https) }), except: variable(env, 'no_proxy') ?? '' };
}

/** Curl takes `host:port`, too. */
const addressed = (proxy: string): string => (proxy.includes('://') ? proxy : `http://${proxy}`);

/** The fetch for model services: the platform's own where no variable names a proxy, and then nothing is loaded. */
export function proxiedFetch(env: Env): typeof fetch {
  const proxy = proxyOf(env);
  if (!proxy) return fetch;
  let through: Promise<typeof fetch> | undefined;
  return async (input, init) => (await (through ??= connect(proxy)))(input, init);
}

async function connect({ http, https, except }: NonNullable<ReturnType<typeof proxyOf>>): Promise<typeof fetch> {
  for (const address of [http, https]) {
    if (address !== undefined && !(URL.canParse(address) && /^https?:$/.test(new URL(address).protocol))) {
      throw failWith({ kind: 'network', message: `The proxy ${withoutKey(address)} can't be used: it must be an http or https address. Change HTTPS_PROXY, HTTP_PROXY or ALL_PROXY.` });
    }
  }
  // With its own fetch: agents do not fit the fetch of every version of Node. In the bundle a CommonJS package has a default only.
  const { default: { EnvHttpProxyAgent, fetch: send } } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({ httpProxy: http ?? '', httpsProxy: https ?? '', noProxy: except, headersTimeout: 0, bodyTimeout: 0 });
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    try {
      const options = { ...(init as object), dispatcher };
      return (await send(url, options)) as unknown as Response;
    } catch (error) {
      throw explain(error, url.protocol === 'https:' ? https : http);
    }
  };
}

/** What went wrong at the proxy is not told as if the service had failed. */
function explain(error: unknown, proxy: string | undefined): unknown {
  if (proxy === undefined) return error;
  const causes = chain(error);
  const { hostname, port } = new URL(proxy);
  const status = causes.map(({ message = '' }) => /Proxy response \((\d+)\)/.exec(message)?.[1]).find((found) => found !== undefined);
  if (status === '407') return failWith({ kind: 'auth', message: `The proxy ${withoutKey(proxy)} wants a name and a password. Write them into the variable: http://NAME:PASSWORD@HOST:PORT.` });
  if (status !== undefined) return failWith({ kind: 'network', message: `The proxy ${withoutKey(proxy)} refused the connection (status ${status}). Check HTTPS_PROXY and NO_PROXY.` });
  const own = causes.find((cause) => cause.hostname === hostname || (cause.port !== undefined && String(cause.port) === port));
  return own ? failWith({ kind: 'network', message: `The proxy ${withoutKey(proxy)} could not be reached (${own.code ?? 'no answer'}). Check HTTPS_PROXY and NO_PROXY.` }) : error;
}

type Cause = { message?: string; code?: string; port?: number; hostname?: string; cause?: unknown };

const chain = (error: unknown): Cause[] => (typeof error === 'object' && error !== null ? [error, ...chain((error as Cause).cause)] : []);

/** A proxy's address as it may be shown. */
export function withoutKey(proxy: string): string {
  return proxy.replace(/\/\/[^@/]*@/, '//••••@');
}
