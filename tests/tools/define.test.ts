// define: schemas as models are shown them, and what is said of arguments that do not fit.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool, wellFormed } from '../../src/tools/define.ts';

const tool = defineTool({
  name: 'Sample',
  description: 'A sample.',
  input: z.strictObject({
    path: z.string().min(1).describe('Where'),
    limit: z.int().min(1).max(10).default(5),
    kind: z.enum(['a', 'b']).default('a'),
    text: wellFormed().optional(),
    deep: z.boolean().optional(),
    items: z.array(z.strictObject({ name: z.string() })).max(2).optional(),
  }),
  title: ({ path }) => path,
  access: () => [],
  run: async () => ({ ok: true, text: '' }),
});

test('the schema is a plain object schema', () => {
  expect(tool.schema).toEqual({
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1, description: 'Where' },
      limit: { type: 'integer', minimum: 1, maximum: 10, default: 5 },
      kind: { type: 'string', enum: ['a', 'b'], default: 'a' },
      text: { type: 'string' },
      deep: { type: 'boolean' },
      items: { type: 'array', maxItems: 2, items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false } },
    },
    required: ['path'],
    additionalProperties: false,
  });
});

test('integers without bounds are shown none', () => {
  const free = defineTool({ name: 'Free', description: '', input: z.strictObject({ n: z.int() }), title: () => '', access: () => [], run: async () => ({ ok: true, text: '' }) });
  expect(free.schema.properties).toEqual({ n: { type: 'integer' } });
});

test('defaults are filled in', () => {
  expect(tool.parse({ path: 'a' })).toEqual({ ok: true, value: { path: 'a', limit: 5, kind: 'a' } });
});

test.each<[unknown, string]>([
  [{}, '`path` is missing; a string is expected.'],
  [{ path: 3 }, '`path` must be a string, not 3.'],
  [{ path: null }, '`path` must be a string, not null.'],
  [{ path: '' }, '`path` must have at least 1 character, not "".'],
  [{ path: 'a', limit: 0 }, '`limit` must be at least 1, not 0.'],
  [{ path: 'a', limit: 11 }, '`limit` must be at most 10, not 11.'],
  [{ path: 'a', limit: 1.5 }, '`limit` must be an integer, not 1.5.'],
  [{ path: 'a', limit: '5' }, '`limit` must be a number, not "5".'],
  [{ path: 'a', kind: 'c' }, '`kind` must be "a" or "b", not "c".'],
  [{ path: 'a', deep: 'yes' }, '`deep` must be a boolean, not "yes".'],
  [{ path: 'a', text: '\ud800' }, '`text` has half of a surrogate pair, which no file can hold; send the whole character.'],
  [{ path: 'a', items: [{ name: 'x' }, { name: 1 }] }, '`items[1].name` must be a string, not 1.'],
  [{ path: 'a', items: [{ nam: 'x' }] }, '`items[0].name` is missing; a string is expected. In `items[0]` there is no argument named `nam`.'],
  [{ path: 'a', ofset: 1 }, 'There is no argument named `ofset`.'],
  [{ path: ['x'.repeat(100)] }, `\`path\` must be a string, not ["${'x'.repeat(55)}… (104 characters).`],
  [{ path: 1, limit: 0 }, '`path` must be a string, not 1. `limit` must be at least 1, not 0.'],
  ['text', 'The input must be an object, not "text".'],
  [undefined, 'The input is missing; an object is expected.'],
])('%j is refused in a sentence', (raw, problem) => {
  expect(tool.parse(raw)).toEqual({ ok: false, problem });
});
