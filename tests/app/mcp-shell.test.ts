// mewcode mcp …: servers written, listed, tested and logged in to, by the built program with a home of its own.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { findProgram } from '../../src/lib/find-program.ts';
import { childEnv, spawnGroup } from '../../src/lib/spawn.ts';
import { makeProject, MAIN, ROOT } from '../helpers/mewcode.ts';

const home = mkdtempSync(join(tmpdir(), 'mewcode-home-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const closers: (() => void)[] = [];
afterEach(() => { for (const close of closers.splice(0)) close(); });

const project = makeProject({ 'package.json': '{}' }, { git: true });
const EVERYTHING = join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

async function mewcode(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  let [out, err] = ['', ''];
  const { code } = await spawnGroup([process.execPath, MAIN, ...args], {
    cwd: project, env: { ...childEnv(process.env), MEWCODE_HOME: home, MEWCODE_BROWSER: 'none', ...env }, timeoutMs: 60_000,
    onOutput: (chunk, stream) => { if (stream === 'stdout') out += chunk.toString(); else err += chunk.toString(); },
  }).done;
  return { code, out, err };
}
const rowsOf = (out: string) => out.split('\n').map((line) => line.trimEnd().split(/ {2,}/));
const json = (response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) => { response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body)); };
const bodyOf = async (request: IncomingMessage) => { let text = ''; for await (const chunk of request) text += String(chunk); return text; };
const servers = () => JSON.parse(readFileSync(join(home, 'mcp.json'), 'utf8')) as unknown;

it('adds in all spellings, refuses what can\'t be, removes', async () => {
  const added = async (args: readonly string[]) => (await mewcode(['mcp', 'add', ...args])).err;
  expect([
    await added(['web', 'https://example.com/mcp', '--header', 'Authorization: Bearer ${MCP_TOKEN}']),
    await added(['--transport', 'sse', 'old', 'https://example.com/sse', '-H', 'X-Key: a:b']),
    await added(['one', '--command', 'npx', '--env', 'LEVEL=info', '--env', 'A=b=c', '--', '-y', 'pkg']),
    await added(['two', '--transport', 'stdio', '--', 'npx', '-y', 'pkg', '--flag']),
    await added(['two', '--command', 'x']),
    await added(['bad name', '--command', 'x']),
    await added(['three', 'ftp://x']),
    await added(['three', 'https://x', '--env', 'A=b']),
    await added(['three', '--transport', 'http', '--', 'npx']),
    await added(['three']),
    (await mewcode(['mcp', 'remuve', 'x'])).err,
    (await mewcode(['mcp', 'remove', 'old'])).out,
    (await mewcode(['mcp', 'remove', 'onne'])).err,
  ]).toEqual([
    '', '', '', '',
    expect.stringContaining('has a server "two" already. mewcode mcp remove two takes it out.'),
    expect.stringContaining('"bad name" can\'t be the name of a server.'),
    expect.stringContaining('"ftp://x" is not an address. It looks like https://example.com/mcp.'),
    expect.stringContaining('--env goes with a command.'),
    expect.stringContaining('--transport http needs an address.'),
    expect.stringContaining('What is the server "three"?'),
    expect.stringContaining('Did you mean remove?'),
    expect.stringContaining('Removed MCP server old from '),
    expect.stringContaining('There is no MCP server "onne". Did you mean one?'),
  ]);
  expect(servers()).toEqual({ mcpServers: {
    web: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${MCP_TOKEN}' } },
    one: { command: 'npx', args: ['-y', 'pkg'], env: { LEVEL: 'info', A: 'b=c' } },
    two: { command: 'npx', args: ['-y', 'pkg', '--flag'] },
  } });
  expect(statSync(join(home, 'mcp.json')).mode & 0o777).toBe(0o600);
  rmSync(join(home, 'mcp.json'));
}, 60_000);

it('lists with what answers, tests, and leaves alone what stands elsewhere', async () => {
  writeFileSync(join(home, 'config.yaml'), `mcp_servers:\n  every: {command: "${process.execPath}", args: ["${EVERYTHING}"], env: {LEVEL: info}}\n  off: {command: nothing, enabled: false}\n  gone: {command: /no/such/program}\n`);
  const [listed, verbose, untested, tested, missing, removed] = await Promise.all([mewcode(['mcp', 'list']), mewcode(['mcp', 'list', '-v']), mewcode(['mcp', 'list', '--no-test']), mewcode(['mcp', 'test', 'every']), mewcode(['mcp', 'test', 'gone']), mewcode(['mcp', 'remove', 'every'])]);
  expect(rowsOf(listed.out)).toEqual([
    ['Testing server connections...'], [''], ['MCP Servers'], [''],
    ['Name', 'Type', 'URL/Command', 'Status', 'Connection'],
    ['every', 'stdio', `${process.execPath} ${EVERYTHING}`, 'Enabled', expect.stringMatching(/^OK \(\d+ tools\)$/)],
    ['off', 'stdio', 'nothing', 'Disabled', '-'],
    ['gone', 'stdio', '/no/such/program', 'Enabled', expect.stringContaining('/no/such/program')],
    [''],
  ]);
  expect(verbose.out).toContain('every: from ');
  expect(verbose.out).toContain('environment: LEVEL');
  expect(rowsOf(untested.out).map((row) => row.at(-1))).toEqual(['', 'MCP Servers', '', 'Connection', '-', '-', '-', '']);
  expect({ code: tested.code, first: tested.out.split('\n')[0] }).toEqual({ code: 0, first: expect.stringMatching(/^every \(stdio\): OK, connected in \d+ ms, ping \d+ ms$/) });
  expect({ code: missing.code, out: missing.out }).toEqual({ code: 1, out: expect.stringMatching(/^gone \(stdio\): /) });
  expect({ code: removed.code, err: removed.err }).toEqual({ code: 2, err: expect.stringContaining('"every" stands in ') });
  rmSync(join(home, 'config.yaml'));
}, 60_000);

