// Forms: the fields of a schema, what is wrong with a value, and a form filled in by keys.
import { describe, expect, test } from 'vitest';
import { unpainted } from '../../src/lib/width.ts';
import type { JsonObject } from '../../src/types/json.ts';
import type { Question } from '../../src/types/question.ts';
import { layersOf } from '../../src/ui/layers.ts';
import { formFields, readField } from '../../src/ui/form.ts';
import { createRig } from '../components/fixtures.ts';

const one = (property: JsonObject, required = false) => {
  const [field] = formFields({ type: 'object', properties: { it: property }, ...(required && { required: ['it'] }) });
  if (!field) throw new Error('no field');
  return field;
};

describe('one value', () => {
  test.each<[JsonObject, string | number[], unknown]>([
    [{ type: 'string' }, 'a b', 'a b'],
    [{ type: 'string' }, '', undefined],
    [{ type: 'string', minLength: 3 }, 'ab', { problem: 'must have at least 3 characters, not 2' }],
    [{ type: 'string', maxLength: 1 }, '👍🏽', { problem: 'must have at most 1 characters, not 2' }],
    [{ type: 'string', format: 'email' }, 'me@example.com ', 'me@example.com'],
    [{ type: 'string', format: 'email' }, 'me', { problem: 'must be an e-mail address, like me@example.com' }],
    [{ type: 'string', format: 'uri' }, 'nowhere', { problem: 'must be an address, like https://example.com' }],
    [{ type: 'string', format: 'date' }, '2026-02-30', { problem: 'must be a date, like 2026-03-31' }],
    [{ type: 'string', format: 'date' }, '2026-02-28', '2026-02-28'],
    [{ type: 'string', format: 'date-time' }, '2026-02-28T10:00:00+01:00', '2026-02-28T10:00:00+01:00'],
    [{ type: 'string', format: 'date-time' }, '2026-02-28 10', { problem: 'must be a date and time, like 2026-03-31T12:00:00Z' }],
    [{ type: 'integer' }, '12', 12],
    [{ type: 'integer' }, '1.5', { problem: 'must be a whole number' }],
    [{ type: 'number' }, '-1.5e2', -150],
    [{ type: 'number' }, 'twelve', { problem: 'must be a number' }],
    [{ type: 'number' }, '0x10', { problem: 'must be a number' }],
    [{ type: 'number', minimum: 1, maximum: 5 }, '0', { problem: 'must be at least 1' }],
    [{ type: 'number', minimum: 1, maximum: 5 }, '6', { problem: 'must be at most 5' }],
    [{ type: 'boolean' }, [1], false],
    [{ type: 'boolean' }, [], undefined],
    [{ type: 'string', enum: ['a', 'b'] }, [1], 'b'],
    [{ type: 'string', oneOf: [{ const: '#f00', title: 'Red' }, { const: '#0f0', title: 'Green' }] }, [0], '#f00'],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } }, [0, 2], ['a', 'c']],
    [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] }, minItems: 1 }, [], undefined],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 2 }, [0], { problem: 'needs at least 2' }],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, maxItems: 1 }, [0, 1], { problem: 'takes at most 1' }],
    [{ type: 'object' }, '{"a":1}', { a: 1 }],
    [{ type: 'object' }, '{', { problem: 'must be JSON' }],
  ])('%j with %j', (property, input, wanted) => {
    const read = readField(one(property), input);
    if (typeof wanted === 'object' && wanted !== null && 'problem' in wanted) expect(read).toEqual({ ok: false, ...wanted });
    else expect(read).toEqual({ ok: true, value: wanted });
  });

  test.each<[JsonObject, string | number[], string]>([[{ type: 'string' }, ' ', 'is needed'], [{ type: 'boolean' }, [], 'is needed: choose one']])('%j that is needed', (property, input, problem) => {
    expect(readField(one(property, true), input)).toEqual({ ok: false, problem });
  });

  test.each([['password', true], ['apiKey', true], ['API token', true], ['auth_secret', true], ['name', false], ['keyboard', false], ['pinned', false]])('"%s" looks like a secret: %s', (name, secret) => {
    expect(formFields({ type: 'object', properties: { [name]: { type: 'string' } } })[0]?.secret).toBe(secret);
  });

  test('what is preset', () => {
    const fields = formFields({ type: 'object', properties: { a: { type: 'string', default: 'x' }, b: { type: 'number', default: 3 }, c: { type: 'boolean', default: false }, d: { enum: ['p', 'q'], default: 'q' }, e: { type: 'array', items: { enum: ['r', 's'] }, default: ['s'] } } });
    expect(fields.map(({ preset }) => preset)).toEqual(['x', '3', [1], [1], [1]]);
  });

  test.each([{}, { properties: [] }, { properties: { a: null, b: 3 }, required: 'a' }, { properties: { a: { enum: 'x', oneOf: [1] } } }] as unknown as JsonObject[])('a schema that makes no sense does no harm: %j', (schema) => {
    for (const field of formFields(schema)) readField(field, field.preset);
  });
});

