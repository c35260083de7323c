// The dialogs' logic: when one takes keys, which answers a question offers, and what each key does.
import { clean } from '../lib/clean.ts';
import type { Answer, Question } from '../types/question.ts';
import { createEditor } from './editor/editor.ts';
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

export function createDialog(id: string, shownAt: number): DialogState {
  return { id, shownAt, armed: false, answered: false, selected: 0, marked: [], field: null, note: '', top: 0, trace: false };
}

/** One answer that can be highlighted. */
export type Option = { key: string; label: string; detail?: string; does: 'once' | 'session' | 'deny' | 'always' | 'free' | { choose: string } };

/** The answers that a question offers, in the order in which they are shown. */
export function optionsOf(question: Question): Option[] {
  switch (question.kind) {
    case 'permission':
      return [
        { key: 'y', label: 'Allow once', does: 'once' },
        ...(question.session === undefined ? [] : [{ key: 'a', label: 'Allow for this session', detail: question.session.join(', '), does: 'session' } as const]),
        { key: 'n', label: 'Deny', does: 'deny' },
        ...(question.always === undefined ? [] : [{ key: 'A', label: 'Allow always …', detail: question.always, does: 'always' } as const]),
      ];
    case 'choose':
      return [
        ...question.options.map((option, index): Option => ({ key: String(index + 1), label: option.label, ...(option.detail === undefined ? {} : { detail: option.detail }), does: { choose: option.id } })),
        ...(question.free ? [{ key: String(question.options.length + 1), label: 'Something else …', does: 'free' } as const] : []),
      ];
    case 'form':
      return [];
  }
}

export const dialogActions = {
  allowOnce: (screen, context) => take(screen, context, 'once'),
  allowSession: (screen, context) => take(screen, context, 'session'),
  deny: (screen, context) => take(screen, context, 'deny'),
  allowAlways: (screen, context) => take(screen, context, 'always'),
  takeOption: (screen, context) => {
    const option = optionsHere(context)[screen.dialog?.selected ?? 0];
    return option ? take(screen, context, option.does) : step(screen);
  },
  takeNumber: (screen, context, press) => {
    const option = optionsHere(context)[Number(press.name) - 1];
    return option ? take(screen, context, option.does) : step(screen);
  },
  dismiss: (screen) => answer(screen, { kind: 'dismissed' }),
  mark: (screen, context) => withDialog(screen, (dialog) => {
    const question = questionHere(context);
    if (question?.kind !== 'choose' || !question.many || dialog.selected >= question.options.length) return dialog;
    const { selected, marked } = dialog;
    return { ...dialog, marked: marked.includes(selected) ? marked.filter((index) => index !== selected) : [...marked, selected].sort((a, b) => a - b) };
  }),
  optionUp: (screen, context) => moveOption(screen, context, -1),
  optionDown: (screen, context) => moveOption(screen, context, 1),
  toggleTrace: (screen) => withDialog(screen, (dialog) => ({ ...dialog, trace: !dialog.trace, top: 0 })),
  dialogPageUp: (screen, context) => step(scrollDialog(screen, context, -context.dialogBody().height)),
  dialogPageDown: (screen, context) => step(scrollDialog(screen, context, context.dialogBody().height)),
  openNote: (screen) => withDialog(screen, (dialog) => ({ ...dialog, field: { for: 'note', editor: createEditor(dialog.note) } })),
  fieldClose: (screen) => withDialog(screen, (dialog) => ({ ...dialog, field: null })),
  fieldDone: (screen) => {
    const field = screen.dialog?.field;
    if (!field) return step(screen);
    const text = field.editor.text.trim();
    if (field.for === 'note') return withDialog(screen, (dialog) => ({ ...dialog, note: text, field: null }));
    // An empty rule or answer says nothing: back to the options.
    if (text === '') return withDialog(screen, (dialog) => ({ ...dialog, field: null }));
    return answer(screen, field.for === 'rule' ? { kind: 'allow', keep: 'always', rules: [text], ...noteOf(screen) } : { kind: 'chosen', ids: [], text });
  },
} satisfies Partial<Record<ActionName, Handler>>;

/** Scrolls what the dialog asks about, no further than its end. */
export function scrollDialog(screen: ScreenState, context: Context, by: number): ScreenState {
  const { rows, height } = context.dialogBody();
  return withDialog(screen, (dialog) => ({ ...dialog, top: Math.max(0, Math.min(dialog.top + by, rows - height)) })).screen;
}

function take(screen: ScreenState, context: Context, does: Option['does']): Step {
  const question = questionHere(context);
  const { dialog } = screen;
  if (!question || !dialog) return step(screen);
  const note = noteOf(screen);
  if (typeof does === 'object') {
    const marked = question.kind === 'choose' && question.many ? dialog.marked.flatMap((index) => question.options[index]?.id ?? []) : [];
    return answer(screen, { kind: 'chosen', ids: marked.length > 0 ? marked : [does.choose] });
  }
  switch (does) {
    case 'once':
      return answer(screen, { kind: 'allow', ...note });
    case 'deny':
      return answer(screen, { kind: 'deny', ...note });
    case 'session':
      return question.kind === 'permission' && question.session !== undefined ? answer(screen, { kind: 'allow', keep: 'session', rules: question.session, ...note }) : step(screen);
    case 'always':
      if (question.kind !== 'permission' || question.always === undefined) return step(screen);
      return withDialog(screen, () => ({ ...dialog, field: { for: 'rule', editor: createEditor(clean(question.always ?? '')) } }));
    case 'free':
      return withDialog(screen, () => ({ ...dialog, field: { for: 'free', editor: createEditor() } }));
  }
}

function answer(screen: ScreenState, given: Answer): Step {
  const { dialog } = screen;
  if (!dialog || dialog.answered) return step(screen);
  return step({ ...screen, dialog: { ...dialog, answered: true, field: null } }, { do: 'answer', id: dialog.id, answer: given });
}

function noteOf(screen: ScreenState): { note?: string } {
  return screen.dialog?.note ? { note: screen.dialog.note } : {};
}

function moveOption(screen: ScreenState, context: Context, by: number): Step {
  const { length } = optionsHere(context);
  return withDialog(screen, (dialog) => ({ ...dialog, selected: (dialog.selected + by + length) % Math.max(1, length) }));
}

function withDialog(screen: ScreenState, edit: (dialog: DialogState) => DialogState): Step {
  return step(screen.dialog ? { ...screen, dialog: edit(screen.dialog) } : screen);
}

function questionHere(context: Context): Question | undefined {
  return context.session.questions[0]?.question;
}

function optionsHere(context: Context): Option[] {
  const question = questionHere(context);
  return question ? optionsOf(question) : [];
}
