// The prompt's text and all that editing it needs, as one plain value. Every edit gives a new one.
import { clean } from '../../lib/clean.ts';
import { chipOf, isLong, MOST_CHIPS, openChips, withoutChips } from './paste.ts';
import { toBorder } from './graphemes.ts';

type Snapshot = { text: string; cursor: number };

export type Editor = {
  /** Lines parted by newlines. A folded paste is one private character in it. */
  text: string;
  /** UTF-16 offset, always between two graphemes. */
  cursor: number;
  /** Column that moves up and down aim at; `null` after any other move. */
  goal: number | null;
  /** What the chips stand for, by their number. */
  pastes: readonly string[];
  /** Earlier states, newest last. */
  past: readonly Snapshot[];
  /** What was cut, newest last. */
  kills: readonly string[];
  /** What the last edit was: runs of the same kind belong together. */
  last: 'move' | 'type' | 'kill' | 'yank';
  /** Earlier prompts, newest last; which of them is shown; and the draft that waits behind it. */
  history: readonly string[];
  shown: number | null;
  aside: string;
};

const MOST_UNDO = 500;
const MOST_HISTORY = 1_000;

export function createEditor(text = '', history: readonly string[] = []): Editor {
  const plain = withoutChips(text);
  return { text: plain, cursor: plain.length, goal: null, pastes: [], past: [], kills: [], last: 'move', history, shown: null, aside: '' };
}

/** Puts `insert` in place of the text between two offsets; the cursor goes behind it. `kind` decides what one undo takes back. */
export function replace(editor: Editor, from: number, to: number, insert: string, kind: Editor['last']): Editor {
  if (from === to && insert === '') return { ...editor, last: kind, goal: null };
  const text = editor.text.slice(0, from) + insert + editor.text.slice(to);
  // Letters typed in a row are one step; a blank ends it, so that undo takes back a word at a time.
  const joins = kind === 'type' && editor.last === 'type' && from === to && !/\s/.test(insert);
  const past = joins ? editor.past : [...editor.past.slice(-MOST_UNDO), { text: editor.text, cursor: editor.cursor }];
  return { ...editor, text, cursor: toBorder(text, from + insert.length), past, last: kind, goal: null };
}

/** Types `text` at the cursor: cleaned, line ends made newlines. */
export function insert(editor: Editor, text: string): Editor {
  const plain = withoutChips(clean(text.replace(/\r\n?/g, '\n')));
  return plain === '' ? editor : replace(editor, editor.cursor, editor.cursor, plain, 'type');
}

/** Puts a paste at the cursor; a long one becomes a chip. */
export function paste(editor: Editor, text: string): Editor {
  const plain = withoutChips(clean(text.replace(/\r\n?/g, '\n')));
  if (plain === '') return editor;
  if (!isLong(plain) || editor.pastes.length >= MOST_CHIPS) return replace(editor, editor.cursor, editor.cursor, plain, 'move');
  const chip = chipOf(editor.pastes.length);
  return { ...replace(editor, editor.cursor, editor.cursor, chip, 'move'), pastes: [...editor.pastes, plain] };
}

/** Takes back the last edit. */
export function undo(editor: Editor): Editor {
  const before = editor.past.at(-1);
  return before ? { ...editor, ...before, past: editor.past.slice(0, -1), last: 'move', goal: null } : editor;
}

/** The whole prompt, chips opened. */
export function expand(editor: Editor): string {
  return openChips(editor.text, editor.pastes);
}

/** Empty again, the prompt kept in the history. */
export function submitted(editor: Editor): Editor {
  const text = expand(editor);
  const history = text.trim() === '' || editor.history.at(-1) === text ? editor.history : [...editor.history.slice(1 - MOST_HISTORY), text];
  return { ...createEditor('', history), kills: editor.kills.map((kill) => openChips(kill, editor.pastes)) };
}

/** All text gone in a way that undo brings back. */
export function cleared(editor: Editor): Editor {
  return replace(editor, 0, editor.text.length, '', 'move');
}

/** `text` instead of what is there, the cursor at its end. */
export function withText(editor: Editor, text: string): Editor {
  return replace(editor, 0, editor.text.length, withoutChips(text), 'move');
}
