// Think tags: split off as thinking, wherever the text is cut.
import { array, assert, asyncProperty, constantFrom, nat } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { thinkTags } from '../../src/providers/think-tags.ts';
import type { ProviderEvent } from '../../src/types/provider.ts';
import { collect, joined, partsOf, requestOf } from './wires.ts';

const END: ProviderEvent = { type: 'end', stop: 'end' };

async function split(events: ProviderEvent[]): Promise<ProviderEvent[]> {
  const stream = thinkTags(async function* () { yield* events; });
  return collect(stream(requestOf(), new AbortController().signal));
}

/** One text part in the given pieces. */
const told = (pieces: string[]): ProviderEvent[] => [{ type: 'part_start', index: 7, part: 'text' }, ...pieces.map((delta): ProviderEvent => ({ type: 'part_delta', index: 7, delta })), { type: 'part_end', index: 7 }, END];

const thinking = (text: string) => ({ type: 'thinking', text });
const text = (value: string) => ({ type: 'text', text: value });

describe('a text', () => {
  test.each([
    ['Hello', [text('Hello')]],
    ['<think>Hm.</think>\n\nHello', [thinking('Hm.'), text('Hello')]],
    ['First. <think>Hm.</think> Then.', [text('First. '), thinking('Hm.'), text('Then.')]],
    ['<think></think>Hello', [text('Hello')]],
    ['<think>never closed', [thinking('never closed')]],
    ['<think>a</think><think>b</think>c', [thinking('a'), thinking('b'), text('c')]],
    ['a < b <thin and </think> too', [text('a < b <thin and </think> too')]],
    ['ends with <thi', [text('ends with <thi')]],
    ['<think>if a </ b</think>c', [thinking('if a </ b'), text('c')]],
    ['', []],
  ])('%j', async (whole, parts) => {
    expect(partsOf(await split(told([whole])))).toEqual(parts);
    expect(partsOf(await split(told([...whole])))).toEqual(parts);
  });
});

test('however it is cut, it comes out the same', async () => {
  const piece = constantFrom('<think>', '</think>', '<thin', '</', '<', 'k>', ' ', '\n', 'word ', 'ü👋');
  await assert(asyncProperty(array(piece, { maxLength: 12 }), array(nat(40), { maxLength: 8 }), async (pieces, cuts) => {
    const whole = pieces.join('');
    const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).sort((a, b) => a - b), whole.length];
    const cut = at.slice(1).map((end, index) => whole.slice(at[index], end));
    expect(joined(await split(told(cut)))).toEqual(joined(await split(told([whole]))));
  }));
});

test('indices stay unique, and what is no text keeps its content and its native', async () => {
  const native = { wire: 'chat', data: { field: 'reasoning' } };
  const events = await split([
    { type: 'part_start', index: 0, part: 'thinking' }, { type: 'part_delta', index: 0, delta: 'before' }, { type: 'part_end', index: 0, native },
    { type: 'part_start', index: 1, part: 'text' }, { type: 'part_delta', index: 1, delta: 'a<think>b</think>c' },
    { type: 'part_start', index: 2, part: 'tool_call', id: 'x', name: 'LS' }, { type: 'part_delta', index: 2, delta: '{"a":"<think>"}' },
    { type: 'part_end', index: 1 }, { type: 'part_end', index: 2 }, END,
  ]);
  expect(partsOf(events)).toEqual([{ type: 'thinking', text: 'before', native }, text('a'), thinking('b'), text('c'), { type: 'tool_call', id: 'x', name: 'LS', input: { a: '<think>' } }]);
  const starts = events.flatMap((event) => (event.type === 'part_start' ? [event.index] : []));
  expect(new Set(starts).size).toBe(starts.length);
});
