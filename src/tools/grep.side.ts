// The built-in searcher as a worker: JavaScript's regular expressions can't be interrupted, a thread can be ended.
import { parentPort, workerData } from 'node:worker_threads';
import { readText } from './grep/read-text.ts';
import { searchText, type Found, type Wanted } from './grep/search.ts';

/** What the worker is started with. `needle`: text that every match has in it. */
export type Job = { source: string; flags: string; wanted: Wanted; needle: string };
/** Files to search; they are answered in turn with what was found in them. */
export type Batch = readonly string[];

const { source, flags, wanted, needle } = workerData as Job;
const regex = new RegExp(source, flags);
const bytes = needle === '' ? undefined : Buffer.from(needle);
parentPort?.on('message', (files: Batch) => {
  const found = files.flatMap((path): Found[] => {
    const text = readText(path, bytes);
    const one = text === undefined ? undefined : searchText(path, text, regex, wanted);
    return one ? [one] : [];
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
  parentPort?.postMessage(found);
});
