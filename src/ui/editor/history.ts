// Walking through earlier prompts. The draft waits behind them and comes back.
import { withText, type Editor } from './editor.ts';

/** One prompt older (-1) or newer (1); the same editor when there is none. */
export function recall(editor: Editor, by: -1 | 1): Editor {
  const { history, shown } = editor;
  const next = (shown ?? history.length) + by;
  if (next < 0 || next > history.length || (shown === null && by === 1)) return editor;
  const aside = shown === null ? editor.text : editor.aside;
  const text = history[next];
  if (text === undefined) return { ...withText(editor, ''), text: aside, cursor: aside.length, shown: null, aside: '' };
  return { ...withText(editor, text), shown: next, aside };
}
