// JSON Lines files: appended a whole line at a time, read with every damaged line left out and counted.
import { closeSync, fdatasyncSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export type JsonlWriter = {
  /** Appends one line at once. Throws when the disk refuses; the file then ends in a torn line that the next append seals. */
  append(value: unknown, options?: { sync?: boolean }): void;
  close(): void;
};

/** Opens `path` (0600, its folder 0700) for appending. A torn last line is sealed first, so that nothing fuses with it. */
export function openJsonl(path: string): JsonlWriter {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'a+', 0o600);
  let torn = endsTorn(file);
  return {
    append(value, options) {
      const bytes = Buffer.from(`${torn ? '\n' : ''}${JSON.stringify(value)}\n`);
      // A full disk shows as a short count without an error; the next call then throws.
      for (let written = 0; written < bytes.length;) {
        torn = true;
        written += writeSync(file, bytes, written);
      }
      torn = false;
      if (options?.sync) fdatasyncSync(file);
    },
    close: () => closeSync(file),
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
