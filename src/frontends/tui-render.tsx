// Hands the components to Ink: on the screen's own writer, or, as a fallback, on Ink's.
import { render } from 'ink';
import { App } from '../../components/App.tsx';
import type { Driver } from '../ui/driver.ts';
import type { Screen } from '../terminal/screen.ts';

export type Rendered = {
  /** Rejects with what a component threw. */
  over: Promise<unknown>;
  unmount(): void;
  repaint(): void;
};

/** Renders at once. */
export function renderScreen(driver: Driver, parts: { screen: Screen; stdin: NodeJS.ReadStream; stdout: NodeJS.WriteStream; renderer: 'own' | 'ink' }): Rendered {
  const { screen, stdin, stdout, renderer } = parts;
  const options = { stdin, exitOnCtrlC: false, patchConsole: false, interactive: true } as const;
  if (renderer === 'ink') screen.release();
  const instance = renderer === 'own'
    ? render(<App driver={driver} placeCaret={screen.setCursor} />, { ...options, stdout: screen.stdout, debug: true })
    : render(<App driver={driver} />, { ...options, stdout, incrementalRendering: true, maxFps: 250 });
  return {
    over: instance.waitUntilExit(),
    unmount: instance.unmount,
    repaint() {
      if (renderer === 'own') return screen.repaint();
      instance.clear();
      driver.dispatch({ type: 'recoloured' });
    },
  };
}
