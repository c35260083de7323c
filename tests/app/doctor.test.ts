// mewcode doctor: what it says of each thing that may be wrong, with real servers, files and a real start.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { examine } from '../../src/app/doctor.ts';
import { doctorCode, doctorText } from '../../src/commands/doctor.ts';
import type { Check } from '../../src/types/command.ts';
import { startSseServer, type Reply } from '../helpers/sse-server.ts';
import { makeWorld, openApp, startOf } from '../helpers/start-app.ts';

const TERMINAL = { isTTY: true, columns: 80, rows: 24 };

async function serve(get: Reply, replies: readonly Reply[] = []) {
  const server = await startSseServer({ replies, get: () => get });
  onTestFinished(() => server.close());
  return server;
}

/** What it says of the providers. */
async function providers(config: string, options: { env?: Record<string, string>; patienceMs?: number } = {}): Promise<Check[]> {
  const { env = {}, ...rest } = options;
  const checks = await examine(startOf(makeWorld(config), { env }), { terminal: TERMINAL, ...rest });
  return checks.filter(({ what }) => what.startsWith('provider'));
}

const oneOf = (protocol: string, url: string) => `protocol: ${protocol}\nmodel: m1\nbase_url: ${url}\napi_key: key-0123456789abcdef\n`;
const plugin = (url: string) => `protocol: mattermost\nbase_url: ${url}/plugins/x\nmodel: m1\naccess_team: t\nmmauth_token: secret-0123456789\nmmuser_id: u\ncsrf_token: c\n`;
const LIST = { status: 200, body: { data: [{ id: 'm1' }, { id: 'm2' }] } };

const error = (status: number): Reply => ({ status, body: { error: { message: 'says who' } } });

