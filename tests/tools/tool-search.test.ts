// ToolSearch, CallTool and the tools for resources: what they find, give and stand for.
import { expect, test } from 'vitest';
import { callTool } from '../../src/tools/call-tool.ts';
import { listMcpResources, readMcpResource } from '../../src/tools/mcp-resources.ts';
import { toolSearch } from '../../src/tools/tool-search.ts';
import type { Tool } from '../../src/types/tool.ts';
import { toolContext } from '../helpers/tool-context.ts';

const ctx = toolContext();

const tool = (name: string, description: string, properties: Record<string, { description: string }> = {}): Tool => ({
  name, description, deferred: true, schema: { type: 'object', properties }, parse: (raw) => ({ ok: true, value: raw }), title: () => '', access: () => [], run: async () => ({ ok: true, text: '' }),
});
const all = [
  tool('mcp_github_create_issue', 'Create a new issue', { title: { description: 'Title of the issue' } }),
  tool('mcp_github_list_issues', 'List issues of a repository'),
  tool('mcp_slack_post', 'Post to a channel', { text: { description: 'What to say' } }),
];
const search = (query: string, more: { max_results?: number; absent?: string[] } = {}) => {
  const made = toolSearch({ tools: async () => all, ready: () => [], absent: () => more.absent ?? [] });
  const parsed = made.parse({ query, ...(more.max_results && { max_results: more.max_results }) });
  if (!parsed.ok) throw new Error(parsed.problem);
  return made.run(parsed.value, ctx);
};

test('by name: in full, in the other spelling, or by its end', async () => {
  expect(await search('select:mcp_slack_post')).toEqual({
    ok: true, found: ['mcp_slack_post'], view: { type: 'text', text: 'mcp_slack_post' },
    text: '## mcp_slack_post\nPost to a channel\nArguments (JSON Schema): {"type":"object","properties":{"text":{"description":"What to say"}}}\n\nCall it with CallTool: {"name": "mcp_slack_post", "arguments": {…}}.',
  });
  expect((await search(' select: mcp__github__create_issue , list_issues, mcp_slack_post,mcp_slack_post')).found).toEqual(['mcp_github_create_issue', 'mcp_github_list_issues', 'mcp_slack_post']);
});

test('what is not there is said, with what was probably meant and which servers are missing', async () => {
  expect(await search('select:mcp_slack_pots', { absent: ['The MCP server "x" is still connecting; search again later.'] })).toEqual({
    ok: false, text: 'There is no tool named mcp_slack_pots. Did you mean mcp_slack_post?\n\nThe MCP server "x" is still connecting; search again later.',
  });
  expect((await search('zebra', { absent: ['gone'] })).text).toBe('Nothing fits "zebra" among 3 tools. Try other words, or the name of a server.\n\ngone');
});

test('by words: best first, no more than asked for, and how many more there are', async () => {
  expect((await search('make an issue title')).found?.[0]).toBe('mcp_github_create_issue');
  const two = await search('github issues', { max_results: 1 });
  expect([two.found, two.text.endsWith('1 more fit less well.')]).toEqual([['mcp_github_list_issues'], true]);
  expect((await search('what to say')).found).toEqual(['mcp_slack_post']);
});

test('CallTool stands for the call', () => {
  const made = callTool();
  const inside = (raw: unknown) => { const parsed = made.parse(raw); return parsed.ok ? made.unwrap?.(parsed.value) : parsed.problem; };
  expect(inside({ name: 'mcp_a_b', arguments: { x: 1 } })).toEqual({ name: 'mcp_a_b', input: { x: 1 } });
  expect(inside({ name: 'mcp_a_b' })).toEqual({ name: 'mcp_a_b', input: {} });
  expect(inside({ name: 'mcp_a_b', arguments: '{"x": 1}' })).toEqual({ name: 'mcp_a_b', input: { x: 1 } });
  expect(inside({ name: 'mcp_a_b', arguments: 'x' })).toBe('`arguments` must be an object, not "x".');
  expect(inside({ arguments: {} })).toBe('`name` is missing; a string is expected.');
});

test('resources are named by server, and reading them is reading only where the server is trusted', async () => {
  const resources = { servers: () => [{ name: 'a', trusted: true }, { name: 'b', trusted: false }], list: async (name: string) => { if (name === 'b') throw new Error('not today'); return [{ uri: 'x://1', name: 'One', description: '', mime: '' }]; }, read: async (_server: string, uri: string) => ({ ok: true, text: uri }) };
  const [list, read] = [listMcpResources(resources), readMcpResource(resources)];
  expect(list.access({}, '/')).toEqual([{ kind: 'mcp', target: 'a/resources', readOnly: true }, { kind: 'mcp', target: 'b/resources' }]);
  expect(read.access({ server: 'b', uri: 'x://1' }, '/')).toEqual([{ kind: 'mcp', target: 'b/x://1' }]);
  expect(await list.run({}, ctx)).toEqual({ ok: true, text: '# a\nx://1  One\n\n# b\nnot today' });
  expect(await read.run({ server: 'a', uri: 'x://1' }, ctx)).toEqual({ ok: true, text: 'x://1' });
  await expect((async () => list.run({ server: 'c' }, ctx))()).rejects.toThrow('There is no MCP server "c".');
});

test.each([toolSearch({ tools: async () => [], ready: () => [], absent: () => [] }), callTool(), listMcpResources({ servers: () => [], list: async () => [], read: async () => ({ ok: true, text: '' }) }), readMcpResource({ servers: () => [], list: async () => [], read: async () => ({ ok: true, text: '' }) })].map((made) => [made.name, made] as const))('%s has a schema that every API takes', (name, made) => {
  expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(made.schema).toMatchObject({ type: 'object', additionalProperties: false });
  for (const key of ['$schema', '$ref', '$defs', 'oneOf', 'anyOf', 'allOf', 'not']) expect(JSON.stringify(made.schema)).not.toContain(`"${key}"`);
});

test('what is named and there already is given without waiting for slow servers', async () => {
  const there = [tool('mcp_a_one', 'One'), tool('mcp_a_two', 'Two')];
  const made = toolSearch({ tools: async () => { throw new Error('waited'); }, ready: () => there, absent: () => [] });
  const run = (query: string) => made.run({ query, max_results: 5 }, ctx);
  expect((await run('select:mcp_a_two')).found).toEqual(['mcp_a_two']);
  await expect(run('select:mcp_a_two,mcp_b_three')).rejects.toThrow('waited');
  await expect(run('one')).rejects.toThrow('waited');
});
