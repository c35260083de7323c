// Whatever a service can do to an answer, in headless and on the screen: what is tried again, what is told, and what is left of the failed try.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAIN, makeProject, startMewcode } from '../helpers/mewcode.ts';
import type { Pty as App } from '../helpers/pty.ts';
import { startSseServer, type Reply, type SseServer } from '../helpers/sse-server.ts';

type Api = 'messages' | 'responses' | 'chat';
const PROTOCOLS: Record<Api, string> = { messages: 'anthropic', responses: 'openai', chat: 'deepseek' };
const APIS = Object.keys(PROTOCOLS) as Api[];

/** What a broken try says before it breaks, and what a good one says. */
const PARTIAL = 'Halfway there';
const GOOD: Reply = { say: [{ text: 'All is well.' }] };
const broken = (fault: NonNullable<Reply['fault']>): Reply => ({ say: [{ text: `${PARTIAL} and then some` }], fault });
const status = (code: number, headers: Record<string, string>, type = 'overloaded_error'): Reply => ({ status: code, headers, body: { type: 'error', error: { type, code: type, message: 'says the service' } } });

/** Where the words after the partial ones begin: each word is an event of its own. */
const MIDDLE = ' then';

/** Failures that may pass: one try fails, the next one answers. `said`: what the wait is explained with. */
const PASSING: { name: string; reply: () => Reply; said: RegExp }[] = [
  { name: '429 with retry-after in seconds', reply: () => status(429, { 'retry-after': '1' }, 'rate_limit_error'), said: /limits how often it may be asked: says the service/ },
  { name: '429 with retry-after as a date', reply: () => status(429, { 'retry-after': new Date(Date.now() + 1_500).toUTCString() }, 'rate_limit_error'), said: /limits how often it may be asked/ },
  { name: '529', reply: () => status(529, { 'retry-after': '0' }), said: /is overloaded: says the service/ },
  { name: '500', reply: () => status(500, { 'retry-after': '0' }, 'api_error'), said: /failed to answer \(status 500\)/ },
  { name: 'a reset before the first event', reply: () => ({ ...GOOD, fault: { kind: 'reset', before: 'data:' } }), said: /broke off/ },
  { name: 'a reset in mid-answer', reply: () => broken({ kind: 'reset', before: MIDDLE }), said: /broke off/ },
  { name: 'an answer that ends too early', reply: () => broken({ kind: 'cut', before: MIDDLE }), said: /broke off before its end|sent something unreadable/ },
  { name: 'an error in mid-answer', reply: () => ({ say: [{ text: PARTIAL }], error: { code: 'overloaded_error', message: 'says the service' } }), said: /is overloaded: says the service/ },
];

/** Failures that no new try would mend. `said`: the sentence. */
const LASTING: { name: string; reply: () => Reply; said: RegExp; partial?: boolean }[] = [
  { name: 'a refusal', reply: () => ({ say: [{ text: PARTIAL }], stop: 'refusal' }), said: /declined|content filter/, partial: true },
  { name: 'a content filter', reply: () => status(400, {}, 'content_filter'), said: /The content filter of .* refused the request/ },
  { name: 'a window that is full', reply: () => ({ status: 400, body: { error: { type: 'invalid_request_error', message: 'prompt is too long: 205123 tokens > 200000 maximum' } } }), said: /The conversation is too long for test-model/ },
  { name: 'a key that is refused', reply: () => status(401, {}, 'authentication_error'), said: /did not accept the API key/ },
  { name: 'a request that is refused', reply: () => status(400, {}, 'invalid_request_error'), said: /did not accept the request: says the service/ },
  { name: 'a page of HTML', reply: () => ({ status: 200, body: '<html>Log in</html>', headers: { 'content-type': 'text/html' } }), said: /answered at .* with text\/html, not with a stream/ },
];

const servers: SseServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

async function serve(replies: readonly Reply[]): Promise<SseServer> {
  const server = await startSseServer({ replies, strict: true });
  servers.push(server);
  return server;
}

const configFor = (api: Api, url: string) => `protocol: ${PROTOCOLS[api]}\nmodel: test-model\nbase_url: ${url}/v1\napi_key: test-key-0123456789\ncontext_window: 100K\nmax_tokens: 8K\n`;

type Ran = { code: number | null; stdout: string; stderr: string; log: string };

