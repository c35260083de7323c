// Lends the terminal: to a program (an editor), or to the shell (Ctrl-Z).
import type { Input } from './input.ts';
import type { EnteredTerminal } from './modes.ts';
import type { Screen } from './screen.ts';

export type TerminalParts = { screen: Screen; input: Input; terminal: EnteredTerminal };

/** Runs `use` with the terminal as it was before we came; then takes it back and paints it. Gives and throws what `use` does. */
export async function handOver<T>({ screen, input, terminal }: TerminalParts, use: () => Promise<T>): Promise<T> {
  screen.suspend();
  input.pause();
  terminal.suspend();
  // A paused input holds nothing open; without this the process might end.
  const hold = setInterval(() => {}, 1 << 30);
  try {
    return await use();
  } finally {
    clearInterval(hold);
    terminal.resume();
    input.resume();
    screen.resume();
  }
}

/** Stops the job, as Ctrl-Z does elsewhere. Resolves when the shell has brought it back. */
export function stopJob(parts: TerminalParts): Promise<void> {
  return handOver(parts, async () => {
    // The whole group, as the terminal would: a wrapper that goes on running would keep the shell waiting.
    process.kill(0, 'SIGTSTP');
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  });
}
