// The plugin wire against a real server: cookies, body, where the answer stands, text tools, and what goes wrong.
import { afterEach, describe, expect, test } from 'vitest';
import { createProvider } from '../../src/providers/index.ts';
import type { JsonObject } from '../../src/types/json.ts';
import type { Message, ToolCallPart } from '../../src/types/message.ts';
import type { ProviderEvent } from '../../src/types/provider.ts';
import { startSseServer, type Reply, type SseServer } from '../helpers/sse-server.ts';
import { collect, impatientClock, partsOf, requestOf, settingsOf, user } from './wires.ts';

let server: SseServer | undefined;
afterEach(() => server?.close());

const LOGIN = { access_team: 'my-team', mmauth_token: 'mm-token-0123456789', mmuser_id: 'mm-user-0123456789', csrf_token: 'mm-csrf-0123456789' };

type Asked = { events: ProviderEvent[]; server: SseServer };

async function ask(replies: Reply[], { extra = LOGIN, messages, path = '', signal, ...more }: { extra?: JsonObject; messages?: Message[]; path?: string; signal?: AbortSignal; tools?: boolean; apiKey?: string } = {}): Promise<Asked> {
  server = await startSseServer({ replies });
  const settings = settingsOf('mattermost', { baseUrl: `${server.url}${path}`, apiKey: more.apiKey, extra });
  const provider = await createProvider(settings, { clock: impatientClock(), random: () => 0.5 });
  expect(provider.abilities.tools).toBe('text');
  const tools = more.tools ? [{ name: 'LS', description: 'Lists.', schema: { type: 'object' } }] : [];
  return { server, events: await collect(provider.stream(requestOf(messages, { tools }), signal ?? new AbortController().signal)) };
}

const ok = (body: unknown): Reply => ({ status: 200, body });

test('the request is the plugin API to the letter', async () => {
  const { events, server: { requests: [request] } } = await ask([ok({ content: 'Hi.' })], { path: '/plugins/com.example.llm/' });
  expect(request).toMatchObject({
    method: 'POST', path: '/plugins/com.example.llm/sendMessageToChatGPT',
    headers: { cookie: `MMAUTHTOKEN=${LOGIN.mmauth_token}; MMUSERID=${LOGIN.mmuser_id}`, 'x-csrf-token': LOGIN.csrf_token, 'content-type': 'application/json' },
  });
  expect(request?.headers['authorization']).toBeUndefined();
  expect(request?.body).toEqual({ team: 'my-team', messages: [{ role: 'system', content: 'You are a test.' }, { role: 'user', content: 'Hello' }] });
  expect(events).toEqual([{ type: 'part_start', index: 0, part: 'text' }, { type: 'part_delta', index: 0, delta: 'Hi.' }, { type: 'part_end', index: 0 }, { type: 'end', stop: 'end' }]);
});

test.each<[string, unknown]>([
  ['content', { content: 'A', message: 'B' }], ['message', { message: 'A', text: 'B' }], ['text', { text: 'A' }],
  ['a chat completion', { choices: [{ message: { role: 'assistant', content: 'A' } }] }], ['content that is no text', { content: null, message: 'A' }], ['a bare text', 'A'],
])('the answer stands in %s', async (_name, body) => {
  expect(partsOf((await ask([{ status: 200, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }])).events)).toEqual([{ type: 'text', text: 'A' }]);
});

test('tools go as text, calls come as text, results go back as text', async () => {
  const messages: Message[] = [
    user('List'),
    { id: 'a', role: 'assistant', at: 0, parts: [{ type: 'text', text: 'I look.' }, { type: 'tool_call', id: 'c1', name: 'LS', input: {} } as ToolCallPart] },
    { id: 't', role: 'tool', at: 0, parts: [{ type: 'tool_result', callId: 'c1', name: 'LS', ok: true, text: 'a.ts' }] },
    { ...user('news', 'n'), source: 'reminder' },
  ];
  const { events, server: { requests } } = await ask([ok({ content: 'Once more.\n<tool_call>{"type":"tool_call","tool":"LS","arguments":{"path":"b"}}</tool_call>' })], { messages, tools: true });
  const sent = (requests[0]?.body as { messages: { role: string; content: string }[] } | undefined)?.messages ?? [];
  expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(sent[0]?.content).toContain('## LS\nLists.');
  expect(sent.slice(2)).toEqual([
    { role: 'assistant', content: 'I look.\n<tool_call>{"type":"tool_call","tool":"LS","arguments":{}}</tool_call>' },
    { role: 'user', content: '<tool_result id="c1" tool="LS">\na.ts\n</tool_result>\n\nnews' },
  ]);
  expect(partsOf(events)).toMatchObject([{ type: 'text', text: 'Once more.' }, { type: 'tool_call', name: 'LS', input: { path: 'b' } }]);
  expect(events.at(-1)).toEqual({ type: 'end', stop: 'tools' });
});

