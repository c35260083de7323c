// Names, ids and schemas of tools as the services take them.
import { describe, expect, test } from 'vitest';
import { wireId, wireName, wireSchema, withoutProperties } from '../../src/providers/wire-tools.ts';
import type { JsonObject } from '../../src/types/json.ts';
import { rootFaults } from '../helpers/strict-schema.ts';

test.each([
  ['ReadFile', 'ReadFile'], ['functions.exec', 'functions_exec'], ['', 'unnamed'], ['ä b', '__b'], ['x'.repeat(200), 'x'.repeat(128)],
])('a name: %j', (name, expected) => {
  expect(wireName(name)).toBe(expected);
});

test('a long id becomes a short one, always the same', () => {
  expect([wireId('call_1'), wireId('a'.repeat(65)), wireId(`${'a'.repeat(64)}b`)]).toEqual(['call_1', expect.stringMatching(/^call_[0-9a-f]{32}$/), expect.stringMatching(/^call_[0-9a-f]{32}$/)]);
  expect(wireId('a'.repeat(65))).not.toBe(wireId(`${'a'.repeat(64)}b`));
});

describe('schemas', () => {
  const good = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

  test('one that fits stays the same object', () => {
    expect(wireSchema(good)).toBe(good);
  });

  test.each<[JsonObject, JsonObject]>([
    [{}, { type: 'object', properties: {} }],
    [{ type: 'object' }, { type: 'object', properties: {} }],
    [{ type: ['object', 'null'], properties: {} }, { type: 'object', properties: {} }],
    [{ ...good, not: { required: ['b'] } }, good],
    [
      { type: 'object', description: 'One of two.', anyOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: { type: 'number' } } }] },
      { type: 'object', description: 'One of two.', properties: { a: { type: 'string' }, b: { type: 'number' } } },
    ],
  ])('%j', (schema, expected) => {
    expect(wireSchema(schema)).toEqual(expected);
    expect(rootFaults(wireSchema(schema))).toEqual({ combined: [], noProperties: false });
  });

  test('properties with names that do not fit are left out at every depth', () => {
    const odd = { type: 'object', properties: { 'a b': { type: 'string' }, ok: { type: 'array', items: { type: 'object', properties: { 'ü': {}, fine: {} }, required: ['ü', 'fine'] } } }, required: ['a b'] };
    expect(withoutProperties(odd, /^\w+$/)).toEqual({ type: 'object', properties: { ok: { type: 'array', items: { type: 'object', properties: { fine: {} }, required: ['fine'] } } }, required: [] });
  });
});
