// The parts of the full-screen door that need no terminal: questions, effects, last words, the held console.
import { describe, expect, test } from 'vitest';
import { createAsker } from '../../src/frontends/tui-asker.ts';
import { holdConsole } from '../../src/frontends/tui-console.ts';
import { createPerform, type Performing } from '../../src/frontends/tui-effects.ts';
import { goodbye } from '../../src/frontends/tui-goodbye.ts';
import { notifyFrom } from '../../src/frontends/tui-notify.ts';
import { initialState, reduce } from '../../src/store/reduce.ts';
import { createStore } from '../../src/store/store.ts';
import type { App } from '../../src/types/command.ts';
import type { AgentEvent, Happening } from '../../src/types/event.ts';
import type { SessionState } from '../../src/types/state.ts';
import { createTheme } from '../../src/ui/themes.ts';
import { UserError } from '../../src/types/user-error.ts';
import { permission } from '../components/fixtures.ts';

const after = (...events: Happening[]): SessionState => events.reduce((state, event) => reduce(state, { agent: 'main', at: 1_000, ...event }), initialState());

const look = { width: 80, theme: createTheme('dark', 'none') };

describe('questions', () => {
  test('each waits for its own answer, which counts once', async () => {
    const asker = createAsker();
    const [first, second] = [permission(), permission()];
    const { signal } = new AbortController();
    const answers = [asker.ask(first, signal), asker.ask(second, signal)];
    expect(asker.answer(second, { kind: 'allow' })).toBe(true);
    expect(asker.answer(second, { kind: 'deny' })).toBe(false);
    expect(asker.answer(first, { kind: 'deny' })).toBe(true);
    expect(await Promise.all(answers)).toEqual([{ kind: 'deny' }, { kind: 'allow' }]);
  });

  test('an abort denies a permission and dismisses anything else, also when it came before', async () => {
    const asker = createAsker();
    const controller = new AbortController();
    const asked = asker.ask(permission(), controller.signal);
    controller.abort();
    const late = asker.ask({ kind: 'choose', title: 'x', options: [] }, controller.signal);
    expect([await asked, await late]).toEqual([{ kind: 'deny' }, { kind: 'dismissed' }]);
  });

  test('an answer at the very moment of the abort changes nothing', async () => {
    const asker = createAsker();
    const controller = new AbortController();
    const question = permission();
    const asked = asker.ask(question, controller.signal);
    controller.abort();
    expect(asker.answer(question, { kind: 'allow' })).toBe(false);
    expect(await asked).toEqual({ kind: 'deny' });
  });
});

function setup(app: Partial<App>) {
  const done: string[] = [];
  const note = (name: string) => (...args: unknown[]) => { done.push([name, ...args.map((arg) => (arg instanceof Error ? arg.message : JSON.stringify(arg)))].join(' ')); };
  const question = permission();
  const asker = createAsker();
  const performing: Performing = {
    asker, repaint: note('repaint'), suspend: async () => note('suspend')(), edit: async (text) => { if (text === 'none') throw new UserError('There is no editor.'); return `${text}!`; }, dispatch: (action) => note('dispatch')({ ...action, at: 0 }), quit: note('quit'), fail: note('fail'),
    app: {
      state: { get: () => after({ type: 'asked', id: 'q1', question }), subscribe: () => () => {} },
      cancel: note('cancel'), sendQueue: note('sendQueue'), setQueue: note('setQueue'), setMode: note('setMode'), emit: note('emit'),
      submit: async (text: string) => note('submit')(text), ...app,
    } as unknown as App,
  };
  return { perform: createPerform(performing), done, asker, question };
}

