// /provider and /model in mid-session: over three wires, with overrides and prices, through the log and back.
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { describe, expect, test, onTestFinished } from 'vitest';
import { startSseServer, type Reply, type SseServer } from '../helpers/sse-server.ts';
import { makeWorld, openApp, type Opened } from '../helpers/start-app.ts';

async function serve(replies: readonly Reply[], get?: (path: string) => Reply): Promise<SseServer> {
  const server = await startSseServer({ replies, ...(get && { get: (request) => get(request.path) }) });
  onTestFinished(() => server.close());
  return server;
}

const config = (url: string) => `
active: work
providers:
  work: {protocol: anthropic, model: claude-opus-4-6, base_url: ${url}, api_key: key-of-work-01}
  resp: {protocol: openai, model: gpt-5.6-sol, base_url: ${url}/v1, api_key: key-of-resp-01}
  cheap: {protocol: deepseek, model: deepseek-flash, base_url: ${url}, api_key: key-of-cheap-01}
models:
  other-model: {context_window: 64K, max_tokens: 4K, thinking: off}
pricing:
  other-model: {input: 100, output: 1000}
`;

const texts = ({ events }: Opened) => events.flatMap((event) => (event.type === 'notice' ? [event.view?.type === 'table' ? event.view.rows.map((row) => row.join(' | ')).join('\n') : event.text] : []));

const rows = (text = '') => text.split('\n');

const bodies = (server: SseServer) => server.requests.map(({ body }) => JSON.stringify(body));

const say = (text: string): Reply => ({ say: [{ thinking: `thought of ${text}`, signature: `seal-${text}` }, { text }, { call: 'LS', input: { path: '.' } }] });

test('the conversation stays, and what one wire wants back goes to that wire only', async () => {
  const done: Reply = { say: [{ text: 'done' }] };
  const server = await serve([say('one'), done, say('two'), done, say('three'), done, say('four'), done]);
  const { app } = await openApp(makeWorld(config(server.url)));
  for (const [name, prompt] of [['work', 'prompt-a'], ['resp', 'prompt-b'], ['cheap', 'prompt-c'], ['work', 'prompt-d']]) {
    await app.submit(`/provider ${name}`);
    await app.submit(prompt ?? '');
  }
  expect(server.requests.map(({ api, headers }) => [api, headers.authorization])).toEqual([
    ...Array.from({ length: 2 }, () => ['messages', 'Bearer key-of-work-01']),
    ...Array.from({ length: 2 }, () => ['responses', 'Bearer key-of-resp-01']),
    ...Array.from({ length: 2 }, () => ['chat', 'Bearer key-of-cheap-01']),
    ...Array.from({ length: 2 }, () => ['messages', 'Bearer key-of-work-01']),
  ]);
  const sent = bodies(server);
  const seen = (index: number) => ['prompt-a', 'prompt-b', 'prompt-c', 'prompt-d', 'seal-one', 'seal-two', 'thought of three', 'seal-four'].filter((word) => sent[index]?.includes(word));
  expect([1, 3, 5, 7].map(seen)).toEqual([
    ['prompt-a', 'seal-one'],
    ['prompt-a', 'prompt-b', 'seal-two'],
    ['prompt-a', 'prompt-b', 'prompt-c', 'thought of three'],
    ['prompt-a', 'prompt-b', 'prompt-c', 'prompt-d', 'seal-one', 'seal-four'],
  ]);
});

