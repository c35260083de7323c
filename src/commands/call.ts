// Tools called by the user: /call for any, /files, /read and /search for those that only look. Shown in the chat, not sent to the model.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { nearest } from '../lib/nearest.ts';
import { findTool } from '../lib/tool-name.ts';
import type { App, Command, Done } from '../types/command.ts';
import type { JsonObject } from '../types/json.ts';
import type { Tool } from '../types/tool.ts';
import { UserError } from '../types/user-error.ts';

export const call: Command = {
  name: 'call',
  summary: 'Call a tool yourself, with the usual permissions: /call Grep {"pattern": "todo"} or /call Bash ls',
  usage: 'TOOL [JSON]',
  where: 'chat',
  async run(app, args, { typed = args.join(' ') }) {
    await app.ready;
    const [, name = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(typed.trim()) ?? [];
    if (name === '') throw new UserError('Which tool? Say /call TOOL and its arguments as JSON.', '/tools lists them.');
    const tool = findTool(app.tools(), name) ?? app.tools().find((one) => one.name.toLowerCase() === name.toLowerCase());
    // One that is switched off is refused with its reason.
    if (!tool && app.listTools().every((one) => one.name !== name)) throw unknown(name, app.tools());
    return show(app, tool?.name ?? name, tool ? readArguments(rest.trim(), tool) : {});
  },
};

export const files: Command = {
  name: 'files',
  summary: 'List files, as the model would see them',
  usage: '[PATH]',
  where: 'chat',
  run: (app, args, { typed = args.join(' ') }) => show(app, 'LS', typed.trim() === '' ? {} : { path: unquote(typed) }),
};

export const read: Command = {
  name: 'read',
  summary: 'Show a file, as the model would see it',
  usage: 'PATH',
  where: 'chat',
  async run(app, args, { typed = args.join(' ') }) {
    if (typed.trim() === '') throw new UserError('Which file? Say /read PATH.');
    return show(app, 'ReadFile', { path: unquote(typed) });
  },
};

export const search: Command = {
  name: 'search',
  summary: 'Search file contents, as the model would; the last word counts as the place when it is a file or folder',
  usage: 'WORDS [PATH]',
  where: 'chat',
  async run(app, args, { typed = args.join(' ') }) {
    const [, words = typed, last = ''] = /^([\s\S]*\S)\s+(\S+)\s*$/.exec(typed) ?? [];
    const isPlace = last !== '' && existsSync(resolve(app.info.root, last));
    const pattern = unquote(isPlace ? words : typed);
    if (pattern === '') throw new UserError('What is to be found? Say /search WORDS [PATH].');
    return show(app, 'Grep', { pattern, ...(isPlace && { path: last }) });
  },
};

/** Calls and gives what is to be seen: the text where it says more than the view, how it failed or where all of it is. */
async function show(app: App, name: string, input: unknown): Promise<Done> {
  const { ok, view, text, spill } = await app.call(name, input);
  return { view: ok && view && spill === undefined ? view : { type: 'text', text } };
}

/** JSON; for a tool that needs one text only, that text as it is. */
function readArguments(text: string, tool: Tool): unknown {
  const only = theOnlyText(tool.schema);
  if (text === '') return {};
  // A shell group begins with a brace, too, but not with one before a name in quotes.
  if (only !== undefined && !/^\{\s*["}]/.test(text)) return { [only]: text };
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`That is no JSON: ${error instanceof Error ? error.message : String(error)}.`, `${tool.name} takes ${describeArguments(tool.schema)}.`);
  }
}

type Schema = { properties?: Record<string, { type?: string }>; required?: string[] };

function theOnlyText(schema: JsonObject): string | undefined {
  const { properties = {}, required = [] } = schema as Schema;
  const [name, another] = required;
  return name !== undefined && another === undefined && properties[name]?.type === 'string' ? name : undefined;
}

/** `{"path": …, "offset"?: …}`. */
function describeArguments(schema: JsonObject): string {
  const { properties = {}, required = [] } = schema as Schema;
  return `{${Object.keys(properties).map((name) => `"${name}"${required.includes(name) ? '' : '?'}: …`).join(', ')}}`;
}

function unknown(name: string, tools: readonly Tool[]): UserError {
  const near = nearest(name, tools.map((tool) => tool.name));
  return new UserError(`There is no tool "${name}".`, near === undefined ? '/tools lists them.' : `Did you mean ${near}?`);
}

function unquote(text: string): string {
  const bare = text.trim();
  return /^(["'])[\s\S]+\1$/.test(bare) ? bare.slice(1, -1) : bare;
}
