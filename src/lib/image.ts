// What a picture is by its first bytes: what somebody calls it may be wrong, and a service refuses a wrong name.

/** The MIME type of a PNG, JPEG, GIF or WebP; `undefined` for anything else. */
export function imageMime(bytes: Uint8Array): string | undefined {
  const text = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('latin1');
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg';
  if (/^GIF8[79]a/.test(text(0, 6))) return 'image/gif';
  return text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP' ? 'image/webp' : undefined;
}
