// Keeps what libraries print away from the screen; it is shown when the screen is gone.

const METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const;
const MOST = 50;

/** From now on the console and Node's own warnings only take notes. `restore` ends that and gives them. */
export function holdConsole(): { restore(): string[] } {
  const notes: string[] = [];
  const note = (...words: unknown[]) => { if (notes.length < MOST) notes.push(words.map((word) => (word instanceof Error ? word.message : String(word))).join(' ')); };
  const kept = METHODS.map((method) => [method, console[method]] as const);
  for (const method of METHODS) console[method] = note;
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', note);
  return {
    restore() {
      for (const [method, original] of kept) console[method] = original;
      process.off('warning', note);
      for (const listener of listeners) process.on('warning', listener);
      return notes.splice(0);
    },
  };
}
