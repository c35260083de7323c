// createProvider: from settings to a provider, with limits, keys and addresses from the right place.
import { describe, expect, test } from 'vitest';
import { createProvider, providerDefaults, settingsNotes, vendorNames } from '../../src/providers/index.ts';
import { startSseServer } from '../helpers/sse-server.ts';
import { collect, requestOf, settingsOf } from './wires.ts';

const stop = () => new AbortController().signal;

test('every protocol is there', () => {
  expect(vendorNames()).toEqual(['anthropic', 'openai', 'deepseek', 'openai-compatible', 'glm', 'litellm', 'mattermost', 'copilot', 'demo']);
});

test.each([
  ['anthropic', { model: 'claude-sonnet-5-5', baseUrl: 'https://api.anthropic.com', keyVars: ['ANTHROPIC_API_KEY'] }],
  ['glm', { model: 'glm-5.3', baseUrl: 'https://open.bigmodel.cn/api/coding/paas/v4', keyVars: ['GLM_API_KEY', 'ZHIPU_KEY'] }],
  ['litellm', { model: undefined, baseUrl: undefined, keyVars: ['LITELLM_API_KEY'] }],
  ['demo', { model: 'demo', baseUrl: undefined, keyVars: [] }],
  ['nobody', undefined],
  ['constructor', undefined],
])('defaults of %s', (protocol, defaults) => {
  expect(providerDefaults(protocol)).toEqual(defaults);
});

describe('mistakes at the door', () => {
  test.each([
    [{ protocol: 'antropic' }, 'There is no protocol antropic. Did you mean anthropic? There are anthropic, openai, deepseek, openai-compatible, glm, litellm, mattermost, copilot, demo.'],
    [{ protocol: 'litellm', model: 'm' }, 'The provider work has no address. Set base_url in the configuration.'],
    [{ protocol: 'openai-compatible', baseUrl: 'http://127.0.0.1:1' }, 'The provider work names no model. Set model in the configuration.'],
    [{ protocol: 'openai', baseUrl: 'localhost:8080' }, 'base_url "localhost:8080" is not an http address. Write it like https://host/v1.'],
  ])('%j', async (changes, text) => {
    await expect(createProvider({ ...settingsOf(changes.protocol), name: 'work', ...changes })).rejects.toMatchObject({ text });
  });
});

async function limits(model: string, changes = {}): Promise<number[]> {
  const { window, maxOutput } = (await createProvider(settingsOf('openai', { model, ...changes }))).abilities;
  return [window, maxOutput];
}

describe('limits', () => {
  test('configuration, then catalogue, then the plain ones', async () => {
    expect([await limits('gpt-4o'), await limits('gpt-4o', { contextWindow: 5, maxTokens: 6 }), await limits('who-knows')]).toEqual([[128_000, 16_384], [5, 6], [200_000, 8_192]]);
  });

  test('abilities, whole', async () => {
    expect((await createProvider(settingsOf('anthropic', { model: 'claude-opus-5-5' }))).abilities).toEqual({
      tools: 'native', images: true, thinking: true, bindsThinking: true, toolReferences: true, window: 1_000_000, maxOutput: 128_000, cacheLifeMs: 300_000,
    });
    expect((await createProvider(settingsOf('openai-compatible', { model: 'who-knows', baseUrl: 'http://127.0.0.1:1' }))).abilities).toEqual({
      tools: 'native', images: false, thinking: false, bindsThinking: false, toolReferences: false, window: 200_000, maxOutput: 8_192, cacheLifeMs: 300_000,
    });
  });
});

describe('keys', () => {
  test.each([
    ['anthropic', 'There is no API key for Anthropic. Set ANTHROPIC_API_KEY, or api_key in the configuration.'],
    ['glm', 'There is no API key for GLM. Set GLM_API_KEY or ZHIPU_KEY, or api_key in the configuration.'],
  ])('without one %s fails at the first request', async (protocol, message) => {
    const provider = await createProvider(settingsOf(protocol, { apiKey: undefined }));
    expect(await collect(provider.stream(requestOf(), stop()))).toEqual([{ type: 'error', error: { kind: 'auth', message } }]);
  });

  test.each(['anthropic', 'openai', 'openai-compatible'])('a server of one’s own is asked without one: %s', async (protocol) => {
    const server = await startSseServer({ replies: [{ say: [{ text: 'Hi.' }] }] });
    const provider = await createProvider(settingsOf(protocol, { apiKey: undefined, baseUrl: server.url, model: 'm' }));
    expect((await collect(provider.stream(requestOf(), stop()))).at(-1)).toEqual({ type: 'end', stop: 'end' });
    expect([server.requests[0]?.headers.authorization, server.requests[0]?.headers['x-api-key']]).toEqual([undefined, undefined]);
    await server.close();
  });
});

test('a price that is not known makes no cost', async () => {
  const server = await startSseServer({ replies: [{ say: [{ text: 'Hi.' }] }] });
  const provider = await createProvider(settingsOf('openai-compatible', { baseUrl: server.url, model: 'who-knows' }));
  const events = await collect(provider.stream(requestOf(), stop()));
  expect(events.find((event) => event.type === 'usage')).toEqual({ type: 'usage', usage: { input: 100, cacheRead: 0, cacheWrite: 0, output: 20 } });
  await server.close();
});

test('what will be left out is said', () => {
  expect(settingsNotes(settingsOf('anthropic', { extra: { temperature: 1, metadata: {} } }))).toEqual(['claude-sonnet-5-5 does not take temperature: extra.temperature is left out.']);
  expect(settingsNotes(settingsOf('deepseek', { extra: { temperature: 1 } }))).toEqual([]);
});

test('the demo model needs nothing', async () => {
  const provider = await createProvider(settingsOf('demo', { apiKey: undefined }), { demo: { rate: 0 } });
  expect((await collect(provider.stream(requestOf(), stop()))).at(-1)).toEqual({ type: 'end', stop: 'end' });
});
