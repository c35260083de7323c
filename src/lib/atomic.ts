// Whole-file writes that are either the old file or the new one, whatever happens in between.
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { closeSync, fchmodSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Name of the temporary file beside `path`: cut, since a name may have 255 bytes and a character up to four. */
function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path).slice(0, 50)}.${randomBytes(6).toString('hex')}.tmp`);
}

/** Replaces `path` by `bytes` through a temporary file in the same folder: flushed, then renamed. `mode` defaults to 0644 less the umask. */
export async function writeAtomic(path: string, bytes: Uint8Array | string, options: { mode?: number } = {}): Promise<void> {
  const temporary = temporaryName(path);
  try {
    const file = await open(temporary, 'wx', options.mode ?? 0o644);
    try {
      await file.writeFile(bytes);
      // The umask has taken bits from a mode that was asked for.
      if (options.mode !== undefined) await file.chmod(options.mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The same for small state files, at once; makes the folder (0700) and defaults to mode 0600. */
export function writeAtomicSync(path: string, text: string, options: { mode?: number } = {}): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = temporaryName(path);
  try {
    const file = openSync(temporary, 'wx', options.mode ?? 0o600);
    try {
      writeFileSync(file, text);
      if (options.mode !== undefined) fchmodSync(file, options.mode);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
