// What is sent: whole request bodies of a conversation with thinking, parallel calls and an edit, as each API wants them.
import { afterEach, describe, expect, test } from 'vitest';
import type { Message, Part, ToolResultPart } from '../../src/types/message.ts';
import type { ModelRequest, ToolSpec } from '../../src/types/provider.ts';
import type { Answer } from '../helpers/sse-bytes.ts';
import { startSseServer, type SseServer } from '../helpers/sse-server.ts';
import { collect, KEY, partsOf, providerFor, requestOf, WIRES } from './wires.ts';

let server: SseServer | undefined;
afterEach(() => server?.close());

const TOOLS: ToolSpec[] = [
  { name: 'ReadFile', description: 'Reads a file.', schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
  { name: 'EditFile', description: 'Edits a file.', schema: { type: 'object', properties: { path: { type: 'string' }, old: { type: 'string' }, new: { type: 'string' } } } },
];

const ANSWERS: Answer[] = [
  { say: [{ thinking: 'Both files.' }, { text: 'I read both.' }, { call: 'ReadFile', input: { path: 'a.ts' } }, { call: 'ReadFile', input: { path: 'b.ts' } }] },
  { say: [{ thinking: 'Now edit.' }, { call: 'EditFile', input: { path: 'a.ts', old: 'x', new: 'y' } }] },
  { say: [{ text: 'Done.' }] },
];

/** Plays the loop: answers every call of each reply, then says one thing more. Gives the requests' bodies. */
async function converse(protocol: string, results: (index: number) => Pick<ToolResultPart, 'ok' | 'text' | 'images'> = (index) => ({ ok: true, text: `result ${index}` })): Promise<Record<string, unknown>[]> {
  server = await startSseServer({ replies: ANSWERS });
  const provider = await providerFor(protocol, server.url);
  let serial = 0;
  const message = (role: Message['role'], parts: Part[], source?: string): Message => ({ id: `m${++serial}`, role, parts, at: serial, ...(source && { source }) });
  const messages = [message('user', [{ type: 'text', text: 'Today is a day.' }], 'reminder'), message('user', [{ type: 'text', text: 'Change x to y.' }])];
  let answered = 0;
  for (let round = 0; round < ANSWERS.length; round += 1) {
    const request = requestOf(messages, { model: provider.model, system: ['You are a test.', 'Be exact.'], tools: TOOLS });
    const parts = partsOf(await collect(provider.stream(request, new AbortController().signal)));
    messages.push(message('assistant', parts));
    const calls = parts.flatMap((part) => (part.type === 'tool_call' ? [part] : []));
    if (calls.length > 0) messages.push(message('tool', calls.map((call) => ({ type: 'tool_result', callId: call.id, name: call.name, ...results(answered++) }))));
    if (round === 0) messages.push(message('user', [{ type: 'text', text: 'Hurry.' }]));
  }
  return server.requests.map((request) => request.body as Record<string, unknown>);
}

async function lastBody(...args: Parameters<typeof converse>): Promise<Record<string, unknown[]>> {
  return ((await converse(...args)).at(-1) ?? {}) as Record<string, unknown[]>;
}

const call = (id: string, name: string, args: object) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } });
const CACHED = { cache_control: { type: 'ephemeral' } };

