// The contract that every wire keeps: the same answer gives the same events, however its bytes are cut and however it goes wrong.
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/providers/clock.ts';
import type { Native } from '../../src/types/message.ts';
import type { Failure, ProviderEvent } from '../../src/types/provider.ts';
import { sseBytes, type Answer, type Api } from '../helpers/sse-bytes.ts';
import { startSseServer, type Reply, type SseServer } from '../helpers/sse-server.ts';
import { collect, endsOnce, joined, KEY, partsOf, providerFor, requestOf, WIRES } from './wires.ts';

const CHUNKS = [1, 3, 7, 4096];

let server: SseServer | undefined;
afterEach(() => server?.close());

async function ask(protocol: string, replies: Reply[], options: { chunk?: number; signal?: AbortSignal } = {}): Promise<ProviderEvent[]> {
  await server?.close();
  server = await startSseServer({ replies, strict: { sealed: false }, ...(options.chunk && { chunk: options.chunk }) });
  const provider = await providerFor(protocol, server.url, { price: { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 1.25 } });
  const events = joined(await collect(provider.stream(requestOf(), options.signal ?? new AbortController().signal)));
  expect(endsOnce(events)).toBe(true);
  expect(server.faults).toEqual([]);
  return events;
}

const used = (output = 20) => ({ type: 'usage', usage: { input: 100, cacheRead: 0, cacheWrite: 0, output }, costUsd: (100 + output * 10) / 1_000_000 });

/** What goes back to a wire, for the piece of that number in the first answer. */
const natives: Record<Api, { thinking(index: number, text: string): Native; text?(index: number, text: string, phase: string): Native; call?(index: number, name: string, args: string): Native }> = {
  messages: { thinking: (index) => ({ wire: 'messages', data: { type: 'thinking', signature: `sig_0_${index}` } }) },
  responses: {
    thinking: (index, text) => ({ wire: 'responses', data: { id: `rs_0_${index}`, type: 'reasoning', summary: [{ type: 'summary_text', text }], encrypted_content: `enc_0_${index}` } }),
    text: (index, text, phase) => ({ wire: 'responses', data: { id: `msg_0_${index}`, type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }], phase } }),
    call: (index, name, args) => ({ wire: 'responses', data: { id: `fc_0_${index}`, type: 'function_call', call_id: `call_0_${index}`, name, status: 'completed', arguments: args } }),
  },
  chat: { thinking: () => ({ wire: 'chat', data: { field: 'reasoning_content' } }) },
};

function told(api: Api, index: number, part: 'text' | 'thinking', text: string, phase = 'final_answer'): object[] {
  const native = part === 'thinking' ? natives[api].thinking(index, text) : natives[api].text?.(index, text, phase);
  return [{ type: 'part_start', index, part }, { type: 'part_delta', index, delta: text }, { type: 'part_end', index, ...(native && { native }) }];
}

function called(api: Api, index: number, name: string, args: string): object[] {
  const native = natives[api].call?.(index, name, args);
  const id = `${api === 'messages' ? 'toolu' : 'call'}_0_${index}`;
  return [{ type: 'part_start', index, part: 'tool_call', id, name }, { type: 'part_delta', index, delta: args }, { type: 'part_end', index, ...(native && { native }) }];
}

const refusal = (status: number, type: string, message: string, headers = {}): Reply => ({ status, body: { type: 'error', error: { type, message } }, headers });

type Case = { name: string; answer: Answer; events(api: Api): object[] };

const TEXT = 'Grüße, 世界! 👋🏽\n\nTwo lines.';

