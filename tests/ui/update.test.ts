// The screen's reducer: what keys do in each situation, and what they ask of the world.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Happening } from '../../src/types/event.ts';
import { graphemes } from '../../src/ui/editor/graphemes.ts';
import { firstRows } from '../../src/ui/first-rows.ts';
import { keymap } from '../../src/ui/keymap.ts';
import { layersOf } from '../../src/ui/layers.ts';
import { columnsOf, unpainted } from '../../src/lib/width.ts';
import { commands, createRig, modes, permission } from '../components/fixtures.ts';

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
    expect(rig.driver.screen.get()).toMatchObject({ editor: { text: '' }, quitArmed: null });
    rig.type('<ctrl+c>');
    expect(rig.driver.screen.get().quitArmed).toBe(rig.time);
    rig.type('<ctrl+c>');
    expect(rig.effects.at(-1)).toEqual({ do: 'quit', code: 0 });
  });

  test('the word about quitting goes with the next key, and with its own time only', () => {
    const rig = createRig();
    rig.type('<ctrl+c>x');
    expect(rig.driver.screen.get().quitArmed).toBe(null);
    rig.type('<ctrl+c><ctrl+c>');
    const armed = rig.time;
    rig.driver.dispatch({ type: 'disarm_quit', at: armed - 3_000 });
    expect(rig.driver.screen.get().quitArmed).toBe(armed);
    rig.driver.dispatch({ type: 'disarm_quit', at: armed });
    expect(rig.driver.screen.get().quitArmed).toBe(null);
    rig.type('<ctrl+c>');
    rig.type('<ctrl+c>', 2_001);
    expect(rig.effects).toEqual([]);
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

test('whatever is pressed and happens, in any order, the screen holds together', () => {
  const key = fc.constantFrom(...new Set(keymap.flatMap((binding) => binding.keys).filter((name) => name.length > 1)));
  const typed = fc.constantFrom('/mo', 'y', '?', '[', 'A', '日本', '👍🏽', ' ', '\t', 'x'.repeat(200));
  const happening = fc.constantFrom<Happening>(
    { type: 'turn_started' }, { type: 'turn_ended', why: 'end' }, { type: 'queued', prompts: ['one', 'two', '日本語'] }, { type: 'queued', prompts: [] },
    { type: 'asked', id: 'q1', question: permission({ title: 'long '.repeat(500) }) }, { type: 'answered', id: 'q1', answer: { kind: 'deny' } },
    { type: 'asked', id: 'q2', question: { kind: 'choose', title: 'which', options: [{ id: 'a', label: 'A' }], many: true, free: true } },
    { type: 'asked', id: 'q3', question: { kind: 'form', title: 'f', from: 'server', schema: {} } },
    { type: 'message', message: { id: 'm', role: 'user', parts: [{ type: 'text', text: 'hello' }], at: 0 } },
    { type: 'tool_called', call: { id: 'c', name: 'Run', input: {} }, title: 'x' }, { type: 'session_started', id: 's2', cwd: '/', provider: 'p', model: 'm', mode: 'plan', window: 0 },
  );
  const act = fc.oneof(
    { weight: 6, arbitrary: key.map((name) => ({ name })) }, { weight: 3, arbitrary: typed.map((text) => ({ text })) }, { weight: 2, arbitrary: happening.map((event) => ({ event })) },
    { weight: 1, arbitrary: fc.record({ columns: fc.integer({ min: 20, max: 160 }), rows: fc.integer({ min: 6, max: 50 }) }) },
    { weight: 1, arbitrary: fc.record({ x: fc.nat(160), y: fc.nat(50), wheel: fc.boolean() }) }, { weight: 1, arbitrary: typed.map((paste) => ({ paste })) },
  );
  fc.assert(fc.property(fc.array(fc.tuple(act, fc.constantFrom(10, 500)), { maxLength: 60 }), (list) => {
    const rig = createRig({ columns: 80, rows: 24 });
    const { driver } = rig;
    for (const [what, gap] of list) {
      rig.time += gap;
      if ('name' in what) driver.dispatch({ type: 'press', press: { name: what.name, text: '' }, at: rig.time });
      else if ('text' in what) driver.dispatch({ type: 'press', press: { name: what.text, text: what.text }, at: rig.time });
      else if ('event' in what) rig.emit(what.event);
      else if ('paste' in what) driver.dispatch({ type: 'paste', text: what.paste, at: rig.time });
      else if ('columns' in what) driver.dispatch({ type: 'resized', ...what });
      else driver.dispatch(what.wheel ? { type: 'wheel', x: what.x, y: what.y, rows: 3 } : { type: 'click', x: what.x, y: what.y, at: rig.time });

      const screen = driver.screen.get();
      const session = rig.session.get();
      const { columns, rows } = screen.size;
      const { text, cursor } = screen.editor;
      expect(graphemes(text.slice(0, cursor)).join('') + graphemes(text.slice(cursor)).join('')).toBe(text);
      const painted = firstRows(screen, session, driver.scene.info, driver.scene.theme);
      const { layers } = layersOf(screen, { session, commands, modes }, driver.frame(screen, session), driver.scene.theme);
      expect(painted.rows.map(unpainted).filter((row) => columnsOf(row) > columns)).toEqual([]);
      expect(painted.cursor.x < columns && painted.cursor.y < rows).toBe(true);
      for (const layer of layers) {
        expect(layer.rows.filter((row) => columnsOf(unpainted(row)) !== layer.width)).toEqual([]);
        expect(layer.x >= 0 && layer.y >= 0 && layer.x + layer.width <= columns && layer.y + layer.rows.length <= rows).toBe(true);
      }
    }
    driver.stop();
  }), { numRuns: 100 });
});
