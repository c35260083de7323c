// Pictures as models take them, looked at closely: one that a service refuses spoils the conversation.
import { imageMime } from '../../lib/image.ts';
import { plural } from '../../lib/plural.ts';
import type { Image } from '../../types/message.ts';

/** Services take images of 5 MB in base64, and 8,000 pixels each way. */
const MAX_BYTES = 3_750_000;
const MAX_PIXELS = 8_000;

type Size = { width: number; height: number };

/** By MIME type; `undefined` where the picture is not whole. */
const MEASURES: Readonly<Record<string, (bytes: Buffer) => Size | undefined>> = {
  'image/png': (bytes) => (bytes.length > 24 && bytes.includes('IEND', 24) ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : undefined),
  'image/jpeg': measureJpeg,
  'image/gif': (bytes) => (bytes.length > 13 && bytes.includes(0x3b, 13) ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) } : undefined),
  'image/webp': measureWebp,
};

/** A picture ready to be sent with its measure in words, or why it can't be: the end of a sentence about it. */
export function openImage(bytes: Uint8Array): { ok: true; image: Image; measure: string } | { ok: false; why: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const mime = imageMime(bytes) ?? '';
  const size = MEASURES[mime]?.(buffer);
  if (!size || size.width === 0 || size.height === 0) return { ok: false, why: 'is a damaged or incomplete image' };
  const pixels = `${size.width} × ${size.height} pixels`;
  if (bytes.length > MAX_BYTES) return { ok: false, why: `is an image of ${plural(bytes.length, 'byte')}; at most ${plural(MAX_BYTES, 'byte')} can be shown. Scale it down first` };
  if (Math.max(size.width, size.height) > MAX_PIXELS) return { ok: false, why: `is an image of ${pixels}; at most ${MAX_PIXELS.toLocaleString('en')} each way can be shown. Scale it down first` };
  return { ok: true, image: { mime, base64: buffer.toString('base64') }, measure: `${mime}, ${pixels}, ${plural(bytes.length, 'byte')}` };
}

const END_OF_JPEG = Buffer.from([0xff, 0xd9]);

/** Walks the segments to the frame header (ITU T.81, B.1). */
function measureJpeg(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 < bytes.length;) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    // Fill bytes, and markers that stand alone.
    if (marker === 0xff) { at += 1; continue; }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) { at += 2; continue; }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && bytes.includes(END_OF_JPEG, at)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** RFC 9649. */
function measureWebp(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return undefined;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ': return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
    }
    case 'VP8X': return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default: return undefined;
  }
}
