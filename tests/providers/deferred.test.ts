// Tools that are offered by name only, on the API that loads them itself when a result refers to them.
import { expect, test } from 'vitest';
import { messagesBody } from '../../src/providers/anthropic-request.ts';
import type { Message, ToolResultPart } from '../../src/types/message.ts';
import type { ToolSpec } from '../../src/types/provider.ts';
import { strictMessages } from '../helpers/strict-messages.ts';
import { requestOf } from './wires.ts';

const schema = { type: 'object', properties: {} };
const tools: ToolSpec[] = [{ name: 'ToolSearch', description: 'Finds tools.', schema }, { name: 'mcp_s_echo', description: 'Says it again.', schema, deferred: true }];

/** The body after a search that found these. */
function bodyAfter(found: string[], toolReferences = true) {
  const result: ToolResultPart = { type: 'tool_result', callId: 'c1', name: 'ToolSearch', ok: true, text: '## what was found', found };
  const messages: Message[] = [
    { id: '1', role: 'user', at: 1, parts: [{ type: 'text', text: 'Go.' }] },
    { id: '2', role: 'assistant', at: 2, parts: [{ type: 'tool_call', id: 'c1', name: 'ToolSearch', input: { query: 'echo' } }] },
    { id: '3', role: 'tool', at: 3, parts: [result] },
  ];
  return messagesBody(requestOf(messages, { tools }), { model: {}, quirks: { toolReferences }, extra: {} });
}

const contentOf = ({ messages }: ReturnType<typeof bodyAfter>) => messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content)).flatMap((block) => (block.type === 'tool_result' ? [block.content] : []))[0];

test('what was known from the start is referred to; all else is told as text', () => {
  expect(contentOf(bodyAfter(['mcp_s_echo']))).toEqual([{ type: 'tool_reference', tool_name: 'mcp_s_echo' }]);
  expect(contentOf(bodyAfter(['mcp_late_one']))).toBe('## what was found');
  expect(contentOf(bodyAfter(['mcp_s_echo', 'mcp_late_one']))).toBe('## what was found');
  expect(contentOf(bodyAfter(['mcp_s_echo'], false))).toBe('## what was found');
});

test('such bodies are accepted', () => {
  for (const found of [['mcp_s_echo'], ['mcp_late_one']]) expect(strictMessages().check(JSON.parse(JSON.stringify(bodyAfter(found))))).toEqual([]);
  expect(bodyAfter(['mcp_s_echo']).tools?.map((tool) => [('name' in tool && tool.name), 'defer_loading' in tool && tool.defer_loading])).toEqual([['ToolSearch', false], ['mcp_s_echo', true]]);
  expect(bodyAfter(['mcp_s_echo'], false).tools).toHaveLength(1);
});
