// What the dialogs show that are no permission: a choice, and a form that is only dismissed.
import { clean, cleanLine } from '../lib/clean.ts';
import type { DialogKind } from './dialog-kind.ts';
import { wrap } from './lines.ts';

export const chooseDialog: DialogKind<'choose'> = {
  title: (question) => cleanLine(question.title),
  body: (question, _dialog, width) => (question.text ? wrap([{ text: clean(question.text) }], width) : []),
  why: () => [],
  hint: 'Enter takes the highlighted answer · Esc none of them',
};

export const formDialog: DialogKind<'form'> = {
  title: (question) => cleanLine(question.title),
  body: (question, _dialog, width) => wrap([{ text: `${cleanLine(question.from)} asks for input by a form, which this version can't fill in.` }], width),
  why: () => [],
  hint: 'Esc dismisses it',
};
