// Stored logins: a file of mode 0600, never overwritten when damaged, and a provider found by it.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { githubApiOf, readLogin, storeLogin, type Login } from '../../src/config/credentials.ts';
import { makeFolder, makeWorld } from './helpers.ts';

const LOGIN: Login = { token: 'gho_secret_0123456789', host: 'https://github.com', api: 'https://api.github.com', at: 1 };
const FILE = '~/.mewcode/credentials.json';

test('is stored for nobody else to read, beside what else is there, and forgotten', () => {
  const file = join(makeFolder(), 'deep', 'credentials.json');
  expect(readLogin(file, 'copilot')).toBeUndefined();
  storeLogin(file, 'other', LOGIN);
  storeLogin(file, 'copilot', { ...LOGIN, expiresAt: 5 });
  expect({ mode: statSync(file).mode & 0o777, login: readLogin(file, 'copilot') }).toEqual({ mode: 0o600, login: { ...LOGIN, expiresAt: 5 } });
  storeLogin(file, 'copilot', undefined);
  expect([readLogin(file, 'copilot'), readLogin(file, 'other')]).toEqual([undefined, LOGIN]);
});

test.each(['{"copilot":', '[]', '{"copilot":{"token":"gho_secret_0123456789"}}'])('a damaged file is told without its content: %s', (text) => {
  const { paths, write } = makeWorld({});
  write(FILE, text);
  expect(() => readLogin(paths.credentials, 'copilot')).toThrow(`The stored logins in ${paths.credentials} are damaged.`);
  if (text !== '{"copilot":{"token":"gho_secret_0123456789"}}') expect(() => storeLogin(paths.credentials, 'copilot', LOGIN)).toThrow('damaged');
  expect(readFileSync(paths.credentials, 'utf8')).toBe(text);
});

describe('the configuration', () => {
  const files = { [FILE]: JSON.stringify({ copilot: LOGIN }) };
  test('finds Copilot by its login, behind every key, and keeps the token secret', async () => {
    const { provider, origins, secrets, hint } = await makeWorld({ files }).load();
    expect(provider).toMatchObject({ name: 'copilot', protocol: 'copilot', apiKey: LOGIN.token, githubApi: LOGIN.api });
    expect({ from: origins['api_key'], hint, secret: secrets.includes(LOGIN.token) }).toEqual({ from: 'mewcode auth login', hint: undefined, secret: true });
    expect((await makeWorld({ files, env: { DEEPSEEK_API_KEY: 'k' } }).load()).provider.protocol).toBe('deepseek');
    expect((await makeWorld({}).load()).provider.protocol).toBe('demo');
  });
  test('gives the login to nobody else, and a key that is configured counts more', async () => {
    expect((await makeWorld({ files, flags: { provider: 'openai' } }).load()).provider.apiKey).toBeUndefined();
    const own = await makeWorld({ files: { ...files, '~/.mewcode/config.yaml': 'protocol: copilot\napi_key: gho_mine\ncopilot: {host: "https://ghe.example"}\n' } }).load();
    expect(own.provider).toMatchObject({ apiKey: 'gho_mine', githubApi: 'https://ghe.example/api/v3' });
  });
  test('a damaged file is a warning', async () => {
    const { provider, warnings } = await makeWorld({ files: { [FILE]: 'oops' } }).load();
    expect({ protocol: provider.protocol, warnings }).toEqual({ protocol: 'demo', warnings: [expect.stringContaining('are damaged') as string] });
  });
});

test.each([['https://github.com', 'https://api.github.com'], ['https://acme.ghe.com/', 'https://api.acme.ghe.com'], ['http://127.0.0.1:80', 'http://127.0.0.1/api/v3']])('the API of %s', (host, api) => {
  expect(githubApiOf(host)).toBe(api);
});
