// A server's tool as one of ours: its own schema, its own name in what it touches, its answer as a result.
import type { JsonObject } from '../types/json.ts';
import type { View } from '../types/message.ts';
import type { Tool, ToolContext } from '../types/tool.ts';
import { resultOf } from './content.ts';
import { isObject, type ServerTool } from './lists.ts';

/** How a call gets to the server. `progress` takes a line of live output. */
export type Ask = (tool: ServerTool, input: JsonObject, options: { signal: AbortSignal; progress(text: string): void }) => Promise<Readonly<Record<string, unknown>>>;

const LONGEST_DESCRIPTION = 2_048;
const LONGEST_TITLE = 160;

/** `name` is the registered one. Arguments are the server's to check, beyond being an object. */
export function asTool({ name, server, tool, defer, trustReadOnly, ask }: { name: string; server: string; tool: ServerTool; defer: boolean; trustReadOnly: boolean; ask: Ask }): Tool<JsonObject> {
  const description = tool.description.trim() || `${tool.name} of the MCP server ${server}`;
  return {
    name,
    description: description.length > LONGEST_DESCRIPTION ? `${description.slice(0, LONGEST_DESCRIPTION)}…` : description,
    schema: tool.schema,
    ...(defer && { deferred: true }),
    parse: (raw) => (isObject(raw) ? { ok: true, value: raw as JsonObject } : { ok: false, problem: 'The input must be an object.' }),
    title: (input) => titleOf(tool.schema, input),
    access: () => [{ kind: 'mcp', target: `${server}/${tool.name}`, ...(tool.readOnly && trustReadOnly && { readOnly: true }) }],
    preview: async (input): Promise<View> => ({ type: 'text', text: JSON.stringify(input, null, 2) }),
    run: async (input, { signal, progress }: ToolContext) => resultOf(await ask(tool, input, { signal, progress })),
  };
}

/** The argument that says most: the first required one that is a text, else the first text, else all of them. */
export function titleOf(schema: JsonObject, input: JsonObject): string {
  const required = Array.isArray(schema['required']) ? schema['required'].filter((key) => typeof key === 'string') : [];
  const texts = [...required, ...Object.keys(input)].flatMap((key) => { const value = Object.hasOwn(input, key) ? input[key] : undefined; return typeof value === 'string' && value.trim() !== '' ? [value] : []; });
  const title = texts[0] ?? (Object.keys(input).length === 0 ? '' : JSON.stringify(input));
  return title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE)}…` : title;
}
