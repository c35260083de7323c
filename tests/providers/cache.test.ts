// History only grows, and the services' caches find it again: 100 rounds on each wire, with a resume in the middle.
import { describe, expect, test } from 'vitest';
import { APIS } from '../helpers/sse-app.ts';
import { hundredRounds, playCache, segmentsOf } from '../helpers/sse-cache.ts';

describe.each(APIS)('$api', (api) => {
  test('each request begins with the whole one before it, and at least 95 % of what could be read from cache is', async () => {
    const { requests, faults, ends } = await hundredRounds(api);
    expect({ requests: requests.length, faults, ends }).toEqual({ requests: 100, faults: [], ends: Array.from({ length: 7 }, () => 'end') });
    const prompts = requests.map(({ body }) => segmentsOf(api.api, body).map(({ text }) => text).join(''));
    expect(prompts.flatMap((prompt, index) => (prompt.startsWith(prompts[index - 1] ?? '') ? [] : [index]))).toEqual([]);
    const { read, best } = playCache(api.api, requests.map(({ body }) => body));
    expect(read / best).toBeGreaterThanOrEqual(0.95);
  });
});

const body = (first: string, count: number) => ({
  system: [{ type: 'text', text: first.repeat(4_000), cache_control: { type: 'ephemeral' } }],
  messages: Array.from({ length: count }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: [{ type: 'text', text: `${index}`.repeat(4_000), ...(index === count - 1 && { cache_control: { type: 'ephemeral' } }) }] })),
});

const ratio = (bodies: unknown[]): number => {
  const { read, best } = playCache('messages', bodies);
  return read / best;
};

test('the caches notice what breaks a prefix', () => {
  expect(ratio([body('a', 1), body('a', 3), body('a', 5)])).toBe(1);
  expect(ratio([body('a', 1), body('b', 3), body('c', 5)])).toBe(0);
  // More than 20 blocks behind the newest mark, and no other mark in between: only the system text is found.
  expect(ratio([body('a', 1), body('a', 31)])).toBeLessThan(0.6);
});
