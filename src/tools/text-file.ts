// Text files as bytes and back: which encoding, which line endings, and whether a file is still what was read.
import { createHash } from 'node:crypto';
import type { FileInfo, Files } from '../types/tool.ts';

/** How a file's text is stored. */
export type Encoding = { name: 'utf-8' | 'utf-16le' | 'utf-16be'; bom: boolean };

/** A file's text, or why it has none. */
export type Decoded = { ok: true; text: string; encoding: Encoding } | { ok: false; why: 'binary' | 'not UTF-8' };

const BOMS: readonly { name: Encoding['name']; bytes: readonly number[] }[] = [
  { name: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { name: 'utf-16le', bytes: [0xff, 0xfe] },
  { name: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** The text without its BOM. Only bytes that `encodeText` gives back unchanged count as text; a NUL makes a file binary. */
export function decodeText(bytes: Uint8Array): Decoded {
  const mark = BOMS.find((bom) => bom.bytes.every((byte, index) => bytes[index] === byte));
  const name = mark?.name ?? 'utf-8';
  try {
    const text = new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(mark ? bytes.subarray(mark.bytes.length) : bytes);
    if (text.includes('\0')) return { ok: false, why: 'binary' };
    return { ok: true, text, encoding: { name, bom: mark !== undefined } };
  } catch {
    return { ok: false, why: bytes.includes(0) ? 'binary' : 'not UTF-8' };
  }
}

/** The bytes of a well-formed text. */
export function encodeText(text: string, { name, bom }: Encoding): Uint8Array {
  const whole = bom ? `\ufeff${text}` : text;
  if (name === 'utf-8') return Buffer.from(whole, 'utf8');
  const bytes = Buffer.from(whole, 'utf16le');
  return name === 'utf-16be' ? bytes.swap16() : bytes;
}

/** Notes that the model knows this state of the file. */
export function remember(files: Files, info: FileInfo, bytes: Uint8Array): void {
  files.seen.set(info.path, { mtimeMs: info.mtimeMs, hash: hashOf(bytes) });
}

/** Why the file must be read before it is changed; `undefined` when the model knows these bytes. A mere `touch` changes nothing. */
export function staleness(files: Files, info: FileInfo, bytes: Uint8Array): 'unread' | 'changed' | undefined {
  const seen = files.seen.get(info.path);
  if (!seen) return 'unread';
  return seen.hash === hashOf(bytes) ? undefined : 'changed';
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
