// assemble: what the loop keeps and the screen shows of an answer, whatever the order of its events.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assemble, keptParts, type Live } from '../../src/types/assemble.ts';
import type { Part } from '../../src/types/message.ts';
import type { Failure, ProviderEvent, StreamPart } from '../../src/types/provider.ts';

const EMPTY: Live = { id: 'm1', parts: [] };
const fold = (events: readonly ProviderEvent[]) => events.reduce(assemble, EMPTY);
const FAILURE: Failure = { kind: 'overloaded', message: 'x' };

/** The events of one part, its text in these pieces. */
function part(index: number, kind: StreamPart, pieces: readonly string[], more: { id?: string; name?: string } = {}): ProviderEvent[] {
  return [
    { type: 'part_start', index, part: kind, ...more },
    ...pieces.map((delta): ProviderEvent => ({ type: 'part_delta', index, delta })),
    { type: 'part_end', index },
  ];
}

const cut = (events: readonly ProviderEvent[]) => events.slice(0, -1);
const call = (pieces: readonly string[]) => keptParts(fold(part(0, 'tool_call', pieces, { id: 'c1', name: 'T' })))[0];

test('parts in their order, with what the service wants back', () => {
  const native = { wire: 'w', data: { signature: 's' } };
  const events: ProviderEvent[] = [
    ...part(0, 'thinking', ['h', 'm']).slice(0, -1), { type: 'part_end', index: 0, native },
    ...part(1, 'text', ['one ', 'two']),
    { type: 'usage', usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 } },
    ...part(2, 'tool_call', ['{"a"', ':1}'], { id: 'c1', name: 'T' }),
    { type: 'end', stop: 'tools' },
  ];
  expect(keptParts(fold(events))).toEqual([
    { type: 'thinking', text: 'hm', native },
    { type: 'text', text: 'one two' },
    { type: 'tool_call', id: 'c1', name: 'T', input: { a: 1 } },
  ]);
});

test('parts that run side by side do not mix, however their events are shuffled together', () => {
  const parts = [
    part(0, 'text', ['a', 'b', 'c']), part(1, 'tool_call', ['{"x"', ': [1,', ' 2]}'], { id: 'c1', name: 'T' }), part(7, 'thinking', ['d', 'e']),
  ];
  const wanted: Record<string, Part> = {
    text: { type: 'text', text: 'abc' },
    tool_call: { type: 'tool_call', id: 'c1', name: 'T', input: { x: [1, 2] } },
    thinking: { type: 'thinking', text: 'de' },
  };
  fc.assert(fc.property(fc.infiniteStream(fc.nat()), (choices) => {
    const left = parts.map((events) => [...events]);
    const mixed: ProviderEvent[] = [];
    while (left.some((events) => events.length > 0)) {
      const open = left.filter((events) => events.length > 0);
      const event = open[(choices.next().value ?? 0) % open.length]?.shift();
      if (event) mixed.push(event);
    }
    const order = mixed.flatMap((event) => (event.type === 'part_start' ? [event.part] : []));
    expect(keptParts(fold(mixed))).toEqual(order.map((kind) => wanted[kind]));
  }));
});

test('how the text is cut makes no difference', () => {
  fc.assert(fc.property(fc.array(fc.string()), (pieces) => {
    expect(keptParts(fold(part(0, 'text', pieces)))).toEqual([{ type: 'text', text: pieces.join('') }]);
  }));
});

