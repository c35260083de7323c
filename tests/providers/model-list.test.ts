// Lists of models: every service spells the limits in its own way.
import { expect, test } from 'vitest';
import { parseList } from '../../src/providers/model-list.ts';

test.each([
  ['Anthropic', { data: [{ id: 'm', type: 'model', max_input_tokens: 1_000_000, max_tokens: 128_000, capabilities: {} }] }, { window: 1_000_000, output: 128_000 }],
  ['OpenAI', { object: 'list', data: [{ id: 'm', object: 'model', created: 1, owned_by: 'x' }] }, {}],
  ['OpenRouter', { data: [{ id: 'm', context_length: 262_144, top_provider: { context_length: 131_072, max_completion_tokens: 32_000 } }] }, { window: 262_144, output: 32_000 }],
  ['vLLM', { data: [{ id: 'm', max_model_len: 40_960 }] }, { window: 40_960 }],
  ['LM Studio', { data: [{ id: 'm', max_context_length: 131_072, loaded_context_length: 8_192 }] }, { window: 8_192 }],
  ['LiteLLM', { data: [{ model_name: 'm', litellm_params: {}, model_info: { max_tokens: 4_096, max_input_tokens: 200_000, max_output_tokens: 64_000 } }] }, { window: 200_000, output: 64_000 }],
  ['Copilot', { data: [{ id: 'm', capabilities: { limits: { max_context_window_tokens: 128_000, max_output_tokens: 16_384 } } }] }, { window: 128_000, output: 16_384 }],
  ['a bare list', [{ id: 'm', context_window: 32_768 }], { window: 32_768 }],
  ['Ollama, which names them only', { models: [{ name: 'm' }] }, {}],
  ['nonsense for numbers', { data: [{ id: 'm', context_length: 0, max_tokens: -1 }, 7, null, { id: 3 }] }, {}],
])('%s', (_name, body, limits) => {
  expect(parseList(JSON.stringify(body))).toEqual({ m: limits });
});

test.each(['<html>', '', '{"data": 1}', 'null', '{}'])('no list: %j', (text) => {
  expect(parseList(text)).toBeUndefined();
});
