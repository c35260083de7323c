// The judges of the strict servers know a fault when they see one: each case is a request that a real service refuses.
import { describe, expect, test } from 'vitest';
import { strictChat } from '../helpers/strict-chat.ts';
import { strictMessages } from '../helpers/strict-messages.ts';
import { strictResponses } from '../helpers/strict-responses.ts';

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };
const user = { role: 'user', content: [{ type: 'text', text: 'Go' }] };

describe('messages', () => {
  const good = { model: 'claude-opus-5-5', max_tokens: 100, stream: true, messages: [user] };
  const use = { type: 'tool_use', id: 'toolu_1', name: 'LS', input: {} };
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'x' };
  const mark = { cache_control: { type: 'ephemeral' } };
  const tool = { name: 'LS', description: 'Lists.', input_schema: SCHEMA };
  test.each([
    ['a field that is no more', { temperature: 1 }, /^temperature: Extra inputs are not permitted$/],
    ['a call without its result', { messages: [user, { role: 'assistant', content: [use] }, user] }, /`tool_use` ids were found without `tool_result` blocks immediately after: toolu_1/],
    ['a result behind text', { messages: [user, { role: 'assistant', content: [use] }, { role: 'user', content: [{ type: 'text', text: 'a' }, result] }] }, /without `tool_result` blocks immediately after/],
    ['a result of no call', { messages: [{ role: 'user', content: [result] }] }, /unexpected `tool_use_id`/],
    ['two results', { messages: [user, { role: 'assistant', content: [use] }, { role: 'user', content: [result, result] }] }, /each tool_use must have a single result/],
    ['a bad id', { messages: [user, { role: 'assistant', content: [{ ...use, id: 'a.b' }] }, { role: 'user', content: [{ ...result, tool_use_id: 'a.b' }] }] }, /tool_use\.id: String should match/],
    ['a bad name', { messages: [user, { role: 'assistant', content: [{ ...use, name: 'a b' }] }, { role: 'user', content: [result] }] }, /tool_use\.name: String should match/],
    ['blank text', { messages: [{ role: 'user', content: [{ type: 'text', text: ' \n' }] }] }, /non-whitespace/],
    ['a prefill', { messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'I' }] }] }, /does not support assistant message prefill/],
    ['thinking last', { messages: [user, { role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: 'x' }] }, user] }, /final block in an assistant message cannot be `thinking`/],
    ['thinking of another conversation', { messages: [user, { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm', signature: `sealed.${Buffer.from('Hm').toString('base64url')}.0` }, { type: 'text', text: 'a' }] }, user] }, /bound to a different conversation/],
    ['five marks', { messages: [{ role: 'user', content: Array.from({ length: 5 }, () => ({ type: 'text', text: 'a', ...mark })) }] }, /A maximum of 4 blocks with cache_control may be provided. Found 5/],
    ['a name with a blank', { tools: [{ ...tool, name: 'L S' }] }, /tools\.0\.custom\.name: String should match pattern/],
    ['choices at the root', { tools: [{ ...tool, input_schema: { ...SCHEMA, anyOf: [{}] } }] }, /oneOf, allOf, or anyOf at the top level/],
    ['an odd property', { tools: [{ ...tool, input_schema: { type: 'object', properties: { 'a b': {} } } }] }, /Property keys should match/],
    ['a budget', { thinking: { type: 'enabled', budget_tokens: 2_000 }, max_tokens: 4_000 }, /thinking.type.enabled" is not supported/],
    ['a budget as long as the answer', { model: 'claude-haiku-4-5', thinking: { type: 'enabled', budget_tokens: 2_000 }, max_tokens: 2_000 }, /`max_tokens` must be greater/],
    ['a turn that began without thinking', { model: 'claude-haiku-4-5', max_tokens: 4_000, thinking: { type: 'enabled', budget_tokens: 2_000 }, messages: [user, { role: 'assistant', content: [use] }, { role: 'user', content: [result] }] }, /Expected `thinking` or `redacted_thinking`, but found `tool_use`/],
    ['a picture that is none', { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }] }] }, /does not appear to be one/],
  ])('%s', (_, changes, fault) => {
    expect(strictMessages().check({ ...good, ...changes })).toEqual(expect.arrayContaining([expect.stringMatching(fault)]));
    expect(strictMessages().check(good)).toEqual([]);
  });

  test('thinking is sealed to all before it: the same history passes, a changed word does not', () => {
    const judge = strictMessages();
    const { say: [piece] } = judge.seal(good, { say: [{ thinking: 'Hm' }, { text: 'a' }] }, 0);
    const answer = { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm', signature: piece && 'signature' in piece ? piece.signature : '' }, { type: 'text', text: 'a' }] };
    expect(judge.check({ ...good, messages: [user, answer, user] })).toEqual([]);
    expect(judge.check({ ...good, messages: [{ role: 'user', content: 'Go!' }, answer, user] })).toMatchObject([expect.stringContaining('bound to a different')]);
    expect(judge.check({ ...good, tools: [tool], messages: [user, answer, user] })).toMatchObject([expect.stringContaining('bound to a different')]);
  });
});