describe('/model', () => {
  test('switches the model of the same provider; overrides, price, window and limit apply, and the event says so', async () => {
    const usage = { input: 1_000, output: 100 };
    const server = await serve([{ say: [{ text: 'a' }], usage }, { say: [{ text: 'b' }], usage }]);
    const opened = await openApp(makeWorld(config(server.url)));
    const { app, events } = opened;
    await app.submit('hello');
    expect(app.state.get().meter).toMatchObject({ window: 1_000_000, costUsd: 0.0075 });
    await app.submit('/model other-model');
    await app.submit('again');
    expect(events.filter(({ type }) => type === 'model')).toMatchObject([{ provider: 'work', model: 'other-model', window: 64_000 }]);
    expect(server.requests.map(({ body }) => body)).toMatchObject([{ model: 'claude-opus-4-6' }, { model: 'other-model', max_tokens: 4_000 }]);
    expect(bodies(server)[1]).not.toContain('"thinking":');
    expect(app.state.get()).toMatchObject({ provider: 'work', model: 'other-model', meter: { window: 64_000, turnUsd: 0.2, costUsd: expect.closeTo(0.2075), models: { 'claude-opus-4-6': { costUsd: 0.0075 }, 'other-model': { costUsd: 0.2 } } } });
    await app.submit('/cost');
    expect(texts(opened).at(-1)?.split('\n')).toEqual([
      'this turn | 1,000 | 0 | 0 | 100 | $0.20', 'this session | 2,000 | 0 | 0 | 200 | $0.21',
      '  claude-opus-4-6 | 1,000 · $0.005 | 0 | 0 | 100 · $0.0025 | $0.0075', '  other-model | 1,000 · $0.10 | 0 | 0 | 100 · $0.10 | $0.20',
    ]);
  });

  test.each([
    ['/model cheap/some-model', 'cheap', 'some-model', 'chat'],
    ['/model vendor/some-model', 'work', 'vendor/some-model', 'messages'],
    ['/model openai/gpt-4.1', 'work', 'openai/gpt-4.1', 'messages'],
  ])('%s', async (line, provider, model, api) => {
    const server = await serve([{ say: [{ text: 'a' }] }]);
    const opened = await openApp(makeWorld(config(server.url)));
    await opened.app.submit(line);
    expect(opened.app.state.get()).toMatchObject({ provider, model });
    await opened.app.submit('hello');
    expect(server.requests[0]).toMatchObject({ api, body: { model } });
  });

  test('without an argument shows what answers; nobody knows the price of an unknown model', async () => {
    const server = await serve([]);
    const opened = await openApp(makeWorld(config(server.url)));
    await opened.app.submit('/model');
    await opened.app.submit('/model who-knows');
    expect(rows(texts(opened)[0])).toEqual([
      'provider | work', 'protocol | anthropic', 'model | claude-opus-4-6', 'window | 1M', 'max output | 128K', 'thinking | auto', 'tools | native',
      'price | $5.00 in, $25.00 out, $0.50 cache read, $6.25 cache write, for a million tokens', `address | ${server.url}/v1/messages`,
    ]);
    expect(rows(texts(opened)[1])).toEqual(expect.arrayContaining(['model | who-knows', 'window | 200K', 'max output | 8,192', 'price | $?', 'thinking | auto (none known of this model)']));
  });

  test('a mistake leaves everything as it was', async () => {
    const server = await serve([]);
    const opened = await openApp(makeWorld(config(server.url)));
    const before = opened.app.state.get();
    for (const line of ['/provider chaep', '/provider litellm', '/model a b']) await opened.app.submit(line);
    expect(opened.app.model()).toMatchObject({ provider: 'work', model: 'claude-opus-4-6' });
    expect([opened.app.state.get().provider, opened.app.state.get().model]).toEqual([before.provider, before.model]);
    expect(texts(opened)).toEqual([expect.stringMatching(/there is no provider `chaep`.*`cheap`/), expect.stringContaining('litellm needs a `base_url`'), 'A model has one name, without blanks. It is /model NAME or /model PROVIDER/NAME.']);
  });

  test('test streams a ping and times it, without tools', async () => {
    const server = await serve([{ say: [{ text: 'pong' }], usage: { input: 8, output: 2 } }, { status: 429, body: { error: { message: 'slow down' } } }, { status: 401, body: { error: { message: 'no' } } }]);
    const opened = await openApp(makeWorld(config(server.url)));
    for (const line of ['/model test', '/model test', '/model test']) await opened.app.submit(line);
    expect(server.requests[0]?.body).toMatchObject({ max_tokens: 64, messages: [{ role: 'user', content: [{ text: 'ping' }] }] });
    expect(server.requests[0]?.body).not.toHaveProperty('tools');
    expect(texts(opened)).toEqual([
      expect.stringMatching(/^first token \| \d+ ms\ntotal \| \d+ ms\ntokens \| 8 in, 2 out$/),
      'work/claude-opus-4-6 failed the test. Anthropic limits how often it may be asked: slow down. Wait a little, or choose another model.',
      expect.stringMatching(/^work\/claude-opus-4-6 failed the test\. Anthropic did not accept the API key: no\./),
    ]);
    expect(opened.app.state.get().messages).toEqual([]);
  });
});

