// First results while a search is still going on, at a pace that nobody drowns in.

const EVERY_MS = 100;
/** The most that is told at a time, in lines: nobody reads more in that time. */
const LINES = 20;

/** Gives what to call for each result; the first is told at once. */
export function tellLive(progress: (text: string) => void, clock: () => number = performance.now.bind(performance)): (line: string) => void {
  let last = -Infinity;
  let waiting: string[] = [];
  return (line) => {
    if (waiting.length < LINES) waiting.push(line);
    const now = clock();
    if (now - last < EVERY_MS) return;
    progress(waiting.map((text) => `${text}\n`).join(''));
    [last, waiting] = [now, []];
  };
}