describe('messages', () => {
  test('the last body, whole', async () => {
    expect(await lastBody('anthropic')).toEqual({
      model: 'claude-sonnet-5-5',
      max_tokens: 8192,
      stream: true,
      system: [{ type: 'text', text: 'You are a test.' }, { type: 'text', text: 'Be exact.', ...CACHED }],
      tools: TOOLS.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
      thinking: { type: 'adaptive', display: 'summarized' },
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Today is a day.' }, { type: 'text', text: 'Change x to y.', ...CACHED }] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Both files.', signature: 'sig_0_0' },
            { type: 'text', text: 'I read both.' },
            { type: 'tool_use', id: 'toolu_0_2', name: 'ReadFile', input: { path: 'a.ts' } },
            { type: 'tool_use', id: 'toolu_0_3', name: 'ReadFile', input: { path: 'b.ts' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_0_2', content: 'result 0' },
            { type: 'tool_result', tool_use_id: 'toolu_0_3', content: 'result 1' },
            { type: 'text', text: 'Hurry.', ...CACHED },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Now edit.', signature: 'sig_1_0' },
            { type: 'tool_use', id: 'toolu_1_1', name: 'EditFile', input: { path: 'a.ts', old: 'x', new: 'y' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1_1', content: 'result 2', ...CACHED }] },
      ],
    });
  });

  test('key and version travel as headers', async () => {
    await converse('anthropic');
    expect(server?.requests[0]).toMatchObject({ path: '/v1/messages', headers: { authorization: `Bearer ${KEY}`, 'x-api-key': KEY, 'anthropic-version': '2026-10-21' } });
  });

  test('a failed result is text only; images stand beside the text of a good one', async () => {
    const images = [{ mime: 'image/png', base64: 'AAAA' }];
    const body = await lastBody('anthropic', (index) => ({ ok: index > 0, text: index === 1 ? '' : `result ${index}`, images }));
    const messages = body.messages as { content: unknown[] }[];
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    expect([messages[2]?.content.slice(0, 2), messages[4]?.content]).toEqual([
      [{ type: 'tool_result', tool_use_id: 'toolu_0_2', content: 'result 0', is_error: true }, { type: 'tool_result', tool_use_id: 'toolu_0_3', content: [image] }],
      [{ type: 'tool_result', tool_use_id: 'toolu_1_1', content: [{ type: 'text', text: 'result 2' }, image], ...CACHED }],
    ]);
  });
});

describe('responses', () => {
  test('the last body, whole', async () => {
    expect(await lastBody('openai')).toEqual({
      model: 'gpt-6.2-sol',
      stream: true,
      store: false,
      instructions: 'You are a test.\n\nBe exact.',
      tools: TOOLS.map(({ name, description, schema }) => ({ type: 'function', name, description, parameters: schema, strict: false })),
      max_output_tokens: 8192,
      reasoning: { summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'session-1',
      stream_options: { include_obfuscation: false },
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Today is a day.' }] },
        { role: 'user', content: [{ type: 'input_text', text: 'Change x to y.' }] },
        { id: 'rs_0_0', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Both files.' }], encrypted_content: 'enc_0_0' },
        { id: 'msg_0_1', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'I read both.', annotations: [] }], phase: 'commentary' },
        { id: 'fc_0_2', type: 'function_call', call_id: 'call_0_2', name: 'ReadFile', status: 'completed', arguments: '{"path":"a.ts"}' },
        { id: 'fc_0_3', type: 'function_call', call_id: 'call_0_3', name: 'ReadFile', status: 'completed', arguments: '{"path":"b.ts"}' },
        { type: 'function_call_output', call_id: 'call_0_2', output: 'result 0' },
        { type: 'function_call_output', call_id: 'call_0_3', output: 'result 1' },
        { role: 'user', content: [{ type: 'input_text', text: 'Hurry.' }] },
        { id: 'rs_1_0', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Now edit.' }], encrypted_content: 'enc_1_0' },
        { id: 'fc_1_1', type: 'function_call', call_id: 'call_1_1', name: 'EditFile', status: 'completed', arguments: '{"path":"a.ts","old":"x","new":"y"}' },
        { type: 'function_call_output', call_id: 'call_1_1', output: 'result 2' },
      ],
    });
  });

  test('images go with results', async () => {
    const body = await lastBody('openai', () => ({ ok: true, text: 'seen', images: [{ mime: 'image/png', base64: 'AAAA' }] }));
    expect(body.input?.at(-1)).toEqual({
      type: 'function_call_output', call_id: 'call_1_1', output: [{ type: 'input_text', text: 'seen' }, { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' }],
    });
  });
});

describe('chat', () => {
  test('the last body, whole', async () => {
    const body = await lastBody('deepseek');
    expect(body).toEqual({
      model: 'deepseek-flash',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 8192,
      thinking: { type: 'enabled' },
      tools: TOOLS.map(({ name, description, schema }) => ({ type: 'function', function: { name, description, parameters: schema } })),
      messages: [
        { role: 'system', content: 'You are a test.\n\nBe exact.' },
        { role: 'user', content: 'Today is a day.\n\nChange x to y.' },
        { role: 'assistant', content: 'I read both.', reasoning_content: 'Both files.', tool_calls: [call('call_0_2', 'ReadFile', { path: 'a.ts' }), call('call_0_3', 'ReadFile', { path: 'b.ts' })] },
        { role: 'tool', tool_call_id: 'call_0_2', content: 'result 0' },
        { role: 'tool', tool_call_id: 'call_0_3', content: 'result 1' },
        { role: 'user', content: 'Hurry.' },
        { role: 'assistant', content: null, reasoning_content: 'Now edit.', tool_calls: [call('call_1_1', 'EditFile', { path: 'a.ts', old: 'x', new: 'y' })] },
        { role: 'tool', tool_call_id: 'call_1_1', content: 'result 2' },
      ],
    });
  });

  test('arguments go back letter by letter, broken ones as none', async () => {
    server = await startSseServer({ replies: [{ say: [{ call: 'ReadFile', raw: '{ "path": "a.ts" }' }, { call: 'ReadFile', raw: '{"path' }] }, { say: [{ text: 'Hi.' }] }] });
    const provider = await providerFor('deepseek', server.url);
    const parts = partsOf(await collect(provider.stream(requestOf(), new AbortController().signal)));
    const results = parts.flatMap((part): Part[] => (part.type === 'tool_call' ? [{ type: 'tool_result', callId: part.id, name: part.name, ok: true, text: '' }] : []));
    await collect(provider.stream(requestOf([say('1', 'user', text('Go')), say('2', 'assistant', ...parts), say('3', 'tool', ...results)]), new AbortController().signal));
    const { messages } = (server.requests[1]?.body ?? { messages: [] }) as { messages: { tool_calls?: { function: { arguments: string } }[] }[] };
    expect(messages.flatMap(({ tool_calls: calls = [] }) => calls.map((one) => one.function.arguments))).toEqual(['{ "path": "a.ts" }', '{}']);
  });

  test('images of results follow them in the name of the user', async () => {
    const body = await lastBody('deepseek', () => ({ ok: true, text: 'seen', images: [{ mime: 'image/png', base64: 'AAAA' }] }));
    expect(body.messages?.slice(-2)).toEqual([
      { role: 'tool', tool_call_id: 'call_1_1', content: 'seen' },
      { role: 'user', content: [{ type: 'text', text: 'Images of the result of EditFile:' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] },
    ]);
  });
});

describe.each(WIRES)('$api', ({ protocol }) => {
  test('history only grows: each body begins with all that the one before held', async () => {
    const bare = (await converse(protocol)).map((body) => {
      const unmarked = JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === 'cache_control' ? undefined : value))) as Record<string, unknown[]>;
      const { messages, input, ...rest } = unmarked;
      return { list: messages ?? input ?? [], rest };
    });
    for (const [index, { list, rest }] of bare.entries()) {
      const before = bare[index - 1];
      if (!before) continue;
      expect(rest).toEqual(before.rest);
      expect(list.slice(0, before.list.length)).toEqual(before.list);
    }
  });

  test('what another wire made goes along without what is its own', async () => {
    server = await startSseServer({ replies: [{ say: [{ text: 'Hi.' }] }] });
    const provider = await providerFor(protocol, server.url);
    const foreign = { wire: 'elsewhere', data: { secret: 'of another service' } };
    const messages: Message[] = [
      { id: '1', role: 'user', at: 0, parts: [{ type: 'text', text: 'Hello' }] },
      { id: '2', role: 'assistant', at: 0, parts: [{ type: 'thinking', text: 'Hm.', native: foreign }, { type: 'text', text: 'Yes.', native: foreign }, { type: 'tool_call', id: 'a.b:1', name: 'LS', input: {}, native: foreign }] },
      { id: '3', role: 'tool', at: 0, parts: [{ type: 'tool_result', callId: 'a.b:1', name: 'LS', ok: true, text: 'files' }] },
    ];
    await collect(provider.stream(requestOf(messages), new AbortController().signal));
    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain('Yes.');
    expect(sent).not.toMatch(/secret|Hm\./);
  });

  test('`extra` goes along as it is; what the model would refuse is left out', async () => {
    server = await startSseServer({ replies: [{ say: [{ text: 'Hi.' }] }] });
    const provider = await providerFor(protocol, server.url, { extra: { temperature: 0.5, metadata: { user_id: 'me' }, max_tokens: 1 } });
    await collect(provider.stream(requestOf(), new AbortController().signal));
    const body = server.requests[0]?.body as Record<string, unknown>;
    expect([body.metadata, body.temperature, body.max_tokens]).toEqual([{ user_id: 'me' }, protocol === 'deepseek' ? 0.5 : undefined, protocol === 'openai' ? undefined : 8192]);
  });
});

const say = (id: string, role: Message['role'], ...parts: Part[]): Message => ({ id, role, parts, at: 0 });
const text = (value: string): Part => ({ type: 'text', text: value });
const thinking = (value: string, data: object): Part => ({ type: 'thinking', text: value, native: { wire: 'messages', data } });

async function bodyFor(messages: Message[], { protocol = 'anthropic', model, ...changes }: Partial<ModelRequest> & { protocol?: string } = {}): Promise<Record<string, unknown[]>> {
  server = await startSseServer({ replies: [{ say: [{ text: 'Hi.' }] }] });
  const provider = await providerFor(protocol, server.url, model === undefined ? {} : { model });
  await collect(provider.stream(requestOf(messages, { model: provider.model, ...changes }), new AbortController().signal));
  return (server.requests[0]?.body ?? {}) as Record<string, unknown[]>;
}

describe('rule by rule', () => {
  test('empty text is never sent, nor a message that is empty without it', async () => {
    const body = await bodyFor([say('1', 'user', text('One'), text('  \n')), say('2', 'assistant', text('')), say('3', 'user', text('Two'))]);
    expect(body.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'One' }, { type: 'text', text: 'Two', ...CACHED }] }]);
  });

  test('results come first, also where something was said before them', async () => {
    const asked: Part = { type: 'tool_call', id: 'c1', name: 'LS', input: {} };
    const body = await bodyFor([say('1', 'user', text('Go')), say('2', 'assistant', asked), say('3', 'user', text('Wait')), say('4', 'tool', { type: 'tool_result', callId: 'c1', name: 'LS', ok: true, text: 'a' })]);
    expect(body.messages?.at(-1)).toEqual({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'a' }, { type: 'text', text: 'Wait', ...CACHED }] });
  });

  test('redacted thinking goes back; unsigned thinking does not', async () => {
    const body = await bodyFor([say('1', 'user', text('Go')), say('2', 'assistant', thinking('', { type: 'redacted_thinking', data: 'xyz' }), { type: 'thinking', text: 'cut off' }, text('Yes')), say('3', 'user', text('On'))]);
    expect((body.messages as { content?: unknown }[])[1]?.content).toEqual([{ type: 'redacted_thinking', data: 'xyz' }, { type: 'text', text: 'Yes' }]);
  });

  test.each([['claude-opus-5-5', []], ['claude-opus-4-6', [{ type: 'thinking', thinking: 'Old.', signature: 's' }]]])('thinking from before the cut: %s', async (model, kept) => {
    const messages = [say('1', 'user', text('Go')), say('2', 'assistant', thinking('Old.', { type: 'thinking', signature: 's' }), text('Yes')), say('3', 'user', text('On')), say('4', 'assistant', thinking('New.', { type: 'thinking', signature: 't' }), text('Ok')), say('5', 'user', text('On'))];
    const body = await bodyFor(messages, { model, cut: '3' });
    const contents = (body.messages as { content: unknown }[]).map((message) => message.content);
    expect([contents[1], contents[3]]).toEqual([[...kept, { type: 'text', text: 'Yes' }], [{ type: 'thinking', thinking: 'New.', signature: 't' }, { type: 'text', text: 'Ok' }]]);
  });

  test('there are never more than four cache marks, and none is on thinking', async () => {
    const messages = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? say(`${index}`, 'user', text(`u${index}`)) : say(`${index}`, 'assistant', thinking('t', { type: 'thinking', signature: 's' }), text(`a${index}`))));
    const body = await bodyFor([...messages, say('last', 'user', text('end'))], { tools: TOOLS });
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(4);
  });

  test.each([
    ['claude-opus-5-5', 'auto', { thinking: { type: 'adaptive', display: 'summarized' } }],
    ['claude-opus-5-5', 'off', { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } }],
    ['claude-opus-5-5', { budget: 2000 }, { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } }],
    ['claude-sonnet-5-5', 'off', { thinking: { type: 'between_tools' } }],
    ['claude-opus-4-8', 'off', { thinking: { type: 'disabled' } }],
    ['claude-opus-4-8', { effort: 'max' }, { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'max' } }],
    ['claude-opus-4-6', { effort: 'xhigh' }, { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'high' } }],
    ['claude-opus-4-6', { budget: 5000 }, { thinking: { type: 'enabled', budget_tokens: 5000 } }],
    ['claude-sonnet-4-5-20250929', 'auto', { thinking: { type: 'enabled', budget_tokens: 4096 } }],
    ['claude-haiku-4-5', { budget: 50_000 }, { thinking: { type: 'enabled', budget_tokens: 8191 } }],
    ['claude-haiku-4-5', { budget: 10 }, { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['some-other-model', 'auto', {}],
    ['some-other-model', 'off', {}],
  ] as const)('thinking of %s, %j', async (model, wanted, expected) => {
    const { thinking: sent, output_config } = await bodyFor([say('1', 'user', text('Go'))], { model, thinking: wanted });
    expect({ ...(sent !== undefined && { thinking: sent }), ...(output_config !== undefined && { output_config }) }).toEqual(expected);
  });

  test.each([
    ['openai', 'gpt-6.2-sol', 'off', { reasoning: { effort: 'low' } }],
    ['openai', 'gpt-5.6-sol', 'off', { reasoning: { effort: 'none' } }],
    ['openai', 'gpt-6.2-sol', { effort: 'max' }, { reasoning: { effort: 'max', summary: 'auto' } }],
    ['openai', 'o4-mini', { effort: 'max' }, { reasoning: { effort: 'high', summary: 'auto' } }],
    ['openai', 'gpt-4o', 'auto', {}],
    ['deepseek', 'deepseek-flash', 'off', { thinking: { type: 'disabled' } }],
    ['deepseek', 'deepseek-v4-pro', { effort: 'low' }, { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['deepseek', 'deepseek-chat', 'auto', {}],
    ['glm', 'glm-5.3', 'auto', { thinking: { type: 'enabled', clear_thinking: false } }],
    ['glm', 'glm-5.3', 'off', { thinking: { type: 'enabled', clear_thinking: false }, reasoning_effort: 'low' }],
    ['glm', 'glm-4.6', { effort: 'high' }, { thinking: { type: 'enabled', clear_thinking: false } }],
    ['openai-compatible', 'qwen3', 'auto', {}],
    ['openai-compatible', 'qwen3', 'off', {}],
    ['openai-compatible', 'qwen3', { effort: 'high' }, { reasoning_effort: 'high' }],
  ] as const)('thinking of %s %s, %j', async (protocol, model, wanted, expected) => {
    const { thinking: sent, reasoning, reasoning_effort } = await bodyFor([say('1', 'user', text('Go'))], { protocol, model, thinking: wanted });
    expect(JSON.parse(JSON.stringify({ thinking: sent, reasoning, reasoning_effort }))).toEqual(expected);
  });
});
