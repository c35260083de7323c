// nearest: what a mistyped name was meant to be.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nearest } from '../../src/lib/nearest.ts';

const NAMES = ['--mode', '--model', '--provider', '--print', '--cwd', 'plan', 'default', 'acceptEdits'];

test.each([
  ['--modl', '--mode'],
  ['--mdoel', '--model'],
  ['--provder', '--provider'],
  ['--prnit', '--print'],
  ['acceptedits', 'acceptEdits'],
  ['accept', 'acceptEdits'],
  ['pln', 'plan'],
  ['xyz', undefined],
  ['', undefined],
])('%j -> %j', (name, expected) => {
  expect(nearest(name, NAMES)).toBe(expected);
});

test('a name that is there is its own nearest', () => {
  fc.assert(fc.property(fc.constantFrom(...NAMES), (name) => nearest(name, NAMES) === name));
});

test('one wrong letter of a longer name is always found', () => {
  fc.assert(fc.property(fc.constantFrom('--provider', 'acceptEdits'), fc.nat(), fc.constantFrom('q', 'z', '7'), (name, at, letter) => {
    const index = at % name.length;
    return nearest(name.slice(0, index) + letter + name.slice(index + 1), NAMES) === name;
  }));
});
