// Explains decisions: reads a call as people and programs write it, and puts a decision into words. Pure.
import { reveal } from '../lib/clean.ts';
import { nearest } from '../lib/nearest.ts';
import type { Access, Decision, TraceStep, Verdict } from '../types/permission.ts';
import type { Tool } from '../types/tool.ts';
import { sentenceOf, UserError } from '../types/user-error.ts';
import { parseRule } from './rules.ts';

/** A call that can be judged. `cwd` is where its tool stands, if it stands anywhere. */
export type KnownCall = { name: string; input: unknown; access: readonly Access[]; cwd?: string };

const SPELLINGS = 'Write Bash(npm test), ReadFile(src/a.ts) or {"tool": "Bash", "input": {"command": "npm test"}}.';

/** Reads `Tool(text)` or `{"tool": …, "input": …}`. Throws a `UserError` on anything else, on a tool that is not there and on arguments that the tool refuses. */
export function readCall(line: string, { tools, cwd }: { tools: readonly Tool[]; cwd: string }): KnownCall {
  const text = line.trim();
  if (text.startsWith('{')) return callWithInput(readJson(text), tools, cwd);
  const [, name, argument] = /^([\w.-]+)(?:\((.*)\))?$/s.exec(text) ?? [];
  if (name === undefined) throw new UserError(`"${reveal(text.slice(0, 200))}" is no call.`, SPELLINGS);
  const found = findTool(name, tools);
  if ('mcp' in found) return { name: found.mcp, input: {}, access: [{ kind: 'mcp', target: found.mcp }] };
  const input = primaryInput(found.tool, argument);
  const instead = found.tool.unwrap?.(input);
  if (instead) return callWithInput({ tool: instead.name, input: instead.input }, tools, cwd);
  try {
    return known(found.tool, input, found.tool.access(input, cwd));
  } catch (error) {
    throw new UserError(`${found.tool.name}(${argument ?? ''}) can't be judged (${sentenceOf(error)}).`, `Write it with all its arguments: {"tool": "${found.tool.name}", "input": {…}}.`);
  }
}

function readJson(text: string): { tool: string; input: unknown } {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    throw new UserError(`This is no JSON (${sentenceOf(error)}).`, SPELLINGS);
  }
  const { tool, input = {}, ...more } = raw as { tool?: unknown; input?: unknown };
  if (typeof tool !== 'string') throw new UserError('`tool` must be the name of a tool.', SPELLINGS);
  const [odd] = Object.keys(more);
  if (odd !== undefined) throw new UserError(`There is no key \`${odd}\` in a call.`, SPELLINGS);
  return { tool, input };
}

function callWithInput({ tool: name, input }: { tool: string; input: unknown }, tools: readonly Tool[], cwd: string): KnownCall {
  const found = findTool(name, tools);
  if ('mcp' in found) return { name: found.mcp, input, access: [{ kind: 'mcp', target: found.mcp }] };
  const { tool } = found;
  const parsed = tool.parse(input);
  if (!parsed.ok) throw new UserError(`The arguments of ${tool.name} do not fit: ${parsed.problem}`);
  const instead = tool.unwrap?.(parsed.value);
  return instead ? callWithInput({ tool: instead.name, input: instead.input }, tools, cwd) : known(tool, parsed.value, tool.access(parsed.value, cwd));
}

function known(tool: Tool, input: unknown, access: readonly Access[]): KnownCall {
  const cwd = tool.cwd?.();
  return { name: tool.name, input, access, ...(cwd !== undefined && { cwd }) };
}

/** The tool of that name or alias, as rules know them; of an MCP server only the name is known here. */
function findTool(name: string, tools: readonly Tool[]): { tool: Tool } | { mcp: string } {
  const spelled = parseRule({ text: name, verdict: 'allow', from: 'call', rank: 0 }).tool;
  const tool = tools.find((one) => one.name === name) ?? tools.find((one) => one.name === spelled);
  if (tool) return { tool };
  if (/^mcp_./.test(spelled)) return { mcp: spelled };
  const names = tools.map((one) => one.name);
  const near = nearest(name, names);
  throw new UserError(`There is no tool ${name}.`, near === undefined ? `Tools: ${names.join(', ')}, mcp_SERVER_TOOL.` : `Did you mean ${near}?`);
}

type Schema = { type?: unknown; default?: unknown; enum?: readonly unknown[]; minimum?: number; properties?: Record<string, Schema>; required?: readonly string[] };

/** Arguments of a tool with `text` as the first that is a text; the others are as nobody had said anything, or empty. */
function primaryInput(tool: Tool, text: string | undefined): Record<string, unknown> {
  const { properties = {}, required = [] } = tool.schema as Schema;
  const isText = (name: string) => properties[name]?.type === 'string';
  const primary = required.find(isText) ?? Object.keys(properties).find(isText);
  if (primary !== undefined && text === undefined && required.includes(primary)) throw new UserError(`${tool.name} needs its ${primary}.`, `Write ${tool.name}(${primary.toUpperCase()}).`);
  const input = Object.fromEntries(Object.entries(properties).flatMap(([name, schema]) => (required.includes(name) || schema.default !== undefined ? [[name, emptyOf(schema)]] : [])));
  return primary === undefined || text === undefined ? input : { ...input, [primary]: text };
}

function emptyOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'array': return [];
    case 'object': return {};
    case 'integer': case 'number': return schema.minimum ?? 0;
    case 'boolean': return false;
    default: return '';
  }
}

/** A decision as programs get it: always the same five keys. */
export function explainJson({ verdict, layer, rule, because, trace }: Decision): { verdict: Verdict; layer: string; rule: string | null; because: string; trace: readonly TraceStep[] } {
  return { verdict, layer, rule: rule ?? null, because, trace };
}

/** What a call did to one command, path or address: the steps that speak of it. */
type Strand = { about: string; steps: readonly TraceStep[] };

const ORDER = ['blacklist', 'sandbox', 'hooks', 'rules', 'mode', 'ask'];

/** A trace cut into what it judges: each strand goes down the layers once. */
function strandsOf(trace: readonly TraceStep[]): Strand[] {
  const strands: { about: string; steps: TraceStep[] }[] = [];
  for (const step of trace) {
    const { about = '', layer } = step;
    const last = strands.at(-1);
    const before = last?.steps.at(-1)?.layer ?? '';
    // Mode dontAsk speaks twice.
    const goesOn = last?.about === about && (ORDER.indexOf(layer) > ORDER.indexOf(before) || (layer === 'mode' && before === 'mode'));
    if (goesOn) last.steps.push(step);
    else strands.push({ about, steps: [step] });
  }
  return strands;
}

/** A decision for people: the verdict, then each command or path with its steps. `allowedBy` names a rule that would make it silent. */
export function explainText(call: string, decision: Decision, allowedBy?: string): string {
  const { verdict, layer, rule, because, trace } = decision;
  const width = Math.max(...trace.map((step) => step.layer.length));
  const lines = strandsOf(trace).flatMap(({ about, steps }) => [
    '', `${steps.at(-1)?.verdict ?? ''}: ${about === '' ? call : about}`.replaceAll('\n', '\n  '),
    ...steps.map((step) => `  ${step.layer.padEnd(width)}  ${step.verdict.padEnd(5)}  ${step.because}`.replaceAll('\n', '\n  ')),
  ]);
  return reveal([
    call, '', `${verdict}, decided by layer ${layer}${rule === undefined ? '' : `, rule ${rule}`}`, because,
    ...(allowedBy === undefined ? [] : [`The rule ${allowedBy} would allow it.`]), ...lines, '',
  ].join('\n'));
}

