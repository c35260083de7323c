// The screen's reducer: what keys do in each situation, and what they ask of the world.
import { describe, expect, test } from 'vitest';
import { createRig, permission } from '../components/fixtures.ts';

const busy = { type: 'turn_started' } as const;

describe('prompt', () => {
  test('Enter sends, a backslash before it makes a new line', () => {
    const rig = createRig();
    rig.type('one\\<enter>two<enter>');
    expect(rig.effects).toEqual([{ do: 'submit', text: 'one\ntwo' }]);
    expect(rig.driver.screen.get().editor).toMatchObject({ text: '', history: ['one\ntwo'] });
  });

  test('an empty prompt is never sent', () => {
    const rig = createRig();
    rig.type('<enter>  <enter>');
    expect(rig.effects).toEqual([]);
  });

  test('Up on an empty prompt takes the last queued one back, else the history', () => {
    const rig = createRig();
    rig.type('old<enter>');
    rig.emit(busy, { type: 'queued', prompts: ['a', 'b'] });
    rig.type('<up>');
    expect(rig.driver.screen.get().editor.text).toBe('b');
    expect(rig.effects.at(-1)).toEqual({ do: 'setQueue', prompts: ['a'] });
    rig.emit({ type: 'queued', prompts: [] });
    rig.type('<ctrl+u><up>');
    expect(rig.driver.screen.get().editor.text).toBe('old');
  });

  test('? shows the keys on an empty prompt only', () => {
    const rig = createRig();
    rig.type('?');
    expect(rig.driver.screen.get().overlay).toEqual({ kind: 'keys', top: 0 });
    rig.type('<esc>what?');
    expect(rig.driver.screen.get()).toMatchObject({ overlay: null, editor: { text: 'what?' } });
  });
});

describe('Ctrl-C, Esc, Ctrl-D', () => {
  test('Ctrl-C cancels the turn, else clears the prompt, else quits at the second within 2 s', () => {
    const rig = createRig();
    rig.type('draft');
    rig.emit(busy);
    rig.type('<ctrl+c>');
    expect(rig.effects).toEqual([{ do: 'cancel' }]);
    rig.emit({ type: 'turn_ended', why: 'cancelled' });
    rig.type('<ctrl+c>');
    expect(rig.driver.screen.get()).toMatchObject({ editor: { text: '' }, hint: null });
    rig.type('<ctrl+c>');
    expect(rig.driver.screen.get().hint).toBe('quit');
    rig.type('<ctrl+c>');
    expect(rig.effects.at(-1)).toEqual({ do: 'quit', code: 0 });
  });

  test('the word about quitting goes with the next key, and with time', () => {
    const rig = createRig();
    rig.type('<ctrl+c>x');
    expect(rig.driver.screen.get().hint).toBe(null);
    rig.type('<ctrl+c><ctrl+c>');
    rig.driver.dispatch({ type: 'hint_over' });
    rig.type('<ctrl+c>');
    expect(rig.effects).toEqual([]);
    expect(rig.driver.screen.get().hint).toBe('quit');
    rig.driver.stop();
  });

  test('Esc closes what is open, else sends the queue, else cancels', () => {
    const rig = createRig();
    rig.emit(busy, { type: 'queued', prompts: ['a'] });
    rig.type('<ctrl+p><esc>');
    expect([rig.driver.screen.get().overlay, rig.effects]).toEqual([null, []]);
    rig.type('<esc>');
    rig.emit({ type: 'queued', prompts: [] });
    rig.type('<esc>');
    rig.emit({ type: 'turn_ended', why: 'cancelled' });
    rig.type('<esc>');
    expect(rig.effects).toEqual([{ do: 'sendQueue' }, { do: 'cancel' }]);
  });

  test('Ctrl-D quits on an empty prompt and deletes in another', () => {
    const rig = createRig();
    rig.type('ab<left><ctrl+d>');
    expect(rig.driver.screen.get().editor.text).toBe('a');
    rig.type('<backspace><ctrl+d>');
    expect(rig.effects).toEqual([{ do: 'quit', code: 0 }]);
  });
});

describe('completion', () => {
  test('Tab goes to the longest common start, then takes the highlighted command', () => {
    const rig = createRig();
    rig.type('/c<tab>');
    expect(rig.driver.screen.get().editor.text).toBe('/c');
    rig.type('o<tab>');
    expect(rig.driver.screen.get().editor.text).toBe('/compact ');
  });

  test('Enter runs the highlighted command, or asks for its arguments', () => {
    const rig = createRig();
    rig.type('/c<down><enter>/ren<enter>');
    expect(rig.effects).toEqual([{ do: 'submit', text: '/compact' }]);
    expect(rig.driver.screen.get().editor.text).toBe('/rename ');
  });

  test('a name typed whole is run as typed, an alias too', () => {
    const rig = createRig();
    rig.type('/quit<enter>');
    expect(rig.effects).toEqual([{ do: 'submit', text: '/quit' }]);
  });

  test('Esc closes the list and Up is history again', () => {
    const rig = createRig();
    rig.type('old<enter>/mo<esc><up>');
    expect(rig.driver.screen.get().editor.text).toBe('old');
  });
});

describe('palette', () => {
  test('switches the mode', () => {
    const rig = createRig();
    rig.type('<ctrl+p>mode plan<enter>');
    expect(rig.effects).toEqual([{ do: 'setMode', mode: 'plan' }]);
    expect(rig.driver.screen.get()).toMatchObject({ overlay: null, editor: { text: '' } });
  });

  test('runs a command, types one that needs arguments, does an action of the screen', () => {
    const rig = createRig();
    rig.type('<ctrl+p>/help<enter>');
    expect(rig.effects).toEqual([{ do: 'submit', text: '/help' }]);
    rig.type('<ctrl+p>/rename<enter>');
    expect(rig.driver.screen.get().editor.text).toBe('/rename ');
    rig.type('<ctrl+p>show the keys<enter>');
    expect(rig.driver.screen.get().overlay).toEqual({ kind: 'keys', top: 0 });
  });
});

test('Shift+Tab goes round the modes, and into the round from outside', () => {
  const rig = createRig();
  const seen = [];
  for (let turn = 0; turn < 3; turn += 1) {
    rig.type('<shift+tab>');
    const effect = rig.effects.at(-1);
    if (effect?.do === 'setMode') { seen.push(effect.mode); rig.emit({ type: 'mode', mode: effect.mode }); }
  }
  rig.emit({ type: 'mode', mode: 'bypassPermissions' });
  rig.type('<shift+tab>');
  expect([...seen, rig.effects.at(-1)]).toEqual(['acceptEdits', 'plan', 'default', { do: 'setMode', mode: 'default' }]);
});

test('a paste folds in the prompt and is one line in a field', () => {
  const rig = createRig();
  const paste = (text: string) => rig.driver.dispatch({ type: 'paste', text, at: rig.time });
  paste('x\n'.repeat(50));
  rig.type('<enter><ctrl+p>');
  paste('mo\nde');
  expect(rig.effects).toEqual([{ do: 'submit', text: 'x\n'.repeat(50) }]);
  expect(rig.driver.screen.get().overlay).toMatchObject({ filter: { text: 'mo de' } });
});

test('a question leaves the palette as it is', () => {
  const rig = createRig();
  rig.type('<ctrl+p>mo');
  rig.emit({ type: 'asked', id: 'q1', question: permission() });
  rig.type('de', 50);
  expect(rig.driver.screen.get().overlay).toMatchObject({ filter: { text: 'mode' } });
  rig.type('y');
  expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'allow' } }]);
});