describe('effects', () => {
  test('each goes where it belongs', async () => {
    const { perform, done, asker, question } = setup({});
    const answer = asker.ask(question, new AbortController().signal);
    for (const effect of [
      { do: 'submit', text: 'hi' }, { do: 'cancel' }, { do: 'sendQueue' }, { do: 'setQueue', prompts: ['a'] }, { do: 'setMode', mode: 'plan' },
      { do: 'answer', id: 'q1', answer: { kind: 'allow' } }, { do: 'answer', id: 'gone', answer: { kind: 'deny' } }, { do: 'repaint' }, { do: 'suspend' }, { do: 'quit', code: 0 },
    ] as const) perform(effect);
    expect(done).toEqual(['submit "hi"', 'cancel', 'sendQueue', 'setQueue ["a"]', 'setMode "plan"', 'repaint', 'suspend', 'quit 0']);
    expect(await answer).toEqual({ kind: 'allow' });
  });

  test('a text that was edited elsewhere comes back, and why it did not is told', async () => {
    const { perform, done } = setup({});
    perform({ do: 'edit', text: 'hi', dialog: 'q1' });
    perform({ do: 'edit', text: 'none', dialog: null });
    await new Promise((resolve) => { setImmediate(resolve); });
    expect(done.toSorted()).toEqual(['dispatch {"type":"edited","dialog":"q1","text":"hi!","at":0}', 'emit {"type":"notice","level":"warn","text":"There is no editor."}']);
  });

  test('a command that ends the program does, a mistake is told, a bug fails', async () => {
    const { perform, done } = setup({
      submit: async (text) => { if (text === '/exit') return { exit: 3 }; throw new Error('bug'); },
      setMode: () => { throw new UserError('No such mode.'); },
    });
    perform({ do: 'submit', text: '/exit' });
    perform({ do: 'submit', text: 'x' });
    perform({ do: 'setMode', mode: 'nope' });
    await new Promise((resolve) => { setImmediate(resolve); });
    expect(done.toSorted()).toEqual(['emit {"type":"notice","level":"warn","text":"No such mode."}', 'fail bug', 'quit 3']);
  });
});

describe('last words', () => {
  const start: Happening = { type: 'session_started', id: 's', cwd: '/x', provider: 'p', model: 'm', mode: 'default', window: 1_000 };
  const prompt: Happening = { type: 'message', message: { id: 'u', role: 'user', parts: [{ type: 'text', text: 'hi' }], at: 0 } };

  test('nothing was said: nothing stands there', () => {
    expect(goodbye(after(start), { now: 5_000, ...look, stored: true })).toBe('');
  });

  test('the last answer, clean, and what the session took', () => {
    const state = after(start, prompt,
      { type: 'part', messageId: 'a', role: 'assistant', part: { type: 'text', text: 'Hello\x1b[31m **there**.' } },
      { type: 'usage', usage: { input: 1_000, cacheRead: 200, cacheWrite: 0, output: 50 }, costUsd: 0.42, model: 'm' });
    expect(goodbye(state, { now: 62_000, ...look, stored: true })).toBe('Hello there.\n\n↑1.2K ↓50 tokens · $0.42 · 1m 01s · go on with: mewcode --continue\n');
    expect(goodbye(state, { now: 62_000, ...look, stored: false })).not.toContain('--continue');
  });
});

describe('notifications', () => {
  const started: Happening = { type: 'turn_started' };
  const over: Happening = { type: 'turn_ended', why: 'end' };

  test.each<[string, { focused?: boolean; env?: NodeJS.ProcessEnv; events: [number, Happening][] }, string[]]>([
    ['a short turn', { events: [[0, started], [9_000, over]] }, []],
    ['a long turn', { events: [[0, started], [11_000, over]] }, ['\x07\x1b]9;MewCode is done\x07']],
    ['with the focus', { focused: true, events: [[0, started], [11_000, over]] }, []],
    ['a question, once', { events: [[0, started], [5, { type: 'asked', id: 'q', question: permission({ title: 'a;\x1b[31mb' }) }], [6, { type: 'queued', prompts: ['x'] }]] }, ['\x07\x1b]9;MewCode asks: a,b\x07']],
    ['VTE', { env: { VTE_VERSION: '7600' }, events: [[0, started], [11_000, over]] }, ['\x07\x1b]777;notify;MewCode;MewCode is done\x07']],
  ])('%s', (_name, { focused = false, env = {}, events }, sent) => {
    const session = createStore<SessionState, AgentEvent>(reduce, initialState(), { urgent: () => true });
    const said: string[] = [];
    const stop = notifyFrom(session, { env, focused: () => focused, send: (sequence) => { said.push(sequence); } });
    for (const [at, event] of events) session.dispatch({ agent: 'main', at, ...event });
    stop();
    expect(said).toEqual(sent);
  });
});

test('what libraries print waits until the screen is gone', () => {
  const { log } = console;
  const held = holdConsole();
  console.log('one', 2);
  console.error(new Error('three'));
  process.emit('warning', new Error('four'));
  expect(held.restore()).toEqual(['one 2', 'three', 'four']);
  expect(console.log).toBe(log);
});
