// What services do beside the plain way of their API, from bytes as they send them (tests/fixtures/wire).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Message } from '../../src/types/message.ts';
import type { ProviderEvent } from '../../src/types/provider.ts';
import { startSseServer, type SseServer } from '../helpers/sse-server.ts';
import { collect, endsOnce, partsOf, providerFor, requestOf, user } from './wires.ts';

let server: SseServer | undefined;
afterEach(() => server?.close());

const recorded = (name: string): string => readFileSync(join(import.meta.dirname, '../fixtures/wire', `${name}.sse`), 'utf8');

async function play(protocol: string, bytes: string, chunk: number, messages: Message[] = [user('Go')]): Promise<{ parts: object[]; usage: object | undefined; last: ProviderEvent | undefined }> {
  await server?.close();
  server = await startSseServer({ replies: [{ bytes }], chunk });
  const provider = await providerFor(protocol, server.url, { model: 'some-model' });
  const events = await collect(provider.stream(requestOf(messages), new AbortController().signal));
  expect(endsOnce(events)).toBe(true);
  const usage = events.find((event) => event.type === 'usage');
  return { parts: partsOf(events), usage: usage?.usage, last: events.at(-1) };
}

const call = (id: string, name: string, input: object) => ({ type: 'tool_call', id, name, input });
const reasoning = (text: string, field: string) => ({ type: 'thinking', text, native: { wire: 'chat', data: { field } } });

const CASES: [string, string, object[], object | undefined, object][] = [
  [
    'openai-compatible', 'chat/whole-calls-same-index',
    [reasoning('Two files.', 'reasoning'), call('call_x', 'ReadFile', { path: 'a.ts' }), call('call_x_2', 'ReadFile', { path: 'b.ts' })],
    { input: 374, cacheRead: 0, cacheWrite: 0, output: 61 }, { type: 'end', stop: 'tools' },
  ],
  ['openai-compatible', 'chat/comments-and-repeated-ids', [call('call_1', 'LS', { path: '.' })], undefined, { type: 'end', stop: 'tools' }],
  [
    'deepseek', 'chat/usage-with-the-end',
    [reasoning('Greet', 'reasoning_content'), { type: 'text', text: 'Hello' }],
    { input: 118, cacheRead: 256, cacheWrite: 0, output: 61, reasoning: 17 }, { type: 'end', stop: 'end' },
  ],
  [
    'glm', 'chat/interleaved-calls',
    [{ type: 'thinking', text: 'Hm.' }, { type: 'text', text: 'Both.' }, call('call_1', 'ReadFile', { path: 'a.ts' }), call('call_2', 'LS', {})],
    { input: 10, cacheRead: 0, cacheWrite: 0, output: 5 }, { type: 'end', stop: 'tools' },
  ],
  [
    'anthropic', 'messages/redacted-and-whole-input',
    [
      { type: 'thinking', text: '', native: { wire: 'messages', data: { type: 'redacted_thinking', data: 'EmwKAhgB' } } },
      { type: 'thinking', text: '', native: { wire: 'messages', data: { type: 'thinking', signature: 'EsECCok' } } },
      { type: 'text', text: 'Given with the block.' }, call('toolu_1', 'LS', { path: '.' }), call('toolu_2', 'Now', {}),
    ],
    { input: 47, cacheRead: 1000, cacheWrite: 7, output: 373, reasoning: 62 }, { type: 'end', stop: 'pause' },
  ],
  [
    'openai', 'responses/summaries-and-refusal',
    [
      { type: 'thinking', text: '**First**\n\n**Second**', native: { wire: 'responses', data: { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: '**First**' }, { type: 'summary_text', text: '**Second**' }], encrypted_content: 'gAAAA' } } },
      { type: 'text', text: "I can't.", native: { wire: 'responses', data: { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'refusal', refusal: "I can't." }], phase: 'final_answer' } } },
    ],
    { input: 300, cacheRead: 600, cacheWrite: 100, output: 50, reasoning: 40 }, { type: 'end', stop: 'refusal' },
  ],
  [
    'openai', 'responses/items-without-deltas',
    [
      { type: 'thinking', text: '', native: { wire: 'responses', data: { id: 'rs_1', type: 'reasoning', summary: [] } } },
      { type: 'text', text: 'Look.', native: { wire: 'responses', data: { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Look.', annotations: [] }] } } },
      { ...call('call_1', 'LS', { path: '.' }), native: { wire: 'responses', data: { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'LS', arguments: '{"path":"."}', status: 'completed' } } },
    ],
    { input: 10, cacheRead: 0, cacheWrite: 0, output: 5 }, { type: 'end', stop: 'tools' },
  ],
  [
    'openai', 'responses/failed', [], undefined,
    { type: 'error', error: { kind: 'context_overflow', message: 'The conversation is too long for some-model: Your input exceeds the context window of this model. Please adjust your input and try again. Compact it, or start afresh with /clear.' } },
  ],
];

test.each(CASES.flatMap((one) => ([[1, '\n'], [4096, '\n'], [3, '\r\n'], [7, '\r\n']] as const).map(([chunk, end]) => [...one, chunk, end] as const)))('%s: %s', async (protocol, name, parts, usage, last, chunk, end) => {
  expect(await play(protocol, recorded(name).replaceAll('\n', end), chunk)).toEqual({ parts, usage, last });
});

test('an id that the conversation already has gets a new one', async () => {
  const before: Message = { id: 'a1', role: 'assistant', at: 0, parts: [{ type: 'tool_call', id: 'call_x', name: 'LS', input: {} }] };
  const result: Message = { id: 't1', role: 'tool', at: 0, parts: [{ type: 'tool_result', callId: 'call_x', name: 'LS', ok: true, text: '' }] };
  const { parts } = await play('openai-compatible', recorded('chat/whole-calls-same-index'), 4096, [user('Go'), before, result]);
  expect(parts.slice(1)).toEqual([call('call_x_2', 'ReadFile', { path: 'a.ts' }), call('call_x_3', 'ReadFile', { path: 'b.ts' })]);
});

test('an answer that was cancelled behind its reasoning goes back without it', async () => {
  await play('openai', recorded('responses/items-without-deltas'), 4096, [
    user('Go'),
    { id: 'a1', role: 'assistant', at: 0, parts: [{ type: 'thinking', text: 'Hm', native: { wire: 'responses', data: { id: 'rs_0', type: 'reasoning', summary: [] } } }, { type: 'text', text: 'cut o' }] },
    user('On', 'u2'),
  ]);
  expect((server?.requests[0]?.body as { input: unknown[] } | undefined)?.input).toEqual([
    { role: 'user', content: [{ type: 'input_text', text: 'Go' }] }, { role: 'assistant', content: 'cut o' }, { role: 'user', content: [{ type: 'input_text', text: 'On' }] },
  ]);
});

test.each([
  ['insufficient_system_resource', { kind: 'overloaded' }], ['network_error', { kind: 'server' }],
])('finish_reason %s is a failure', async (finish, error) => {
  const chunk = { id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: finish }] };
  const bytes = `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
  server = await startSseServer({ replies: () => ({ bytes }) });
  const provider = await providerFor('deepseek', server.url);
  expect((await collect(provider.stream(requestOf(), new AbortController().signal))).at(-1)).toMatchObject({ type: 'error', error });
});
