// WebFetch against real servers on loopback: what is never reached, what is bounded, what comes back as text.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { webFetch } from '../../src/tools/web-fetch.ts';
import { isAllowed, isPublic } from '../../src/tools/web/address.ts';
import type { WebOptions } from '../../src/tools/web/fetch-page.ts';
import { readHtml } from '../../src/tools/web/page-text.ts';
import { stripTags } from '../../src/tools/web/strip-tags.ts';
import { toolContext } from '../helpers/tool-context.ts';

const closing: (() => void)[] = [];
afterEach(() => { for (const close of closing.splice(0)) close(); });

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on loopback that counts what reaches it. */
async function serve(handler: Handler, address = '127.0.0.1', atPort = 0) {
  const hits: string[] = [];
  const server = createServer((request, response) => { hits.push(request.url ?? ''); handler(request, response); });
  server.listen(atPort, address);
  await once(server, 'listening');
  closing.push(() => { server.closeAllConnections(); server.close(); });
  return { port: (server.address() as AddressInfo).port, hits };
}

/** Names that lead to loopback and are allowed to. */
const local = (more: Partial<WebOptions> = {}): WebOptions => ({ allowedHosts: ['*.test', '127.0.0.1'], lookUp: async (host) => [{ address: host.endsWith('.test') ? '127.0.0.1' : host, family: 4 }], ...more });

async function fetchUrl(url: string, options: WebOptions = local(), { prompt, signal }: { prompt?: string; signal?: AbortSignal } = {}) {
  const tool = webFetch(options);
  const parsed = tool.parse({ url, ...(prompt !== undefined && { prompt }) });
  if (!parsed.ok) return { ok: false, text: parsed.problem };
  const ctx = toolContext({ ...(signal && { signal }) });
  try {
    return await tool.run(parsed.value, ctx).catch((error: Error & { text?: string }) => ({ ok: false, text: error.text ?? error.message }));
  } finally {
    ctx.dispose();
  }
}

const page = (type: string, body: string | Buffer, headers: Record<string, string> = {}): Handler => (_request, response) => { response.writeHead(200, { 'content-type': type, ...headers }); response.end(body); };

const hop = (to: string, status = 302): Handler => (_request, response) => { response.writeHead(status, { location: to }); response.end('moved'); };

const textOf = async (handler: Handler, options?: WebOptions) => {
  const server = await serve(handler);
  const result = await fetchUrl(`http://a.test:${server.port}/dir/page`, options);
  return { ...result, text: result.text.replaceAll(`:${server.port}`, ''), body: result.text.split('\n\n').slice(1).join('\n\n').replaceAll(`:${server.port}`, '') };
};

const endless: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' });
  const more = () => { while (response.write('x'.repeat(65_536))); };
  response.on('drain', more);
  more();
};

/** A name that nobody knows. */
const nowhere = () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' }));

