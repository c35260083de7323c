// mask: secrets leave no text and no value, wherever in it they stand.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDeepMask, createMask, maskDeep, maskEnd, maskPieces, maskSecret } from '../../src/lib/mask.ts';

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

const json = (text: string) => JSON.stringify(text).slice(1, -1);

describe('in any spelling', () => {
  const secret = 'p"ss w/rd+1\n?=canary-0123456789';
  const mask = createMask([secret]);

  test.each<[string, string]>([
    ['as it is', secret], ['in JSON', json(secret)], ['in JSON in JSON', json(json(secret))], ['in a URL', encodeURIComponent(secret)],
    ['in hex', Buffer.from(secret).toString('hex')], ['in large hex', Buffer.from(secret).toString('hex').toUpperCase()],
    ...[0, 1, 2, 3].flatMap((before): [string, string][] => [
      [`in base64 behind ${before} bytes`, Buffer.from(`${'user:'.slice(0, before)}${secret}:after`).toString('base64')],
      [`in base64url behind ${before} bytes`, Buffer.from(`${'user:'.slice(0, before)}${secret}`).toString('base64url')],
    ]),
  ])('%s', (_, text) => {
    const masked = mask(`a ${text} b`);
    expect(masked).toContain('••••');
    // Four characters at either end may be shared with what stands around it.
    for (let i = 4; i + 12 < text.length - 4; i += 1) expect(masked).not.toContain(text.slice(i, i + 12));
  });

  test('whatever stands around it in base64', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (before, after) => {
      const text = Buffer.from(before + secret + after).toString('base64');
      expect(mask(text)).toContain('••••');
    }));
  });
});

describe('text in pieces', () => {
  const secret = 'canary-0123456789-abcdef';

  test('however it is cut, no piece shows it, and the pieces make the masked text', () => {
    const mask = createMask([secret]);
    fc.assert(fc.property(fc.array(fc.oneof(fc.string(), fc.constant(secret), fc.constant(secret.slice(0, 9)))), fc.array(fc.nat(60)), (parts, cuts) => {
      const text = parts.join('');
      const pieces = maskPieces(mask, [secret]);
      let shown = '';
      let at = 0;
      for (const cut of cuts) { shown += pieces.push(text.slice(at, at + cut)); at += cut; }
      shown += pieces.push(text.slice(at)) + pieces.end();
      expect(shown).toBe(mask(text));
    }));
  });

  test('an end that may be its beginning is hidden', () => {
    expect([`key: ${secret.slice(0, 12)}`, 'key: can', 'key: cana', 'nothing'].map((text) => maskEnd(text, [secret]))).toEqual(['key: ••••', 'key: can', 'key: ••••', 'nothing']);
  });
});

test('what remembers gives the same object for the same object', () => {
  const deep = createDeepMask(createMask(['12345678']));
  const inner = { text: 'plain' };
  const value = { inner, list: ['a 12345678'] };
  const masked = deep(value);
  expect(masked).toEqual({ inner: { text: 'plain' }, list: ['a ••••'] });
  expect([deep(value), masked.inner, deep({ inner }).inner]).toEqual([masked, inner, inner]);
  expect(deep(value)).toBe(masked);
  expect(masked.inner).toBe(inner);
});
