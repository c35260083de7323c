// Encodings: what is recognised, that the bytes come back, and what is refused.
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { decodeAnyText, decodeText, encodeAnyText } from '../../src/tools/text-file.ts';

const CODE = 'int main(void) {\n  printf("hello");\n  return 0; // the end of the program is here and this is English\n}\n';
const PROSE_ZH = '这是一个测试文件，用来检查编码的检测是否正确。我们希望它能够识别出来。\n';
const PROSE_JA = 'これは日本語の文章です。文字コードを調べるために使います。カタカナもあります。\n';

describe('recognises', () => {
  test.each<[string, string, string]>([
    ['gb18030', 'two characters', '你好\n'],
    ['gb18030', 'prose', PROSE_ZH],
    ['gb18030', 'a comment in code', `// 初始化数据\r\n${CODE}`],
    ['gb18030', 'a word in a lot of code', `// 错误\n${CODE.repeat(200)}`],
    ['gb18030', 'a comma in code', `x = "，"\n${CODE}`],
    ['gb18030', 'an emoji too', `${PROSE_ZH}😀\n`],
    ['shift_jis', 'prose', PROSE_JA],
    ['shift_jis', 'a line', '日本語のテキスト\n'],
    ['shift_jis', 'a comment in code', `// 初期化する\n${CODE}`],
    ['shift_jis', 'a word in code', `print("エラー")\n${CODE}`],
    ['iso-8859-1', 'one letter', 'é'],
    ['iso-8859-1', 'French', 'Le numéro a été changé à Orléans, où l\'été est là.\n'],
    ['iso-8859-1', 'German in code', `// Größe prüfen\n${CODE}`],
    ['iso-8859-1', 'German', 'Die Größe der Tür ist für uns sehr schön, weil wir über die Straße gehen müssen.\n'],
    ['iso-8859-1', 'Norwegian', `Øystein åpner døra på Ærø\n${CODE}`],
    ['windows-1252', 'quotes and dashes', '“smart” – quotes € 5\n'],
    ['windows-1251', 'Russian', 'Привет, мир! Как дела у тебя сегодня?\n'],
    ['euc-kr', 'Korean', '한국어 텍스트입니다. 이 파일은 인코딩을 검사하기 위한 것입니다. 잘 되기를 바랍니다.\n'],
    ['utf-16le', 'UTF-16 without a mark', 'int x = 1;\r\n// Größe\r\n'],
    ['utf-16be', 'UTF-16 without a mark', 'int x = 1;\r\n'],
    ['utf-8', 'UTF-8', 'héllo 你好 日本語 😀'],
  ])('%s: %s', async (name, _, text) => {
    const bytes = name.startsWith('utf-16') ? (name === 'utf-16le' ? Buffer.from(text, 'utf16le') : Buffer.from(text, 'utf16le').swap16()) : iconv.encode(text, name);
    expect(await decodeAnyText(bytes)).toEqual({ ok: true, text, encoding: { name, bom: false } });
    expect(await encodeAnyText(text, { name, bom: false })).toEqual({ ok: true, bytes });
  });

  test.each<[string, Buffer]>([
    ['utf-8', Buffer.from('\ufeffone\r\n')],
    ['utf-16le', Buffer.from('\ufeffone\r\n', 'utf16le')],
    ['utf-16be', Buffer.from('\ufeffone\r\n', 'utf16le').swap16()],
  ])('the mark of %s', async (name, bytes) => {
    expect(await decodeAnyText(bytes)).toEqual({ ok: true, text: 'one\r\n', encoding: { name, bom: true } });
    expect(await encodeAnyText('one\r\n', { name, bom: true })).toEqual({ ok: true, bytes });
  });
});

test.each<[string, Uint8Array, 'binary' | 'not UTF-8']>([
  ['a program', Buffer.from('\x7fELF\x02\x01\x01\0\0\0\x01\0\xff', 'latin1'), 'binary'],
  ['a compressed file', Buffer.from([0x78, 0x9c, 0x4b, 0x4c, 0x04, 0x02, 0x85, 0xc3, 0x1f]), 'not UTF-8'],
  ['UTF-8 with a broken byte', Buffer.concat([Buffer.from('größer, schöner\n'), Buffer.from([0xc3, 0x0a])]), 'not UTF-8'],
  ['half a UTF-16 character', Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x62]), 'binary'],
  ['lone surrogates', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x61, 0x62]), 'binary'],
  ['numbers of 16 bits', Buffer.from([1, 0, 2, 0, 3, 0, 4, 0]), 'binary'],
  ['a NUL in text', Buffer.from('one\0two'), 'binary'],
])('%s is no text', async (_, bytes, why) => {
  expect(await decodeAnyText(bytes)).toEqual({ ok: false, why });
});

test.each([['shift_jis', '日本語 😀', '😀'], ['iso-8859-1', 'für 5 €', '€'], ['windows-1252', '“a” 你', '你'], ['shift_jis', 'naïve', 'ï'], ['euc-kr', '한 👋🏽', '👋']])('%s can\'t hold %s', async (name, text, char) => {
  expect(await encodeAnyText(text, { name, bom: false })).toEqual({ ok: false, char });
});

test('whatever the bytes, they come back or are refused', async () => {
  const byte = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(10, 13, 32, 65, 97, 0xe9, 0xc4, 0xe3, 0x81, 0x82, 0xb0) }, { weight: 2, arbitrary: fc.integer({ min: 9, max: 255 }) }, { weight: 1, arbitrary: fc.constant(0) });
  const file = fc.oneof(
    fc.array(byte, { maxLength: 40 }).map((bytes) => Uint8Array.from(bytes)),
    fc.tuple(fc.constantFrom('gb18030', 'shift_jis', 'latin1', 'utf-16le', 'utf-8'), fc.string({ unit: 'grapheme', maxLength: 30 })).map(([name, text]) => new Uint8Array(iconv.encode(text, name))),
  );
  await fc.assert(fc.asyncProperty(file, async (bytes) => {
    const decoded = await decodeAnyText(bytes);
    if (!decoded.ok) return;
    expect(decoded.text.isWellFormed()).toBe(true);
    const encoded = await encodeAnyText(decoded.text, decoded.encoding);
    expect(encoded.ok && Buffer.from(encoded.bytes)).toEqual(Buffer.from(bytes));
  }), { numRuns: process.env.MEWCODE_LONG ? 20_000 : 1_000 });
});

test('what can be decoded at once is decoded alike', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 12 }), async (bytes) => {
    const quick = decodeText(bytes);
    if (quick.ok) expect(await decodeAnyText(bytes)).toEqual(quick);
  }));
});