describe('addresses', () => {
  test.each([
    '0.0.0.0', '0.1.2.3', '10.1.2.3', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.254', '168.63.129.16', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192',
    '192.168.1.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:0:10.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1',
    '2002:7f00:1::', '2002:a00:1::1', '2001:0:a00:1::', '2001:db8::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '3fff::1', '100::1', 'no address', '', '127.1', '0x7f000001',
  ])('%s is not public', (address) => expect(isPublic(address)).toBe(false));

  test.each(['1.1.1.1', '8.8.8.8', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1', '2606:4700:4700::1111', '2a00:1450::1'])('%s is', (address) => expect(isPublic(address)).toBe(true));

  test.each<[string, string[], boolean]>([
    ['http://localhost:3000/x', ['localhost:3000'], true], ['http://localhost:3001/', ['localhost:3000'], false], ['http://localhost./', ['LOCALHOST'], true], ['https://a.b.internal/', ['*.internal'], true],
    ['http://internal/', ['*.internal'], false], ['http://[::1]:8080/', ['[::1]:8080'], true], ['http://[::1]:8081/', ['[::1]:8080'], false], ['http://[::1]/', ['::1'], true], ['http://10.0.0.7:9/', ['10.0.0.*'], true],
    ['https://x/', ['x:443'], true], ['http://x/', ['x:443'], false], ['http://evil.com/', ['', 'localhost'], false], ['http://localhost.evil.com/', ['localhost'], false],
  ])('%s with %j: %s', (url, allowed, wanted) => expect(isAllowed(new URL(url), allowed)).toBe(wanted));

  test.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]', '0', 'localhost.', '①②⑦.0.0.1'])('http://%s is not reached', async (host) => {
    const server = await serve(page('text/plain', 'secret'));
    const result = await fetchUrl(`http://${host}:${server.port}/`, {});
    expect([result.ok, server.hits]).toEqual([false, []]);
    expect(result.text).toMatch(/is not public\. .*web\.allowed_hosts/);
  });

  test('one private address among public ones is enough', async () => {
    expect(await fetchUrl('http://mixed.test/', { lookUp: async () => [{ address: '8.8.8.8', family: 4 }, { address: '10.0.0.1', family: 4 }] })).toEqual({
      ok: false, text: 'mixed.test is not fetched: its address 10.0.0.1 is not public. To allow it, the user can add mixed.test to web.allowed_hosts in the configuration.',
    });
  });

  test('the address that was looked at is the one that is dialled, whatever the name says later', async () => {
    const seen = await serve(page('text/plain', 'the one that was seen'), '127.0.0.2');
    const other = await serve(page('text/plain', 'another'), '127.0.0.1', seen.port);
    let asked = 0;
    const lookUp = async () => [{ address: (asked += 1) === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
    const result = await fetchUrl(`http://rebind.test:${seen.port}/`, local({ lookUp }));
    expect([result.text.includes('the one that was seen'), asked, other.hits]).toEqual([true, 1, []]);
  });

  test.each(['file:///etc/passwd', 'ftp://example.com/', 'http://user:pw@example.com/', 'https://token@example.com/', 'example.com', 'javascript:alert(1)'])('%s is refused before anybody is asked', async (url) => {
    const parsed = webFetch().parse({ url });
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? '' : parsed.problem).toMatch(/^`url` can't be fetched: /);
  });
});

describe('redirections', () => {
  test('are followed on the same host, at most five', async () => {
    const server = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left > 0) hop(`/${left - 1}`)(request, response);
      else page('text/plain', 'arrived')(request, response);
    });
    expect((await fetchUrl(`http://a.test:${server.port}/5`)).text).toContain('arrived');
    expect((await fetchUrl(`http://a.test:${server.port}/6`)).text).toContain('more than 5 times');
  });

  test('to another host are only told', async () => {
    const other = await serve(page('text/plain', 'x'));
    const server = await serve(hop(`http://b.test:${other.port}/y`));
    const result = await fetchUrl(`http://a.test:${server.port}/`);
    expect(result).toEqual({ ok: true, text: `http://a.test:${server.port}/ leads to another host (status 302), which was not fetched: http://b.test:${other.port}/y\nIf that is what you want, call WebFetch with that address.` });
    expect(other.hits).toEqual([]);
  });

  test('another port is another host', async () => {
    const other = await serve(page('text/plain', 'x'));
    const server = await serve(hop(`http://a.test:${other.port}/`));
    expect((await fetchUrl(`http://a.test:${server.port}/`)).text).toContain('which was not fetched');
  });

  test('each hop is looked at again', async () => {
    const server = await serve(hop('/again'));
    let asked = 0;
    const result = await fetchUrl(`http://a.test:${server.port}/`, { allowedHosts: [], lookUp: async () => [{ address: (asked += 1) === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }] });
    expect([result.ok, server.hits]).toEqual([false, []]);
  });

  test.each(['file:///etc/passwd', 'http://me:pw@a.test/'])('to %s end there', async (to) => {
    const server = await serve(hop(to));
    expect((await fetchUrl(`http://a.test:${server.port}/`)).text).toContain('which is not fetched: ');
  });
});

