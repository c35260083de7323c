// Text that is not Unicode: which encoding it is in, and its bytes again. Loaded when the first such file is met.
import { analyse } from 'chardet';
import iconv from 'iconv-lite';

/** Characters that no text file has: control characters, private use, what could not be decoded. */
const NO_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd]/;
/** Enough to tell the encoding. */
const SAMPLE = 64 * 1024;
/** Below this share of characters that are usual in an encoding, the text is in another one. */
const USUAL = 0.8;
/** On short texts the detector guesses; above this it knows. */
const SURE = 50;

const LATIN = /[A-Za-z]?[À-ÖØ-öø-ÿŠšŽžŒœŸ]{1,2}(?=[^À-ÿ]|$)/gu;
const LATIN_MARKS = /[\xa0-\xbf×÷€…‘’“”•–—™]/g;
const KANA = /[\u3041-\u30ff、。「」…（）！？：]/gu;
/** Pairs of bytes in which common characters of Chinese and of Japanese are written. */
const GB_COMMON = /^(?:[\xb0-\xd7][\xa1-\xfe]|[\xa1\xa3][\xa1-\xfe])/;
const GB_RARER = /^[\xd8-\xf7][\xa1-\xfe]/;
const KANJI_COMMON = /^[\x88-\x97][\x40-\xfc]/;

/** The text of bytes that are not UTF-8 and its encoding; `undefined` when no encoding gives exactly these bytes back. */
export function decodeOther(bytes: Uint8Array): { text: string; name: string } | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isDamagedUtf8(buffer)) return undefined;
  for (const name of candidates(sampleOf(buffer))) {
    const text = iconv.decode(buffer, name, { stripBOM: false });
    if (!NO_TEXT.test(text) && iconv.encode(text, name).equals(buffer)) return { text, name };
  }
  return undefined;
}

/** The text's bytes in an encoding that `decodeOther` named, or the first character that it can't hold. */
export function encodeOther(text: string, name: string): { ok: true; bytes: Uint8Array } | { ok: false; char: string } {
  const bytes = iconv.encode(text, name);
  if (iconv.decode(bytes, name, { stripBOM: false }) === text) return { ok: true, bytes };
  const lost = [...new Set(text)].find((char) => iconv.decode(iconv.encode(char, name), name, { stripBOM: false }) !== char);
  return { ok: false, char: lost ?? '' };
}

/** The lines that say something of the encoding. */
function sampleOf(buffer: Buffer): Buffer {
  const lines = buffer.subarray(0, 16 * SAMPLE).toString('latin1').match(/[^\n]*[\x80-\xff][^\n]*/g) ?? [];
  return Buffer.from(lines.join('\n').slice(0, SAMPLE), 'latin1');
}

/** Names to try, the likeliest first. */
function candidates(sample: Buffer): string[] {
  const latin = /[\x80-\x9f]/.test(sample.toString('latin1')) ? 'windows-1252' : 'iso-8859-1';
  const usual = [latin, 'gb18030', 'shift_jis']
    .map((name) => ({ name, share: shareOfUsual(sample, name) }))
    .filter(({ share }) => share >= USUAL)
    .sort((a, b) => b.share - a.share);
  const detected = analyse(sample).filter(({ name }) => iconv.encodingExists(name) && !/^(?:ASCII|UTF|ISO-2022)/i.test(name));
  const sure = detected.filter(({ name, confidence }) => confidence > SURE && /^(?:GB|Shift|Big5|EUC)/.test(name));
  return [...sure, ...usual, ...detected, { name: latin }].map(({ name }) => name.toLowerCase());
}

/** How much of what is not ASCII is what texts in this encoding mostly have, 0 to 1. */
function shareOfUsual(sample: Buffer, name: string): number {
  const text = iconv.decode(sample, name);
  const others = text.match(/[^\0-\x7f]/gu)?.length ?? 0;
  if (others === 0 || NO_TEXT.test(text)) return 0;
  if (name === 'shift_jis') return ((text.match(KANA)?.length ?? 0) + pairs(text, name, KANJI_COMMON)) / others;
  if (name === 'gb18030') return (pairs(text, name, GB_COMMON) + pairs(text, name, GB_RARER) / 2) / others;
  // Accented letters stand one by one among plain ones; a row of them is another script.
  const letters = (text.match(LATIN) ?? []).reduce((sum, found) => sum + (/^[A-Za-z]/.test(found) ? found.length - 1 : found.length === 1 ? 1 : 0), 0);
  return (letters + (text.match(LATIN_MARKS)?.length ?? 0) * 0.9) / others;
}

function pairs(text: string, name: string, usual: RegExp): number {
  return (text.match(/[^\0-\x7f]/gu) ?? []).filter((char) => usual.test(iconv.encode(char, name).toString('latin1'))).length;
}

/** UTF-8 with a few broken bytes: as anything else it would be read wrongly from one end to the other. */
function isDamagedUtf8(buffer: Buffer): boolean {
  const text = buffer.toString('utf8');
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const whole = (text.match(/[^\0-\x7f\ufffd]/gu) ?? []).length;
  return whole > broken;
}
