// Files as both searchers see them: text up to a size, binary files passed over.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { MAX_FILE } from './search.ts';

/** Small files, which are nearly all, cost no memory of their own. */
const room = Buffer.allocUnsafe(256 * 1024);

/**
 * The text of a UTF-8 or UTF-16 file without its mark; old encodings come as far as they are ASCII. `undefined` for
 * what can't be read, is too large, has a NUL, is a link, or lacks `needle`, bytes that every match has in it.
 */
export function readText(path: string, needle?: Uint8Array): string | undefined {
  const bytes = readBytes(path);
  if (bytes === undefined) return undefined;
  const wide = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
  if (wide !== undefined) {
    const text = new TextDecoder(wide).decode(bytes);
    return text.includes('\0') ? undefined : text;
  }
  if ((needle !== undefined && bytes.indexOf(needle) === -1) || bytes.includes(0)) return undefined;
  return bytes.toString('utf8', bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0);
}

/** Good until the next call. */
function readBytes(path: string): Buffer | undefined {
  let file: number | undefined;
  try {
    // A link that has appeared since the listing is not followed, a pipe not waited for.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    let size = readSync(file, room, 0, room.length, null);
    if (size < room.length) return size > 0 || fstatSync(file).isFile() ? room.subarray(0, size) : undefined;
    const info = fstatSync(file);
    if (!info.isFile() || info.size > MAX_FILE) return undefined;
    const whole = Buffer.allocUnsafe(info.size + 1);
    room.copy(whole, 0, 0, size);
    for (let more = -1; more !== 0 && size < whole.length; size += more) more = readSync(file, whole, size, whole.length - size, null);
    return whole.subarray(0, size);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
