// Base URLs in all the forms that people write down.
import { expect, test } from 'vitest';
import { endpointUrl } from '../../src/providers/base-url.ts';

const chat = { path: '/chat/completions', version: '/v1' };
const bare = { path: '/chat/completions', version: '' };
const messages = { path: '/messages', version: '/v1' };
const responses = { path: '/responses', version: '/v1' };

test.each([
  ['https://api.anthropic.com', messages, 'https://api.anthropic.com/v1/messages'],
  ['https://api.anthropic.com/', messages, 'https://api.anthropic.com/v1/messages'],
  ['https://api.anthropic.com/v1', messages, 'https://api.anthropic.com/v1/messages'],
  ['https://api.anthropic.com/v1/', messages, 'https://api.anthropic.com/v1/messages'],
  ['https://api.anthropic.com/v1/messages', messages, 'https://api.anthropic.com/v1/messages'],
  ['https://api.anthropic.com/v1/messages/', messages, 'https://api.anthropic.com/v1/messages'],
  ['https://api.deepseek.com/anthropic', messages, 'https://api.deepseek.com/anthropic/v1/messages'],
  ['https://api.openai.com', responses, 'https://api.openai.com/v1/responses'],
  ['https://api.openai.com/v1/responses', responses, 'https://api.openai.com/v1/responses'],
  ['http://127.0.0.1:11434', chat, 'http://127.0.0.1:11434/v1/chat/completions'],
  ['http://127.0.0.1:11434/v1//', chat, 'http://127.0.0.1:11434/v1/chat/completions'],
  ['https://openrouter.ai/api/v1', chat, 'https://openrouter.ai/api/v1/chat/completions'],
  ['https://generativelanguage.googleapis.com/v1beta/openai', chat, 'https://generativelanguage.googleapis.com/v1beta/openai/chat/completions'],
  ['https://open.bigmodel.cn/api/coding/paas/v4', bare, 'https://open.bigmodel.cn/api/coding/paas/v4/chat/completions'],
  ['https://api.deepseek.com', bare, 'https://api.deepseek.com/chat/completions'],
  ['https://api.deepseek.com/v1', bare, 'https://api.deepseek.com/v1/chat/completions'],
  ['https://x.example/openai/deployments/gpt-4o/chat/completions?api-version=2026-01-01', chat, 'https://x.example/openai/deployments/gpt-4o/chat/completions?api-version=2026-01-01'],
])('%s, %j', (base, endpoint, url) => {
  expect(endpointUrl(base, endpoint)).toBe(url);
});

test.each(['localhost:8080', 'api.example.com', '', 'file:///etc/passwd'])('%j is no address', (base) => {
  expect(() => endpointUrl(base, chat)).toThrow(`base_url "${base}" is not an http address.`);
});
