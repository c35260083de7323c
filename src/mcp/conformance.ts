// The client end of the MCP conformance suite: connects to the address it is given, uses all there is, and leaves. Hidden from users.
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import { browseHeadless } from './browse.ts';
import { connectServer } from './connection.ts';
import { withLogin, type KeptLogin } from './oauth.ts';
import type { McpWorld } from './transport.ts';
import type { JsonObject } from '../types/json.ts';
import type { McpServerSettings } from '../types/settings.ts';
import { sentenceOf } from '../types/user-error.ts';

/** What the suite describes this client by (https://github.com/modelcontextprotocol/conformance). */
const METADATA_URL = 'https://conformance-test.local/client-metadata.json';

/** Gives the exit code: 0 where the server could be used. What goes wrong with a single tool is no failure of the client. */
export async function runConformance(url: string, { version, env, err }: { version: string; env: NodeJS.ProcessEnv; err(text: string): void }): Promise<number> {
  let kept: KeptLogin | undefined;
  const given = clientOf(env['MCP_CONFORMANCE_CONTEXT']);
  const server: McpServerSettings = { name: 'conformance', from: 'the command line', scope: 'flag', enabled: true, via: { kind: 'http', url, headers: {}, sse: false }, timeoutMs: 30_000, trustReadOnly: false, defer: true };
  const world: McpWorld = {
    version, roots: [process.cwd()], env: {}, fetch, log: () => {},
    withLogin: (_server, send) => withLogin({
      url, send, browse: browseHeadless(send), clientMetadataUrl: METADATA_URL, ...(given && { client: given }),
      store: { get: () => kept, set: (login) => { kept = login; } },
    }),
    capabilities: { elicitation: { form: { applyDefaults: true } } },
    prepare: (client) => client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: {} })),
  };
  const connection = connectServer(server, world, { changed: () => {}, warn: (text) => err(`${text}\n`) });
  try {
    await connection.settled();
    const state = connection.state();
    if (state.kind === 'failed') {
      err(`${state.problem}\n`);
      return 1;
    }
    const { signal } = new AbortController();
    for (const tool of connection.tools()) {
      await connection.call(tool, argumentsFor(tool.schema), { signal }).catch((error: unknown) => err(`${tool.name}: ${sentenceOf(error)}\n`));
    }
    return 0;
  } finally {
    await connection.close();
  }
}

/** Something that fits for each argument that is required, and nothing else. */
function argumentsFor(schema: JsonObject): JsonObject {
  const { required = [], properties = {} } = schema as { required?: string[]; properties?: Record<string, { type?: string; enum?: string[] }> };
  const samples: Readonly<Record<string, JsonObject[string]>> = { string: 'text', number: 1, integer: 1, boolean: true, array: [], object: {} };
  return Object.fromEntries(required.map((name) => [name, properties[name]?.enum?.[0] ?? samples[properties[name]?.type ?? 'string'] ?? 'text']));
}

/** A client that the suite has registered beforehand. */
function clientOf(context: string | undefined): OAuthClientInformationMixed | undefined {
  const { client_id, client_secret } = context === undefined ? {} : (JSON.parse(context) as { client_id?: string; client_secret?: string });
  return client_id === undefined ? undefined : { client_id, ...(client_secret !== undefined && { client_secret }) };
}
