// Dialogs answer what was meant and nothing else.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Question } from '../../src/types/question.ts';
import { GUARD_MS } from '../../src/ui/dialog.ts';
import { unpainted } from '../../src/lib/width.ts';
import { layersOf } from '../../src/ui/layers.ts';
import { createRig, permission } from '../components/fixtures.ts';

const ask = (rig: ReturnType<typeof createRig>, question: Question = permission(), id = 'q1') => rig.emit({ type: 'asked', id, question });

describe('the guard', () => {
  const sentence = 'yes and now a 1 2 3 4 A n y';

  const kinds: Record<string, Question> = {
    permission: permission(), choice: { kind: 'choose', title: 'x', free: true, options: [{ id: 'a', label: 'A' }, { id: 'b', label: 'B' }] },
    'long list': { kind: 'choose', title: 'x', many: true, options: Array.from({ length: 12 }, (_, at) => ({ id: String(at), label: `A ${at}` })) },
    form: { kind: 'form', title: 'x', from: 'y', schema: { type: 'object', properties: { a: { type: 'string' } } } },
  };
  test.each(Object.keys(kinds).flatMap((kind) => [20, 150, 399].map((gap) => [kind, gap] as const)))('%s: a sentence typed with %d ms between keys while it appears answers nothing', (kind, gap) => {
    for (let at = 0; at <= sentence.length; at += 1) {
      const rig = createRig();
      rig.type(sentence.slice(0, at), gap);
      ask(rig, kinds[kind]);
      rig.type(sentence.slice(at), gap);
      expect([rig.driver.screen.get().editor.text, rig.driver.screen.get().dialog?.field?.editor.text ?? '', rig.effects]).toEqual([sentence, '', []]);
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

  test('a key that is held down, an Enter at that very moment, a resize: none of them answers', () => {
    const rig = createRig();
    for (let repeat = 0; repeat < 40; repeat += 1) {
      if (repeat === 20) ask(rig);
      if (repeat === 30) rig.driver.dispatch({ type: 'resized', columns: 45, rows: 12 });
      rig.type('y', 33);
    }
    rig.type('<enter>', 33);
    expect(rig.effects).toEqual([{ do: 'submit', text: 'y'.repeat(40) }]);
    rig.type('n');
    expect(rig.effects[1]).toEqual({ do: 'answer', id: 'q1', answer: { kind: 'deny' } });
  });

  test('a question that is gone takes no key', () => {
    const rig = createRig();
    ask(rig);
    rig.emit({ type: 'answered', id: 'q1', answer: { kind: 'deny' } });
    rig.type('y');
    expect([rig.effects, rig.driver.screen.get().editor.text]).toEqual([[], 'y']);
  });

  test('whatever happens in whatever order, an answer comes only from a key after 400 ms of rest on a dialog of 400 ms', () => {
    const happening = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant('key' as const), key: fc.constantFrom('y', 'n', 'a', '1', '2', '3', '<enter>', '<esc>', 'x', ' '), gap: fc.integer({ min: 0, max: 600 }) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('ask' as const, 'over' as const, 'paste' as const, 'resize' as const, 'click' as const), gap: fc.integer({ min: 0, max: 600 }) }) },
    );
    fc.assert(fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
      const rig = createRig();
      let [asked, shownAt, lastKeyAt] = [0, 0, Number.NEGATIVE_INFINITY];
      for (const one of happenings) {
        rig.time += one.gap;
        const before = rig.effects.length;
        const isOpen = rig.session.get().questions.length > 0;
        const rested = isOpen && rig.time - shownAt >= GUARD_MS && rig.time - lastKeyAt >= GUARD_MS;
        if (one.do === 'ask') { ask(rig, permission(), `q${(asked += 1)}`); if (!isOpen) shownAt = rig.time; }
        else if (one.do === 'over') { const [first] = rig.session.get().questions; if (first) { rig.emit({ type: 'answered', id: first.id, answer: { kind: 'deny' } }); shownAt = rig.time; } }
        else if (one.do === 'paste') { rig.driver.dispatch({ type: 'paste', text: 'y', at: rig.time }); }
        else if (one.do === 'resize') rig.driver.dispatch({ type: 'resized', columns: 45, rows: 12 });
        else if (one.do === 'click') rig.driver.dispatch({ type: 'click', x: 1, y: 1, at: rig.time });
        else if ('key' in one) rig.type(one.key, 0);
        const answers = rig.effects.slice(before).filter((effect) => effect.do === 'answer');
        if (answers.length > 0) expect([one.do, rested, answers.length]).toEqual(['key', true, 1]);
        if (one.do === 'key' || one.do === 'paste') lastKeyAt = rig.time;
        for (const effect of answers) if (effect.do === 'answer') { rig.emit({ type: 'answered', id: effect.id, answer: effect.answer }); shownAt = rig.time; }
      }
    }), { numRuns: 300 });
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

const answerTo = (question: Question, keys: string) => {
  const rig = createRig();
  ask(rig, question);
  rig.type(keys);
  return rig;
};

describe('editing first', () => {
  const bash = permission({ call: { id: 'c1', name: 'Run', input: { command: 'npm test', timeout_s: 5 } }, editable: 'command', view: { type: 'terminal', command: 'npm test', output: '' } });
  test('the command is edited as text, looked at again, then allowed once', () => {
    const rig = answerTo(bash, 'e -- a<enter>');
    expect(rig.effects).toEqual([]);
    rig.type('y', 100);
    expect([rig.effects, rig.driver.screen.get().editor.text]).toEqual([[], 'y']);
    rig.type('<backspace>', 100);
    expect(rig.driver.screen.get().dialog).toMatchObject({ field: null, selected: 0, edited: { text: 'npm test -- a' } });
    // Rules were proposed for the command as it came.
    rig.type('aA4');
    expect(rig.effects).toEqual([]);
    rig.type('y');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'allow', input: { command: 'npm test -- a', timeout_s: 5 } } }]);
    expect(rig.driver.screen.get().editor.text).toBe('');
  });

  test.each<[string, string, object]>([
    ['several lines', 'e<ctrl+j>ls<up><ctrl+a># <enter>y', { kind: 'allow', input: { command: '# npm test\nls', timeout_s: 5 } }],
    ['nothing changed', 'e<enter>a', { kind: 'allow', keep: 'session', rules: ['Run(npm test)'] }],
    ['thought better of', 'exyz<esc>y', { kind: 'allow' }],
    ['changed and denied', 'ex<enter>n', { kind: 'deny' }],
    ['edited twice', 'ex<enter>e<backspace>y<enter><enter>', { kind: 'allow', input: { command: 'npm testy', timeout_s: 5 } }],
  ])('%s', (_name, keys, answer) => {
    expect(answerTo(bash, keys).effects).toEqual([{ do: 'answer', id: 'q1', answer }]);
  });

  test('all arguments are JSON where no text is named; what is none stays open with the reason', () => {
    const rig = answerTo(permission(), 'e x<enter>');
    expect(rig.driver.screen.get().dialog?.field).toMatchObject({ for: 'edit', problem: expect.stringContaining('JSON') });
    rig.type('<backspace><backspace><up><ctrl+e><backspace> -a"<enter>y');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'allow', input: { command: 'npm test -a' } } }]);
  });

  test('invisible characters are taken out of what is edited', () => {
    const rig = answerTo({ ...bash, call: { ...bash.call, input: { command: 'ls\u202e\u200b -l' } } }, 'e<enter>y');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'allow', input: { command: 'ls -l' } } }]);
  });

  test('Ctrl-G and long texts go to the editor of the user, and what comes back counts after a pause', () => {
    const rig = answerTo(bash, 'ex<ctrl+g>');
    expect(rig.effects).toEqual([{ do: 'edit', text: 'npm testx', dialog: 'q1' }]);
    rig.driver.dispatch({ type: 'edited', dialog: 'q1', text: 'make', at: rig.time });
    rig.type('y', 100);
    expect(rig.effects.length).toBe(1);
    rig.type('y');
    expect(rig.effects[1]).toEqual({ do: 'answer', id: 'q1', answer: { kind: 'allow', input: { command: 'make', timeout_s: 5 } } });

    const long = answerTo({ ...bash, call: { ...bash.call, input: { command: 'x'.repeat(20_000) } } }, 'e');
    expect(long.effects).toEqual([{ do: 'edit', text: 'x'.repeat(20_000), dialog: 'q1' }]);
    long.driver.dispatch({ type: 'edited', dialog: 'other', text: 'make', at: long.time });
    expect(long.driver.screen.get().dialog?.edited).toBe(null);
  });

  test('the prompt goes there as well', () => {
    const rig = createRig();
    rig.type('hi<ctrl+g>');
    rig.driver.dispatch({ type: 'edited', dialog: null, text: 'hi\nthere\x1b[31m', at: rig.time });
    expect([rig.effects, rig.driver.screen.get().editor.text]).toEqual([[{ do: 'edit', text: 'hi', dialog: null }], 'hi\nthere']);
  });

  test('a paste into it stays whole and answers nothing', () => {
    const rig = answerTo(bash, 'e');
    rig.driver.dispatch({ type: 'paste', text: '\ny\n'.repeat(30), at: rig.time });
    rig.type('<enter>y');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'allow', input: { command: `npm test${'\ny\n'.repeat(30)}`, timeout_s: 5 } } }]);
  });
});

