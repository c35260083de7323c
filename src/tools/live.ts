// First results while a search is still going on, at a pace that nobody drowns in.
import type { ToolContext } from '../types/tool.ts';
import { shownPath } from './text.ts';

const EVERY_MS = 100;
/** The most that is told at a time, in lines: nobody reads more in that time. */
const LINES = 20;

/** Gives what to call with the path of each result; the first is told at once. */
export function tellLive({ progress, roots, cwd }: Pick<ToolContext, 'progress' | 'roots' | 'cwd'>, clock: () => number = performance.now.bind(performance)): (path: string) => void {
  let last = -Infinity;
  let waiting: string[] = [];
  return (path) => {
    if (waiting.length < LINES) waiting.push(path);
    const now = clock();
    if (now - last < EVERY_MS) return;
    progress(waiting.map((one) => `${shownPath(one, roots[0] ?? cwd)}\n`).join(''));
    [last, waiting] = [now, []];
  };
}