describe('what comes back', () => {
  test('HTML as Markdown: links absolute, nothing that a reader would not see', async () => {
    const html = `<!doctype html><html><head><title>A &amp; B
</title><style>p{}</style></head><body><nav>menu</nav><h1>Head</h1><p>See <a href="../x?a=1&amp;b=2">that <b>page</b></a> or <a href="#top">top</a>.<script>evil()</script></p>
<p hidden>secret one</p><div style="display: none">secret two</div><span aria-hidden="true">secret three</span><img src="/i.png" alt="A picture"><img src="data:image/png;base64,AAAA" alt="">
<ul><li>one<li>two<ol start="3"><li>deep</li></ol></ul><pre><code class="language-js">let a = 1 | 2;</code></pre><table><tr><th>n</th><th>v|w</th></tr><tr><td>1</td><td>2
3</td></tr></table></body></html>`;
    const { ok, text: all, body } = await textOf(page('text/html; charset=utf-8', html));
    expect(ok).toBe(true);
    expect(all).toMatch(/^http:\/\/a\.test\/dir\/page\nStatus 200 OK · text\/html; charset=utf-8 · [\d,]+ bytes\nTitle: A & B\n\n# Head/);
    expect(body).toBe(['# Head', 'See [that **page**](http://a.test/x?a=1&b=2) or top.', '![A picture](http://a.test/i.png)', '- one\n- two\n  3. deep', '```js\nlet a = 1 | 2;\n```', '| n | v\\|w |\n| --- | --- |\n| 1 | 2 3 |'].join('\n\n'));
  });

  test('only the main part, where there is one', async () => {
    const { body } = await textOf(page('text/html', `<body><header>Top</header><main><p>${'words '.repeat(50)}</p></main><footer>Foot</footer></body>`));
    expect(body).toBe('words '.repeat(50).trim());
  });

  test.each<[string, string, string | Buffer, string]>([
    ['text', 'text/plain', 'a\r\n<b>', 'a\r\n<b>'],
    ['JSON', 'application/vnd.api+json', '{"a":1}', '{"a":1}'],
    ['no type', '', 'plain', 'plain'],
    ['no type, HTML', '', '<html><p>x</p>', 'x'],
    ['latin-1 by header', 'text/plain; charset=ISO-8859-1', Buffer.from([0xe9]), 'é'],
    ['Shift-JIS by meta', 'text/html', Buffer.concat([Buffer.from('<meta charset="shift_jis"><p>'), Buffer.from([0x93, 0xfa, 0x96, 0x7b])]), '日本'],
    ['a byte order mark', 'text/plain; charset=latin1', Buffer.from('\ufeffé'), 'é'],
    ['no UTF-8', 'text/plain', Buffer.from([0x66, 0xfc, 0x72]), 'für'],
    ['an unknown encoding', 'text/plain; charset=nope', 'é', 'é'],
    ['nothing', 'text/html', '', '(no text)'],
  ])('%s', async (_name, type, bytes, wanted) => {
    const { ok, body } = await textOf(page(type, bytes));
    expect([ok, body]).toEqual([true, wanted]);
  });

  test.each(['image/png', 'application/octet-stream', 'application/pdf', 'video/mp4'])('%s is refused by its name', async (type) => {
    const { ok, text: all } = await textOf(page(type, Buffer.from([0, 1, 2])));
    expect(ok).toBe(false);
    expect(all).toContain(type);
    expect(all).toContain('neither HTML nor text');
  });

  test('what is wanted stands above the text; an error page is a failure with its text', async () => {
    const server = await serve((_request, response) => { response.writeHead(404, { 'content-type': 'text/plain' }); response.end('gone'); });
    const result = await fetchUrl(`http://a.test:${server.port}/`, local(), { prompt: 'the price' });
    expect(result).toEqual({ ok: false, text: `http://a.test:${server.port}/\nStatus 404 Not Found · text/plain · 4 bytes\nWanted: the price\n\ngone` });
  });

  test('a page that takes too long gives its bare text', async () => {
    const { signal } = new AbortController();
    expect(await readHtml(`${'<div><b>'.repeat(20_000)}deep down`, new URL('http://a.test/'), { signal, timeoutMs: 100 })).toEqual({ title: '', text: 'deep down' });
  });

  test('bare text comes at once out of anything', () => {
    for (const piece of ['<script ', '<', '<!--', '</p   ', '&amp', '<style>', ' ', '<br ']) stripTags(piece.repeat(200_000));
    expect(stripTags('<p>a &lt;b&gt;</p><script>x</script><p>c<!-- d --></p>')).toBe('a <b>\n c');
  });
});

describe('bounds', () => {
  const bounded = async (handler: Handler, options: Partial<WebOptions> = {}) => {
    const server = await serve(handler);
    return fetchUrl(`http://a.test:${server.port}/`, local(options));
  };
  test('an endless page is cut at 5 MB, and said', async () => {
    const { ok, text } = await bounded(endless);
    expect([ok, text.includes('5,242,880 bytes, cut there'), text.length < 5_300_000]).toEqual([true, true, true]);
  });

  test('so is one that was packed small', async () => {
    const { text } = await bounded(page('text/plain', gzipSync(Buffer.alloc(60_000_000, 'a')), { 'content-encoding': 'gzip' }));
    expect(text).toContain('5,242,880 bytes, cut there');
  });

  test.each<[string, Handler]>([
    ['that never answers', () => {}],
    ['that drips', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    }],
  ])('a server %s is given up', async (_name, handler) => {
    expect((await bounded(handler, { timeoutMs: 200 })).text).toMatch(/^a\.test:\d+ took longer than 0\.2 s\.$/);
  });

  test('a name that takes its time as well', async () => {
    expect(await fetchUrl('http://slow.test/', local({ timeoutMs: 100, lookUp: () => new Promise(() => {}) }))).toEqual({ ok: false, text: 'slow.test took longer than 0.1 s.' });
  });

  test('a cancel ends it', async () => {
    const controller = new AbortController();
    const server = await serve(() => controller.abort());
    expect((await fetchUrl(`http://a.test:${server.port}/`, local(), { signal: controller.signal })).ok).toBe(false);
  });

  test('no server, no name, no HTTP', async () => {
    expect((await fetchUrl('http://none.test/', local({ lookUp: nowhere }))).text).toBe('none.test could not be reached: there is no such host.');
    expect((await fetchUrl('http://a.test:2/')).text).toBe('a.test:2 could not be reached: connect ECONNREFUSED 127.0.0.1:2.');
    expect((await fetchUrl('http://none.test/', local({ lookUp: async () => [] }))).text).toBe('none.test has no address.');
    expect((await bounded((request) => { request.socket.end('SSH-2.0\r\n'); })).text).toMatch(/could not be reached: /);
  });
});

