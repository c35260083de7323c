// The full-screen door: takes the terminal, paints at once, then loads the app and Ink, and gives everything back at the end.
import { basename } from 'node:path';
import type { Start } from '../app.ts';
import { cleanLine } from '../lib/clean.ts';
import { initialState } from '../store/reduce.ts';
import { handOver, stopJob } from '../terminal/hand-over.ts';
import { createInput } from '../terminal/input.ts';
import { enterTerminal } from '../terminal/modes.ts';
import type { MouseEvent } from '../terminal/mouse.ts';
import { createScreen } from '../terminal/screen.ts';
import type { App } from '../types/command.ts';
import type { SessionState } from '../types/state.ts';
import { firstRows } from '../ui/first-rows.ts';
import { pressesOf } from '../ui/keys.ts';
import { initialScreen, type ScreenAction } from '../ui/state.ts';
import { BACKGROUND_QUERY, chooseTheme } from '../ui/theme-choice.ts';
import { colourLevel, createTheme } from '../ui/themes.ts';
import { createAsker } from './tui-asker.ts';
import { holdConsole } from './tui-console.ts';
import { createPerform } from './tui-effects.ts';
import { notifyFrom } from './tui-notify.ts';

type Ui = Awaited<ReturnType<Start['load']>>['ui'];

export type TuiOptions = { prompt?: string; renderer: 'own' | 'ink' };

/** Rows that one notch of the wheel scrolls. */
const WHEEL_ROWS = 3;
const HUNG_UP = 129;

/** Lets the event loop look for input. */
const breath = () => new Promise((resolve) => { setImmediate(resolve); });

