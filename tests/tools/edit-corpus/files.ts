// Several edits at once, line endings of every kind, and files in other encodings.
import { gives, lines, refuses, type EditCase } from './case.ts';

const ABC = lines('alpha', 'beta', 'gamma');
const several = (what: string, file: string, edits: readonly (readonly [string, string, true?])[], becomes: string): EditCase => ({ what, file, edits: edits.map(([old, wanted, all]) => ({ old, new: wanted, ...(all && { all }) })), becomes });
const none = (what: string, file: string, edits: readonly (readonly [string, string, true?])[], refused: string): EditCase => ({ what, file, edits: edits.map(([old, wanted, all]) => ({ old, new: wanted, ...(all && { all }) })), refused });
const encoded = (encoding: string, item: EditCase): EditCase => ({ ...item, what: `${encoding}: ${item.what}`, encoding });
const ZH = lines('# 设置', '名称 = "测试"', '数量 = 3  # 重要', 'end');
const JA = lines('// 設定ファイル', 'const 名前 = "テスト";', 'エラー', 'end');
const FR = lines('// Paramètres généraux', 'clé = "élève"', 'été = 3', 'fin');

export const files: readonly EditCase[] = [
  several('two edits', ABC, [['alpha', 'A'], ['gamma', 'C']], lines('A', 'beta', 'C')),
  several('edits from the bottom to the top', ABC, [['gamma', 'C'], ['alpha', 'A']], lines('A', 'beta', 'C')),
  several('an edit of what the one before made', ABC, [['alpha', 'one two'], ['two', '2']], lines('one 2', 'beta', 'gamma')),
  several('an edit that is unique only after the one before', lines('x', 'x y'), [['x y', 'z'], ['x', 'w']], lines('w', 'z')),
  several('two words swapped', 'a b\n', [['a', 'tmp'], ['b', 'a'], ['tmp', 'b']], 'b a\n'),
  several('everywhere and in one place', 'a a b\n', [['a', 'c', true], ['b', 'd']], 'c c d\n'),
  several('edits on one line', 'one two three\n', [['one', '1'], ['two', '2'], ['three', '3']], '1 2 3\n'),
  several('neighbouring lines', ABC, [['alpha\n', 'a\n'], ['beta\n', 'b\n']], lines('a', 'b', 'gamma')),
  several('lines away, one after the other', ABC, [['alpha\n', ''], ['beta\n', ''], ['gamma\n', '']], ''),
  several('ten edits', lines(...'abcdefghij'), [...'abcdefghij'].map((letter) => [letter, letter.toUpperCase()] as const), lines(...'ABCDEFGHIJ')),
  none('the last of them fails', ABC, [['alpha', 'A'], ['delta', 'D']], 'Edit 2 of 2: old_string was not found in f.txt. Nothing was changed.'),
  none('the first of them fails', ABC, [['delta', 'D'], ['alpha', 'A']], 'Edit 1 of 2: old_string was not found'),
  none('one of them is ambiguous after the one before', 'a b\n', [['a', 'b'], ['b', 'c']], 'Edit 2 of 2: old_string occurs 2 times'),
  none('one of them changes nothing', ABC, [['alpha', 'A'], ['beta', 'beta']], 'Edit 2 of 2: old_string and new_string are the same'),
  none('what one took away is edited by the next', ABC, [['beta\n', ''], ['beta', 'b']], 'Edit 2 of 2: old_string was not found'),
  none('an empty one among them', ABC, [['alpha', 'A'], ['', 'x']], 'f.txt exists, so an empty old_string does not say what to replace.'),

  gives('CRLF: a line', 'a\r\nb\r\nc\r\n', 'b', 'x\ny', 'a\r\nx\r\ny\r\nc\r\n'),
  gives('CRLF: sent with CRLF', 'a\r\nb\r\nc\r\n', 'a\r\nb', 'a\r\nx\r\ny', 'a\r\nx\r\ny\r\nc\r\n'),
  gives('CRLF: sent with a mix', 'a\r\nb\r\nc\r\n', 'a\nb\r\nc', 'x\r\ny\nz', 'x\r\ny\r\nz\r\n'),
  gives('CRLF: at the end', 'a\r\nb', 'b', 'b\nc', 'a\r\nb\r\nc'),
  gives('LF: sent with CRLF', 'a\nb\nc\n', 'a\r\nb', 'x\r\ny\r\nz', 'x\ny\nz\nc\n'),
  gives('CR alone: a line', 'a\rb\rc\r', 'b', 'x\ny', 'a\rx\ry\rc\r'),
  gives('CR alone: over lines', 'a\rb\rc\r', 'a\nb', 'x', 'x\rc\r'),
  gives('CR alone: sent with CR', 'a\rb\rc', 'a\rb', 'x\ry\rz', 'x\ry\rz\rc'),
  gives('CR alone: loosely', '\ta\r\tb\rc\r', '    a\n    b', '    a\n    x\n    y', '\ta\r\tx\r\ty\rc\r', 'line-trimmed'),
  gives('a mix: kept line by line', 'a\r\nb\nc\rd\n', 'a\nb\nc\nd', 'a\nB\nc\nd', 'a\r\nB\nc\rd\n'),
  gives('a mix: a line away takes its ending along', 'a\r\nb\nc\r\n', 'b\n', '', 'a\r\nc\r\n'),
  gives('a mix: new lines take the ending of most', 'a\r\nb\nc\r\n', 'b\nc', 'b\nnew\nc', 'a\r\nb\nnew\r\nc\r\n'),
  gives('a mix: the first of the lines away', 'a\nb\r\nc\nd\r\ne\n', 'a\nb\nc\nd', 'b\nc\nd', 'b\r\nc\nd\r\ne\n'),
  gives('a mix: lines that stay around new ones', 'a\nb\r\nc\nd\n', 'a\nb\nc', 'a\nb\nx\ny\nc', 'a\nb\r\nx\ny\nc\nd\n'),
  gives('a mix: CR and LF never become one', 'a\rb\nc\n', 'b\nc', '\nc', 'a\r\rc\n'),
  gives('a CR inside a line of an LF file', 'one\rtwo\nthree\n', 'three', '3', 'one\rtwo\n3\n'),
  gives('a CR inside a line, over it', 'one\rtwo\nthree\n', 'one\ntwo', '1\n2', '1\r2\nthree\n'),
  gives('a byte order mark stays', '\ufeffa\nb\n', 'a', 'x', '\ufeffx\nb\n'),
  gives('a byte order mark sent by the model', '\ufeffa\nb\n', 'b', 'c', '\ufeffa\nc\n'),
  gives('a mark inside the text stays', 'a\ufeff\nb\n', 'b', 'c', 'a\ufeff\nc\n'),
  refuses('half of a CRLF', 'a\r\nb\r\n', 'a\r', 'x', 'old_string ends with half of a line break (\\r).'),
  refuses('line endings alone', 'a\r\nb\r\n', 'a\r\nb', 'a\nb', 'differ only in their line endings, and the file keeps its own'),

  ...[['gb18030', ZH, '名称 = "测试"', '名称 = "新的"'], ['shift_jis', JA, 'エラー', '警告、注意'], ['iso-8859-1', FR, 'clé = "élève"', 'clé = "écolière"'], ['utf-16le', `\ufeff${JA}`, 'エラー', '😀'], ['utf-16be', `\ufeff${ZH}`, 'end', '结束'], ['utf-8', `\ufeff${FR}`, 'fin', '終わり']]
    .flatMap(([encoding = '', file = '', old = '', wanted = '']) => [
      encoded(encoding, gives('a word', file, old, wanted, file.replace(old, wanted))),
      encoded(encoding, gives('a line more', file, `${old}\n`, `${old}\nnew line\n`, file.replace(`${old}\n`, `${old}\nnew line\n`))),
      encoded(encoding, gives('trailing blanks that only the model has', file, `${old}  `, `${wanted}  `, file.replace(old, wanted), 'line-trimmed')),
      encoded(encoding, refuses('what is not there', file, 'nowhere to be seen', 'x', 'was not found')),
    ]),
  encoded('shift_jis', refuses('an emoji', JA, 'エラー', '😀', 'f.txt is in shift_jis, which can\'t hold "😀". Nothing was changed. Write it in another way, or convert the file to UTF-8 first.')),
  encoded('shift_jis', refuses('an accent', JA, 'エラー', 'naïve', 'which can\'t hold "ï"')),
  encoded('iso-8859-1', refuses('a euro', FR, 'fin', '5 €', 'f.txt is in iso-8859-1, which can\'t hold "€"')),
  encoded('iso-8859-1', refuses('typographic quotes', FR, 'fin', '“fin”', 'which can\'t hold "“"')),
  encoded('gb18030', gives('an emoji, which it holds', ZH, 'end', '😀', ZH.replace('end', '😀'))),
];
