// Providers as a user meets them: switched on the screen, looked at by doctor, reached through a proxy, logged.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MAIN, makeProject, startMewcode } from '../helpers/mewcode.ts';
import { startSseServer, type Reply, type SseServer } from '../helpers/sse-server.ts';

async function serve(replies: readonly Reply[]): Promise<SseServer> {
  const server = await startSseServer({ replies, strict: true, get: () => ({ status: 200, body: { data: [{ id: 'model-a', context_length: 50_000 }, { id: 'model-b' }] } }) });
  onTestFinished(() => server.close());
  return server;
}

const two = (url: string) => `active: first
providers:
  first: {protocol: anthropic, model: model-a, base_url: ${url}, api_key: key-of-first-0123}
  second: {protocol: openai-compatible, model: model-b, base_url: ${url}/v1, api_key: key-of-second-4567}
`;

/** A dialog takes keys only after a pause; a person makes one by reading. */
const READ_MS = 1_000;

test('switching from the palette and by name, with the conversation kept; the window follows the service', async () => {
  const server = await serve([{ say: [{ thinking: 'hm', signature: 'sealed' }, { text: 'Answer one.' }] }, { say: [{ text: 'Answer two.' }] }, { say: [{ text: 'pong' }] }]);
  const app = startMewcode({ cwd: makeProject(), config: two(server.url), args: ['question one'] });
  await app.waitFor('Answer one.');
  await app.waitFor(/\/50\.0K|\/50K/);
  app.write('\x10provider');
  await app.waitFor('/provider [NAME]');
  app.write('\r');
  await app.waitFor('Switch to which provider?');
  await new Promise((resolve) => { setTimeout(resolve, READ_MS); });
  app.write('2');
  await app.waitFor(/model-b · default/);
  await app.waitFor('/200K');
  app.write('question two\r');
  await app.waitFor('Answer two.');
  expect(server.requests.map(({ api, headers }) => [api, headers.authorization])).toEqual([['messages', 'Bearer key-of-first-0123'], ['chat', 'Bearer key-of-second-4567']]);
  const body = JSON.stringify(server.requests[1]?.body);
  expect(['question one', 'Answer one.', 'question two'].every((text) => body.includes(text))).toBe(true);
  expect(body).not.toContain('sealed');
  app.write('/model test\r');
  await app.waitFor(/first token/);
  app.write('/model first/model-b\r');
  await app.waitFor(/provider +│ first/);
  app.write('/exit\r');
  expect((await app.exited).code).toBe(0);
});

test('doctor in the shell and in the app', async () => {
  const server = await serve([]);
  const config = two(server.url);
  const app = startMewcode({ cwd: makeProject(), config, columns: 140 });
  await app.waitFor(/ctx /);
  app.write('/doctor\r');
  await app.waitFor(/ok +provider second/);
  app.write('/exit\r');
  await app.exited;
  const shell = startMewcode({ cwd: makeProject(), config: config.replace('key-of-first-0123', '"${NO_SUCH_KEY}"'), args: ['doctor'], columns: 200 });
  expect((await shell.exited).code).toBe(1);
  expect(shell.normalText()).toMatch(/fail +config .*NO_SUCH_KEY/);
});

test('--debug keeps what was sent and what came, without the key', async () => {
  const server = await serve([{ say: [{ text: 'Answer one.' }] }]);
  const cwd = makeProject();
  const app = startMewcode({ cwd, config: two(server.url), args: ['--debug', 'question one'] });
  await app.waitFor('Answer one.');
  app.write('/exit\r');
  expect((await app.exited).code).toBe(0);
  const file = join(cwd, '.mewcode', 'logs', 'requests.jsonl');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  expect([/question one/, /message_stop/, /"status":200/].every((wanted) => wanted.test(text))).toBe(true);
  expect(text).not.toMatch(/key-of-first|authorization/i);
});

test('a proxy of the environment carries the requests; without one nothing of it is loaded', async () => {
  const server = await serve([{ say: [{ text: 'Answer one.' }] }, { say: [{ text: 'Answer two.' }] }]);
  const asked: string[] = [];
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const there = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => { socket.write('HTTP/1.1 200 OK\r\n\r\n'); there.pipe(socket).pipe(there); });
    for (const end of [there, socket]) end.on('error', () => {});
  });
  await new Promise<void>((resolve) => { proxy.listen(0, '127.0.0.1', resolve); });
  onTestFinished(() => { proxy.closeAllConnections(); proxy.close(); });
  const { port } = proxy.address() as AddressInfo;
  for (const [env, answer, tunnels] of [[{ HTTP_PROXY: `http://127.0.0.1:${port}` }, 'Answer one.', 1], [{ HTTP_PROXY: `http://127.0.0.1:${port}`, no_proxy: 'localhost,127.0.0.1' }, 'Answer two.', 1]] as const) {
    const app = startMewcode({ cwd: makeProject(), config: two(server.url), args: ['question'], env });
    await app.waitFor(answer);
    app.kill();
    await app.exited;
    expect(asked.filter((host) => host === new URL(server.url).host).length).toBeGreaterThanOrEqual(tunnels);
  }
  expect(new Set(asked).size).toBe(1);
});

test('no answer depends on the variables of the shell', () => {
  const home = makeProject();
  const { status, stdout } = spawnSync(process.execPath, [MAIN, '-p', 'help', '--demo'], { cwd: makeProject(), env: { PATH: process.env['PATH'], HOME: home, MEWCODE_HOME: home, HTTPS_PROXY: 'http://127.0.0.1:1', MEWCODE_DEMO_RATE: '0' }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  expect(status).toBe(0);
  expect(stdout).not.toBe('');
  expect(existsSync(join(home, 'cache'))).toBe(false);
});
