// The searcher for machines without ripgrep, and for patterns that only JavaScript knows (look-around, back references).
import { Worker } from 'node:worker_threads';
import { sideEntry } from '../../lib/side-entry.ts';
import type { Job } from '../grep.side.ts';
import type { Listing } from '../listing.ts';
import { compilePattern } from './pattern.ts';
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
  take(found: Found): boolean;
};

/** Ends when all is searched, `take` has enough or the signal aborts. */
export async function searchBuiltIn({ wanted, start, listing, fits, signal, take }: Errand): Promise<Outcome> {
  const compiled = compilePattern(wanted.pattern, wanted);
  if (!compiled.ok) return compiled;
  const files = start.kind === 'file' ? [start.path] : await walk(start.path, listing, fits, signal);
  if (files.length === 0 || signal.aborted) return { ok: true };
  const job: Job = { files, source: compiled.source, flags: compiled.flags, wanted };
  const worker = new Worker(sideEntry('tools/grep'), { workerData: job, env: {}, resourceLimits: { maxOldGenerationSizeMb: 512 } });
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise<Outcome>((resolve) => {
      let enough = false;
      worker.on('message', (found: Found) => {
        if (enough || take(found)) return;
        enough = true;
        stop();
      });
      worker.on('error', (error) => resolve({ ok: false, problem: error.message }));
      worker.on('exit', () => resolve({ ok: true }));
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** All files below that are seen and fit, in the order of their paths. Links are not followed. */
async function walk(folder: string, listing: Listing, fits: (path: string) => boolean, signal: AbortSignal): Promise<string[]> {
  const files: string[] = [];
  for (const { path, kind } of await listing.entries(folder)) {
    if (signal.aborted) break;
    if (kind === 'folder') {
      for (const file of await walk(path, listing, fits, signal)) files.push(file);
    } else if (kind === 'file' && fits(path)) files.push(path);
  }
  return files;
}
