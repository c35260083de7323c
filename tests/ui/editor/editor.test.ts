// The prompt's editor: tables of edits, and what must hold after any of them.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backspace, deleteNext, killToBlank, killToEnd, killToStart, killWordLeft, killWordRight, yank, yankOlder } from '../../../src/ui/editor/cut.ts';
import { cleared, createEditor, expand, insert, paste, submitted, undo, type Editor } from '../../../src/ui/editor/editor.ts';
import { graphemes } from '../../../src/ui/editor/graphemes.ts';
import { recall } from '../../../src/ui/editor/history.ts';
import { left, lineEnd, lineStart, right, vertical, wordLeft, wordRight } from '../../../src/ui/editor/move.ts';

/** An editor from text with `|` where the cursor is. */
function at(marked: string): Editor {
  const cursor = marked.indexOf('|');
  return { ...createEditor(marked.replace('|', '')), cursor };
}

const marked = (editor: Editor) => `${editor.text.slice(0, editor.cursor)}|${editor.text.slice(editor.cursor)}`;
const up = (editor: Editor) => vertical(editor, -1, 40) ?? editor;
const down = (editor: Editor) => vertical(editor, 1, 40) ?? editor;

describe('edits', () => {
  test.each<[string, (editor: Editor) => Editor, string, string]>([
    ['insert', (e) => insert(e, 'x'), 'a|b', 'ax|b'],
    ['insert with line ends of all kinds', (e) => insert(e, '1\r2\r\n3\n4'), '|', '1\n2\n3\n4|'],
    ['insert never takes controls', (e) => insert(e, 'a\x1b[31mb\x00'), '|', 'ab|'],
    ['left over an emoji with a skin', left, 'a👍🏽|b', 'a|👍🏽b'],
    ['left over a family', left, '👨‍👩‍👧‍👦|', '|👨‍👩‍👧‍👦'],
    ['right over CJK', right, '|日本', '日|本'],
    ['right over a combined letter', right, '|e\u0301x', 'e\u0301|x'],
    ['left over a line end', left, 'a\n|b', 'a|\nb'],
    ['backspace takes a whole emoji', backspace, 'a👍🏽|', 'a|'],
    ['backspace at the start', backspace, '|a', '|a'],
    ['delete takes a whole flag', deleteNext, '|🇩🇪x', '|x'],
    ['start of the line', lineStart, 'one\ntw|o', 'one\n|two'],
    ['end of the line', lineEnd, '|one\ntwo', 'one|\ntwo'],
    ['word left', wordLeft, 'one two.three|', 'one two.|three'],
    ['word left over blanks', wordLeft, 'one two  |', 'one |two  '],
    ['word right', wordRight, 'one| two.three', 'one two|.three'],
    ['word right in Cyrillic', wordRight, '|привет мир', 'привет| мир'],
    ['kill to the end', killToEnd, 'on|e\ntwo', 'on|\ntwo'],
    ['kill the line end', killToEnd, 'one|\ntwo', 'one|two'],
    ['kill to the start', killToStart, 'one\ntw|o', 'one\n|o'],
    ['kill to a blank', killToBlank, 'a b/c.d |', 'a |'],
    ['kill a word left', killWordLeft, 'a b/cd|', 'a b/|'],
    ['kill a word right', killWordRight, 'a| bc d', 'a| d'],
    ['up keeps the column', up, 'abcd\nefg|h', 'abc|d\nefgh'],
    ['down to a shorter line', down, 'abcd|\ne', 'abcd\ne|'],
    ['down from a shorter line comes back to the column', (e) => down(down(e)), 'abcd|\ne\nfghij', 'abcd\ne\nfghi|j'],
    ['up in a wrapped line', (e) => vertical(e, -1, 11) ?? e, '0123456789abc|', '012|3456789abc'],
  ])('%s', (_name, edit, before, after) => {
    expect(marked(edit(at(before)))).toBe(after);
  });

  test('there is no row above the first and none below the last', () => {
    expect([vertical(at('a|b'), -1, 20), vertical(at('a|b'), 1, 20)]).toEqual([null, null]);
  });

  test('cuts in a row come back as one, and older ones by rotation', () => {
    const cut = killToBlank(killToBlank(at('one two three|')));
    expect(marked(yank(cut))).toBe('one two three|');
    const second = killToEnd(at('|zzz'));
    const both = { ...second, kills: [...cut.kills, ...second.kills] };
    expect(marked(yankOlder(yank(both)))).toBe('two three|');
    expect(marked(yankOlder(yankOlder(yank(both))))).toBe('zzz|');
  });

  test('undo takes back a word at a time, and a cleared prompt', () => {
    const typed = [...'one two'].reduce((editor, letter) => insert(editor, letter), createEditor());
    expect(undo(typed).text).toBe('one');
    expect(undo(undo(typed)).text).toBe('');
    expect(undo(cleared(typed)).text).toBe('one two');
  });
});

