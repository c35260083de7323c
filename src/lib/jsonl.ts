// JSON Lines files: appended a whole line at a time, read with every damaged line left out and counted.
import { closeSync, fdatasync, fdatasyncSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** When a line must survive a power cut: before `append` returns, or as soon as the disk can without anybody waiting. A kill of the process loses nothing either way. */
export type Sync = 'now' | 'soon';

export type JsonlWriter = {
  /** Appends one line at once. Throws when the disk refuses; the file then ends in a torn line that the next append seals. */
  append(value: unknown, options?: { sync?: Sync }): void;
  /** Flushes what is not flushed yet. */
  close(): void;
};

/** Opens `path` (0600, its folder 0700) for appending. A torn last line is sealed first, so that nothing fuses with it. */
export function openJsonl(path: string): JsonlWriter {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'a+', 0o600);
  let torn = endsTorn(file);
  let flushing = false;
  let dirty = false;
  // One flush at a time; lines that come meanwhile share the next. A failing disk is told by the next write.
  const flush = () => {
    if (flushing || !dirty) return;
    flushing = true;
    dirty = false;
    fdatasync(file, () => { flushing = false; flush(); });
  };
  return {
    append(value, options) {
      const bytes = Buffer.from(`${torn ? '\n' : ''}${JSON.stringify(value)}\n`);
      // A full disk shows as a short count without an error; the next call then throws.
      for (let written = 0; written < bytes.length;) {
        torn = true;
        written += writeSync(file, bytes, written);
      }
      torn = false;
      if (options?.sync === 'now') fdatasyncSync(file);
      dirty = options?.sync === 'soon' || (dirty && options?.sync !== 'now');
      flush();
    },
    close() {
      if (dirty || flushing) fdatasyncSync(file);
      dirty = false;
      closeSync(file);
    },
  };
}

function endsTorn(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

/** All intact lines of `path`, and how many were not. A missing file has none of either. */
export function readJsonl(path: string): { values: unknown[]; damaged: number } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { values: [], damaged: 0 };
    throw error;
  }
  const values: unknown[] = [];
  let damaged = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      values.push(JSON.parse(line));
    } catch {
      damaged += 1;
    }
  }
  return { values, damaged };
}