const CASES: Case[] = [
  { name: 'text', answer: { say: [{ text: TEXT }] }, events: (api) => [...told(api, 0, 'text', TEXT), used(), { type: 'end', stop: 'end' }] },
  {
    name: 'thinking before text',
    answer: { say: [{ thinking: 'Let me see.\nYes.' }, { text: 'Done.' }] },
    events: (api) => [...told(api, 0, 'thinking', 'Let me see.\nYes.'), ...told(api, 1, 'text', 'Done.'), used(), { type: 'end', stop: 'end' }],
  },
  {
    name: 'parallel calls after thinking and text',
    answer: { say: [{ thinking: 'Both.' }, { text: 'I read both.' }, { call: 'ReadFile', input: { path: 'a ".ts' } }, { call: 'ReadFile', input: { path: 'ü.ts', limit: 3 } }] },
    events: (api) => [
      ...told(api, 0, 'thinking', 'Both.'), ...told(api, 1, 'text', 'I read both.', 'commentary'),
      ...called(api, 2, 'ReadFile', '{"path":"a \\".ts"}'), ...called(api, 3, 'ReadFile', '{"path":"ü.ts","limit":3}'), used(), { type: 'end', stop: 'tools' },
    ],
  },
  { name: 'the output limit', answer: { say: [{ text: 'Once upon' }], stop: 'max_tokens' }, events: (api) => [...told(api, 0, 'text', 'Once upon'), used(), { type: 'end', stop: 'max_tokens' }] },
  {
    name: 'all kinds of tokens',
    answer: { say: [{ text: 'Hi.' }], usage: { input: 10, cacheRead: 1000, cacheWrite: 0, output: 50, reasoning: 30 } },
    events: (api) => [...told(api, 0, 'text', 'Hi.'), { type: 'usage', usage: { input: 10, cacheRead: 1000, cacheWrite: 0, output: 50, reasoning: 30 }, costUsd: 0.00061 }, { type: 'end', stop: 'end' }],
  },
];