it('a prompt that begins with mcp is a prompt', async () => {
  expect((await mewcode(['--demo', '-p', 'mcp servers are nice'])).code).toBe(0);
}, 30_000);

/** A server with its own authorization server. Tokens can be made to run out. */
async function startGuarded(): Promise<{ url: string; valid: Set<string>; refreshable: Set<string>; grants: string[] }> {
  const valid = new Set<string>();
  const refreshable = new Set<string>();
  const grants: string[] = [];
  const codes = new Map<string, string>();
  let ids = 0;
  let base = '';
  const server = createServer((request, response) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', base);
      const body = await bodyOf(request);
      if (pathname === '/.well-known/oauth-protected-resource/mcp') return json(response, 200, { resource: `${base}/mcp`, authorization_servers: [base] });
      if (pathname === '/.well-known/oauth-authorization-server') return json(response, 200, { issuer: base, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token`, registration_endpoint: `${base}/register`, response_types_supported: ['code'], code_challenge_methods_supported: ['S256'], token_endpoint_auth_methods_supported: ['none'] });
      if (pathname === '/register') return json(response, 201, { ...(JSON.parse(body) as object), client_id: `client-${(ids += 1)}` });
      if (pathname === '/authorize') {
        const code = `code-${(ids += 1)}`;
        codes.set(code, searchParams.get('redirect_uri') ?? '');
        const back = new URL(searchParams.get('redirect_uri') ?? '');
        back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
        return response.writeHead(302, { location: back.href }).end();
      }
      if (pathname === '/token') {
        const form = new URLSearchParams(body);
        const grant = form.get('grant_type') ?? '';
        const fits = grant === 'refresh_token' ? refreshable.has(form.get('refresh_token') ?? '') : codes.get(form.get('code') ?? '') === form.get('redirect_uri') && form.has('code_verifier');
        if (!fits) return json(response, 400, { error: 'invalid_grant' });
        grants.push(grant);
        const [access, refresh] = [`access-${(ids += 1)}`, `refresh-${ids}`];
        valid.add(access);
        refreshable.add(refresh);
        return json(response, 200, { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 3_600 });
      }
      if (!valid.has((request.headers.authorization ?? '').replace('Bearer ', ''))) return json(response, 401, {}, { 'www-authenticate': `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"` });
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      if (id === undefined) return response.writeHead(202).end();
      const results: Readonly<Record<string, object>> = { initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'guarded', version: '1' } }, 'tools/list': { tools: [{ name: 'hello', inputSchema: { type: 'object' } }] } };
      return json(response, 200, { jsonrpc: '2.0', id, result: results[method] ?? {} });
    })();
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  closers.push(() => { server.closeAllConnections(); server.close(); });
  return { url: `${base}/mcp`, valid, refreshable, grants };
}

it.skipIf(!findProgram('curl', process.env))('logs in by a browser, keeps the login, refreshes it, says when it is no longer good, forgets it', async () => {
  const { url, valid, refreshable, grants } = await startGuarded();
  // A browser that only follows where it is led.
  const browser = join(home, 'browser');
  writeFileSync(browser, '#!/bin/sh\nexec curl -sL "$1"\n');
  chmodSync(browser, 0o755);
  await mewcode(['mcp', 'add', 'guarded', url]);
  const state = async () => (await mewcode(['mcp', 'list'])).out.split('\n').find((line) => line.startsWith('guarded'))?.split(/ {2,}/).at(-1);
  const wanted = 'it wants a login: mewcode mcp login guarded, or /mcp login guarded in the app';
  const credentials = join(home, 'credentials.json');

  expect([await state(), existsSync(credentials)]).toEqual([wanted, false]);
  const login = await mewcode(['mcp', 'login', 'guarded'], { MEWCODE_BROWSER: browser });
  expect({ ...login, out: login.out.split('\n').at(-2) }).toEqual({ code: 0, err: '', out: expect.stringMatching(/^You are logged in to "guarded"\. The login is kept in .*credentials\.json\.$/) });
  expect(statSync(credentials).mode & 0o777).toBe(0o600);
  expect(await state()).toBe('OK (1 tool)');
  valid.clear();
  expect([await state(), grants]).toEqual(['OK (1 tool)', ['authorization_code', 'refresh_token']]);
  valid.clear();
  refreshable.clear();
  expect(await state()).toBe(wanted);
  expect((await mewcode(['mcp', 'login', 'guarded'], { MEWCODE_BROWSER: browser })).code).toBe(0);
  expect(await state()).toBe('OK (1 tool)');
  expect([(await mewcode(['mcp', 'logout', 'guarded'])).out, (await mewcode(['mcp', 'logout', 'guarded'])).out, await state()]).toEqual(['The login at "guarded" is forgotten here.\n', 'You were not logged in.\n', wanted]);
}, 60_000);
