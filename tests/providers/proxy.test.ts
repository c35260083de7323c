// The way out through a proxy: a real one on loopback that tunnels, and counts what it was asked for.
import { execFile, execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { proxiedFetch, proxyOf } from '../../src/providers/proxy.ts';
import { sseBytes } from '../helpers/sse-bytes.ts';
import { startSseServer } from '../helpers/sse-server.ts';
import { collect, providerFor, requestOf } from './wires.ts';

type Proxy = { url: string; port: number; asked: string[]; keys: (string | undefined)[] };

/** `status`: what it answers to every tunnel, instead of making one. */
async function startProxy(status?: number): Promise<Proxy> {
  const asked: string[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => { asked.push(`plain ${request.url}`); response.writeHead(501).end(); });
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    keys.push(request.headers['proxy-authorization']);
    socket.on('error', () => {});
    if (status !== undefined) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const [, port] = (request.url ?? '').split(':');
    const there = connect(Number(port), '127.0.0.1', () => { socket.write('HTTP/1.1 200 OK\r\n\r\n'); there.pipe(socket); socket.pipe(there); });
    there.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  onTestFinished(() => new Promise<void>((resolve) => { server.close(() => resolve()); server.closeAllConnections(); }));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, asked, keys };
}

test.each([
  [{}, undefined],
  [{ HTTPS_PROXY: 'http://a:1' }, { https: 'http://a:1', except: '' }],
  [{ HTTPS_PROXY: 'http://a:1', https_proxy: 'b:2', NO_PROXY: 'x' }, { https: 'http://b:2', except: 'x' }],
  [{ http_proxy: 'http://a:1', all_proxy: 'c:3', no_proxy: 'y', NO_PROXY: 'x' }, { http: 'http://a:1', https: 'http://c:3', except: 'y' }],
  [{ NO_PROXY: 'x' }, undefined],
  [{ HTTPS_PROXY: '', ALL_PROXY: 'd:4' }, { http: 'http://d:4', https: 'http://d:4', except: '' }],
])('%j', (env, proxy) => {
  expect(proxyOf(env)).toEqual(proxy);
});

test('without a variable it is the platform’s own fetch', () => {
  expect(proxiedFetch({ NO_PROXY: 'x' })).toBe(fetch);
});

/* Each wire has its SDK between itself and the socket. */
test.each(['anthropic', 'openai', 'deepseek'])('%s streams through the proxy, with its name and password', async (protocol) => {
  const proxy = await startProxy();
  const server = await startSseServer({ replies: [{ say: [{ text: 'Hi there.' }] }] });
  onTestFinished(() => server.close());
  const provider = await providerFor(protocol, server.url, { model: 'm' }, { fetch: proxiedFetch({ HTTP_PROXY: proxy.url.replace('//', '//me:secret@') }) });
  const events = await collect(provider.stream(requestOf(), new AbortController().signal));
  expect(events.at(-1)).toEqual({ type: 'end', stop: 'end' });
  expect(proxy).toMatchObject({ asked: [new URL(server.url).host], keys: [`Basic ${Buffer.from('me:secret').toString('base64')}`] });
});

test('hosts under NO_PROXY are reached without it', async () => {
  const proxy = await startProxy();
  const server = await startSseServer({ replies: [{ status: 200, body: { hello: 1 } }] });
  onTestFinished(() => server.close());
  const response = await proxiedFetch({ ALL_PROXY: proxy.url, NO_PROXY: '127.0.0.1' })(`${server.url}/x`, { method: 'POST', body: '{}' });
  expect([await response.json(), proxy.asked]).toEqual([{ hello: 1 }, []]);
});

test('an abort closes the connection', async () => {
  const proxy = await startProxy();
  const server = await startSseServer({ replies: [{ say: [{ text: 'Hi there.' }], fault: { kind: 'stall' } }] });
  onTestFinished(() => server.close());
  const provider = await providerFor('anthropic', server.url, { model: 'm' }, { fetch: proxiedFetch({ HTTP_PROXY: proxy.url }) });
  const controller = new AbortController();
  const stream = collect(provider.stream(requestOf(), controller.signal));
  const request = await server.request(0);
  controller.abort();
  expect((await stream).at(-1)).toMatchObject({ type: 'error', error: { kind: 'aborted' } });
  expect(await request.hungUp).toBe(true);
});

/** The sentence of a request through the proxy at `address`. */
async function ended(address: string): Promise<string> {
  const provider = await providerFor('anthropic', 'http://127.0.0.1:9999', { model: 'm' }, { fetch: proxiedFetch({ HTTP_PROXY: address }) });
  const events = await collect(provider.stream(requestOf(), new AbortController().signal));
  return events.flatMap((event) => (event.type === 'error' ? [event.error.message] : [])).join();
}

test('what goes wrong at the proxy is told so', async () => {
  const [shy, strict] = await Promise.all([startProxy(407), startProxy(403)]);
  expect(await ended(shy.url.replace('//', '//me:secret@'))).toBe(`The proxy http://••••@127.0.0.1:${shy.port} wants a name and a password. Write them into the variable: http://NAME:PASSWORD@HOST:PORT.`);
  expect(await ended(strict.url)).toMatch(`The proxy ${strict.url} refused the connection (status 403).`);
  expect(await ended('http://127.0.0.1:1')).toMatch(/^The proxy http:\/\/127\.0\.0\.1:1 could not be reached \(ECONNREFUSED\)\. Check HTTPS_PROXY and NO_PROXY\./);
  expect(await ended('socks5://127.0.0.1:1')).toMatch(/^The proxy socks5:\/\/127\.0\.0\.1:1 can't be used: it must be an http or https address\./);
});

test('an https service with a certificate of one’s own, through the proxy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mewcode-ca-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'ca.pem')];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'], { stdio: 'ignore' });
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(sseBytes('chat', { say: [{ text: 'Sealed.' }] }));
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  onTestFinished(() => { server.closeAllConnections(); server.close(); });
  const proxy = await startProxy();
  const script = join(folder, 'ask.mjs');
  const { port } = server.address() as AddressInfo;
  writeFileSync(script, `const { proxiedFetch } = await import(${JSON.stringify(join(import.meta.dirname, '../../src/providers/proxy.ts'))});
    const send = proxiedFetch(process.env);
    console.log(await send('https://localhost:${port}/').then((r) => r.text(), (e) => 'failed: ' + (e.cause?.code ?? e.message)));
    process.exit();`);
  /* The variable is read when Node starts. */
  const ask = (env: NodeJS.ProcessEnv) => runNode(script, { PATH: process.env['PATH'], HTTPS_PROXY: proxy.url, ...env });
  expect(await ask({ NODE_EXTRA_CA_CERTS: certificate })).toContain('Sealed.');
  expect(await ask({})).toBe('failed: DEPTH_ZERO_SELF_SIGNED_CERT\n');
  expect(proxy.asked).toEqual([`localhost:${port}`, `localhost:${port}`]);
});

/** What the script prints. Without blocking: the servers live in this process. */
function runNode(script: string, env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => { execFile(process.execPath, ['--disable-warning=ExperimentalWarning', script], { env }, (error, stdout) => (error ? reject(error) : resolve(stdout))); });
}