describe('responses', () => {
  const ask = { role: 'user', content: 'Go' };
  const good = { model: 'gpt-6.2-sol', store: false, stream: true, input: [ask] };
  const call = { type: 'function_call', call_id: 'c1', name: 'LS', arguments: '{}' };
  const output = { type: 'function_call_output', call_id: 'c1', output: '' };
  test.each([
    ['a call without its result', { input: [ask, call] }, 'No tool output found for function call c1.'],
    ['a result of no call', { input: [ask, output] }, 'No tool call found for function call output with call_id c1.'],
    ['a long id', { input: [ask, { ...call, call_id: 'c'.repeat(65) }, { ...output, call_id: 'c'.repeat(65) }] }, 'maximum length 64'],
    ['a bad name', { input: [ask, { ...call, name: 'a.b' }, output] }, 'does not match pattern'],
    ['an unknown field', { input: [{ ...ask, at: 1 }] }, "Unknown parameter: 'input[0].at'."],
    ['reasoning of nobody', { input: [ask, { type: 'reasoning', id: 'rs_9', summary: [], encrypted_content: 'x' }, call, output] }, 'invalid_encrypted_content'],
    ['a schema without properties', { tools: [{ type: 'function', name: 'LS', parameters: { type: 'object' }, strict: false }] }, 'object schema missing properties'],
    ['an effort that is gone', { reasoning: { effort: 'none' } }, "'none' is not supported"],
  ])('%s', (_, changes, fault) => {
    expect(strictResponses().check({ ...good, ...changes })).toEqual(expect.arrayContaining([expect.stringContaining(fault)]));
    expect(strictResponses().check(good)).toEqual([]);
  });

  test('reasoning goes with what it led to, and phases come back', () => {
    const judge = strictResponses();
    const { say: [piece] } = judge.seal(good, { say: [{ thinking: 'Hm' }, { text: 'a' }] }, 0);
    const reasoning = { id: 'rs_0_0', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }], encrypted_content: piece && 'signature' in piece ? piece.signature : '' };
    const message = { id: 'msg_0_1', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'a', annotations: [] }], phase: 'final_answer' };
    const check = (...items: object[]) => judge.check({ ...good, input: [ask, ...items, ask] });
    expect(check(reasoning, message)).toEqual([]);
    expect(check(reasoning)).toEqual(["Item 'rs_0_0' of type 'reasoning' was provided without its required following item."]);
    expect(check(message)).toEqual(["Item 'msg_0_1' of type 'message' was provided without its required 'reasoning' item: 'rs_0_0'."]);
    const unphased = { ...message, phase: undefined };
    expect(check(reasoning, unphased)).toEqual(['dropped: item msg_0_1 is not what it was']);
  });
});

describe('chat', () => {
  const ask = { role: 'user', content: 'Go' };
  const good = { model: 'deepseek-flash', max_tokens: 10, messages: [ask] };
  const calling = { role: 'assistant', content: null, reasoning_content: 'Hm', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'LS', arguments: '{}' } }] };
  const result = { role: 'tool', tool_call_id: 'c1', content: 'x' };
  test.each([
    ['a call without its result', { messages: [ask, calling, ask] }, 'The following tool_call_ids did not have response messages: c1'],
    ['a result of no call', { messages: [ask, result] }, "must be a response to a preceding message with 'tool_calls'"],
    ['an empty list of calls', { messages: [ask, { role: 'assistant', content: 'a', reasoning_content: '', tool_calls: [] }] }, 'empty array'],
    ['a developer', { messages: [{ role: 'developer', content: 'a' }, ask] }, 'unknown variant `developer`'],
    ['no reasoning with a call', { messages: [ask, { ...calling, reasoning_content: undefined }, result] }, '`reasoning_content` in the thinking mode must be passed back'],
    ['no reasoning behind a call', { messages: [ask, calling, result, { role: 'assistant', content: 'a' }, ask] }, '`reasoning_content` in the thinking mode must be passed back'],
    ['arguments that are none', { messages: [ask, { ...calling, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'LS', arguments: '{"a' } }] }, result] }, 'must be a JSON object'],
  ])('%s', (_, changes, fault) => {
    expect(strictChat().check({ ...good, ...changes })).toEqual(expect.arrayContaining([expect.stringContaining(fault)]));
    expect(strictChat().check(good)).toEqual([]);
  });
});
