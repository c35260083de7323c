// The driver: holds the screen state, feeds actions through the reducer and hands its effects to one place.
import { isDeepStrictEqual } from 'node:util';
import type { Command } from '../types/command.ts';
import type { ModeInfo } from '../types/permission.ts';
import type { Meter, Readable, SessionState } from '../types/state.ts';
import { createStore } from '../store/store.ts';
import { calmMeter } from './calm.ts';
import { dialogPicture } from './dialog-rows.ts';
import { chatView, frameOf, promptWidth, type Box } from './frame.ts';
import { above, dialogView } from './layers.ts';
import { initialScreen, type Context, type Effect, type ScreenAction, type ScreenState } from './state.ts';
import type { Theme } from './themes.ts';
import { moveSelection, toolLogWindow } from './tool-log.ts';
import { createTranscript, type Transcript } from './transcript.ts';
import { update } from './update.ts';

/** What the screen shows besides its own state. Fixed for the life of the window. */
export type Scene = {
  session: Readable<SessionState>;
  commands(): readonly Command[];
  modes(): readonly ModeInfo[];
  info: { project: string; branch: string | null };
  theme: Theme;
  showThinking: boolean;
  /** No animation. */
  still: boolean;
};

export type Driver = {
  readonly scene: Scene;
  readonly screen: Readable<ScreenState>;
  readonly transcript: Transcript;
  dispatch(action: ScreenAction): void;
  /** Where everything stands; the same object as long as nothing has moved, so that what is drawn from it can rest. */
  frame: typeof frameOf;
  /** Milliseconds that only go forward, for `at`. */
  now(): number;
  /** The session's meter at a pace that can be read. */
  readonly meter: Readable<Meter>;
  /** Milliseconds since 1970, for what is drawn. Ticks while somebody listens. */
  readonly ticker: Readable<number>;
  stop(): void;
};

export type DriverOptions = {
  size: ScreenState['size'];
  history?: readonly string[];
  log?: ScreenState['log']['place'];
  /** Does what the reducer asked for, all but `later`. */
  perform(effect: Exclude<Effect, { do: 'later' }>): void;
  now?(): number;
  clock?(): number;
  /** Calls back every `ms`, until the function that it gives is called. */
  every?(ms: number, call: () => void): () => void;
};

/** While a question waits, a gap between beats says that the program stood still and keys have piled up. */
const BEAT_MS = 100;
const STALL_MS = 250;

/** Seconds are all that ticks. */
const TICK_MS = 1_000;

/** Starts the screen's logic on a scene. */
export function createDriver(scene: Scene, options: DriverOptions): Driver {
  const { now = () => performance.now(), clock = () => Date.now(), every = onTimer } = options;
  const transcript = createTranscript(() => dispatch({ type: 'recoloured' }));
  const store = createStore<ScreenState, ScreenState>((_old, next) => next, initialScreen(options.size, options), { urgent: () => true });
  const timers = new Set<NodeJS.Timeout>();
  const frame = keepSame(frameOf);

  const dispatch = (action: ScreenAction) => {
    const { screen, effects } = update(store.get(), action, createContext(scene, store.get(), transcript, frame, clock()));
    store.dispatch(screen);
    for (const effect of effects) {
      if (effect.do !== 'later') options.perform(effect);
      else {
        const timer = setTimeout(() => { timers.delete(timer); dispatch(effect.action); }, effect.ms);
        timers.add(timer);
      }
    }
  };
  let stopBeat: (() => void) | undefined;
  const follow = () => {
    const id = scene.session.get().questions[0]?.id ?? null;
    if (id === (store.get().dialog?.id ?? null)) return;
    dispatch({ type: 'asked', id, at: now() });
    stopBeat?.();
    stopBeat = id === null ? undefined : watchStalls();
  };
  // Timers run before input is read: after a standstill the beat comes first.
  const watchStalls = () => {
    let last = now();
    return every(BEAT_MS, () => {
      const at = now();
      if (at - last > STALL_MS) dispatch({ type: 'stalled', at });
      last = at;
    });
  };
  const unsubscribe = scene.session.subscribe(follow);
  follow();

  return {
    scene, transcript, dispatch, frame, now,
    screen: store,
    meter: calmMeter(scene.session),
    ticker: createTicker(clock),
    stop() {
      unsubscribe();
      stopBeat?.();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function onTimer(ms: number, call: () => void): () => void {
  const timer = setInterval(call, ms);
  return () => clearInterval(timer);
}

/** What the reducer may look at now. What is dear is computed only when asked for. */
function createContext(scene: Scene, screen: ScreenState, transcript: Transcript, measure: typeof frameOf, clock: number): Context {
  const session = scene.session.get();
  const { theme } = scene;
  const frame = () => measure(screen, session);
  const dialog = () => {
    const question = session.questions[0]?.question;
    return question && screen.dialog ? dialogPicture(question, screen.dialog, dialogView(session, frame(), theme)) : undefined;
  };
  const view = (anchor: ScreenState['anchor']) => chatView({ ...screen, anchor }, frame().layout.chat, scene);
  return {
    session,
    commands: scene.commands(),
    modes: scene.modes(),
    promptWidth: promptWidth(screen.size),
    chat: {
      get height() { return frame().layout.chat.height; },
      scroll: (anchor, rows) => transcript.scroll(session, view(anchor), rows),
      jump: (anchor, to) => transcript.jump(session, view(anchor), to),
    },
    logStep: (selected, step) => moveSelection(session.tools, selected, step),
    hit(x, y) {
      const { layout: { chat, tools } } = frame();
      if (screen.dialog && !screen.dialog.answered) {
        const picture = dialog();
        const box = picture && above(frame().overlay, picture.rows);
        const item = box && x >= box.x && x < box.x + box.width ? picture.items.get(y - box.y) : undefined;
        return { pane: 'dialog', owner: null, ...(item !== undefined && { item }) };
      }
      if (tools && inside(tools, x, y)) {
        const { owners } = toolLogWindow(session, { width: tools.width, height: tools.height, theme, now: clock, selected: screen.log.selected });
        return { pane: 'log', owner: owners[y - tools.y] ?? null };
      }
      if (!inside(chat, x, y)) return { pane: 'other', owner: null };
      return { pane: 'chat', owner: transcript.window(session, view(screen.anchor)).owners[y - chat.y] ?? null };
    },
    dialogBody: () => dialog()?.body ?? { rows: 0, height: 0, width: 0 },
  };
}

/** `make`, giving its last result again where the new one is equal. */
function keepSame<A extends unknown[], R>(make: (...args: A) => R): (...args: A) => R {
  let last: R | undefined;
  return (...args) => {
    const made = make(...args);
    if (last === undefined || !isDeepStrictEqual(last, made)) last = made;
    return last;
  };
}

function inside(box: Box, x: number, y: number): boolean {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}

/** One timer for all that counts seconds, and none while nobody does. */
function createTicker(clock: () => number): Readable<number> {
  const listeners = new Set<() => void>();
  let time = clock();
  let timer: NodeJS.Timeout | undefined;
  return {
    get: () => time,
    subscribe(listener) {
      listeners.add(listener);
      if (!timer) time = clock();
      timer ??= setInterval(() => { time = clock(); for (const tell of listeners) tell(); }, TICK_MS);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
