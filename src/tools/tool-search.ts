// ToolSearch: finds tools that are offered by name only, and gives what is needed to call them.
import { z } from 'zod';
import { rankTexts } from '../lib/bm25.ts';
import { nearest } from '../lib/nearest.ts';
import { findTool } from '../lib/tool-name.ts';
import type { Tool, ToolResult } from '../types/tool.ts';
import { defineTool } from './define.ts';

/** What can be found. */
export type Findable = {
  /** Waits a while for servers that are still connecting; then all that there is. */
  tools(signal: AbortSignal): Promise<readonly Tool[]>;
  /** What there is at this moment. */
  ready(): readonly Tool[];
  /** A line for each server that is not there, with why. */
  absent(): readonly string[];
};

const MOST = 20;

/** `found` of the result are the names; its text holds their descriptions and schemas in full. */
export function toolSearch({ tools, ready, absent }: Findable): Tool<{ query: string; max_results: number }> {
  return defineTool({
    name: 'ToolSearch',
    description: 'Finds tools of MCP servers, which are not in your list, and gives their descriptions and argument schemas. query: "select:NAME1,NAME2" takes tools by name; anything else is keywords. '
      + 'Then call a found tool by its name where your list has it now, else with CallTool.',
    input: z.strictObject({
      query: z.string().min(1).describe('"select:NAME1,NAME2", or keywords such as "create issue"'),
      max_results: z.int().min(1).max(MOST).default(5),
    }),
    title: ({ query }) => query,
    access: () => [{ kind: 'none', target: '' }],
    async run({ query, max_results }, { signal }) {
      const names = /^\s*select\s*:(.*)$/s.exec(query)?.[1]?.split(',').map((name) => name.trim()).filter((name) => name !== '');
      // Who names what is there already need not wait for servers that are slow.
      const all = names?.every((name) => findTool(ready(), name)) ? ready() : await tools(signal);
      return names ? select(names.slice(0, MOST), all, absent()) : search(query, { all, most: max_results }, absent());
    },
  });
}

function select(names: readonly string[], all: readonly Tool[], absent: readonly string[]): ToolResult {
  const pick = (name: string): readonly Tool[] => {
    const tool = findTool(all, name);
    // Models leave out what all names begin with.
    return tool ? [tool] : all.filter((one) => one.name.endsWith(`_${name}`)).slice(0, MOST);
  };
  const found = [...new Set(names.flatMap(pick))];
  const missing = names.filter((name) => pick(name).length === 0).map((name) => {
    const near = nearest(name, all.map((tool) => tool.name));
    return `There is no tool named ${name}.${near === undefined ? '' : ` Did you mean ${near}?`}`;
  });
  return told(found, [...missing, ...(missing.length > 0 ? absent : [])]);
}

function search(query: string, { all, most }: { all: readonly Tool[]; most: number }, absent: readonly string[]): ToolResult {
  const ranked = rankTexts(query, all.map((tool) => ({ strong: tool.name.replace(/^mcp_/, ''), text: `${tool.description} ${argumentsOf(tool)}` })));
  const found = ranked.slice(0, most).flatMap(({ index }) => all[index] ?? []);
  if (found.length === 0) return told([], [`Nothing fits "${query}" among ${all.length} tools. Try other words, or the name of a server.`, ...absent]);
  const more = ranked.length - found.length;
  return told(found, more > 0 ? [`${more} more fit less well.`] : []);
}

function told(found: readonly Tool[], notes: readonly string[]): ToolResult {
  const blocks = found.map(({ name, description, schema }) => `## ${name}\n${description}\nArguments (JSON Schema): ${JSON.stringify(schema)}`);
  const how = found.length === 0 ? [] : [`Call ${found.length === 1 ? 'it' : 'them'} with CallTool: {"name": "${found[0]?.name ?? ''}", "arguments": {…}}.`];
  return { ok: found.length > 0, text: [...blocks, ...how, ...notes].join('\n\n'), ...(found.length > 0 && { found: found.map(({ name }) => name), view: { type: 'text', text: [...found.map(({ name }) => name), ...notes].join('\n') } }) };
}

/** Names and descriptions of a tool's arguments. */
function argumentsOf({ schema }: Tool): string {
  const { properties } = schema;
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return '';
  return Object.entries(properties).map(([name, about]) => `${name} ${typeof about === 'object' && about !== null && !Array.isArray(about) && typeof about['description'] === 'string' ? about['description'] : ''}`).join(' ');
}