describe('a provider', () => {
  test.each([
    ['anthropic', '/v1/models', { 'anthropic-version': '2026-10-21', 'x-api-key': 'key-0123456789abcdef' }],
    ['openai', '/v1/models', {}],
    ['deepseek', '/models', {}],
    ['litellm', '/model/info', {}],
  ])('%s is asked for its list with the key', async (protocol, path, headers) => {
    const server = await serve(LIST);
    expect(await providers(oneOf(protocol, server.url))).toEqual([{
      level: 'ok', what: `provider ${protocol}`, text: expect.stringMatching(new RegExp(`^${protocol}, m1 \\(active\\), key ••••cdef from .*config.yaml: 127.0.0.1:\\d+ answered in \\d+ ms$`)),
    }]);
    expect(server.asked).toMatchObject([{ method: 'GET', path, headers: { authorization: 'Bearer key-0123456789abcdef', ...headers } }]);
    expect(server.requests).toEqual([]);
  });

  test.each<[string, Reply, Reply[], string, string]>([
    ['401', error(401), [], 'fail', 'OpenAI did not accept the API key: says who. Set OPENAI_API_KEY, or api_key in the configuration.'],
    ['404 everywhere', error(404), [error(404)], 'fail', 'OpenAI knows no m1 at URL/v1/responses: says who. Check model and base_url.'],
    ['no list, but an endpoint', error(404), [error(400)], 'ok', 'answered in'],
    ['no list, and an endpoint that refuses the key', error(404), [error(401)], 'fail', 'did not accept the API key'],
    ['500', error(500), [], 'fail', 'OpenAI failed to answer (status 500): says who.'],
    ['429', error(429), [], 'fail', 'OpenAI limits how often it may be asked'],
    ['silence', { ...error(200), fault: { kind: 'stall' } }, [], 'fail', 'OpenAI did not answer in time at 127.0.0.1:'],
    ['a list without the model', { status: 200, body: { data: [{ id: 'm2' }] } }, [], 'warn', 'm1 is not among its 1 models. Did you mean m2?'],
  ])('%s', async (_name, get, replies, level, text) => {
    const server = await serve(get, replies);
    const checks = await providers(oneOf('openai', server.url), { patienceMs: 1_000 });
    expect(checks.map((check) => check.level)).toEqual([level]);
    expect(doctorText(checks)).toContain(text.replace('URL', server.url));
  });

  test('where nobody answers', async () => {
    const server = await startSseServer({ replies: [] });
    await server.close();
    expect(await providers(oneOf('openai', server.url))).toMatchObject([{ level: 'fail', text: expect.stringContaining(`Nothing answers at ${server.url}/v1/models. Is it running? Check base_url.`) }]);
    expect(await providers(oneOf('openai', 'http://no-such-host.invalid/v1'))).toMatchObject([{ level: 'fail', text: expect.stringContaining("The host no-such-host.invalid can't be found. Check the network and base_url.") }]);
  });

  test('every configured one is looked at, all at once, and one without a key is not asked', async () => {
    const server = await serve(LIST);
    const entry = (name: string, protocol: string) => `  ${name}: {protocol: ${protocol}, model: m1, base_url: ${server.url}, api_key: key-of-${name}-12345678}\n`;
    const checks = await providers(`active: b\nproviders:\n${entry('a', 'anthropic')}${entry('b', 'openai')}${entry('c', 'glm')}  d: {protocol: deepseek}\n  e: {protocol: litellm}\n`);
    expect(checks.map(({ level, what, text }) => [level, what, text.replace(/answered in \d+ ms|\d+$/, '…').replace(/127.0.0.1:\d+/, 'HOST').replace(/ from .*: HOST/, ': HOST')])).toEqual([
      ['ok', 'provider b', 'openai, m1 (active), key ••••5678: HOST …'],
      ['ok', 'provider a', 'anthropic, m1, key ••••5678: HOST …'],
      ['ok', 'provider c', 'glm, m1, key ••••5678: HOST …'],
      ['fail', 'provider d', 'deepseek, deepseek-flash: there is no key.'],
      ['fail', 'provider e', expect.stringContaining('litellm needs a `base_url`')],
    ]);
    expect(server.asked.length).toBe(3);
  });

  test('a login is made a token first', async () => {
    const server = await startSseServer({ replies: [], get: ({ path }) => (path.endsWith('/v2/token') ? { status: 200, body: { token: 'short-lived-0123', expires_at: 4_000_000_000, refresh_in: 1_500 } } : { ...LIST, body: { data: [{ id: 'm1' }] } }) });
    onTestFinished(() => server.close());
    const checks = await providers(`protocol: copilot\nmodel: m1\nbase_url: ${server.url}\napi_key: login-0123456789\ncopilot: {api: ${server.url}}\n`);
    expect(checks).toMatchObject([{ level: 'ok' }]);
    expect(server.asked.map(({ path }) => path)).toEqual(['/copilot_internal/v2/token', '/models']);
    expect(server.asked[1]?.headers.authorization).toBe('Bearer short-lived-0123');
  });

  test('one that has nothing to ask for need only be there', async () => {
    const server = await serve({ status: 403, body: 'Who are you?' });
    expect(await providers(plugin(server.url))).toMatchObject([{ level: 'ok', text: `mattermost, m1 (active): ${new URL(server.url).host} is there` }]);
    // Another port: a connection kept open to the first would be seen to break off instead.
    const gone = await serve({ status: 200, body: '' });
    await gone.close();
    expect(await providers(plugin(gone.url))).toMatchObject([{ level: 'fail', text: expect.stringContaining('Nothing answers at') }]);
  });

  test('the demo model needs nobody', async () => {
    expect(await providers('')).toEqual([{ level: 'ok', what: 'provider demo', text: 'demo, demo (active): nothing to reach' }]);
  });
});

