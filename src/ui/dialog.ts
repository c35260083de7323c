// The dialogs' logic: when one takes keys, and what each key does.
import { clean } from '../lib/clean.ts';
import type { Answer, Question } from '../types/question.ts';
import { edited, openEdit } from './dialog-edit.ts';
import { isFiltered, optionsOf, type Option } from './dialog-options.ts';
import { createEditor, expand, withText } from './editor/editor.ts';
import { vertical } from './editor/move.ts';
import { answerForm, createForm, fieldOf, isButton, moveForm, toggleForm } from './form-state.ts';
import type { ActionName } from './keymap.ts';
import { step, type Context, type DialogState, type Handler, type ScreenState, type Step } from './state.ts';

/** A dialog takes keys only when it has been on screen this long and no key came for as long. */
export const GUARD_MS = 400;

/** Whether a key pressed at `at` is meant for the dialog. */
export function takesKeys(screen: ScreenState, at: number): boolean {
  const { dialog } = screen;
  if (!dialog || dialog.answered) return false;
  return dialog.armed || (at - dialog.shownAt >= GUARD_MS && at - screen.lastKeyAt >= GUARD_MS);
}

/** A dialog that nobody has touched. */
export function createDialog(id: string, shownAt: number, question?: Question): DialogState {
  const fresh: DialogState = { id, shownAt, armed: false, answered: false, selected: 0, marked: [], field: null, note: '', edited: null, form: null, top: 0, trace: false };
  if (isFiltered(question)) return { ...fresh, field: { for: 'filter', editor: createEditor() } };
  if (question?.kind !== 'form') return fresh;
  const form = createForm(question);
  return { ...fresh, form, field: fieldOf(question, form) };
}

export const dialogActions = {
  allowOnce: (screen, context) => take(screen, context, 'once'),
  allowSession: (screen, context) => take(screen, context, 'session'),
  deny: (screen, context) => take(screen, context, 'deny'),
  allowAlways: (screen, context) => take(screen, context, 'always'),
  takeOption: (screen, context) => takeAt(screen, context, screen.dialog?.selected ?? 0),
  takeNumber: (screen, context, press) => {
    const question = questionHere(context);
    const index = Number(press.name) - 1;
    if (question?.kind !== 'choose' || !question.many || index >= question.options.length) return takeAt(screen, context, index);
    return mark(withDialog(screen, (dialog) => ({ ...dialog, selected: index })).screen, context);
  },
  dismiss: (screen) => answer(screen, { kind: 'dismissed' }),
  mark: (screen, context) => mark(screen, context),
  optionUp: (screen, context) => moveOption(screen, context, -1),
  optionDown: (screen, context) => moveOption(screen, context, 1),
  toggleTrace: (screen) => withDialog(screen, (dialog) => ({ ...dialog, trace: !dialog.trace, top: 0 })),
  dialogPageUp: (screen, context) => step(scrollDialog(screen, context, -context.dialogBody().height)),
  dialogPageDown: (screen, context) => step(scrollDialog(screen, context, context.dialogBody().height)),
  openNote: (screen) => withDialog(screen, (dialog) => ({ ...dialog, field: { for: 'note', editor: createEditor(dialog.note) } })),
  openEdit: (screen, context) => openEdit(screen, questionHere(context)),
  editUp: (screen, context) => moveInEdit(screen, context, -1),
  editDown: (screen, context) => moveInEdit(screen, context, 1),
  fieldClose: (screen, context) => closeField(screen, context),
  filterClose: (screen) => {
    const field = screen.dialog?.field;
    if (!field || field.editor.text === '') return answer(screen, { kind: 'dismissed' });
    return withDialog(screen, (dialog) => ({ ...dialog, selected: 0, field: { ...field, editor: withText(field.editor, '') } }));
  },
  fieldDone: (screen, context) => {
    const { dialog } = screen;
    if (!dialog?.field) return step(screen);
    const text = expand(dialog.field.editor);
    switch (dialog.field.for) {
      case 'edit': return edited(screen, questionHere(context), text);
      case 'note': return withDialog(screen, () => ({ ...dialog, note: text.trim(), field: null }));
      case 'rule': return text.trim() === '' ? closeField(screen, context) : answer(screen, { kind: 'allow', keep: 'always', rules: [text.trim()], ...noteOf(screen) });
      case 'free': return text.trim() === '' ? closeField(screen, context) : answer(screen, { kind: 'chosen', ids: markedIds(questionHere(context), dialog), text: text.trim() });
      case 'filter': case 'form': return step(screen);
    }
  },
  formUp: (screen, context) => inForm(screen, context, (dialog, question) => moveForm(dialog, question, -1)),
  formDown: (screen, context) => inForm(screen, context, (dialog, question) => moveForm(dialog, question, 1)),
  formLeft: (screen, context) => inForm(screen, context, (dialog, question) => toggleForm(dialog, question, -1)),
  formRight: (screen, context) => inForm(screen, context, (dialog, question) => toggleForm(dialog, question, 1)),
  formEnter: (screen, context) => {
    const question = questionHere(context);
    if (question?.kind !== 'form' || !screen.dialog) return step(screen);
    const given = answerForm(screen.dialog, question);
    return 'kind' in given ? answer(screen, given) : withDialog(screen, () => given);
  },
} satisfies Partial<Record<ActionName, Handler>>;

