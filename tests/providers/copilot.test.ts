// GitHub's device flow and Copilot's tokens against a loopback GitHub; no test waits.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/providers/clock.ts';
import { awaitLogin, requestDevice, type LoginEnd } from '../../src/providers/copilot-login.ts';
import { createProvider } from '../../src/providers/index.ts';
import type { ProviderEvent } from '../../src/types/provider.ts';
import { startSseServer, type SseServer } from '../helpers/sse-server.ts';
import { collect, requestOf, settingsOf } from './wires.ts';

type Told = { path: string; body: string; authorization: string | undefined };
/** `reset` breaks the connection. */
type Answer = { status?: number; body: unknown } | 'reset';
type GitHub = { url: string; asked: Told[]; close(): Promise<void> };

const open: { close(): Promise<void> }[] = [];
afterEach(async () => { for (const server of open.splice(0)) await server.close(); });

async function startGitHub(answers: readonly Answer[]): Promise<GitHub> {
  const asked: Told[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const answer = answers[asked.push({ path: request.url ?? '', body, authorization: request.headers.authorization }) - 1] ?? { status: 500, body: 'script end' };
    if (answer === 'reset') return void request.socket.resetAndDestroy();
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const github = { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => new Promise<void>((resolve) => { server.close(() => resolve()); server.closeAllConnections(); }) };
  open.push(github);
  return github;
}

/** Time passes only by waiting for it. */
function fakeClock(start = 1_800_000_000_000): Clock & { waits: number[]; at: number } {
  const clock = {
    waits: [] as number[], at: start,
    now: () => clock.at,
    wait: async (ms: number, signal: AbortSignal) => {
      if (signal.aborted) return;
      clock.waits.push(ms);
      clock.at += ms;
      await new Promise((resolve) => { setImmediate(resolve); });
    },
  };
  return clock;
}

const DEVICE = { device_code: 'dev-1', user_code: 'AB\u001b[31mCD-1234', verification_uri: 'https://github.com/login/device', interval: 5, expires_in: 900 };
const pending = { body: { error: 'authorization_pending' } };
const TOKEN = 'gho_abcdefghijklmnopqrstuvwxyz0123456789';

async function flow(answers: readonly Answer[], options: { expires?: number; abortAt?: number } = {}): Promise<{ end: LoginEnd; waits: number[]; github: GitHub }> {
  const github = await startGitHub([{ body: { ...DEVICE, expires_in: options.expires ?? 900 } }, ...answers]);
  const clock = fakeClock();
  const controller = new AbortController();
  const given = { clientId: 'client-1', host: github.url, signal: controller.signal, clock: { ...clock, wait: async (ms: number, signal: AbortSignal) => { await clock.wait(ms, signal); if (clock.waits.length === options.abortAt) controller.abort(); } } };
  const device = await requestDevice(given);
  const end = await awaitLogin(device, given);
  return { github, waits: clock.waits, end: end.kind === 'failed' ? { ...end, message: end.message.replaceAll(github.url, 'HOST') } : end };
}

describe('the device flow', () => {
  test('asks for a code and waits for the token, as GitHub wants it', async () => {
    const { end, waits, github } = await flow([pending, pending, { body: { access_token: TOKEN, token_type: 'bearer', scope: 'read:user' } }]);
    expect(end).toEqual({ kind: 'done', token: TOKEN });
    expect(waits).toEqual([5_000, 5_000, 5_000]);
    expect(github.asked.map(({ path, body }) => [path, JSON.parse(body) as unknown])).toEqual([
      ['/login/device/code', { client_id: 'client-1', scope: 'read:user' }],
      ...[1, 2, 3].map(() => ['/login/oauth/access_token', { client_id: 'client-1', device_code: 'dev-1', grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }]),
    ]);
  });

  test('the code is cleaned for the screen', async () => {
    const { url } = await startGitHub([{ body: DEVICE }]);
    expect(await requestDevice({ clientId: 'c', host: `${url}/`, signal: new AbortController().signal, clock: fakeClock(0) })).toEqual({ userCode: 'ABCD-1234', url: DEVICE.verification_uri, deviceCode: 'dev-1', intervalMs: 5_000, expiresMs: 900_000 });
  });

  test.each<[string, Answer[], LoginEnd, number[], { expires?: number; abortAt?: number }?]>([
    ['slow_down', [{ body: { error: 'slow_down' } }, { body: { error: 'slow_down', interval: 30 } }, { body: { access_token: TOKEN } }], { kind: 'done', token: TOKEN }, [5_000, 10_000, 30_000]],
    ['expired', [pending, { body: { error: 'expired_token' } }], { kind: 'expired' }, [5_000, 5_000]],
    ['expired by the clock', [pending, pending, pending], { kind: 'expired' }, [5_000, 5_000], { expires: 8 }],
    ['denied', [pending, { body: { error: 'access_denied' } }], { kind: 'denied' }, [5_000, 5_000]],
    ['cancelled', [pending, pending], { kind: 'cancelled' }, [5_000, 5_000], { abortAt: 2 }],
    ['a network that comes back', ['reset', { status: 502, body: {} }, { body: { access_token: TOKEN, expires_in: 60 } }], { kind: 'done', token: TOKEN, expiresAt: 1_800_000_075_000 }, [5_000, 5_000, 5_000]],
    ['a network that does not', ['reset', 'reset', 'reset', 'reset', 'reset'], { kind: 'failed', message: 'HOST could not be asked 5 times in a row (ECONNRESET).' }, [5_000, 5_000, 5_000, 5_000, 5_000]],
    ['a refusal', [{ body: { error: 'incorrect_device_code', error_description: 'No.' } }], { kind: 'failed', message: 'HOST refused the login (status 200: incorrect_device_code, No.).' }, [5_000]],
  ])('%s', async (_name, answers, expected, waits, options) => {
    const got = await flow(answers, options);
    expect({ end: got.end, waits: got.waits }).toEqual({ end: expected, waits });
  });

  test.each<[Answer, string]>([
    [{ status: 404, body: {} }, 'HOST knows no OAuth app with the client id c. Check copilot.client_id in the configuration.'],
    [{ body: { error: 'device_flow_disabled' } }, 'The OAuth app does not allow the device flow. Switch on "Enable Device Flow" in its settings on GitHub.'],
    [{ status: 500, body: {} }, 'HOST gave no code for the login (status 500). Try again later, and check copilot.host and copilot.client_id.'],
    [{ body: { ...DEVICE, verification_uri: 'javascript:alert(1)' } }, 'HOST gave no code for the login (status 200). Try again later, and check copilot.host and copilot.client_id.'],
    ['reset', "HOST can't be reached (ECONNRESET). Check the network, and copilot.host in the configuration."],
  ])('no code: %j', async (answer, message) => {
    const { url } = await startGitHub([answer]);
    const error = await requestDevice({ clientId: 'c', host: url, signal: new AbortController().signal }).catch((thrown: unknown) => thrown as { text: string });
    expect('text' in error && error.text.replaceAll(url, 'HOST')).toBe(message);
  });
});

const short = (token: string, seconds = 1_800, more = {}) => ({ body: { token, expires_at: 1_800_000_000 + seconds, endpoints: { api: 'COPILOT' }, ...more } });

describe('tokens', () => {
  const HI = { say: [{ text: 'Hi.' }] };

  async function ask(answers: readonly Answer[], { times = 1, baseUrl, replies, between }: { times?: number; baseUrl?: string; replies?: Parameters<typeof startSseServer>[0]['replies']; between?(clock: { at: number }): void } = {}) {
    const copilot: SseServer = await startSseServer({ replies: replies ?? [HI, HI, HI] });
    open.push(copilot);
    const github = await startGitHub(answers.map((answer) => JSON.parse(JSON.stringify(answer).replaceAll('COPILOT', copilot.url)) as Answer));
    const clock = fakeClock();
    // The watchdog must not let time pass.
    const quiet: Clock = { now: clock.now, wait: (ms, signal) => (ms >= 15_000 ? new Promise((resolve) => { signal.addEventListener('abort', () => resolve(), { once: true }); }) : new Promise((resolve) => { setImmediate(resolve); })) };
    const settings = settingsOf('copilot', { apiKey: TOKEN, githubApi: `${github.url}/`, ...(baseUrl === 'COPILOT' && { baseUrl: copilot.url }) });
    const provider = await createProvider(settings, { clock: quiet });
    const ends: (ProviderEvent | undefined)[] = [];
    for (let time = 0; time < times; time += 1) {
      ends.push((await collect(provider.stream(requestOf(), new AbortController().signal))).at(-1));
      between?.(clock);
    }
    return { github, copilot, ends, sent: copilot.requests.map(({ path, headers }) => [path, headers['authorization']]) };
  }
  test('a short-lived one is fetched once, used where GitHub says, and nobody is impersonated', async () => {
    const { github, copilot, sent, ends } = await ask([short('tid=1;a')], { times: 2 });
    expect(ends).toEqual([{ type: 'end', stop: 'end' }, { type: 'end', stop: 'end' }]);
    expect(github.asked).toEqual([{ path: '/copilot_internal/v2/token', body: '', authorization: `token ${TOKEN}` }]);
    expect(sent).toEqual([['/chat/completions', 'Bearer tid=1;a'], ['/chat/completions', 'Bearer tid=1;a']]);
    expect(Object.keys(copilot.requests[0]?.headers ?? {}).filter((name) => /editor|copilot|vscode/.test(name))).toEqual([]);
  });

  test('it is renewed before it ends', async () => {
    const { sent } = await ask([short('one'), short('two', 9_000)], { times: 2, between: (clock) => { clock.at += 26 * 60_000; } });
    expect(sent.map(([, key]) => key)).toEqual(['Bearer one', 'Bearer two']);
  });

  test('one that the service refuses is fetched anew, once', async () => {
    const refused = { status: 401, body: { error: { message: 'token expired' } } };
    const { sent, ends } = await ask([short('one'), short('two')], { replies: [refused, HI] });
    expect({ ends, keys: sent.map(([, key]) => key) }).toEqual({ ends: [{ type: 'end', stop: 'end' }], keys: ['Bearer one', 'Bearer two'] });
  });

  test.each([403, 404])('where there is none (%d) the login itself is used', async (status) => {
    const { sent, github } = await ask([{ status, body: {} }], { baseUrl: 'COPILOT', times: 2 });
    expect(sent).toEqual([['/chat/completions', `Bearer ${TOKEN}`], ['/chat/completions', `Bearer ${TOKEN}`]]);
    expect(github.asked.length).toBe(1);
  });

  test('a configured address stays', async () => {
    expect((await ask([short('one', 1_800, { endpoints: { api: 'http://127.0.0.1:1' } })], { baseUrl: 'COPILOT' })).sent).toEqual([['/chat/completions', 'Bearer one']]);
  });

  test('what goes wrong is told without any secret', async () => {
    const lost = (await ask([{ status: 401, body: { message: TOKEN } }])).ends[0];
    expect(lost).toEqual({ type: 'error', error: { kind: 'auth', status: 401, message: 'GitHub no longer accepts the login of GitHub Copilot. Run mewcode auth login copilot.' } });
    const down = (await ask(['reset', 'reset', 'reset', 'reset'])).ends[0];
    expect(down).toMatchObject({ type: 'error', error: { kind: 'network' } });
    const again = await ask(['reset', short('one')]);
    expect(again.ends).toEqual([{ type: 'end', stop: 'end' }]);
    const echoed = await ask([short('secret-short-lived')], { replies: [{ status: 400, body: { error: { message: `bad secret-short-lived ${TOKEN}` } } }] });
    expect(JSON.stringify(echoed.ends)).not.toMatch(/secret-short-lived|gho_abc/);
    expect(echoed.ends[0]).toMatchObject({ error: { message: expect.stringContaining('bad ••••') as string } });
  });

  test('without a login the request says what to do', async () => {
    const provider = await createProvider(settingsOf('copilot', { apiKey: undefined }));
    expect(await collect(provider.stream(requestOf(), new AbortController().signal))).toEqual([{ type: 'error', error: { kind: 'auth', message: 'There is no API key for GitHub Copilot. Run mewcode auth login copilot.' } }]);
  });
});