test('any JSON service can be described', async () => {
  const request = { path: 'v2/ask', body: { input: { text: '{prompt}', rules: '{system}', n: 3 }, who: ['{model}', 'x {session} {nobody}'], log: '{conversation}', team: '{team}' }, answer: 'result[0].out.text' };
  const { events, server: { requests: [sent] } } = await ask([ok({ result: [{ out: { text: 'Yes' } }], content: 'no' })], { path: '/api?key=1', extra: { request, user: 'me' }, apiKey: 'secret-key-1' });
  expect({ path: sent?.path, body: sent?.body, cookie: sent?.headers['cookie'], authorization: sent?.headers['authorization'] }).toEqual({
    path: '/api/v2/ask?key=1', cookie: undefined, authorization: 'Bearer secret-key-1',
    body: { input: { text: 'Hello', rules: 'You are a test.', n: 3 }, who: ['test-model', 'x session-1 {nobody}'], log: 'system:\nYou are a test.\n\nuser:\nHello', user: 'me' },
  });
  expect(partsOf(events)).toEqual([{ type: 'text', text: 'Yes' }]);
});

const failed = async (reply: Reply, extra: JsonObject = LOGIN): Promise<object> => {
  const { events } = await ask([reply, reply, reply, reply], { extra });
  const last = events.at(-1);
  const told = JSON.stringify(events);
  for (const secret of Object.values(LOGIN).slice(1)) expect(told).not.toContain(secret);
  return last?.type === 'error' ? { kind: last.error.kind, message: last.error.message.replaceAll(server?.url ?? '', 'URL') } : { events };
};

describe('what goes wrong', () => {
  test('the session has run out', async () => {
    const hint = 'Copy the cookies MMAUTHTOKEN, MMUSERID and MMCSRF of a browser that is logged in into mmauth_token, mmuser_id and csrf_token.';
    expect(await failed({ status: 401, body: { id: 'api.context.session_expired.app_error', message: `Invalid session ${LOGIN.mmauth_token}`, status_code: 401 } }))
      .toEqual({ kind: 'auth', message: `Mattermost did not accept the API key: Invalid session ••••6789. ${hint}` });
    expect(await failed({ status: 302, headers: { location: 'https://elsewhere.example/login' }, body: '' }))
      .toEqual({ kind: 'auth', message: 'URL/sendMessageToChatGPT sends us elsewhere, most likely to its login page. Check base_url, and whether the login has run out.' });
  });
  test('no such plugin, a page instead of an answer, no JSON, no text', async () => {
    expect(await failed({ status: 404, body: '<html>nope</html>', headers: { 'content-type': 'text/html' } })).toMatchObject({ kind: 'invalid_request', message: expect.stringMatching(/^Mattermost knows no sendMessageToChatGPT at URL\/sendMessageToChatGPT\. Check/) as string });
    expect(await failed({ status: 200, body: '<html>login</html>', headers: { 'content-type': 'text/html' } })).toMatchObject({ kind: 'invalid_request', message: expect.stringContaining('not with JSON: <html>login</html>') as string });
    expect(await failed({ status: 200, body: 'oops' })).toEqual({ kind: 'server', message: 'What came from URL/sendMessageToChatGPT is not JSON. Check base_url. (4 tries)' });
    expect(await failed(ok({ error: { message: 'quota' } }))).toEqual({ kind: 'server', message: 'The answer of URL/sendMessageToChatGPT has no text in content, message, text or choices[0].message.content: quota. Check request.answer. (4 tries)' });
  });
  test('busy', async () => {
    expect(await failed({ status: 429, body: { message: 'Too many' } })).toMatchObject({ kind: 'rate_limit' });
    expect(await failed({ status: 502, body: {} })).toMatchObject({ kind: 'server' });
  });
  test('settings that are missing or can not be sent', async () => {
    expect(await failed(ok({}), { access_team: 't' })).toMatchObject({ kind: 'auth', message: expect.stringContaining('There is no login for Mattermost. Set mmauth_token') as string });
    expect(await failed(ok({}), { ...LOGIN, mmauth_token: 'a; MMUSERID=evil' })).toEqual({ kind: 'auth', message: "mmauth_token of Mattermost has characters that can't be sent: blanks, line breaks or a semicolon. Copy it again." });
    expect(server?.requests).toEqual([]);
  });
});

test('an abort closes the connection', async () => {
  const controller = new AbortController();
  server = await startSseServer({ replies: [{ status: 200, body: '{', fault: { kind: 'stall' } }] });
  const provider = await createProvider(settingsOf('mattermost', { baseUrl: server.url, extra: LOGIN }), { clock: impatientClock() });
  const events = collect(provider.stream(requestOf(), controller.signal));
  const request = await server.request(0);
  controller.abort();
  expect((await events).at(-1)).toEqual({ type: 'error', error: { kind: 'aborted', message: 'Cancelled.' } });
  expect(await request.hungUp).toBe(true);
});
