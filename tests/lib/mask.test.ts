// mask: secrets leave no text and no value, wherever in it they stand.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMask, maskDeep, maskSecret } from '../../src/lib/mask.ts';

const KEY = 'sk-ant-api03-abcdefghijklmnop';

test.each([
  [KEY, '••••mnop'],
  ['0123456789abcdef', '••••cdef'],
  ['0123456789abcde', '••••'],
  ['short', '••••'],
  ['a-very-long-pass"w/d', '•••••w•d'],
])('%s is shown as %s', (secret, shown) => {
  expect(maskSecret(secret)).toBe(shown);
});

describe('known secrets', () => {
  const mask = createMask(['pass"word\n1', 'pass', 'password-of-mine-1', 'password-of-mine-1-longer']);

  test.each([
    ['the password-of-mine-1!', 'the ••••ne•1!'],
    ['password-of-mine-1-longer', maskSecret('password-of-mine-1-longer')],
    ['a pass is an ordinary word', 'a pass is an ordinary word'],
    ['raw: pass"word\n1.', 'raw: ••••.'],
    [JSON.stringify({ body: 'pass"word\n1' }), '{"body":"••••"}'],
  ])('%j', (text, masked) => {
    expect(mask(text)).toBe(masked);
  });
});

test.each([
  `key=${KEY}`,
  `"sk-proj-${'a'.repeat(30)}"`,
  `ghp_${'a'.repeat(36)}`,
  `github_pat_${'a'.repeat(50)}`,
  'AKIAABCDEFGHIJKLMNOP',
  'xoxb-123456789012-abc',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----',
])('what looks like a key is masked unasked: %j', (text) => {
  expect(createMask([])(text)).toContain('••••');
  expect(createMask([])(text)).not.toMatch(/a{10}|abcdefgh|ABCDEFGH|123456|MIIE/);
});

test.each(['the task-list', 'sk-ipping', 'risk-averse-people-are-here', 'commit 0123456789abcdef0123456789abcdef01234567'])('%j stays', (text) => {
  expect(createMask([])(text)).toBe(text);
});

describe('values', () => {
  const mask = createMask(['12345678']);

  test('every string, at any depth, keys of objects too', () => {
    expect(maskDeep({ a: [`x ${KEY}`, { [KEY]: 1 }], b: null, c: true, d: undefined }, mask)).toEqual({ a: ['x ••••mnop', { '••••mnop': 1 }], b: null, c: true, d: undefined });
  });

  test('a key right behind a line break is found', () => {
    expect(maskDeep({ text: `key:\n${KEY}` }, mask)).toEqual({ text: 'key:\n••••mnop' });
  });

  test('a number that holds a secret does not break the value', () => {
    expect(maskDeep({ at: 1712345678, text: 'pin 12345678' }, mask)).toEqual({ at: 1712345678, text: 'pin ••••' });
  });

  test('a value without secrets is given back itself', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => Object.is(maskDeep(value, (text) => text), value)));
  });

  test('no string of the result holds the secret', () => {
    fc.assert(fc.property(fc.jsonValue(), fc.string(), fc.string(), (value, before, after) => {
      const masked = JSON.stringify(maskDeep([value, { [`${before}hunter2-hunter2${after}`]: `${before}hunter2-hunter2${after}` }], createMask(['hunter2-hunter2'])));
      return !masked.includes('hunter2-hunter2');
    }));
  });
});