/** Runs the app on this terminal and gives the exit code. Throws a `UserError` when it can't start; the terminal is restored before. */
export async function runTui(start: Start, options: TuiOptions): Promise<number> {
  const { stdin, stdout } = process;
  const over = Promise.withResolvers<number>();
  const settings = Promise.withResolvers<Ui>();
  let app: App | undefined;
  let reply: string | undefined;
  let focused = true;
  // What comes before the screen's logic is there waits for it.
  let waiting: ScreenAction[] | undefined = [];
  let dispatch = (action: ScreenAction) => { waiting?.push(action); };

  const held = holdConsole();
  const terminal = enterTerminal(stdout, { input: stdin, onSignal: () => app?.close(), onContinue: () => screen.repaint() });
  const screen = createScreen(stdout);
  const input = createInput(stdin, {
    onPaste: (text) => dispatch({ type: 'paste', text, at: performance.now() }),
    onMouse: (event) => { const action = mouseAction(event); if (action) dispatch(action); },
    onReply: (sequence) => { reply ??= sequence.includes(']11;') ? sequence : undefined; },
    onFocus: (has) => { focused = has; },
    onHeld: (typed) => { if (waiting?.length === 0) paintFirst(typed); },
    onEnd: () => over.resolve(HUNG_UP),
  });
  const themeOf = (wanted: string) => createTheme(chooseTheme(wanted, start.env, reply), colourLevel(start.env));
  let theme = themeOf('auto');
  const paintFirst = (typed: string) => {
    const first = firstRows(initialScreen(screen.size()), initialState(), { project: basename(start.paths.root), branch: null }, theme, typed);
    screen.paint(first.rows);
    screen.setCursor(first.cursor);
  };
  let unmount: (() => void) | undefined;
  try {
    paintFirst('');
    screen.send(BACKGROUND_QUERY);

    // What is slow to load comes after the first paint, with breaths in which typed letters are shown; the keys wait in the input.
    const [{ createDriver }, { echoDraft }] = await Promise.all([import('../ui/driver.ts'), import('../ui/echo.ts')]);
    await breath();
    const rendering = import('./tui-render.tsx');
    await breath();
    const { createApp } = await import('../app.ts');
    await breath();
    const { renderScreen } = await rendering;
    const asker = createAsker();
    const running = createApp(withSettings(start, settings.resolve), asker);
    app = running;
    running.ready.then((left) => { if (left?.exit !== undefined) over.resolve(left.exit); }, over.reject);
    // Without them the app can't go on either.
    const ui = await Promise.race([settings.promise, over.promise]);
    if (typeof ui === 'number') return ui;
    terminal.setMouse(ui.mouse);
    theme = themeOf(ui.theme);
    const perform = createPerform({
      app: running, asker, quit: over.resolve, fail: over.reject,
      repaint: () => rendered.repaint(),
      suspend: () => stopJob({ screen, input, terminal }).then(() => rendered.repaint()),
      edit: (text) => handOver({ screen, input, terminal }, async () => (await import('./tui-editor.ts')).editText(text, { env: start.env, cwd: start.paths.root })).finally(() => rendered.repaint()),
      dispatch: (action) => dispatch(action),
    });
    const driver = createDriver({
      session: running.state, commands: running.commands, modes: running.modes, info: running.info,
      theme, showThinking: ui.show_thinking, still: ui.reduced_motion,
    }, { size: screen.size(), history: promptsOf(running.state.get()), log: ui.tool_log ? ui.layout : 'hidden', perform });
    if (options.renderer === 'own') echoDraft(driver, screen.patch);
    dispatch = driver.dispatch;
    for (const action of waiting) dispatch(action);
    waiting = undefined;
    for (const press of input.takeText().flatMap((key) => pressesOf(key, {}))) dispatch({ type: 'press', press, at: driver.now() });
    const rendered = renderScreen(driver, { screen, stdin: input.stdin, stdout, renderer: options.renderer });
    const onResize = () => driver.dispatch({ type: 'resized', ...screen.size() });
    stdout.on('resize', onResize);
    const untitle = keepTitle(running, screen.send);
    const unwatch = ui.notifications ? notifyFrom(running.state, { env: start.env, focused: () => focused, send: screen.send }) : undefined;
    unmount = () => {
      stdout.off('resize', onResize);
      untitle();
      unwatch?.();
      driver.stop();
      rendered.unmount();
    };
    rendered.over.then(() => over.resolve(0), over.reject);
    if (options.prompt !== undefined) perform({ do: 'submit', text: options.prompt });
    return await over.promise;
  } finally {
    unmount?.();
    await app?.close();
    await screen.close();
    input.close();
    terminal.leave();
    for (const line of held.restore()) process.stderr.write(`${cleanLine(line)}\n`);
    if (app) {
      // With all that draws an answer, which no start should wait for.
      const { goodbye } = await import('./tui-goodbye.ts');
      stdout.write(goodbye(app.state.get(), { now: Date.now(), stored: app.info.sessionDir !== null, width: screen.size().columns, theme }));
    }
  }
}

function mouseAction(event: MouseEvent): ScreenAction | undefined {
  const { kind, x, y } = event;
  if (kind === 'wheel') return { type: 'wheel', x, y, rows: event.delta * WHEEL_ROWS };
  return kind === 'press' && event.button === 'left' ? { type: 'click', x, y, at: performance.now() } : undefined;
}

/** What was asked in the session that goes on, for the prompt's history. */
function promptsOf({ messages }: SessionState): string[] {
  const asked = messages.filter(({ role, source }) => role === 'user' && source === undefined);
  return asked.map(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')).filter((text) => text !== '');
}

/** The window's title: the project, with a dot while the agent works. Gives back how to stop. */
function keepTitle(app: App, send: (sequence: string) => void): () => void {
  let shown = '';
  const show = () => {
    const title = cleanLine(`${app.state.get().turn.running ? '● ' : ''}MewCode · ${app.info.project}`);
    if (title === shown) return;
    shown = title;
    send(`\x1b]0;${title}\x07`);
  };
  show();
  return app.state.subscribe(show);
}

/** The same start, telling the screen's settings as soon as they have been read. */
function withSettings(start: Start, tell: (ui: Ui) => void): Start {
  return {
    ...start,
    async load(trusted, choice) {
      const loaded = await start.load(trusted, choice);
      tell(loaded.ui);
      return loaded;
    },
  };
}
