// The keymap: no key means two things in one place, and every key has the form in which it arrives.
import { expect, test } from 'vitest';
import { keyHelp, keymap, lookUp } from '../../src/ui/keymap.ts';
import { pressesOf, type InkKey } from '../../src/ui/keys.ts';

test('no key is bound twice in one place', () => {
  const seen = keymap.flatMap((binding) => binding.keys.map((key) => `${binding.in} ${key}`));
  expect(seen.filter((key, index) => seen.indexOf(key) !== index)).toEqual([]);
});

test('modifiers stand in one order', () => {
  const wrong = keymap.flatMap((binding) => binding.keys).filter((key) => !/^(ctrl\+)?(alt\+)?(shift\+)?([^\s]|[a-z]{2,})$/u.test(key));
  expect(wrong).toEqual([]);
});

test('the first place that knows a key wins', () => {
  expect(lookUp(['completion', 'prompt', 'edit', 'screen'], 'up')).toEqual({ does: 'completionUp', place: 'completion' });
  expect(lookUp(['prompt', 'edit', 'screen'], 'ctrl+d')).toEqual({ does: 'deleteOrQuit', place: 'prompt' });
  expect(lookUp(['edit'], 'f12')).toBe(null);
});

test.each<[string, InkKey, { name: string; text: string }[]]>([
  ['a', {}, [{ name: 'a', text: 'a' }]],
  ['A', { shift: true }, [{ name: 'A', text: 'A' }]],
  ['\r', { return: true }, [{ name: 'enter', text: '' }]],
  ['\r', { return: true, shift: true }, [{ name: 'shift+enter', text: '' }]],
  ['\r', { return: true, meta: true }, [{ name: 'alt+enter', text: '' }]],
  ['\n', {}, [{ name: 'ctrl+j', text: '' }]],
  ['', { tab: true, shift: true }, [{ name: 'shift+tab', text: '' }]],
  ['c', { ctrl: true }, [{ name: 'ctrl+c', text: '' }]],
  ['_', { ctrl: true, shift: true }, [{ name: 'ctrl+_', text: '' }]],
  ['B', { meta: true, shift: true }, [{ name: 'alt+b', text: '' }]],
  [' ', { ctrl: true }, [{ name: 'ctrl+space', text: '' }]],
  ['', { backspace: true, meta: true }, [{ name: 'alt+backspace', text: '' }]],
  ['', { upArrow: true, shift: true }, [{ name: 'shift+up', text: '' }]],
  ['x', { eventType: 'release' }, []],
  ['hi\rthere', {}, [{ name: 'hi', text: 'hi' }, { name: 'enter', text: '' }, { name: 'there', text: 'there' }]],
  ['日本', {}, [{ name: '日本', text: '日本' }]],
])('%j with %j', (input, key, presses) => {
  expect(pressesOf(input, key)).toEqual(presses);
});

test('the help names keys as people write them', () => {
  expect(keyHelp().find(({ says }) => says === 'command palette')).toEqual({ keys: 'Ctrl-P', says: 'command palette' });
});