describe('/provider', () => {
  test('lists what is configured where nobody can choose', async () => {
    const opened = await openApp(makeWorld(config('http://127.0.0.1:1')));
    await opened.app.submit('/provider');
    expect(texts(opened)).toEqual(['● work | anthropic | claude-opus-4-6\n  resp | openai | gpt-5.6-sol\n  cheap | deepseek | deepseek-flash']);
  });

  test('lets the user choose', async () => {
    const opened = await openApp(makeWorld(config('http://127.0.0.1:1')), { answer: (question) => (question.kind === 'choose' ? { kind: 'chosen', ids: ['cheap'] } : { kind: 'dismissed' }) });
    await opened.app.submit('/provider');
    expect(opened.app.model()).toMatchObject({ provider: 'cheap', model: 'deepseek-flash' });
  });
});

/** One session that switched to `cheap`, taken up again; what answers then. */
async function resumed(change: (world: ReturnType<typeof makeWorld>, url: string) => void, more: Parameters<typeof openApp>[1] = {}, first: Parameters<typeof openApp>[1] = {}) {
  const server = await serve([{ say: [{ text: 'a' }] }]);
  const world = makeWorld(config(server.url));
  const before = await openApp(world, first);
  if (!first.flags) await before.app.submit('/model cheap/other-model');
  await before.app.submit('hello');
  await before.app.close();
  change(world, server.url);
  const { app, events } = await openApp(world, { session: { kind: 'continue' }, ...more });
  const { provider, model, meter: { window } } = app.state.get();
  return { said: [provider, model, window, app.model().model], events, log: readFileSync(join(app.info.sessionDir ?? '', 'events.jsonl'), 'utf8') };
}

describe('a resumed session', () => {
  test('comes back with its model', async () => {
    const { said, log } = await resumed(() => {});
    expect(said).toEqual(['cheap', 'other-model', 64_000, 'other-model']);
    expect(log).toContain('"type":"model"');
  });

  test('with a model that a flag chose', async () => {
    const { said } = await resumed(() => {}, {}, { flags: { model: 'other-model' } });
    expect(said).toEqual(['work', 'other-model', 64_000, 'other-model']);
  });

  test('but a flag has the last word', async () => {
    expect((await resumed(() => {}, { flags: { model: 'gpt-4o', provider: 'resp' } })).said).toEqual(['resp', 'gpt-4o', 128_000, 'gpt-4o']);
  });

  test('and so has a configuration that was changed', async () => {
    expect((await resumed((world, url) => world.write(config(url).replace('claude-opus-4-6', 'claude-haiku-4-5')))).said).toEqual(['work', 'claude-haiku-4-5', 200_000, 'claude-haiku-4-5']);
  });

  test('a provider that is gone is told', async () => {
    const { said, events } = await resumed((world, url) => world.write(config(url).replace(/ {2}cheap:.*\n/, '')));
    expect(said[0]).toBe('work');
    expect(events).toContainEqual(expect.objectContaining({ type: 'notice', level: 'warn', text: expect.stringMatching(/^The session's model cheap\/other-model can't be used any more: .*there is no provider `cheap`/) }));
  });

  test('/clear keeps the switch, and the new session knows what was configured', async () => {
    const { app } = await openApp(makeWorld(config('http://127.0.0.1:1')));
    await app.submit('/provider cheap');
    app.clear();
    expect(app.state.get()).toMatchObject({ provider: 'cheap', model: 'deepseek-flash', configured: { provider: 'work', model: 'claude-opus-4-6' } });
  });
});