test('any events in any order: nothing throws, ids and names come from the start alone', () => {
  const event: fc.Arbitrary<ProviderEvent> = fc.oneof(
    fc.record({ type: fc.constant('part_start' as const), index: fc.nat(3), part: fc.constantFrom<StreamPart>('text', 'thinking', 'tool_call'), id: fc.constant('c'), name: fc.constant('T') }),
    fc.record({ type: fc.constant('part_delta' as const), index: fc.nat(4), delta: fc.string() }),
    fc.record({ type: fc.constant('part_end' as const), index: fc.nat(4) }),
    fc.constant<ProviderEvent>({ type: 'retrying', failure: FAILURE, attempt: 1, waitMs: 0 }),
    fc.constant<ProviderEvent>({ type: 'error', error: FAILURE }),
    fc.constant<ProviderEvent>({ type: 'end', stop: 'end' }),
  );
  fc.assert(fc.property(fc.array(event), (events) => {
    const live = fold(events);
    const kept = keptParts(live);
    expect(kept.length).toBeLessThanOrEqual(live.parts.length);
    expect(kept.filter((one) => one.type === 'tool_call').every((one) => one.id === 'c' && one.name === 'T')).toBe(true);
  }));
});

test('a finished part takes nothing more', () => {
  expect(keptParts(fold([...part(0, 'text', ['a']), { type: 'part_delta', index: 0, delta: 'b' }]))).toEqual([{ type: 'text', text: 'a' }]);
});

test('an index that a finished part had may begin again', () => {
  expect(keptParts(fold([...part(0, 'text', ['a']), ...part(0, 'text', ['b'])]))).toEqual([{ type: 'text', text: 'a' }, { type: 'text', text: 'b' }]);
});

test('a new try takes back all parts', () => {
  expect(keptParts(fold([...part(0, 'text', ['bad']), { type: 'retrying', failure: FAILURE, attempt: 1, waitMs: 5 }, ...part(0, 'text', ['good'])]))).toEqual([{ type: 'text', text: 'good' }]);
});

test('events that say nothing of parts give the same object back', () => {
  const live = fold(part(0, 'text', ['a']));
  for (const event of [{ type: 'end', stop: 'end' }, { type: 'waiting', seconds: 20 }, { type: 'error', error: FAILURE }] as const) expect(assemble(live, event)).toBe(live);
  expect(assemble(EMPTY, { type: 'retrying', failure: FAILURE, attempt: 1, waitMs: 0 })).toBe(EMPTY);
});

test('of a cancelled answer text and thinking stay, a call that was not whole does not', () => {
  expect(keptParts(fold([
    ...cut(part(0, 'thinking', ['hm'])), ...cut(part(1, 'text', ['half'])), ...cut(part(2, 'text', [])), ...cut(part(3, 'tool_call', ['{}'], { id: 'c', name: 'T' })),
  ]))).toEqual([{ type: 'thinking', text: 'hm' }, { type: 'text', text: 'half' }]);
});

describe('arguments', () => {
  test.each(['', ' \n'])('none at all are an empty object: %j', (raw) => {
    expect(call([raw])).toEqual({ type: 'tool_call', id: 'c1', name: 'T', input: {} });
  });

  test.each([
    ['{"a": 1', /^The arguments are not valid JSON \(.+\)\. They were: \{"a": 1$/],
    ["{'a': 1}", /not valid JSON/],
    ['{"a": 1,}', /not valid JSON/],
    ['{"a": 1} {"b": 2}', /not valid JSON/],
    ['```json\n{}\n```', /not valid JSON/],
    ['[1]', /^The arguments must be a JSON object, not: \[1\]$/],
    ['null', /must be a JSON object/],
    ['"a"', /must be a JSON object/],
    [`{"a": "${'x'.repeat(1_000)}`, /^.{200,400}…$/],
    [`[${'1,'.repeat(500)}1]`, /^.{200,300}…$/],
  ])('what is no JSON object is reported, never repaired (%#)', (raw, problem) => {
    expect(call([raw])).toEqual({ type: 'tool_call', id: 'c1', name: 'T', input: {}, problem: expect.stringMatching(problem) });
  });

  test('a whole object is taken, and none of its beginnings is', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (input, at) => {
      const raw = JSON.stringify(input);
      expect(call([raw])).toMatchObject({ input: JSON.parse(raw) });
      expect(call([raw.slice(0, 1 + (at % (raw.length - 1)))])).toMatchObject({ input: {}, problem: expect.any(String) });
    }));
  });
});
