// Dialogs answer what was meant and nothing else.
import { describe, expect, test } from 'vitest';
import { reveal } from '../../src/lib/clean.ts';
import type { Question } from '../../src/types/question.ts';
import { createDialog, GUARD_MS } from '../../src/ui/dialog.ts';
import { dialogPicture } from '../../src/ui/dialog-rows.ts';
import { columnsOf, unpainted } from '../../src/lib/width.ts';
import { createTheme } from '../../src/ui/themes.ts';
import { createRig, permission } from '../components/fixtures.ts';

const ask = (rig: ReturnType<typeof createRig>, question: Question = permission(), id = 'q1') => rig.emit({ type: 'asked', id, question });

describe('the guard', () => {
  const sentence = 'yes and now a 1 2 3 4 A n y';

  test.each([20, 150, 399])('a sentence typed with %d ms between keys while a dialog appears answers nothing', (gap) => {
    for (let at = 0; at <= sentence.length; at += 1) {
      const rig = createRig();
      rig.type(sentence.slice(0, at), gap);
      ask(rig);
      rig.type(sentence.slice(at), gap);
      expect([rig.driver.screen.get().editor.text, rig.effects]).toEqual([sentence, []]);
    }
  });

  test('it must have been on screen for 400 ms, and no key come for as long', () => {
    const rig = createRig();
    ask(rig);
    rig.type('y', GUARD_MS - 1);
    rig.type('y', GUARD_MS - 1);
    expect(rig.effects).toEqual([]);
    rig.type('y', GUARD_MS);
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'allow' } }]);
    expect(rig.driver.screen.get().editor.text).toBe('yy');
  });

  test('keys that piled up while the program stood still answer nothing', () => {
    const rig = createRig();
    ask(rig);
    rig.time += 100;
    rig.beat();
    // A standstill: the beat is late, and what was pressed meanwhile is read after it.
    rig.time += 900;
    rig.beat();
    rig.type('y', 1);
    expect([rig.effects, rig.driver.screen.get().editor.text]).toEqual([[], 'y']);
    for (let beat = 0; beat < 4; beat += 1) { rig.time += 100; rig.beat(); }
    rig.type('y', 1);
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'allow' } }]);
  });

  test('a paste never answers and makes the keys wait', () => {
    const rig = createRig();
    ask(rig);
    rig.time += 1_000;
    rig.driver.dispatch({ type: 'paste', text: 'y', at: rig.time });
    rig.type('y', 100);
    expect([rig.effects, rig.driver.screen.get().editor.text]).toEqual([[], 'yy']);
  });

  test('a key that is no answer goes to the prompt, and so does what follows it', () => {
    const rig = createRig();
    ask(rig);
    rig.type('m');
    rig.type('aybe', 80);
    expect([rig.effects, rig.driver.screen.get().editor.text]).toEqual([[], 'maybe']);
  });

  test('after a key that was meant for it, the next ones come at once', () => {
    const rig = createRig();
    ask(rig);
    rig.type('<down>');
    rig.type('<down><enter>', 10);
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'deny' } }]);
  });

  test('one key answers one question, and the next question has a guard of its own', () => {
    const rig = createRig();
    ask(rig);
    ask(rig, permission({ title: 'second' }), 'q2');
    rig.type('y');
    rig.type('yy', 10);
    expect(rig.effects.length).toBe(1);
    rig.emit({ type: 'answered', id: 'q1', answer: { kind: 'allow' } });
    rig.type('y', 100);
    expect(rig.effects.length).toBe(1);
    rig.type('n');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'allow' } }, { do: 'answer', id: 'q2', answer: { kind: 'deny' } }]);
  });
});

