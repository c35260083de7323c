// Edits that take text away, and the ring that gives it back.
import { replace, type Editor } from './editor.ts';
import { lineAround, nextBorder, previousBorder } from './graphemes.ts';
import { wordAfter, wordBefore } from './move.ts';

const MOST_KILLS = 60;

export const backspace = (editor: Editor) => replace(editor, previousBorder(editor.text, editor.cursor), editor.cursor, '', 'move');
export const deleteNext = (editor: Editor) => replace(editor, editor.cursor, nextBorder(editor.text, editor.cursor), '', 'move');

/** Cuts to the end of the line, or the newline when there already. */
export function killToEnd(editor: Editor): Editor {
  const { end } = lineAround(editor.text, editor.cursor);
  return kill(editor, end === editor.cursor ? nextBorder(editor.text, end) : end);
}

/** Cuts to the start of the line, or the newline before it when there already. */
export function killToStart(editor: Editor): Editor {
  const { start } = lineAround(editor.text, editor.cursor);
  return kill(editor, start === editor.cursor ? previousBorder(editor.text, start) : start);
}

export const killWordLeft = (editor: Editor) => kill(editor, wordBefore(editor.text, editor.cursor));
export const killWordRight = (editor: Editor) => kill(editor, wordAfter(editor.text, editor.cursor));

/** Cuts back to the last blank, as shells do. */
export function killToBlank(editor: Editor): Editor {
  return kill(editor, editor.text.slice(0, editor.cursor).trimEnd().search(/\S*$/));
}

/** Cuts between the cursor and `at`. Cuts in a row make one entry of the ring. */
function kill(editor: Editor, at: number): Editor {
  const from = Math.min(editor.cursor, at);
  const to = Math.max(editor.cursor, at);
  const cut = editor.text.slice(from, to);
  if (cut === '') return editor;
  const joined = editor.last === 'kill' ? editor.kills.at(-1) : undefined;
  const entry = joined === undefined ? cut : at < editor.cursor ? cut + joined : joined + cut;
  const kills = [...(joined === undefined ? editor.kills.slice(1 - MOST_KILLS) : editor.kills.slice(0, -1)), entry];
  return { ...replace(editor, from, to, '', 'kill'), kills };
}

/** Puts the newest cut at the cursor. */
export function yank(editor: Editor): Editor {
  const text = editor.kills.at(-1);
  return text === undefined ? editor : replace(editor, editor.cursor, editor.cursor, text, 'yank');
}

/** Right after a yank: the cut before it instead, round and round. */
export function yankOlder(editor: Editor): Editor {
  const newest = editor.kills.at(-1);
  if (editor.last !== 'yank' || newest === undefined || !editor.text.slice(0, editor.cursor).endsWith(newest)) return editor;
  const kills = [newest, ...editor.kills.slice(0, -1)];
  return replace({ ...editor, kills }, editor.cursor - newest.length, editor.cursor, kills.at(-1) ?? '', 'yank');
}