/** What a click on a row of the dialog does: it takes an answer, marks one, or goes to a line of a form and presses what is there. */
export function clickDialog(screen: ScreenState, context: Context, item: number): Step {
  const question = questionHere(context);
  if (question?.kind === 'form') {
    const there = inForm(screen, context, (dialog) => moveForm(dialog, question, item - (dialog.form?.at ?? 0))).screen;
    return isButton(question, item) ? dialogActions.formEnter(there, context) : inForm(there, context, (dialog) => toggleForm(dialog, question, 1));
  }
  const selected = withDialog(screen, (dialog) => ({ ...dialog, selected: item })).screen;
  return question?.kind === 'choose' && question.many ? mark(selected, context) : takeAt(selected, context, item);
}

/** Scrolls what the dialog asks about, no further than its end. */
export function scrollDialog(screen: ScreenState, context: Context, by: number): ScreenState {
  const { rows, height } = context.dialogBody();
  return withDialog(screen, (dialog) => ({ ...dialog, top: Math.max(0, Math.min(dialog.top + by, rows - height)) })).screen;
}

function takeAt(screen: ScreenState, context: Context, at: number): Step {
  const option = optionsHere(screen, context)[at];
  return option ? take(screen, context, option.does) : step(screen);
}

function take(screen: ScreenState, context: Context, does: Option['does']): Step {
  const question = questionHere(context);
  const { dialog } = screen;
  if (!question || !dialog) return step(screen);
  const note = noteOf(screen);
  if (typeof does === 'object') {
    const marked = markedIds(question, dialog);
    return answer(screen, { kind: 'chosen', ids: marked.length > 0 ? marked : [does.choose] });
  }
  switch (does) {
    case 'once':
      return answer(screen, { kind: 'allow', ...(dialog.edited && { input: dialog.edited.input }), ...note });
    case 'deny':
      return answer(screen, { kind: 'deny', ...note });
    case 'session':
      return question.kind === 'permission' && question.session !== undefined && !dialog.edited ? answer(screen, { kind: 'allow', keep: 'session', rules: question.session, ...note }) : step(screen);
    case 'always': {
      if (question.kind !== 'permission' || question.always === undefined || dialog.edited) return step(screen);
      const rule = createEditor(clean(question.always));
      return withDialog(screen, () => ({ ...dialog, field: { for: 'rule', editor: rule } }));
    }
    case 'free':
      return withDialog(screen, () => ({ ...dialog, field: { for: 'free', editor: createEditor() } }));
  }
}

function mark(screen: ScreenState, context: Context): Step {
  const does = optionsHere(screen, context)[screen.dialog?.selected ?? 0]?.does;
  const question = questionHere(context);
  if (question?.kind !== 'choose' || !question.many || typeof does !== 'object') return step(screen);
  return withDialog(screen, (dialog) => ({ ...dialog, marked: dialog.marked.includes(does.index) ? dialog.marked.filter((index) => index !== does.index) : [...dialog.marked, does.index].sort((a, b) => a - b) }));
}

function markedIds(question: Question | undefined, { marked }: DialogState): string[] {
  return question?.kind === 'choose' && question.many ? marked.flatMap((index) => question.options[index]?.id ?? []) : [];
}

function answer(screen: ScreenState, given: Answer): Step {
  const { dialog } = screen;
  if (!dialog || dialog.answered) return step(screen);
  return step({ ...screen, dialog: { ...dialog, answered: true, field: null } }, { do: 'answer', id: dialog.id, answer: given });
}

function noteOf(screen: ScreenState): { note?: string } {
  return screen.dialog?.note ? { note: screen.dialog.note } : {};
}

/** Back to the answers: a list that is filtered has its filter again. */
function closeField(screen: ScreenState, context: Context): Step {
  const field: DialogState['field'] = isFiltered(questionHere(context)) ? { for: 'filter', editor: createEditor() } : null;
  return withDialog(screen, (dialog) => ({ ...dialog, field }));
}

function moveOption(screen: ScreenState, context: Context, by: number): Step {
  const { length } = optionsHere(screen, context);
  return withDialog(screen, (dialog) => ({ ...dialog, selected: (dialog.selected + by + length) % Math.max(1, length) }));
}

function moveInEdit(screen: ScreenState, context: Context, by: -1 | 1): Step {
  return withDialog(screen, (dialog) => (dialog.field ? { ...dialog, field: { ...dialog.field, editor: vertical(dialog.field.editor, by, context.dialogBody().width) ?? dialog.field.editor } } : dialog));
}

function inForm(screen: ScreenState, context: Context, edit: (dialog: DialogState, question: Extract<Question, { kind: 'form' }>) => DialogState): Step {
  const question = questionHere(context);
  return question?.kind === 'form' ? withDialog(screen, (dialog) => edit(dialog, question)) : step(screen);
}

function withDialog(screen: ScreenState, edit: (dialog: DialogState) => DialogState): Step {
  return step(screen.dialog ? { ...screen, dialog: edit(screen.dialog) } : screen);
}

function questionHere(context: Context): Question | undefined {
  return context.session.questions[0]?.question;
}

function optionsHere(screen: ScreenState, context: Context): Option[] {
  const question = questionHere(context);
  return question && screen.dialog ? optionsOf(question, screen.dialog) : [];
}