describe('through a proxy', () => {
  test('the proxy looks the name up; what is private by its name or address is refused all the same', async () => {
    const { port, hits } = await serve((request, response) => page('text/plain', `by proxy ${request.url}`)(request, response));
    const through = { http: `http://127.0.0.1:${port}`, except: 'direct.test' };
    expect((await fetchUrl('http://far.example/x', { proxy: through, lookUp: nowhere })).text).toContain('by proxy http://far.example/x');
    for (const url of ['http://127.0.0.1/', 'http://[::1]/', 'http://10.0.0.1/']) expect((await fetchUrl(url, { proxy: through })).text).toContain('is not public');
    expect((await fetchUrl('http://intra.internal/', { proxy: through, lookUp: nowhere })).text).toContain('the name is not public');
    expect(hits.length).toBe(1);
  });

  test('what needs none goes the direct way', async () => {
    const { port, hits } = await serve((request, response) => page('text/plain', `by proxy ${request.url}`)(request, response));
    const server = await serve(page('text/plain', 'direct'));
    expect((await fetchUrl(`http://www.direct.test:${server.port}/`, local({ proxy: { http: `http://127.0.0.1:${port}`, except: '.direct.test,other' } }))).text).toContain('direct');
    expect(hits).toEqual([]);
  });
});

test('what it says of itself', () => {
  const tool = webFetch();
  const input = { url: 'HTTP://Example.COM:80/a b?q=\u202e' };
  expect([tool.title(input), tool.access(input, '/p')]).toEqual(['example.com/a%20b?q=%E2%80%AE', [{ kind: 'net', target: 'http://example.com/a%20b?q=%E2%80%AE' }]]);
});

test('the sockets of a page that was left are closed', async () => {
  const sockets = new Set<Socket>();
  const server = await serve((request, response) => { sockets.add(request.socket); response.writeHead(302, { location: 'http://other.test/' }); response.write('x'); });
  await fetchUrl(`http://a.test:${server.port}/`);
  await Promise.all([...sockets].map((socket) => socket.destroyed || once(socket, 'close')));
  expect(sockets.size).toBe(1);
});
