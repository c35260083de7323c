// Finds the file of a program that runs beside the main one (a worker, a child), from source and from the bundle alike.
import { basename } from 'node:path';

/** URL of `src/<name>.side.ts`, or of the file that the build makes of it. `name` is like `tools/grep`. */
export function sideEntry(name: string): URL {
  const here = new URL(import.meta.url);
  return here.pathname.endsWith('.ts') ? new URL(`../${name}.side.ts`, here) : new URL(`./${basename(name)}.side.js`, here);
}
