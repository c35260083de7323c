// Hands the components to Ink: on the screen's own writer, or, as a fallback, on Ink's.
import { render } from 'ink';
import { App } from '../../components/App.tsx';
import type { Driver } from '../ui/driver.ts';
import type { Input } from '../terminal/input.ts';
import type { Screen } from '../terminal/screen.ts';

export type Rendered = {
  /** Rejects with what a component threw. */
  over: Promise<unknown>;
  unmount(): void;
  repaint(): void;
};

/** Renders at once. With `ink` the frames go to `output` by Ink's own writer. */
export function renderScreen(driver: Driver, parts: { screen: Screen; input: Input; renderer: 'own' | 'ink'; output: NodeJS.WriteStream }): Rendered {
  const { screen, input, renderer, output } = parts;
  const common = { stdin: input.stdin, exitOnCtrlC: false, patchConsole: false, interactive: true } as const;
  const instance = renderer === 'own'
    ? render(<App driver={driver} placeCaret={screen.setCursor} />, { ...common, stdout: screen.stdout, debug: true })
    : render(<App driver={driver} />, { ...common, stdout: output, incrementalRendering: true, maxFps: 250 });
  return { over: instance.waitUntilExit(), unmount: instance.unmount, repaint: renderer === 'own' ? screen.repaint : instance.clear };
}
