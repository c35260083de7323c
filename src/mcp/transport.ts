// Opens one server: starts its program, or reaches its address by Streamable HTTP and, where that is not known there, by SSE.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { McpServerSettings } from '../types/settings.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { boundRequests } from './requests-bound.ts';
import { LONGEST_MESSAGE, stdioTransport, type StdioTransport } from './stdio.ts';
import type { Work } from './work.ts';

/** What all servers share. */
export type McpWorld = {
  version: string;
  /** Absolute; what servers are told that they may work in. */
  roots: readonly string[];
  /** The allow-list that each child gets besides its own declared variables. */
  env: Readonly<Record<string, string>>;
  fetch: typeof fetch;
  /** For the debug log; texts are untrusted. */
  log(server: string, text: string): void;
  /** Where a login may be needed: `send` with it. */
  withLogin?(server: McpServerSettings, send: typeof fetch): typeof fetch;
  /** What servers may ask of us beyond roots, and who answers. */
  capabilities?: ClientCapabilities;
  prepare?(client: Client, server: McpServerSettings, work: Work): void;
  /** Milliseconds until a server that does not answer at the start is given up; absent: by its kind. */
  connectMs?: number;
  /** Milliseconds before each try to start a server again that has died. */
  backoffMs?: readonly number[];
};

/** One open connection. */
export type Link = {
  client: Client;
  /** How a program ended, and what it said last; empty where there is nothing to say. */
  ending(): string | undefined;
  lastWords(): string;
  close(): Promise<void>;
};

/** A program may have to be fetched first (npx). */
const CONNECT_MS = { stdio: 60_000, http: 30_000 };

/** Connects and initializes. Rejects with what the transport or the SDK says; nothing stays open then. `onClose` is called once when an open link is gone. */
export async function openLink(server: McpServerSettings, world: McpWorld, told: { signal: AbortSignal; work: Work; onClose(): void }): Promise<Link> {
  const { via } = server;
  if (via.kind === 'stdio') {
    const transport = stdioTransport({ ...via, env: { ...world.env, ...via.env } });
    return connect(server, world, transport, { ...told, program: transport });
  }
  const url = new URL(via.url);
  const options = { requestInit: { headers: via.headers }, fetch: boundedFetch(world.withLogin?.(server, world.fetch) ?? world.fetch, LONGEST_MESSAGE) };
  const older = () => connect(server, world, new SSEClientTransport(url, options), told);
  if (via.sse) return older();
  try {
    return await connect(server, world, new StreamableHTTPClientTransport(url, options), told);
  } catch (error) {
    if (!(error instanceof StreamableHTTPError) || !SPEAKS_OTHERWISE.includes(error.code ?? 0)) throw error;
    // What it said to the first try says more than that the second one failed too.
    return older().catch(() => { throw error; });
  }
}

/** What a server that knows only SSE says to the newer way. */
const SPEAKS_OTHERWISE = [400, 404, 405, 406, 415];

async function connect(server: McpServerSettings, world: McpWorld, transport: Transport, { signal, work, onClose, program }: { signal: AbortSignal; work: Work; onClose(): void; program?: StdioTransport }): Promise<Link> {
  const client = new Client({ name: 'mewcode', title: 'MewCode', version: world.version }, { capabilities: { roots: {}, ...world.capabilities } });
  world.prepare?.(client, server, work);
  const given = Promise.withResolvers<never>();
  let open = false;
  Object.assign(client, {
    onerror: (error: Error) => world.log(server.name, error.message),
    onclose: () => { if (open) onClose(); },
  } satisfies Partial<Client>);
  const limit = world.connectMs ?? CONNECT_MS[server.via.kind];
  // Starting an SSE connection waits without a limit of its own.
  const timer = setTimeout(() => given.reject(new Error(withWords(`it did not answer within ${limit / 1_000} s`, program?.lastWords()))), limit);
  const onAbort = () => given.reject(new Error('stopped'));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([client.connect(boundRequests(transport), { timeout: limit + 1_000 }), given.promise]);
    open = true;
    return {
      client, ending: () => program?.ending(), lastWords: () => program?.lastWords() ?? '',
      async close() {
        open = false;
        if (transport instanceof StreamableHTTPClientTransport) await Promise.race([transport.terminateSession().catch(() => {}), new Promise((resolve) => { setTimeout(resolve, 300).unref(); })]);
        await client.close().catch(() => {});
        // Where connecting was not over the client knows of no transport to close.
        await transport.close().catch(() => {});
      },
    };
  } catch (error) {
    const ending = program?.ending();
    client.close().catch(() => {});
    transport.close().catch(() => {});
    throw ending === undefined ? error : new Error(withWords(ending, program?.lastWords()));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** A reason with the last that a program said. */
export function withWords(reason: string, words = ''): string {
  return words === '' ? reason : `${reason}. It said last:\n${words.split('\n').map((line) => `  ${line}`).join('\n')}`;
}