describe('pastes', () => {
  const long = Array.from({ length: 120 }, (_, index) => `line ${index}`).join('\n');

  test('a long one is one character to the editor and whole on submit', () => {
    const editor = insert(paste(insert(createEditor(), 'see '), long), ' ok');
    expect(graphemes(editor.text).length).toBe('see '.length + 1 + ' ok'.length);
    expect(expand(editor)).toBe(`see ${long} ok`);
    expect(expand(backspace(left(left(left(editor)))))).toBe('see  ok');
  });

  test.each([['ten lines', Array(10).fill('x').join('\n'), 19], ['eleven lines', Array(11).fill('x').join('\n'), 2], ['1,000 characters', 'x'.repeat(1000), 1000], ['1,001 characters', 'x'.repeat(1001), 2]])('%s', (_name, text, length) => {
    expect(paste(createEditor(), text).text.length).toBe(length);
  });

  test('characters that look like chips are never taken from outside', () => {
    expect(insert(createEditor(), 'a\u{10f000}b').text).toBe('ab');
  });

  test('a cut chip survives the prompt it was cut from', () => {
    const cut = killToStart(paste(createEditor(), long));
    expect(expand(yank(submitted(insert(cut, 'x'))))).toBe(long);
  });
});

describe('history', () => {
  const editor = insert(createEditor('', ['first', 'second']), 'draft');

  test('goes back and comes back to the draft', () => {
    const one = recall(editor, -1);
    const two = recall(one, -1);
    expect([one.text, two.text, recall(two, -1).text, recall(two, 1).text, recall(recall(two, 1), 1).text]).toEqual(['second', 'first', 'first', 'second', 'draft']);
    expect(recall(editor, 1)).toBe(editor);
  });

  test('a submitted prompt is kept once', () => {
    expect(submitted(submitted(editor)).history).toEqual(['first', 'second', 'draft']);
    expect(submitted(insert(submitted(editor), 'draft')).history).toEqual(['first', 'second', 'draft']);
  });
});

describe('whatever is done', () => {
  const pieces = fc.constantFrom('a', ' ', '\n', '日', '👍🏽', '👨‍👩‍👧‍👦', '🇩🇪', 'e\u0301', '\u0301', '\u200d', '🏽', 'नि', 'word two', '\t');
  const steps: ((editor: Editor) => Editor)[] = [left, right, lineStart, lineEnd, wordLeft, wordRight, up, down, backspace, deleteNext, killToBlank, killToEnd, killToStart, killWordLeft, killWordRight, yank, yankOlder];
  const step = fc.oneof(fc.constantFrom(...steps), pieces.map((text) => (editor: Editor) => insert(editor, text)), pieces.map((text) => (editor: Editor) => paste(editor, text.repeat(400))));

  test('the cursor stands between two graphemes, and undo leads back to the start', () => {
    fc.assert(fc.property(fc.array(step, { maxLength: 40 }), (list) => {
      let editor = createEditor();
      for (const apply of list) {
        editor = apply(editor);
        const borders = new Set([0]);
        let end = 0;
        for (const line of editor.text.split('\n')) {
          for (const grapheme of graphemes(line)) borders.add((end += grapheme.length));
          borders.add((end += 1));
        }
        expect(borders.has(editor.cursor)).toBe(true);
        expect(editor.cursor).toBeLessThanOrEqual(editor.text.length);
      }
      while (editor.past.length > 0) editor = undo(editor);
      expect(editor.text).toBe('');
    }));
  });
});