describe('permission', () => {
  test.each<[string, object]>([
    ['y', { kind: 'allow' }], ['1', { kind: 'allow' }], ['<enter>', { kind: 'allow' }],
    ['a', { kind: 'allow', keep: 'session', rules: ['Run(npm test)'] }], ['2', { kind: 'allow', keep: 'session', rules: ['Run(npm test)'] }],
    ['n', { kind: 'deny' }], ['3', { kind: 'deny' }], ['<esc>', { kind: 'deny' }],
    ['A<enter>', { kind: 'allow', keep: 'always', rules: ['Run(npm test*)'] }],
    ['4<backspace><backspace>:*)<enter>', { kind: 'allow', keep: 'always', rules: ['Run(npm test:*)'] }],
    ['<up><enter><enter>', { kind: 'allow', keep: 'always', rules: ['Run(npm test*)'] }],
    ['<tab>use pnpm<enter>n', { kind: 'deny', note: 'use pnpm' }],
    ['<tab>never mind<esc>y', { kind: 'allow' }],
    ['?y', { kind: 'allow' }],
  ])('%s', (keys, answer) => {
    const rig = createRig();
    ask(rig);
    rig.type(keys);
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer }]);
    expect(rig.driver.screen.get().editor.text).toBe('');
  });

  test('what a question does not offer can not be given', () => {
    const rig = createRig();
    const { session: _session, always: _always, ...bare } = permission();
    ask(rig, bare);
    rig.type('aA24');
    expect([rig.effects, rig.driver.screen.get().editor.text]).toEqual([[], '']);
  });

  test('Ctrl-C stops the turn, not only the question', () => {
    const rig = createRig();
    rig.emit({ type: 'turn_started' });
    ask(rig);
    rig.type('<ctrl+c>');
    expect(rig.effects).toEqual([{ do: 'cancel' }]);
  });
});

describe('choose', () => {
  const trust: Question = { kind: 'choose', title: 'Trust this folder?', text: 'It sets base_url.', options: [{ id: 'trust', label: 'Trust' }, { id: 'without', label: 'Read without them' }, { id: 'quit', label: 'Quit' }] };

  test.each<[string, object]>([
    ['<enter>', { kind: 'chosen', ids: ['trust'] }], ['2', { kind: 'chosen', ids: ['without'] }], ['<down><down><enter>', { kind: 'chosen', ids: ['quit'] }], ['<esc>', { kind: 'dismissed' }],
  ])('%s', (keys, answer) => {
    const rig = createRig();
    ask(rig, trust);
    rig.type(keys);
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer }]);
  });

  test('several, and a free answer', () => {
    const rig = createRig();
    ask(rig, { ...trust, many: true });
    rig.type(' <down><down> <enter>');
    ask(rig, { ...trust, free: true }, 'q2');
    rig.emit({ type: 'answered', id: 'q1', answer: { kind: 'dismissed' } });
    rig.type('4none of them<enter>');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'chosen', ids: ['trust', 'quit'] } }, { do: 'answer', id: 'q2', answer: { kind: 'chosen', ids: [], text: 'none of them' } }]);
  });
});

describe('rows', () => {
  const theme = createTheme('dark', 'truecolor');
  const dialog = createDialog('q1', 0);
  const show = (question: Question, width = 60, height = 18, state = dialog) => dialogPicture(question, state, { width, height, theme }).rows.map(unpainted);

  test('a command is shown whole, with nothing hidden in it', () => {
    const command = `echo hi${' '.repeat(80)}\u202e; rm -rf x\u200b`;
    const text = show(permission({ title: command, view: { type: 'terminal', command, output: '' } }), 60, 20).map((row) => row.slice(2, -2).trimEnd()).join('');
    expect(text).toContain(`echo hi${'·'.repeat(80)}${reveal('\u202e; rm -rf x\u200b')}`);
  });

  test('the commands that need the answer are marked, with folder, layer and reason', () => {
    const text = show(permission({ title: 'git status && npm test', commands: [{ source: 'git status', asks: false }, { source: 'npm test', asks: true }] })).join('\n');
    expect(text).toContain('▶ npm test');
    expect(text).toContain('  git status');
    expect(text).toContain('in /home/me/demo');
    expect(text).toContain('mode: mode default asks before it runs anything');
  });

  test('rows fill the width and fit the height; the answers stay in sight under a long command', () => {
    const long = permission({ title: Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n') });
    for (const [width, height] of [[40, 10], [60, 14], [110, 30]] as const) {
      const rows = show(long, width, height);
      expect(rows.length).toBeLessThanOrEqual(height);
      expect(rows.filter((row) => columnsOf(row) !== width)).toEqual([]);
      expect(rows.join('\n')).toMatch(/Allow once[\s\S]*Deny/);
      expect(rows.join('\n')).toMatch(/lines 1–\d+ of 100/);
    }
  });

  test('PageDown scrolls to the last line and no further', () => {
    const rig = createRig({ columns: 80, rows: 24 });
    ask(rig, permission({ title: Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n') }));
    rig.type('<pagedown>'.repeat(60));
    const picture = dialogPicture(permission({ title: 'x\n'.repeat(99) }), rig.driver.screen.get().dialog ?? dialog, { width: 76, height: 18, theme });
    expect(rig.driver.screen.get().dialog?.top).toBeGreaterThan(80);
    expect(rig.driver.screen.get().dialog?.top).toBeLessThan(100);
    expect(picture.body.rows).toBe(100);
  });
});