describe('the rest', () => {
  test('a sound world, in order', async () => {
    const checks = await examine(startOf(makeWorld()), { terminal: TERMINAL });
    expect(checks.map(({ what }) => what)).toEqual(['node', 'terminal', 'config', 'config', 'provider demo', 'git', 'rg', 'sandbox', 'project']);
    expect(doctorCode(checks)).toBe(0);
  });

  test.each<[object, string]>([[{ isTTY: false }, 'this is not a terminal'], [{ isTTY: true, columns: 30, rows: 24 }, 'Make it at least 40 × 10.']])('terminal %j', async (terminal, text) => {
    const checks = await examine(startOf(makeWorld()), { terminal });
    expect(doctorText(checks.filter(({ what }) => what === 'terminal'))).toContain(text);
  });

  test('a broken configuration is one of the findings', async () => {
    const checks = await examine(startOf(makeWorld('protocl: openai\nthinking: purple\n')), { terminal: TERMINAL });
    const config = checks.find(({ what }) => what === 'config');
    expect(config).toMatchObject({ level: 'fail', text: expect.stringMatching(/protocl.*\n?.*thinking/s) });
    expect(doctorCode(checks)).toBe(1);
  });

  test('rules that can not be read, with which no session would begin', async () => {
    const world = makeWorld();
    writeFileSync(join(world.home, 'permissions.yaml'), 'allow:\n  - (x)\n  - {rule: LS, not_match: [a]}\n');
    const checks = await examine(startOf(world), { terminal: TERMINAL });
    expect(checks.filter(({ level }) => level === 'fail')).toEqual([{ level: 'fail', what: 'rules', text: '~/permissions.yaml:2: "(x)" is not a rule. A rule is Tool, Tool(glob) or tool:glob, like Bash(npm test *) or WriteFile(src/**).\n~/permissions.yaml:3: the rule LS matches its own example "a". Correct the rule or the example.' }]);
  });

  test('proxy and certificates', async () => {
    const checks = await examine(startOf(makeWorld(), { env: { HTTPS_PROXY: 'http://me:secret@proxy:1', NO_PROXY: 'x.y', NODE_EXTRA_CA_CERTS: '/no/such.pem' } }), { terminal: TERMINAL });
    expect(checks.filter(({ what }) => what === 'proxy' || what === 'certificates')).toMatchObject([{ level: 'ok', text: 'http://••••@proxy:1, not for x.y' }, { level: 'fail' }]);
  });

  test('programs that are not there', async () => {
    const checks = await examine(startOf(makeWorld('security: {sandbox: require}\n'), { env: { PATH: '/no/such/folder' } }), { terminal: TERMINAL });
    expect(checks.filter(({ what }) => ['git', 'rg', 'sandbox'].includes(what)).map(({ level, hint }) => [level, hint])).toEqual([
      ['warn', 'Install git.'], ['warn', 'Install ripgrep.'], ['fail', 'Install bubblewrap (apt install bubblewrap, dnf install bubblewrap).'],
    ]);
  });

  test('/doctor shows it in the chat', async () => {
    const { app, events } = await openApp(makeWorld());
    await app.submit('/doctor');
    expect(events.at(-1)).toMatchObject({ type: 'notice', view: { type: 'text', text: expect.stringMatching(/^ok {4}node .*\n.*Everything needed works\.$/s) } });
  });
});

test.each([['{}', 0, /^ok {4}config/m], ['protocl: x', 1, /^fail {2}config .*protocl.*\n/m]])('the subcommand, with %s', async (config, code, line) => {
  const { home, project } = makeWorld();
  writeFileSync(join(home, 'config.yaml'), config);
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../../src/main.ts'), 'doctor'], { cwd: project, env: { PATH: process.env['PATH'], HOME: home, MEWCODE_HOME: home } });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => { stdout += chunk.toString(); });
  expect(await new Promise((resolve) => { child.on('close', resolve); })).toBe(code);
  expect(stdout).toMatch(line);
});

test('MCP servers that are switched on are tried', async () => {
  const everything = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js');
  const world = makeWorld(`protocol: demo\nmcp_servers:\n  good: {command: "${process.execPath}", args: ["${everything}"]}\n  gone: {command: /no/such/program}\n  off: {command: /no/such/program, enabled: false}\n`);
  const checks = await examine(startOf(world), { terminal: TERMINAL });
  expect(checks.filter(({ what }) => what.startsWith('MCP'))).toEqual([
    { level: 'ok', what: 'MCP good', text: expect.stringMatching(/^stdio, \d+ tools$/) as string },
    { level: 'fail', what: 'MCP gone', text: expect.stringContaining('/no/such/program') as string, hint: 'mewcode mcp list -v shows how it is started.' },
  ]);
});
