// Servers over HTTP: a real one by both transports, and hand-written ones that forget sessions, restart, and send too much.
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fromNpm, manage, remote, until } from './servers.ts';

const all = () => true;

/** The real server on a free port; gives its address once it listens. */
async function everything(transport: 'streamableHttp' | 'sse'): Promise<string> {
  const probe = createServer();
  await new Promise<void>((resolve) => { probe.listen(0, '127.0.0.1', resolve); });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => { probe.close(resolve); });
  const child = spawn(process.execPath, [fromNpm('everything'), transport], { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => { child.kill('SIGKILL'); });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => { said += chunk.toString(); });
  await until(() => said.includes(String(port)) || /listening|running/i.test(said));
  return `http://127.0.0.1:${port}`;
}

test.each([['streamableHttp', '/mcp'], ['sse', '/sse']] as const)('server-everything over %s', async (transport, path) => {
  const url = await everything(transport);
  const { manager, run, said } = manage([remote('web', `${url}${path}`, { timeoutMs: 20_000 })]);
  await manager.settled(all, 20_000);
  await until(() => said.length > 0);
  expect(said).toEqual([expect.stringMatching(/^info: Connected to 1 MCP server\(s\), \d\d tools registered$/)]);
  expect(await run('mcp_web_echo', { message: 'over the wire' })).toEqual({ ok: true, text: 'Echo: over the wire' });
  const lines: string[] = [];
  expect((await run('mcp_web_trigger-long-running-operation', { duration: 1, steps: 4 }, { progress: (text) => lines.push(text) })).ok).toBe(true);
  expect(lines[0]).toMatch(/\/4\n$/);
  const { signal } = new AbortController();
  expect((await manager.find('web')?.resources(signal))?.length).toBeGreaterThan(5);
  expect(await manager.find('web')?.readResource('demo://resource/dynamic/text/3', signal)).toMatchObject({ contents: [{ text: expect.stringContaining('Resource 3') }] });
});

type Handler = (message: { id?: number; method: string; params?: Record<string, unknown> }, request: IncomingMessage, response: ServerResponse) => void;

/** A server whose every message goes to `handle`. */
async function serve(handle: Handler, port = 0): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    if (request.method !== 'POST') { response.writeHead(405).end(); return; }
    let body = '';
    request.on('data', (chunk: Buffer) => { body += chunk.toString(); });
    request.on('end', () => handle(JSON.parse(body) as Parameters<Handler>[0], request, response));
  });
  await new Promise<void>((resolve) => { server.listen(port, '127.0.0.1', resolve); });
  onTestFinished(() => { server.closeAllConnections(); server.close(); });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, server };
}

const json = (response: ServerResponse, value: unknown, headers: Record<string, string> = {}) => response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

/** Answers as a server with one tool, `where`, that says which session asked. */
function answer({ id, method, params }: Parameters<Handler>[0], response: ServerResponse, session: string): void {
  if (id === undefined) { response.writeHead(202).end(); return; }
  const result = method === 'initialize' ? { protocolVersion: params?.['protocolVersion'], capabilities: { tools: {} }, serverInfo: { name: 'hand', version: '1' } }
    : method === 'tools/list' ? { tools: [{ name: 'where', inputSchema: { type: 'object' } }] }
      : { content: [{ type: 'text', text: session }] };
  json(response, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': session });
}

test.each([[404, 'Session not found'], [400, 'Bad Request: No valid session ID provided']])('a forgotten session (%i) is made anew and the call goes there', async (status, text) => {
  let session = 1;
  let initialized = 0;
  const { url } = await serve((message, request, response) => {
    if (message.method === 'initialize') initialized += 1;
    else if (request.headers['mcp-session-id'] !== `s${session}`) { response.writeHead(status).end(text); return; }
    answer(message, response, `s${session}`);
  });
  const { manager, run } = manage([remote('s', url)]);
  await manager.settled(all, 20_000);
  expect(await run('mcp_s_where')).toEqual({ ok: true, text: 's1' });
  session = 2;
  expect(await Promise.all([run('mcp_s_where'), run('mcp_s_where')])).toEqual([{ ok: true, text: 's2' }, { ok: true, text: 's2' }]);
  expect(initialized).toBe(2);
});

const handle: Handler = (message, _request, response) => answer(message, response, 'one');

test('a server that was away for a while is reached again', async () => {
  const { url, server } = await serve(handle);
  const { manager, run } = manage([remote('s', url)], { backoffMs: [100, 200, 400] });
  await manager.settled(all, 20_000);
  server.closeAllConnections();
  await new Promise((resolve) => { server.close(resolve); });
  // The pool of connections has to notice.
  await new Promise((resolve) => { setTimeout(resolve, 50); });
  const waiting = run('mcp_s_where');
  await new Promise((resolve) => { setTimeout(resolve, 150); });
  await serve(handle, Number(new URL(url).port));
  expect(await waiting).toEqual({ ok: true, text: 'one' });
});

test('headers go along, refusals and logins are named, and what is too long is not taken', async () => {
  const seen: unknown[] = [];
  const { url } = await serve((message, request, response) => {
    seen.push(request.headers['x-key']);
    if (message.method !== 'tools/call') return answer(message, response, 'one');
    const { where } = (message.params?.['arguments'] ?? {}) as { where?: string };
    if (where === 'long') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(`{"jsonrpc":"2.0","id":${message.id},"result":{"content":[{"type":"text","text":"`);
      const pour = () => { while (!response.destroyed) if (!response.write('x'.repeat(1_048_576))) { response.once('drain', pour); return; } };
      return pour();
    }
    response.writeHead(where === 'login' ? 401 : 403).end('no');
  });
  const { manager, run } = manage([remote('s', url, { timeoutMs: 20_000 }, { 'X-Key': 'secret' })]);
  await manager.settled(all, 20_000);
  expect(await run('mcp_s_where', { where: 'login' })).toEqual({ ok: false, text: '!MCP server "s": it wants a login' });
  expect(await run('mcp_s_where', {})).toEqual({ ok: false, text: '!MCP server "s": it refused (HTTP 403): the login or key does not allow this' });
  expect(await run('mcp_s_where', { where: 'long' })).toEqual({ ok: false, text: '!MCP server "s": The answer has more than 32 MiB, so it was not taken.' });
  expect(new Set(seen)).toEqual(new Set(['secret']));
});