describe('many options', () => {
  const long: Question = { kind: 'choose', title: 'Which?', options: Array.from({ length: 30 }, (_, at) => ({ id: `id${at}`, label: `option ${at}`, ...(at === 7 && { detail: 'the needle' }) })) };

  test.each<[string, object]>([
    ['needle<enter>', { kind: 'chosen', ids: ['id7'] }],
    ['12<enter>', { kind: 'chosen', ids: ['id12'] }],
    ['<down><down><enter>', { kind: 'chosen', ids: ['id2'] }],
    ['<up><enter>', { kind: 'chosen', ids: ['id29'] }],
    ['zzz<enter><backspace><backspace><backspace><enter>', { kind: 'chosen', ids: ['id0'] }],
    ['zzz<esc><esc>', { kind: 'dismissed' }],
  ])('are found by typing: %s', (keys, answer) => {
    const rig = createRig();
    ask(rig, long);
    rig.type(keys);
    expect([rig.effects, rig.driver.screen.get().editor.text]).toEqual([[{ do: 'answer', id: 'q1', answer }], '']);
  });

  test('several are marked under different filters', () => {
    const rig = createRig();
    ask(rig, { ...long, many: true });
    rig.type('needle <esc>12 <enter>');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'chosen', ids: ['id7', 'id12'] } }]);
  });

  test('a free answer that is thought better of leads back to the filter', () => {
    const rig = createRig();
    ask(rig, { ...long, free: true });
    rig.type('needle<down><enter>mine<esc>12<enter>');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'chosen', ids: ['id12'] } }]);
  });

  test('digits mark where several can be chosen, and a free answer takes the marks along', () => {
    const rig = createRig();
    ask(rig, { kind: 'choose', title: 'Which?', many: true, free: true, options: [{ id: 'a', label: 'A' }, { id: 'b', label: 'B' }] });
    rig.type('123and more<enter>');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'chosen', ids: ['a', 'b'], text: 'and more' } }]);
  });
});

