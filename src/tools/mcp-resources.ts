// ListMcpResources and ReadMcpResource: what MCP servers have to read.
import { z } from 'zod';
import type { Access } from '../types/permission.ts';
import type { Tool, ToolResult } from '../types/tool.ts';
import { sentenceOf, UserError } from '../types/user-error.ts';
import { defineTool } from './define.ts';

/** The way to the servers. Methods reject with a `UserError`. */
export type Resources = {
  /** `trusted`: its reads count as reading. */
  servers(): readonly { name: string; trusted: boolean }[];
  list(server: string, signal: AbortSignal): Promise<readonly { uri: string; name: string; description: string; mime: string }[]>;
  read(server: string, uri: string, signal: AbortSignal): Promise<ToolResult>;
};

export function listMcpResources(resources: Resources): Tool<{ server?: string | undefined }> {
  return defineTool({
    name: 'ListMcpResources',
    description: 'Lists what MCP servers have to read (files, records, pages) with the URI of each, for ReadMcpResource. A {word} in a URI stands for something to fill in.',
    input: z.strictObject({ server: z.string().optional().describe('One server by name; absent: all') }),
    title: ({ server }) => server ?? 'all servers',
    access: ({ server }) => (server === undefined ? resources.servers().map(({ name }) => name) : [server]).map((name) => accessTo(resources, name, 'resources')),
    async run({ server }, { signal }) {
      const names = server === undefined ? resources.servers().map(({ name }) => name) : [known(resources, server)];
      const lists = await Promise.all(names.map(async (name) => {
        try {
          const found = await resources.list(name, signal);
          return `# ${name}\n${found.length === 0 ? '(nothing)' : found.map(({ uri, name: title, mime, description }) => `${uri}  ${[title, mime, description].filter((part) => part !== '').join(', ')}`.trimEnd()).join('\n')}`;
        } catch (error) {
          if (signal.aborted) throw error;
          return `# ${name}\n${sentenceOf(error)}`;
        }
      }));
      return { ok: true, text: lists.length === 0 ? 'There are no MCP servers.' : lists.join('\n\n') };
    },
  });
}

export function readMcpResource(resources: Resources): Tool<{ server: string; uri: string }> {
  return defineTool({
    name: 'ReadMcpResource',
    description: 'Reads a resource of an MCP server by its URI, as ListMcpResources or a tool of that server gave it.',
    input: z.strictObject({ server: z.string().min(1), uri: z.string().min(1) }),
    title: ({ server, uri }) => `${server}: ${uri}`,
    access: ({ server, uri }) => [accessTo(resources, server, uri)],
    run: ({ server, uri }, { signal }) => resources.read(known(resources, server), uri, signal),
  });
}

function accessTo(resources: Resources, server: string, what: string): Access {
  return { kind: 'mcp', target: `${server}/${what}`, ...(resources.servers().find(({ name }) => name === server)?.trusted && { readOnly: true }) };
}

function known(resources: Resources, server: string): string {
  const names = resources.servers().map(({ name }) => name);
  if (names.includes(server)) return server;
  throw new UserError(`There is no MCP server "${server}".`, names.length === 0 ? 'None is configured.' : `There are: ${names.join(', ')}.`);
}
