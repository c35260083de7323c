// DialogKind: what a kind of question brings along to be drawn as a dialog.
import type { Question } from '../types/question.ts';
import type { DialogState } from './state.ts';
import type { Theme } from './themes.ts';

type Of<K extends Question['kind']> = Extract<Question, { kind: K }>;

/** How one kind of question is drawn. `body` scrolls; `why` stands below it. */
export type DialogKind<K extends Question['kind']> = {
  title(question: Of<K>): string;
  body(question: Of<K>, dialog: DialogState, width: number, theme: Theme): string[];
  why(question: Of<K>, width: number, theme: Theme): string[];
  hint: string;
};