const clickOn = (rig: ReturnType<typeof createRig>, what: string) => {
  const screen = rig.driver.screen.get();
  const session = rig.session.get();
  const layer = layersOf(screen, { session, modes: [], commands: [] }, rig.driver.frame(screen, session), rig.driver.scene.theme).layers.at(-1);
  const row = layer?.rows.findIndex((text) => unpainted(text).includes(what)) ?? -1;
  rig.driver.dispatch({ type: 'click', x: (layer?.x ?? 0) + 5, y: (layer?.y ?? 0) + row, at: rig.time });
};

describe('the mouse', () => {
  test('a click takes an answer, after the same pause as a key', () => {
    const rig = createRig();
    ask(rig);
    rig.time += 100;
    clickOn(rig, 'Deny');
    expect(rig.effects).toEqual([]);
    rig.time += 1_000;
    clickOn(rig, 'in /home');
    expect(rig.effects).toEqual([]);
    clickOn(rig, 'Deny');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'deny' } }]);
  });

  test('in a form it ticks boxes and presses buttons', () => {
    const rig = createRig();
    ask(rig, { kind: 'form', title: 'x', from: 'y', schema: { type: 'object', properties: { name: { type: 'string' }, extras: { type: 'array', items: { enum: ['card', 'flowers'] } } } } });
    rig.time += 1_000;
    clickOn(rig, 'flowers');
    clickOn(rig, 'name');
    rig.type('me');
    clickOn(rig, 'Send');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'filled', values: { name: 'me', extras: ['flowers'] } } }]);
  });
});
