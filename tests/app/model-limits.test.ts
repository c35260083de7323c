// Limits of models: configuration, then the service's list, then the catalogue; the list kept for a day.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cachedLimits } from '../../src/app/model-cache.ts';
import { startSseServer } from '../helpers/sse-server.ts';
import { makeWorld, openApp } from '../helpers/start-app.ts';
import { settingsOf } from '../providers/wires.ts';

async function serve(rows: object[]) {
  const server = await startSseServer({ replies: [{ say: [{ text: 'a' }] }], get: () => ({ status: 200, body: { data: rows } }) });
  onTestFinished(() => server.close());
  return server;
}

const ROWS = [{ id: 'gpt-4o', context_length: 65_536 }, { id: 'plain' }];

test('asked once a day, told at once from what is kept', async () => {
  const server = await serve(ROWS);
  const { home } = makeWorld();
  const settings = settingsOf('openai', { baseUrl: server.url, model: 'gpt-4o' });
  let now = 0;
  const open = () => cachedLimits({ userDir: home }, fetch, () => now);
  const { signal } = new AbortController();
  expect(open().known(settings)).toBeUndefined();
  expect(await open().fetch(settings, signal)).toEqual({ window: 65_536 });
  expect(open().known(settings)).toEqual({ window: 65_536 });
  now = 86_399_999;
  expect(await open().fetch(settings, signal)).toEqual({ window: 65_536 });
  expect(await open().fetch({ ...settings, model: 'plain' }, signal)).toBeUndefined();
  expect(server.asked.length).toBe(1);
  now = 86_400_000;
  await open().fetch(settings, signal);
  expect(server.asked.length).toBe(2);
  const file = join(home, 'cache', 'models.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ [`${server.url}/v1/models`]: { at: 86_400_000, models: { 'gpt-4o': { window: 65_536 } } } });
});

test('nobody is asked where both limits are configured, or there is nobody', async () => {
  const server = await serve(ROWS);
  const limits = cachedLimits({ userDir: makeWorld().home }, fetch);
  const { signal } = new AbortController();
  expect(await limits.fetch(settingsOf('openai', { baseUrl: server.url, contextWindow: 5_000, maxTokens: 100 }), signal)).toBeUndefined();
  expect(await limits.fetch(settingsOf('demo'), signal)).toBeUndefined();
  expect(server.asked).toEqual([]);
});

test('a service that fails is asked again the next time', async () => {
  const server = await startSseServer({ replies: [] });
  onTestFinished(() => server.close());
  const limits = cachedLimits({ userDir: makeWorld().home }, fetch);
  for (let time = 0; time < 2; time += 1) expect(await limits.fetch(settingsOf('openai', { baseUrl: server.url }), new AbortController().signal)).toBeUndefined();
  expect(server.asked.length).toBe(2);
});

test('after a switch the window follows the list, and the next start knows it from the beginning', async () => {
  const server = await serve(ROWS);
  const world = makeWorld(`protocol: openai\nmodel: plain\nbase_url: ${server.url}\napi_key: key-0123456789\n`);
  const { app, events } = await openApp(world);
  expect(app.state.get().meter.window).toBe(200_000);
  await app.submit('/model gpt-4o');
  await expect.poll(() => app.state.get().meter.window).toBe(65_536);
  expect(events.filter(({ type }) => type === 'model')).toMatchObject([{ model: 'gpt-4o', window: 128_000 }, { model: 'gpt-4o', window: 65_536 }]);
  await app.close();
  const next = await openApp(world, { flags: { model: 'gpt-4o' } });
  expect(next.app.state.get().meter.window).toBe(65_536);
});

test('soon after the start it is asked in the background', async () => {
  const server = await serve([{ id: 'm', context_length: 32_000, max_output_tokens: 2_000 }]);
  const { app } = await openApp(makeWorld(`protocol: openai\nmodel: m\nbase_url: ${server.url}\napi_key: key-0123456789\n`));
  await expect.poll(() => app.state.get().meter.window, { timeout: 10_000 }).toBe(32_000);
  await app.submit('hello');
  expect(server.requests[0]?.body).toMatchObject({ max_output_tokens: 2_000 });
});
