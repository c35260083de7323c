// The searcher for machines without ripgrep, and for patterns that only JavaScript knows (look-around, back references).
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { sideEntry } from '../../lib/side-entry.ts';
import type { Batch, Job } from '../grep.side.ts';
import { walk, type Listing } from '../listing.ts';
import { sentenceOf } from '../../types/user-error.ts';
import { compilePattern, requiredText } from './pattern.ts';
import type { Found, Wanted } from './search.ts';

/** `problem`: why nothing could be searched. Aborting is no problem. */
export type Outcome = { ok: true } | { ok: false; problem: string };

/** What both searchers are given. `take` gets the files in the order of their paths; false: that is enough. */
export type Errand = {
  wanted: Wanted;
  /** A folder, or one file. */
  start: { path: string; kind: 'file' | 'folder' };
  listing: Listing;
  /** Whether a file's path fits the globs. */
  fits(path: string): boolean;
  signal: AbortSignal;
  /** Hears of files with a match while the search goes on, in no order. */
  told(path: string): void;
  take(found: Found): boolean;
};

/** Files that a worker is given at once. */
const BATCH = 200;
const MOST_WORKERS = 4;

/** Ends when all is searched, `take` has enough or the signal aborts. */
export async function searchBuiltIn(errand: Errand): Promise<Outcome> {
  const { wanted, signal, take, told } = errand;
  const compiled = compilePattern(wanted.pattern, wanted);
  if (!compiled.ok) return compiled;
  const job: Job = { source: compiled.source, flags: compiled.flags, wanted, needle: requiredText(wanted.pattern, wanted) };
  const batches = batchesOf(errand);
  const enough = new AbortController();
  const over = AbortSignal.any([signal, enough.signal]);
  /** Results that wait for those of earlier files. */
  const early = new Map<number, readonly Found[]>();
  let next = 0;
  let problem: string | undefined;
  const accept = (number: number, found: readonly Found[]) => {
    for (const { path } of found) told(path);
    early.set(number, found);
    for (let due = early.get(next); due && !over.aborted; due = early.get(next)) {
      early.delete(next++);
      if (!due.every((one) => take(one))) enough.abort();
    }
  };
  const work = async () => {
    let searcher: Searcher | undefined;
    try {
      for (let batch = await batches.next(); !batch.done && !over.aborted; batch = await batches.next()) {
        searcher ??= startSearcher(job, over);
        accept(batch.value.number, await searcher.search(batch.value.files));
      }
    } catch (error) {
      problem ??= sentenceOf(error);
      enough.abort();
    } finally {
      searcher?.end();
    }
  };
  await Promise.all(Array.from({ length: Math.min(MOST_WORKERS, availableParallelism()) }, work));
  return problem === undefined || signal.aborted ? { ok: true } : { ok: false, problem };
}

async function* batchesOf({ start, listing, fits, signal }: Errand): AsyncGenerator<{ number: number; files: Batch }> {
  let number = 0;
  if (start.kind === 'file') { yield { number, files: [start.path] }; return; }
  let files: string[] = [];
  for await (const piece of walk(start.path, listing, signal)) {
    for (const { path, kind } of piece) if (kind === 'file' && fits(path)) files.push(path);
    for (; files.length >= BATCH; files = files.slice(BATCH)) yield { number: number++, files: files.slice(0, BATCH) };
  }
  if (files.length > 0) yield { number, files };
}

type Searcher = { search(files: Batch): Promise<readonly Found[]>; end(): void };

/** A worker that ends with the signal; a search that it has not finished gives nothing then. */
function startSearcher(job: Job, signal: AbortSignal): Searcher {
  const worker = new Worker(sideEntry('tools/grep'), { workerData: job, env: {}, resourceLimits: { maxOldGenerationSizeMb: 512 } });
  const end = () => void worker.terminate();
  signal.addEventListener('abort', end, { once: true });
  let answer: { resolve(found: readonly Found[]): void; reject(error: unknown): void } | undefined;
  worker.on('message', (found: readonly Found[]) => answer?.resolve(found));
  worker.on('error', (error) => answer?.reject(error));
  worker.on('exit', () => answer?.resolve([]));
  return {
    search: (files) => new Promise((resolve, reject) => {
      answer = { resolve, reject };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage(files);
    }),
    end() {
      signal.removeEventListener('abort', end);
      end();
    },
  };
}