/** One prompt without a screen. */
async function headless(api: Api, server: SseServer, args: readonly string[] = []): Promise<Ran> {
  const cwd = makeProject({ 'my.yaml': configFor(api, server.url) });
  const home = makeProject();
  const child = spawn(process.execPath, [MAIN, '-p', 'hello', '--config', 'my.yaml', ...args], { cwd, env: { PATH: process.env['PATH'], HOME: home, MEWCODE_HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] });
  const ran: Ran = { code: null, stdout: '', stderr: '', log: '' };
  child.stdout.on('data', (chunk: Buffer) => { ran.stdout += chunk.toString(); });
  child.stderr.on('data', (chunk: Buffer) => { ran.stderr += chunk.toString(); });
  ran.code = await new Promise((resolve) => { child.on('close', resolve); });
  const sessions = join(cwd, '.mewcode', 'session');
  ran.log = readFileSync(join(sessions, readdirSync(sessions)[0] ?? '', 'events.jsonl'), 'utf8');
  return ran;
}

/** The app with the prompt sent. */
async function screen(api: Api, server: SseServer): Promise<App> {
  const app = startMewcode({ cwd: makeProject(), config: configFor(api, server.url), args: ['hello'], outlives: true });
  await app.waitFor(/ctx /);
  return app;
}

async function leave(app: App): Promise<void> {
  app.write('/exit\r');
  expect(await app.exited).toEqual({ code: 0, signal: undefined });
}

/** The parts of the last answer as the log has them after everything that was taken back. */
function kept(log: string): string[] {
  const texts = new Map<string, string[]>();
  for (const line of log.trimEnd().split('\n')) {
    const event = JSON.parse(line) as { type: string; role?: string; messageId?: string; part?: { type: string; text?: string }; message?: { id: string; parts: unknown[] } };
    if (event.type === 'message' && event.message?.parts.length === 0) texts.delete(event.message.id);
    if (event.type === 'part' && event.role === 'assistant' && event.part?.type === 'text') texts.set(event.messageId ?? '', [...(texts.get(event.messageId ?? '') ?? []), event.part.text ?? '']);
  }
  return [...texts.values()].flat();
}

/** At most so many programs at once: each takes a while to start, and then mostly waits. */
const SIDE_BY_SIDE = 6;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= SIDE_BY_SIDE) await new Promise<void>((resolve) => { waiting.push(resolve); });
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

/** What the chat pane says, as one line. */
const chatOf = (app: App): string => app.text().split('\n').map((row) => (row.split('│')[1] ?? '').trim()).join(' ');

/** All runs of a table of faults, each over every wire in headless and over one of them on the screen, begun together. */
function runsOf(faults: readonly { reply: () => Reply; said: RegExp }[], passing: boolean) {
  const runs = faults.map(({ reply, said }, index) => ({
    headless: APIS.map((api) => inTurn(async () => {
      const server = await serve([reply(), GOOD]);
      return { api, ...(await headless(api, server)), requests: server.requests };
    })),
    screen: inTurn(async () => {
      const server = await serve([reply(), GOOD, GOOD]);
      const app = await screen(APIS[index % APIS.length] ?? 'chat', server);
      await app.waitFor((seen) => (passing ? /All is well\./ : said).test(chatOf(seen)), { timeoutMs: 20_000 });
      const first = chatOf(app);
      app.write('and now?\r');
      await app.waitFor(passing ? () => server.requests.length === 3 : 'All is well.', { timeoutMs: 20_000 });
      await leave(app);
      return { first, last: JSON.stringify(server.requests.at(-1)?.body) };
    }),
  }));
  for (const run of runs) for (const promise of [...run.headless, run.screen]) promise.catch(() => {});
  return runs;
}

describe('what may pass is tried again', () => {
  let runs: ReturnType<typeof runsOf> = [];
  beforeAll(() => { runs = runsOf(PASSING, true); });

  test.each(PASSING.map((fault, index) => ({ ...fault, index })))('$name', async ({ said, index }) => {
    for (const { api, code, stdout, stderr, log, requests } of await Promise.all(runs[index]?.headless ?? [])) {
      expect({ api, code, stdout, kept: kept(log) }).toEqual({ api, code: 0, stdout: 'All is well.\n', kept: ['All is well.'] });
      expect(stderr).toMatch(said);
      expect(stderr).toMatch(/Trying again in \d s\./);
      expect(requests.length).toBe(2);
      expect(requests[1]?.body).toEqual(requests[0]?.body);
    }
  });

  test.each(PASSING.map((fault, index) => ({ ...fault, index })))('on the screen: $name', async ({ index }) => {
    const run = await runs[index]?.screen;
    expect(run?.first).not.toContain(PARTIAL);
    expect(run?.last).toContain('All is well.');
    expect(run?.last).not.toContain(PARTIAL);
  });
});

