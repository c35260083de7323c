// mewcode auth against a loopback GitHub: what it says, what it stores, and its exit codes.
import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { runAuth } from '../../src/app/auth.ts';
import { examine } from '../../src/app/doctor.ts';
import { parseAuth, type AuthAction } from '../../src/commands/auth.ts';
import { readLogin, storeLogin } from '../../src/config/credentials.ts';
import { makeWorld, type Made } from '../config/helpers.ts';

const TOKEN = 'gho_abcdefghijklmnopqrstuvwxyz0123456789';
const closers: (() => void)[] = [];
afterEach(() => { for (const close of closers.splice(0)) close(); });

async function github(answers: readonly object[]): Promise<string> {
  let asked = 0;
  const server = createServer((_request, response) => response.end(JSON.stringify(answers[asked++] ?? { error: 'script end' })));
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  closers.push(() => { server.close(); server.closeAllConnections(); });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function auth(action: AuthAction, world: Made, signal = new AbortController().signal): Promise<{ code: number; said: string }> {
  let said = '';
  let at = 1_800_000_000_000;
  const clock = { now: () => at, wait: async (ms: number) => { at += ms; } };
  const start = { paths: world.paths, env: {}, trust: false, load: (_trusted: boolean, choice?: { provider?: string }) => world.load(choice ? { flags: choice } : {}) };
  const code = await runAuth(action, start, { signal, out: (text) => { said += text; }, fetch, clock });
  return { code, said: said.replaceAll(world.paths.userDir, 'HOME') };
}

const DEVICE = { device_code: 'd', user_code: 'ABCD-\u001b[2J1234', verification_uri: 'https://github.com/login/device', interval: 5, expires_in: 900 };
const WAITING = 'Open https://github.com/login/device and enter this code:\n\n    ABCD-1234\n\nIt is good for 15 minutes. Waiting (Ctrl-C stops) …\n';
const worldFor = (host: string): Made => makeWorld({ files: { '~/.mewcode/config.yaml': `protocol: copilot\ncopilot: {client_id: c1, host: "${host}"}\n` } });

test('login, status, logout', async () => {
  const host = await github([DEVICE, { error: 'authorization_pending' }, { access_token: TOKEN }, { token: 'tid=1', expires_at: 1_800_003_600 }]);
  const world = worldFor(host);
  expect(await auth('login', world)).toEqual({ code: 0, said: `${WAITING}You are logged in. The login is kept in HOME/credentials.json; mewcode --provider copilot uses it.\n` });
  expect(readLogin(world.paths.credentials, 'copilot')).toEqual({ token: TOKEN, host, api: `${host}/api/v3`, at: 1_800_000_010_000 });
  expect(statSync(world.paths.credentials).mode & 0o777).toBe(0o600);
  expect(await auth('status', world)).toEqual({ code: 0, said: `* copilot  copilot  key ••••6789 from mewcode auth login; logged in at ${new URL(host).host} since 2027-01-15; its token of the moment ends at 09:00 UTC and is renewed by itself\n` });
  expect(await auth('logout', world)).toEqual({ code: 0, said: `The login is forgotten here. To withdraw it at GitHub as well: ${host}/settings/applications\n` });
  expect(await auth('logout', world)).toEqual({ code: 0, said: 'You were not logged in.\n' });
  expect(await auth('status', world)).toEqual({ code: 0, said: '* copilot  copilot  no key; not logged in. Run mewcode auth login copilot\n' });
});

test.each<[object, string]>([
  [{ error: 'access_denied' }, 'The login was denied on GitHub. Nothing was stored.\n'],
  [{ error: 'expired_token' }, 'The code ran out before it was entered. Run mewcode auth login copilot again. Nothing was stored.\n'],
])('%j', async (answer, said) => {
  const world = worldFor(await github([DEVICE, answer]));
  expect(await auth('login', world)).toEqual({ code: 1, said: `${WAITING}${said}` });
  expect(existsSync(world.paths.credentials)).toBe(false);
});

test('cancelled', async () => {
  const stop = new AbortController();
  const world = worldFor(await github([DEVICE]));
  const pending = auth('login', world, stop.signal);
  // Refused or cancelled, whichever is first: nothing is stored.
  stop.abort();
  await expect(pending).rejects.toMatchObject({ text: 'Cancelled.' });
  expect(existsSync(world.paths.credentials)).toBe(false);
});

test('without a client id it says how to get one', async () => {
  await expect(auth('login', makeWorld({}))).rejects.toMatchObject({ message: 'There is no client id to log in to GitHub Copilot with.', hint: expect.stringContaining('copilot: {client_id: YOUR_ID}') as string });
});

test('status tells of every provider, and a login that is not configured', async () => {
  const world = makeWorld({
    files: { '~/.mewcode/config.yaml': 'active: work\nproviders:\n  work: {protocol: anthropic, api_key: "${OWN}"}\n  mm: {protocol: mattermost, base_url: "http://m", mmauth_token: mm-token-0123456789}\n  try: {protocol: demo}\n  bad: {protocol: openai, api_key: "${NOT_SET}"}\n' },
    env: { OWN: 'sk-ant-0123456789abcdefghijkl' },
  });
  storeLogin(world.paths.credentials, 'copilot', { token: TOKEN, host: 'https://github.com', api: 'https://api.github.com', at: 0, expiresAt: 60_000 });
  expect((await auth('status', world)).said.split('\n')).toEqual([
    '* work     anthropic   key ••••ijkl from ~/.mewcode/config.yaml: ${OWN}',
    '  mm       mattermost  key ••••6789 from ~/.mewcode/config.yaml',
    '  try      demo        no key; needs none',
    expect.stringMatching(/^ {2}bad {6}\? {11}no key; .*NOT_SET is not set/) as string,
    '  copilot  copilot     key ••••6789 from mewcode auth login; logged in at github.com since 1970-01-01, until 1970-01-01 00:01 UTC',
    '',
  ]);
});

test.each<[string[], AuthAction | undefined | string]>([
  [['auth', 'login'], 'login'], [['auth', 'logout', 'copilot'], 'logout'], [['auth', 'status'], 'status'], [['auth', 'status', 'is', 'broken'], undefined], [['auth', 'is', 'broken'], undefined], [['author'], undefined],
  [['auth'], 'mewcode auth needs a word more. There are mewcode auth login, logout, status.'],
  [['auth', 'logn'], 'There is no mewcode auth logn. Did you mean login? There are mewcode auth login, logout, status.'],
  [['auth', 'login', 'openai'], 'There is no login for openai. Only copilot has one; other providers take a key: see mewcode auth status.'],
])('%j', (words, expected) => {
  const read = () => { try { return parseAuth(words); } catch (error) { return (error as { text: string }).text; } };
  expect(read()).toBe(expected);
});

test('doctor asks Copilot with the token of the moment', async () => {
  const host = await github([{ token: 'tid=1', expires_at: 4_000_000_000 }, { data: [{ id: 'gpt-4.1' }] }]);
  const world = makeWorld({ files: { '~/.mewcode/config.yaml': `protocol: copilot\nbase_url: ${host}\napi_key: ${TOKEN}\ncopilot: {host: "${host}"}\n` } });
  const checks = await examine({ paths: world.paths, env: {}, trust: false, version: '0', load: () => world.load() }, { fetch });
  expect(checks.find(({ what }) => what === 'provider copilot')).toMatchObject({ level: 'ok', text: expect.stringContaining('copilot, gpt-4.1 (active), key ••••6789') as string });
});
