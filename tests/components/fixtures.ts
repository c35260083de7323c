// A small program for the screen's tests: a real store fed with events, commands and modes as data, effects written down.
import { setTimeout as sleep } from 'node:timers/promises';
import { initialState, isUrgent, reduce } from '../../src/store/reduce.ts';
import { createStore, type Store } from '../../src/store/store.ts';
import type { Command } from '../../src/types/command.ts';
import type { AgentEvent, Happening } from '../../src/types/event.ts';
import type { ModeInfo } from '../../src/types/permission.ts';
import type { Question } from '../../src/types/question.ts';
import type { SessionState } from '../../src/types/state.ts';
import { createDriver, type Driver, type Scene } from '../../src/ui/driver.ts';
import type { Effect } from '../../src/ui/state.ts';
import { createTheme, type ColourLevel } from '../../src/ui/themes.ts';
import { pressesOf } from '../../src/ui/keys.ts';

export const modes: readonly ModeInfo[] = [
  { name: 'default', summary: 'asks before anything changes', cycle: 1, tone: 'normal' },
  { name: 'acceptEdits', summary: 'edits without asking', cycle: 2, tone: 'normal' },
  { name: 'plan', summary: 'reads only', cycle: 3, tone: 'safe' },
  { name: 'bypassPermissions', summary: 'asks nothing', tone: 'danger' },
];

const command = (name: string, summary: string, extra: { aliases?: string[]; usage?: string } = {}): Command => ({ name, summary, where: 'chat', needsApp: false, run: async () => {}, ...extra });

export const commands: readonly Command[] = [
  command('clear', 'start a new session'), command('compact', 'make the context smaller'), command('exit', 'leave', { aliases: ['quit', ':q'] }),
  command('help', 'list the commands'), command('mode', 'show or change the mode', { usage: '[MODE]' }), command('rename', 'name the session', { usage: 'NAME' }),
  { ...command('doctor', 'check the machine'), where: 'shell' },
];

export type Rig = {
  driver: Driver;
  session: Store<SessionState, AgentEvent>;
  effects: Exclude<Effect, { do: 'later' }>[];
  /** Both clocks of the rig, in ms. */
  time: number;
  emit(...events: Happening[]): void;
  /** Lets the driver's timer come round. */
  beat(): void;
  /** Text typed letter by letter; names of keys in angle brackets: `<enter>`, `<ctrl+c>`. `gap` ms pass before each. */
  type(keys: string, gap?: number): void;
};

/** A driver on a real store with a clock that stands still. */
export function createRig(options: { columns?: number; rows?: number; level?: ColourLevel; started?: boolean } = {}): Rig {
  const session = createStore<SessionState, AgentEvent>(reduce, initialState(), { urgent: isUrgent });
  const effects: Rig['effects'] = [];
  const scene: Scene = { session, commands: () => commands, modes: () => modes, info: { project: 'demo', branch: 'main' }, theme: createTheme('dark', options.level ?? 'none'), showThinking: true, still: false };
  const clock = { time: 10_000 };
  const beats = new Set<() => void>();
  const driver = createDriver(scene, {
    size: { columns: options.columns ?? 100, rows: options.rows ?? 30 },
    perform: (effect) => { effects.push(effect); },
    now: () => clock.time,
    clock: () => clock.time,
    every: (_ms, call) => { beats.add(call); return () => { beats.delete(call); }; },
  });
  const rig: Rig = {
    driver, session, effects,
    beat() { for (const call of beats) call(); },
    get time() { return clock.time; },
    set time(value) { clock.time = value; },
    emit(...events) {
      for (const event of events) session.dispatch({ agent: 'main', at: rig.time, ...event });
      session.flush();
    },
    type(keys, gap = 1_000) {
      for (const [, name, letter] of keys.matchAll(/<([a-z+]+)>|([\s\S])/gu)) {
        rig.time += gap;
        const press = name === undefined ? pressesOf(letter ?? '', {})[0] : { name, text: '' };
        if (press) driver.dispatch({ type: 'press', press, at: rig.time });
      }
    },
  };
  if (options.started !== false) rig.emit({ type: 'session_started', id: 's1', cwd: '/home/me/demo', provider: 'test', model: 'model-1', mode: 'default', window: 200_000 });
  return rig;
}

export const permission = (extra: Partial<Extract<Question, { kind: 'permission' }>> = {}): Extract<Question, { kind: 'permission' }> => ({
  kind: 'permission', call: { id: 'c1', name: 'Run', input: { command: 'npm test' } }, title: 'npm test', cwd: '/home/me/demo',
  decision: { verdict: 'ask', layer: 'mode', because: 'mode default asks before it runs anything', trace: [{ layer: 'blacklist', verdict: 'pass', because: 'not on it' }, { layer: 'mode', verdict: 'ask', because: 'mode default asks' }] },
  session: ['Run(npm test)'], always: 'Run(npm test*)', ...extra,
});

/** Lets React commit and Ink paint. */
export async function settle(): Promise<void> {
  await sleep(5);
  await sleep(5);
}