describe('what no new try would mend is told at once', () => {
  let runs: ReturnType<typeof runsOf> = [];
  beforeAll(() => { runs = runsOf(LASTING, false); });

  test.each(LASTING.map((fault, index) => ({ ...fault, index })))('$name', async ({ said, partial = false, index }) => {
    for (const { api, code, stdout, stderr, requests } of await Promise.all(runs[index]?.headless ?? [])) {
      expect({ api, code, stdout, requests: requests.length }).toEqual({ api, code: 1, stdout: partial ? `${PARTIAL}\n` : '', requests: 1 });
      expect(stderr).toMatch(said);
    }
  });

  test.each(LASTING.map((fault, index) => ({ ...fault, index })))('on the screen: $name; the session lives', async ({ index, partial = false }) => {
    const run = await runs[index]?.screen;
    expect(run?.last.includes(PARTIAL)).toBe(partial);
  });
});

describe('the wait', () => {
  test('is counted down on the screen, and Esc ends it', async () => {
    const server = await serve([status(429, { 'retry-after': '45' }, 'rate_limit_error'), GOOD]);
    const app = await screen('messages', server);
    await app.waitFor(/try 2 in 4\d seconds/);
    const first = /try 2 in (\d+) seconds/.exec(app.text())?.[1];
    await app.waitFor(({ text }) => Number(/try 2 in (\d+) seconds/.exec(text())?.[1]) < Number(first));
    app.write('\x1b');
    await app.waitFor(({ text }) => !/try 2 in/.test(text()));
    expect(server.requests.length).toBe(1);
    app.write('and now?\r');
    await app.waitFor('All is well.');
    await leave(app);
  });

  test('ends with Ctrl-C in headless, too', async () => {
    const server = await serve([status(429, { 'retry-after': '45' }, 'rate_limit_error')]);
    const cwd = makeProject({ 'my.yaml': configFor('chat', server.url) });
    const child = spawn(process.execPath, [MAIN, '-p', 'hello', '--config', 'my.yaml'], { cwd, env: { PATH: process.env['PATH'], HOME: cwd, MEWCODE_HOME: join(cwd, 'home') }, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.on('data', (chunk: Buffer) => { if (chunk.includes('Trying again in 45 s.')) child.kill('SIGINT'); });
    expect(await new Promise((resolve) => { child.on('close', resolve); })).toBe(130);
  });

  test('comes four times at most; then one sentence, and one object for programs', async () => {
    const server = await serve(Array.from({ length: 9 }, () => status(500, { 'retry-after': '0' }, 'api_error')));
    const { code, stdout } = await headless('responses', server, ['--output-format', 'json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ is_error: true, stop_reason: 'error', result: expect.stringMatching(/failed to answer \(status 500\).*\(4 tries\)$/) });
    expect(server.requests.length).toBe(4);
  });
});

describe('the output limit', () => {
  test.each(APIS)('an answer that was cut off goes on, over %s', async (api) => {
    const server = await serve([{ say: [{ text: 'The first half' }], stop: 'max_tokens' }, { say: [{ text: ' and the second.' }] }]);
    const { code, stdout } = await headless(api, server);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'The first half and the second.\n' });
    expect(JSON.stringify(server.requests[1]?.body)).toContain('cut off at the output limit');
  });

  test.each(APIS)('a call that was cut off is never run, over %s', async (api) => {
    const server = await serve([{ say: [{ call: 'Bash', raw: '{"command": "touch bro' }], stop: 'max_tokens' }, GOOD]);
    const { code, stdout, log } = await headless(api, server, ['--yolo']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'All is well.\n' });
    expect(log).not.toContain('"type":"tool_started"');
    expect(JSON.stringify(server.requests[1]?.body)).toMatch(/cut off at the output limit and was not run/);
  });
});
