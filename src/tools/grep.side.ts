// The built-in searcher as a worker: JavaScript's regular expressions can't be interrupted, a thread can be ended.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { MAX_FILE, searchText, type Wanted } from './grep/search.ts';
import { decodeText } from './text-file.ts';

/** What the worker is started with. It posts a `Found` for each file that matches and ends by itself. */
export type Job = { files: readonly string[]; source: string; flags: string; wanted: Wanted };

const { files, source, flags, wanted } = workerData as Job;
const regex = new RegExp(source, flags);
for (const path of files) {
  const text = readText(path);
  const found = text === undefined ? undefined : searchText(path, text, regex, wanted);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
  if (found) parentPort?.postMessage(found);
}

/** `undefined` for what can't be read or is not text. A link that has appeared since the listing is not followed. */
function readText(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const info = fstatSync(file);
    if (!info.isFile() || info.size > MAX_FILE) return undefined;
    const bytes = readFileSync(file);
    const decoded = decodeText(bytes);
    if (decoded.ok) return decoded.text;
    // Old encodings are searched as far as they are ASCII.
    return decoded.why === 'binary' ? undefined : new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
