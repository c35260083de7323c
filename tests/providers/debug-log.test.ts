// The log of requests: whole, masked, private, bounded, and never in the way.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createMask } from '../../src/lib/mask.ts';
import { loggedFetch, type DebugLogOptions } from '../../src/providers/debug-log.ts';
import { startSseServer, type Reply } from '../helpers/sse-server.ts';
import { collect, KEY, providerFor, requestOf, user, WIRES } from './wires.ts';

async function world(replies: readonly Reply[], options: Partial<DebugLogOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mewcode-debug-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startSseServer({ replies });
  onTestFinished(() => server.close());
  const path = options.path ?? join(folder, 'logs', 'requests.jsonl');
  const send = loggedFetch(fetch, { path, mask: createMask([KEY]), now: () => 0, ...options });
  return { server, send, path, text: () => readFileSync(path, 'utf8'), lines: () => readFileSync(path, 'utf8').trimEnd().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test.each(WIRES)('an exchange over $api is two lines, without the key', async ({ protocol, api }) => {
  const { server, send, path, lines, text } = await world([{ say: [{ text: `Your key is ${KEY}.` }] }]);
  const provider = await providerFor(protocol, server.url, { model: 'm' }, { fetch: send });
  const events = await collect(provider.stream(requestOf([user(`my key: ${KEY}`)]), new AbortController().signal));
  expect(events.at(-1)).toEqual({ type: 'end', stop: 'end' });
  await expect.poll(() => lines().length).toBe(2);
  const [request, response] = lines();
  expect(request).toMatchObject({ at: '1970-01-01T00:00:00.000Z', request: 1, method: 'POST', url: expect.stringContaining(server.url), body: { model: 'test-model' } });
  expect(response).toMatchObject({ response: 1, ms: 0, status: 200, headers: { 'content-type': 'text/event-stream' } });
  expect(String(response?.['body'])).toContain(api === 'messages' ? 'message_stop' : api === 'responses' ? 'response.completed' : '[DONE]');
  expect(text()).not.toMatch(/authorization|x-api-key|0123456789/i);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a refusal, a broken stream and a cancelled one are there as far as they came', async () => {
  const { server, send, lines } = await world([{ status: 400, body: { error: { message: 'no' } } }, { say: [{ text: 'half' }], fault: { kind: 'reset' } }, { say: [{ text: 'half' }], fault: { kind: 'stall' } }]);
  const ask = () => send(`${server.url}/v1/messages`, { method: 'POST', body: '{"a": 1}' });
  await (await ask()).text();
  await (await ask()).text().catch(() => {});
  await (await ask()).body?.cancel();
  await send('http://127.0.0.1:1/').catch(() => {});
  const answers = lines().filter((line) => 'response' in line);
  expect(answers).toMatchObject([
    { response: 1, status: 400, body: '{"error":{"message":"no"}}' },
    { response: 2, status: 200, body: expect.stringContaining('half'), failed: expect.any(String) },
    { response: 3, status: 200, failed: 'no longer wanted' },
    { response: 4, failed: expect.stringContaining('fetch failed') },
  ]);
});

test('two files at most, each of a bounded length', async () => {
  const replies = Array.from({ length: 20 }, () => ({ status: 200, body: { filler: 'x'.repeat(1_000) } }));
  const { server, send, path } = await world(replies, { most: 5_000 });
  for (let count = 0; count < 20; count += 1) await (await send(server.url, { method: 'POST', body: '{}' })).text();
  expect([statSync(path).size, statSync(`${path}.1`).size].every((size) => size < 8_000)).toBe(true);
  expect(existsSync(`${path}.2`)).toBe(false);
});

test('a disk that refuses ends the log, not the request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mewcode-debug-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'file'), '');
  const { server, send } = await world([{ status: 200, body: { fine: true } }], { path: join(folder, 'file', 'requests.jsonl') });
  expect(await (await send(server.url, { method: 'POST' })).json()).toEqual({ fine: true });
});
