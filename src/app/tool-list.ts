// Every tool as `/tools` lists it: where it comes from, and what the permissions say of a plain call of it.
import { decide } from '../permissions/decide.ts';
import type { ToolInfo } from '../types/command.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Access, Facts, Policy, Verdict } from '../types/permission.ts';
import type { Tool } from '../types/tool.ts';

/** Lists what is offered and then what is disabled. */
export function listTools(offered: readonly Tool[], disabled: readonly Tool[], policy: Policy): ToolInfo[] {
  return [...offered, ...disabled].map((tool, at) => ({
    name: tool.name, description: tool.description, deferred: tool.deferred ?? false, disabled: at >= offered.length,
    kind: tool.name.startsWith('mcp_') ? 'MCP' : 'built-in', permission: permissionOf(tool, policy),
  }));
}

/** What fits an argument that may be any text, a path, an address or a patch. */
const TEXTS = ['x', 'https://example.com/', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n'];

/** The verdict on a call that touches nothing special: what the mode and rules for the whole tool make of it; `undefined` where that hangs on the arguments. */
function permissionOf(tool: Tool, policy: Policy): Verdict | undefined {
  const root = policy.roots[0] ?? '/';
  const plain = plainCall(tool, root);
  if (!plain) return undefined;
  const { input, access } = plain;
  const facts: Facts = {
    root, cwd: root, home: root,
    real: Object.fromEntries(access.map(({ target }) => [target, { path: `${root}/x`, kind: 'file' as const }])),
    shell: Object.fromEntries(access.map(({ target }) => [target, { ok: true as const, commands: [] }])),
  };
  return decide({ id: '', name: tool.name, input, access }, facts, policy).verdict;
}

/** A call of the tool that fits its schema, and what it touches; `undefined` where none could be made up. */
export function plainCall(tool: Tool, root: string): { input: Json; access: readonly Access[] } | undefined {
  for (const input of samplesOf(tool.schema)) {
    try {
      const parsed = tool.parse(input);
      if (parsed.ok && !tool.unwrap) return { input, access: tool.access(parsed.value, root) };
    } catch {
      // The text does not fit this tool; the next may.
    }
  }
  return undefined;
}

/** Inputs of which one may fit: what the schema asks for, then all that it knows but lists, then all of it. */
function samplesOf(schema: JsonObject): Json[] {
  const { properties = {} } = schema as { properties?: Record<string, JsonObject> };
  const single = Object.keys(properties).filter((name) => properties[name]?.['type'] !== 'array');
  return [schema, { ...schema, required: single }, { ...schema, required: Object.keys(properties) }].flatMap((wanted) => TEXTS.map((text) => sampleOf(wanted, text)));
}

/** The smallest input that a schema asks for, with `text` for every text. */
function sampleOf(schema: JsonObject, text: string): Json {
  const { type, enum: choices, properties = {}, required = [], items, minItems, minimum } = schema as { type?: string; enum?: Json[]; properties?: Record<string, JsonObject>; required?: string[]; items?: JsonObject; minItems?: number; minimum?: number };
  if (choices) return choices[0] ?? null;
  switch (type) {
    case 'object': return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {}, text)]));
    case 'array': return Array.from({ length: minItems ?? 1 }, () => sampleOf(items ?? {}, text));
    case 'integer': case 'number': return minimum ?? 1;
    case 'boolean': return true;
    default: return text;
  }
}