const shown = (rig: ReturnType<typeof createRig>) => {
  const screen = rig.driver.screen.get();
  const session = rig.session.get();
  return (layersOf(screen, { session, modes: [], commands: [] }, rig.driver.frame(screen, session), rig.driver.scene.theme).layers.at(-1)?.rows ?? []).map(unpainted).join('\n');
};

describe('filled in by keys', () => {
  const form: Question = {
    kind: 'form', title: 'Where to?', from: 'server shop', schema: {
      type: 'object', required: ['name', 'size'], properties: {
        name: { type: 'string', title: 'Your name', minLength: 2 }, count: { type: 'integer', default: 1 }, size: { enum: ['s', 'm', 'l'] },
        gift: { type: 'boolean' }, extras: { type: 'array', items: { enum: ['card', 'flowers'] } }, token: { type: 'string' },
      },
    },
  };
  const open = (keys: string) => {
    const rig = createRig({ columns: 80, rows: 30 });
    rig.emit({ type: 'asked', id: 'q1', question: form });
    rig.type(keys);
    return rig;
  };
  test.each<[string, object]>([
    ['Al<down><backspace>2<down>  <down><right><down> <down><down>x<down><enter>', { kind: 'filled', values: { name: 'Al', count: 2, size: 'm', gift: true, extras: ['card'], token: 'x' } }],
    ['Al<enter><enter><left><enter><enter><enter><enter><enter><enter>', { kind: 'filled', values: { name: 'Al', count: 1, size: 'l' } }],
    ['<up><enter>', { kind: 'deny' }],
    ['Al<esc>', { kind: 'dismissed' }],
    // A choice that may be left out goes round to none.
    ['Al<down><down> <down>   <up><up><up><up><up><enter>', { kind: 'filled', values: { name: 'Al', count: 1, size: 's' } }],
  ])('%s', (keys, answer) => {
    const rig = open(keys);
    expect([rig.effects, rig.driver.screen.get().editor.text]).toEqual([[{ do: 'answer', id: 'q1', answer }], '']);
  });

  test('with faults it is not sent: they are told, and the focus goes to the first', () => {
    const rig = open('A<up><up><enter>');
    expect(rig.effects).toEqual([]);
    const text = shown(rig);
    for (const part of ['› Your name*: A', 'Your name must have at least 2 characters, not 1.', 'size is needed: choose one.']) expect(text).toContain(part);
    rig.type('l<down><down> <up><up><up><up><enter>');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'filled', values: { name: 'Al', count: 1, size: 's' } } }]);
  });

  test('says who asks, and what looks like a secret', () => {
    const text = shown(open(''));
    expect(text).toContain('server shop asks');
    expect(text).toContain('This looks like a secret. What you type goes to server shop');
  });

  test('what is typed while it appears stays in the prompt', () => {
    const rig = createRig();
    rig.type('dra', 50);
    rig.emit({ type: 'asked', id: 'q1', question: form });
    rig.type('ft<enter>', 50);
    expect([rig.effects, rig.driver.screen.get().dialog?.field?.editor.text]).toEqual([[{ do: 'submit', text: 'draft' }], '']);
  });
});
