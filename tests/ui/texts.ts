// Text with everything that has bad manners about its width, for properties.
import * as fc from 'fast-check';

export const anyText = fc.array(fc.oneof(
  fc.string(),
  fc.constantFrom(' ', '  ', '\n', '\t', '你好世界', 'かな', '한국어', '😀', '👩‍👧', '🏳️‍🌈', '1️⃣', 'e\u0301', '\u0301', 'नि', 'ｱﾞ', 'a'.repeat(30), 'word ', '-', '─'),
), { maxLength: 20 }).map((pieces) => pieces.join('').replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, ''));