describe.each(WIRES)('$api', ({ api, protocol }) => {
  describe.each(CASES)('$name', ({ answer, events }) => {
    test.each(CHUNKS)('in writes of %i bytes', async (chunk) => {
      expect(await ask(protocol, [answer], { chunk })).toEqual(events(api));
    });
  });

  test.each(CHUNKS)('broken arguments are passed on raw and never repaired, in writes of %i bytes', async (chunk) => {
    const events = await ask(protocol, [{ say: [{ call: 'WriteFile', raw: '{"path":"a.txt","cont' }], stop: 'max_tokens' }], { chunk });
    expect(events.at(-1)).toEqual({ type: 'end', stop: 'max_tokens' });
    expect(partsOf(events)).toMatchObject([{ type: 'tool_call', name: 'WriteFile', input: {}, problem: expect.stringContaining('not valid JSON') }]);
  });

  const about = { messages: 'Anthropic', responses: 'OpenAI', chat: 'DeepSeek' }[api];
  const variable = { messages: 'ANTHROPIC_API_KEY', responses: 'OPENAI_API_KEY', chat: 'DEEPSEEK_API_KEY' }[api];

  test('401: at once, with the key to set, and the key itself masked', async () => {
    expect(await ask(protocol, [refusal(401, 'authentication_error', `invalid key: ${KEY}`)])).toEqual([
      { type: 'error', error: { kind: 'auth', status: 401, message: `${about} did not accept the API key: invalid key: ••••cdef. Set ${variable}, or api_key in the configuration.` } },
    ]);
  });

  test('404: at once, with model and address', async () => {
    const url = { messages: '/v1/messages', responses: '/v1/responses', chat: '/chat/completions' }[api];
    const model = { messages: 'claude-sonnet-5-5', responses: 'gpt-6.2-sol', chat: 'deepseek-flash' }[api];
    const [event] = await ask(protocol, [refusal(404, 'not_found_error', 'model: test-model')]);
    expect(event).toEqual({ type: 'error', error: { kind: 'invalid_request', status: 404, message: `${about} knows no ${model} at ${server?.url}${url}: model: test-model. Check model and base_url.` } });
  });

  test.each([
    [429, 'rate_limit_error', 'rate_limit'], [529, 'overloaded_error', 'overloaded'], [503, 'overloaded_error', 'overloaded'], [500, 'api_error', 'server'], [408, 'timeout_error', 'timeout'],
  ] as const)('%i: three more tries, then the failure', async (status, type, kind) => {
    const reply = refusal(status, type, 'Not now', { 'retry-after': '2' });
    const events = await ask(protocol, [reply, reply, reply, reply]);
    expect(events.map((event) => (event.type === 'retrying' ? [event.failure.kind, event.attempt, event.waitMs] : event.type))).toEqual([[kind, 1, 2000], [kind, 2, 2000], [kind, 3, 2000], 'error']);
    expect(events.at(-1)).toMatchObject({ error: { kind, status, retryAfterMs: 2000, message: expect.stringMatching(/Not now.*\(4 tries\)$/) } });
  });

  test('a full window is known by its text, and not tried again', async () => {
    const text = { messages: 'prompt is too long: 205123 tokens > 200000 maximum', responses: 'Your input exceeds the context window of this model.', chat: "This model's maximum context length is 1048576 tokens." }[api];
    const events = await ask(protocol, [refusal(400, 'invalid_request_error', text)]);
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'context_overflow', status: 400 } }]);
  });

  const END = { messages: 'event: message_stop', responses: 'event: response.completed', chat: '"finish_reason":"stop"' }[api];
  const MIDDLE = 'world';
  const hello: Answer = { say: [{ text: 'Hello world' }] };

  describe.each([
    ['is cut before its closing event', { kind: 'cut', before: END }],
    ['is cut in the middle of an event', { kind: 'cut', before: MIDDLE }],
    ['is reset', { kind: 'reset', before: MIDDLE }],
  ] as const)('a stream that %s', (_, fault) => {
    test.each([1, 4096])('is a network failure, and the partial answer is taken back (writes of %i bytes)', async (chunk) => {
      const events = await ask(protocol, [{ ...hello, fault }, hello], { chunk });
      const at = events.findIndex((event) => event.type === 'retrying');
      expect(events[at]).toMatchObject({ failure: { kind: 'network' }, attempt: 1, waitMs: 1000 });
      expect(events.slice(at + 1).map((event) => event.type)).toEqual(['part_start', 'part_delta', 'part_end', 'usage', 'end']);
      expect(partsOf(events)).toMatchObject([{ type: 'text', text: 'Hello world' }]);
    });
  });

  test('a stream that always breaks off ends in one failure', async () => {
    const events = sseBytes(api, hello).split(/(?<=\n\n)/);
    const reply: Reply = { bytes: events.slice(0, events.findIndex((event) => event.includes(END))).join('') };
    expect((await ask(protocol, [reply, reply, reply, reply])).at(-1)).toEqual({
      type: 'error', error: { kind: 'network', message: `The answer of ${about} broke off before its end. Check the network, or try again. (4 tries)` },
    });
  });

  test.each([1, 4096])('an error in mid-stream is tried again when it may pass (writes of %i bytes)', async (chunk) => {
    const code = api === 'messages' ? 'overloaded_error' : 'server_error';
    const failure: Failure = api === 'messages'
      ? { kind: 'overloaded', message: 'Anthropic is overloaded: Too busy. Try again later, or choose another model.' }
      : { kind: 'server', message: `${about} failed to answer: Too busy. Try again later.` };
    const events = await ask(protocol, [{ say: [{ text: 'Hel' }], error: { code, message: 'Too busy' } }, hello], { chunk });
    expect(events.find((event) => event.type === 'retrying')).toEqual({ type: 'retrying', failure, attempt: 1, waitMs: 1000 });
    expect(partsOf(events)).toMatchObject([{ type: 'text', text: 'Hello world' }]);
  });

  test('an error in mid-stream that will not pass is the end', async () => {
    const events = await ask(protocol, [{ say: [{ text: 'Hel' }], error: { code: 'invalid_request_error', message: 'Bad things' } }]);
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { kind: 'invalid_request' } });
    expect(server?.requests).toHaveLength(1);
  });

  test('an abort in mid-answer ends with `aborted`, keeps what came, and closes the socket', async () => {
    server = await startSseServer({ replies: [{ ...hello, fault: { kind: 'stall', before: MIDDLE } }] });
    const provider = await providerFor(protocol, server.url);
    const controller = new AbortController();
    const events: ProviderEvent[] = [];
    for await (const event of provider.stream(requestOf(), controller.signal)) {
      events.push(event);
      if (event.type === 'part_delta') controller.abort();
    }
    expect(endsOnce(events)).toBe(true);
    expect(events.at(-1)).toEqual({ type: 'error', error: { kind: 'aborted', message: 'Cancelled.' } });
    expect(partsOf(events)).toEqual([{ type: 'text', text: 'Hello' }]);
    expect(await server.requests[0]?.hungUp).toBe(true);
  });

  test('an abort before the answer begins closes the socket, and one before the request sends none', async () => {
    server = await startSseServer({ replies: [{ bytes: '', fault: { kind: 'stall' } }] });
    const provider = await providerFor(protocol, server.url);
    const controller = new AbortController();
    const running = collect(provider.stream(requestOf(), controller.signal));
    const sent = await server.request(0);
    controller.abort();
    const aborted = [{ type: 'error', error: { kind: 'aborted', message: 'Cancelled.' } }];
    expect(await running).toEqual(aborted);
    expect(await sent.hungUp).toBe(true);
    expect(await collect(provider.stream(requestOf(), controller.signal))).toEqual(aborted);
    expect(server.requests).toHaveLength(1);
  });

  test('an answer that is no stream is said to be none', async () => {
    const events = await ask(protocol, [{ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' }]);
    expect(events).toMatchObject([{ type: 'error', error: { kind: 'invalid_request', message: expect.stringContaining('not with a stream: <html>Welcome</html> Check base_url.') } }]);
  });

  test('nobody there: says where', async () => {
    const gone = await startSseServer({ replies: [] });
    await gone.close();
    const provider = await providerFor(protocol, gone.url);
    const events = await collect(provider.stream(requestOf(), new AbortController().signal));
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { kind: 'network', message: expect.stringMatching(/^Nothing answers at http:\/\/127\.0\.0\.1:\d+\/.*Is it running\? Check base_url\. \(4 tries\)$/) } });
  });

  test('garbage in place of JSON is a network failure', async () => {
    const bytes = 'event: message_start\ndata: {"type": "mess\n\n';
    const events = await ask(protocol, [{ bytes }, hello]);
    expect(events.find((event) => event.type === 'retrying')).toMatchObject({ failure: { kind: 'network', message: `${about} sent something unreadable in mid-answer. Try again.` } });
    expect(partsOf(events)).toMatchObject([{ type: 'text', text: 'Hello world' }]);
  });

  test('a finished answer is handed over at once, though the service keeps the connection open', async () => {
    server = await startSseServer({ replies: [{ ...hello, fault: { kind: 'stall' } }] });
    const provider = await providerFor(protocol, server.url, {}, { clock: { now: () => 0, wait: (_, signal) => new Promise((resolve) => { signal.addEventListener('abort', () => resolve(), { once: true }); }) } });
    expect((await collect(provider.stream(requestOf(), new AbortController().signal))).at(-1)).toEqual({ type: 'end', stop: 'end' });
  });

  test('a connection serves more than one request', async () => {
    server = await startSseServer({ replies: [hello, hello, hello] });
    const provider = await providerFor(protocol, server.url, {}, { clock: systemClock });
    for (let count = 0; count < 3; count += 1) {
      expect((await collect(provider.stream(requestOf(), new AbortController().signal))).at(-1)).toEqual({ type: 'end', stop: 'end' });
      // Its socket is given back in the next turn of the event loop.
      await setTimeout(10);
    }
    expect(new Set(server.requests.map((request) => request.port)).size).toBe(1);
  });
});
