// DialogKind: what a kind of question brings along to be drawn as a dialog.
import type { Question } from '../types/question.ts';
import type { DialogState } from './state.ts';
import type { Theme } from './themes.ts';

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

/** Painted rows; `caret` is where the next letter goes, which stays in sight; `items` says which rows can be clicked on, and for what. */
export type Body = { rows: string[]; caret?: { x: number; y: number }; items?: ReadonlyMap<number, number> };

/** How one kind of question is drawn. `body` scrolls; `why` stands below it as long as there is room. */
export type DialogKind<K extends Question['kind']> = {
  title(question: Of<K>): string;
  body(question: Of<K>, dialog: DialogState, width: number, theme: Theme): Body;
  why(question: Of<K>, dialog: DialogState, width: number, theme: Theme): string[];
  hint(question: Of<K>, dialog: DialogState): string;
};
