// The full-screen door: takes the terminal, paints at once, then loads the app and Ink, and gives everything back at the end.
import { basename } from 'node:path';
import type { Start } from '../app.ts';
import { cleanLine } from '../lib/clean.ts';
import { initialState } from '../store/reduce.ts';
import { stopJob, type TerminalParts } from '../terminal/hand-over.ts';
import { createInput } from '../terminal/input.ts';
import { enterTerminal } from '../terminal/modes.ts';
import type { MouseEvent } from '../terminal/mouse.ts';
import { createScreen } from '../terminal/screen.ts';
import type { App } from '../types/command.ts';
import { firstRows } from '../ui/first-rows.ts';
import { initialScreen, type ScreenAction } from '../ui/state.ts';
import { colourLevel, createTheme } from '../ui/themes.ts';
import { createAsker } from './tui-asker.ts';
import { holdConsole } from './tui-console.ts';
import { createPerform } from './tui-effects.ts';
import { goodbye } from './tui-goodbye.ts';

export type TuiOptions = { prompt?: string; renderer: 'own' | 'ink' };

/** Rows that one notch of the wheel scrolls. */
const WHEEL_ROWS = 3;
const HUNG_UP = 129;

/** Runs the app on this terminal and gives the exit code. Throws a `UserError` when it can't start; the terminal is restored before. */
export async function runTui(start: Start, options: TuiOptions): Promise<number> {
  const { stdin, stdout } = process;
  const over = Promise.withResolvers<number>();
  let app: App | undefined;
  // What comes before the screen's logic is there waits for it.
  let waiting: ScreenAction[] | undefined = [];
  let dispatch = (action: ScreenAction) => { waiting?.push(action); };

  const held = holdConsole();
  const terminal = enterTerminal(stdout, { input: stdin, onSignal: () => app?.close(), onContinue: () => screen.repaint() });
  const screen = createScreen(stdout);
  const input = createInput(stdin, {
    onPaste: (text) => dispatch({ type: 'paste', text, at: performance.now() }),
    onMouse: (event) => { const action = mouseAction(event); if (action) dispatch(action); },
    onEnd: () => over.resolve(HUNG_UP),
  });
  const parts: TerminalParts = { screen, input, terminal };
  const theme = createTheme(themeName(start.env), colourLevel(start.env));
  let unmount: (() => void) | undefined;
  try {
    const first = firstRows(initialScreen(screen.size()), initialState(), { project: basename(start.paths.root), branch: null }, theme);
    screen.paint(first.rows);
    screen.setCursor(first.cursor);

    // What is slow to load comes after the first paint; keys typed meanwhile wait in the input.
    const [{ createApp }, { createDriver }, { renderScreen }] = await Promise.all([import('../app.ts'), import('../ui/driver.ts'), import('./tui-render.tsx')]);
    const asker = createAsker();
    const running = createApp(start, asker);
    app = running;
    const perform = createPerform({
      app: running, asker, quit: over.resolve, fail: over.reject,
      repaint: () => rendered.repaint(),
      suspend: () => stopJob(parts),
    });
    const driver = createDriver({ session: running.state, commands: running.commands, modes: running.modes, info: running.info, theme }, { size: screen.size(), perform });
    const rendered = renderScreen(driver, { ...parts, renderer: options.renderer, output: stdout });
    const onResize = () => driver.dispatch({ type: 'resized', ...screen.size() });
    stdout.on('resize', onResize);
    const untitled = keepTitle(running, screen.send);
    unmount = () => {
      stdout.off('resize', onResize);
      untitled();
      driver.stop();
      rendered.unmount();
    };
    dispatch = driver.dispatch;
    for (const action of waiting) dispatch(action);
    waiting = undefined;

    rendered.over.then(() => over.resolve(0), over.reject);
    running.ready.then((left) => { if (left?.exit !== undefined) over.resolve(left.exit); }, over.reject);
    if (options.prompt !== undefined) perform({ do: 'submit', text: options.prompt });
    return await over.promise;
  } finally {
    unmount?.();
    await app?.close();
    await screen.close();
    input.close();
    terminal.leave();
    for (const line of held.restore()) process.stderr.write(`${cleanLine(line)}\n`);
    if (app) stdout.write(goodbye(app.state.get(), { now: Date.now(), stored: app.info.sessionDir !== null }));
  }
}

function mouseAction(event: MouseEvent): ScreenAction | undefined {
  const { kind, x, y } = event;
  if (kind === 'wheel') return { type: 'wheel', x, y, rows: event.delta * WHEEL_ROWS };
  return kind === 'press' && event.button === 'left' ? { type: 'click', x, y } : undefined;
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

/** By what the terminal says of its background in COLORFGBG; dark where it says nothing. */
function themeName(env: NodeJS.ProcessEnv): 'dark' | 'light' {
  return /;(7|15)$/.test(env['COLORFGBG'] ?? '') ? 'light' : 'dark';
}
