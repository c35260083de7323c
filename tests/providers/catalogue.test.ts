// The catalogue: every row is sound, names are found in their many spellings, and prices add up.
import { describe, expect, test } from 'vitest';
import { effortOf, findModel, fitEffort, type ModelRow } from '../../src/providers/catalogue.ts';
import models from '../../src/providers/models.json' with { type: 'json' };
import { costOf } from '../../src/providers/pricing.ts';
import { VENDORS } from '../../src/providers/vendors.ts';

describe('rows', () => {
  test.each(Object.entries(models as Record<string, ModelRow>))('%s', (name, row) => {
    expect(Object.keys(row).filter((key) => !['window', 'output', 'images', 'thinking', 'efforts', 'bindsThinking', 'cacheMin', 'refuses', 'price'].includes(key))).toEqual([]);
    if (name.endsWith('*')) {
      expect([row.window, row.output, row.price]).toEqual([undefined, undefined, undefined]);
      return;
    }
    expect(row.window).toBeGreaterThanOrEqual(128_000);
    expect(row.output).toBeLessThan(row.window ?? 0);
    if (row.price) expect([row.price.cacheRead ?? 0, row.price.input, row.price.output].sort((a, b) => a - b)).toEqual([row.price.cacheRead ?? 0, row.price.input, row.price.output]);
  });

  test('the models that older set-ups name are there, and each default', () => {
    const names = ['claude-opus-4-6', 'claude-sonnet-4-6', 'gpt-4.1', 'gpt-4o', 'o4-mini', 'deepseek-v4-pro', 'deepseek-v4-flash', 'deepseek-chat', 'deepseek-reasoner', 'glm-4.6'];
    const defaults = [...VENDORS.values()].flatMap((vendor) => vendor.wire === 'plugin' ? [] : vendor.model ?? []);
    expect([...names, ...defaults].filter((name) => !(name in models))).toEqual([]);
  });
});

test.each([
  ['claude-opus-4-6', 'claude-opus-4-6'], ['anthropic/claude-sonnet-4-6', 'claude-sonnet-4-6'], ['anthropic/claude-sonnet-4.6', 'claude-sonnet-4-6'], ['claude-haiku-4-5-20251001', 'claude-haiku-4-5'], ['gpt-4o-2024-11-20', 'gpt-4o'],
  ['Claude-Opus-5-5', 'claude-opus-5-5'], ['claude-sonnet-5-5-latest', 'claude-sonnet-5-5'], ['claude-opus-9', 'claude-*'], ['gpt-6.9-sol', 'gpt-6*'],
])('%s is %s', (name, row) => {
  expect(findModel(name)).toBe((models as Record<string, ModelRow>)[row]);
});

test.each(['gpt-4o-mini', 'qwen3-coder', '', 'gpt-4.1-nano', 'constructor'])('%j is not known', (name) => {
  expect(findModel(name)).toEqual({});
});

test.each([
  ['max', ['low', 'medium', 'high'], 'high'], ['none', ['low', 'high'], 'low'], ['medium', ['low', 'high'], 'low'], ['xhigh', ['low', 'medium', 'high', 'max'], 'high'],
  ['high', undefined, 'high'], ['turbo', ['low'], 'turbo'], ['low', [], 'low'],
])('effort %s of %j is %s', (wanted, efforts, fitting) => {
  expect(fitEffort(wanted, efforts)).toBe(fitting);
});

test.each([['auto', undefined], ['off', undefined], [{ effort: 'max' }, 'max'], [{ budget: 4_096 }, 'low'], [{ budget: 10_000 }, 'medium'], [{ budget: 16_000 }, 'high']] as const)('%j asks for %s', (thinking, effort) => {
  expect(effortOf(thinking)).toBe(effort);
});

function cost(model: string, input: number, output: number): number | undefined {
  const { price } = findModel(model);
  return price && costOf({ input, cacheRead: 0, cacheWrite: 0, output }, price);
}

describe('costs', () => {
  const usage = { input: 1_000, cacheRead: 10_000, cacheWrite: 2_000, output: 500 };
  const price = { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 };
  test.each([
    ['all prices known', usage, price, (1_000 * 2 + 10_000 * 0.1 + 2_000 * 2.5 + 500 * 10) / 1e6],
    ['cache tokens without a price count as input', usage, { input: 2, output: 10 }, (13_000 * 2 + 500 * 10) / 1e6],
    ['at the step: the plain price', usage, { ...price, long: { over: 13_000, input: 2, output: 1.5 } }, 0.013],
    ['over the step: all of it dearer', { ...usage, input: 1_001 }, { ...price, long: { over: 13_000, input: 2, output: 1.5 } }, ((1_001 * 2 + 1_000 + 5_000) * 2 + 5_000 * 1.5) / 1e6],
    ['nothing', { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }, price, 0],
  ])('%s', (_, spent, at, dollars) => {
    expect(costOf(spent, at)).toBeCloseTo(dollars, 12);
  });

  test('figures from the price lists', () => {
    expect([cost('claude-opus-5-5', 1e5, 1e4), cost('claude-haiku-5-5', 1e5, 0), cost('claude-haiku-5-5', 2e5, 0), cost('gpt-6.2-sol', 3e5, 1e4), cost('claude-sonnet-5', 1, 1)]).toEqual([0.6, 0.01, 0.1, 1.35, undefined]);
  });
});
