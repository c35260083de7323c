// An App for tests of commands and headless output: the real store, and whatever the test hands in as the rest.
import { reduce, initialState, isUrgent } from '../../src/store/reduce.ts';
import { createStore } from '../../src/store/store.ts';
import type { App } from '../../src/types/command.ts';
import type { AgentEvent, Happening } from '../../src/types/event.ts';
import type { SessionState } from '../../src/types/state.ts';

export type FakeApp = App & { readonly happened: Happening[] };

/** `start` changes the first state; `parts` replaces any of the App's members. */
export function fakeApp({ start, ...parts }: Partial<App> & { start?: Partial<SessionState> } = {}): FakeApp {
  const store = createStore<SessionState, AgentEvent>(reduce, { ...initialState(), ...start }, { urgent: isUrgent });
  const happened: Happening[] = [];
  const emit = (event: Happening) => {
    happened.push(event);
    store.dispatch({ agent: 'main', at: 0, ...event });
  };
  return {
    happened,
    info: { version: '1.2.3', root: '/p', project: 'p', branch: null, sessionDir: '/p/.mewcode/session/s1' },
    ready: Promise.resolve(),
    state: store,
    tools: () => [],
    listTools: () => [],
    call: async (name) => ({ type: 'tool_result', callId: 'user-1', name, ok: true, text: 'called' }),
    commands: () => [],
    modes: () => [
      { name: 'default', summary: 'asks', tone: 'normal' },
      { name: 'acceptEdits', summary: 'edits', tone: 'normal' },
      { name: 'plan', summary: 'looks', tone: 'safe' },
    ],
    submit: async () => {},
    cancel: () => {},
    sendQueue: () => {},
    setQueue: () => {},
    setMode: (mode) => emit({ type: 'mode', mode }),
    rules: () => ({ list: () => [], add: async () => {}, clear: () => 0, remove: async () => {} }),
    mcp: () => ({ list: () => [], login: async () => {}, reconnect: async () => {}, switchOff: async () => {}, confirm: () => [] }),
    backends: () => [],
    model: () => ({ provider: 'work', protocol: 'openai', model: 'm1', thinking: 'auto', thinks: true, window: 200_000, maxOutput: 8_192, tools: 'native' }),
    switchModel: async () => {},
    ping: async () => ({ ok: true, totalMs: 1 }),
    priceOf: () => undefined,
    examine: async () => [],
    verify: async (files) => `checked ${files.join(', ')}`,
    clear: () => {},
    ask: async () => ({ kind: 'dismissed' }),
    emit,
    close: async () => {},
    ...parts,
  };
}
