// Text files as bytes and back: which encoding, which line endings, and whether a file is still what was read.
import { createHash } from 'node:crypto';
import type { FileInfo, Files } from '../types/tool.ts';

/** How a file's text is stored. `name` is as `TextDecoder` spells it. */
export type Encoding = { name: string; bom: boolean };

/** A file's text, or why it has none. */
export type Decoded = { ok: true; text: string; encoding: Encoding } | { ok: false; why: 'binary' | 'not UTF-8' };

/** A text's bytes, or the first character that the encoding can't hold. */
type Encoded = { ok: true; bytes: Uint8Array } | { ok: false; char: string };

const UNICODE = ['utf-8', 'utf-16le', 'utf-16be'] as const;

const BOMS: readonly { name: (typeof UNICODE)[number]; bytes: readonly number[] }[] = [
  { name: 'utf-8', bytes: [0xef, 0xbb, 0xbf] },
  { name: 'utf-16le', bytes: [0xff, 0xfe] },
  { name: 'utf-16be', bytes: [0xfe, 0xff] },
];

/** The text of a file in any encoding that can be told. Only bytes that `encodeAnyText` gives back unchanged count as text. */
export async function decodeAnyText(bytes: Uint8Array): Promise<Decoded> {
  const decoded = decodeText(bytes);
  if (decoded.ok) return decoded;
  if (decoded.why === 'binary') return decodeBareUtf16(bytes) ?? decoded;
  const other = markOf(bytes) ? undefined : (await import('./encodings.ts')).decodeOther(bytes);
  return other ? { ok: true, text: other.text, encoding: { name: other.name, bom: false } } : decoded;
}

/** The bytes of a well-formed text. */
export async function encodeAnyText(text: string, encoding: Encoding): Promise<Encoded> {
  if (UNICODE.some((name) => name === encoding.name)) return { ok: true, bytes: encodeText(text, encoding) };
  return (await import('./encodings.ts')).encodeOther(text, encoding.name);
}

/** Unicode only, at once. The text comes without its BOM; a NUL makes a file binary. */
export function decodeText(bytes: Uint8Array): Decoded {
  const mark = markOf(bytes);
  const name = mark?.name ?? 'utf-8';
  try {
    const text = new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(mark ? bytes.subarray(mark.bytes.length) : bytes);
    if (text.includes('\0')) return { ok: false, why: 'binary' };
    return { ok: true, text, encoding: { name, bom: mark !== undefined } };
  } catch {
    return { ok: false, why: bytes.includes(0) ? 'binary' : 'not UTF-8' };
  }
}

const markOf = (bytes: Uint8Array) => BOMS.find((bom) => bom.bytes.every((byte, index) => bytes[index] === byte));

/** UTF-16 without a BOM, where nothing else can be meant: printable characters throughout, most of them of the Latin script. */
function decodeBareUtf16(bytes: Uint8Array): Decoded | undefined {
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined;
  for (const name of ['utf-16le', 'utf-16be'] as const) {
    try {
      const text = new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes);
      if (/[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ue000-\uf8ff\ufeff\ufffd-\uffff]/.test(text)) continue;
      if ((text.match(/[\t\n\r -~]/g)?.length ?? 0) * 4 >= text.length * 3) return { ok: true, text, encoding: { name, bom: false } };
    } catch { /* not in this order of bytes */ }
  }
  return undefined;
}

/** The bytes of a well-formed text in one of the Unicode encodings. */
function encodeText(text: string, { name, bom }: Encoding): Uint8Array {
  const whole = bom ? `\ufeff${text}` : text;
  if (name === 'utf-8') return Buffer.from(whole, 'utf8');
  const bytes = Buffer.from(whole, 'utf16le');
  return name === 'utf-16be' ? bytes.swap16() : bytes;
}

/** Files up to this size are kept as they were seen, and of all of them together no more than this. */
const KEPT_FILE = 512 * 1024;
const KEPT = 32 * 1024 * 1024;

/** Notes that the model knows this state of the file. */
export function remember(files: Files, info: FileInfo, bytes: Uint8Array): void {
  const { seen } = files;
  // The last one seen stands last.
  seen.delete(info.path);
  seen.set(info.path, { mtimeMs: info.mtimeMs, hash: hashOf(bytes), ...(bytes.length <= KEPT_FILE && { bytes: Uint8Array.from(bytes) }) });
  let kept = 0;
  for (const known of seen.values()) kept += known.bytes?.length ?? 0;
  for (const known of seen.values()) {
    if (kept <= KEPT) break;
    kept -= known.bytes?.length ?? 0;
    delete known.bytes;
  }
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
