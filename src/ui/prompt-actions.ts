// What keys do in the prompt: editing, history, queue, completion, sending.
import { backspace, deleteNext, killToBlank, killToEnd, killToStart, killWordLeft, killWordRight, yank, yankOlder } from './editor/cut.ts';
import { cleared, expand, insert, submitted, undo, withText, type Editor } from './editor/editor.ts';
import { recall } from './editor/history.ts';
import { left, lineEnd, lineStart, right, vertical, wordLeft, wordRight } from './editor/move.ts';
import { commonStart, completions, needsArguments } from './completion.ts';
import type { ActionName } from './keymap.ts';
import { editFocused, focusOf, isBusy, step, type Context, type Handler, type ScreenState, type Step } from './state.ts';

const edits = (edit: (editor: Editor) => Editor): Handler => (screen) => step(editFocused(screen, edit));

/** Time in which a second Ctrl-C quits. */
const QUIT_MS = 2_000;

export const promptActions = {
  left: edits(left), right: edits(right), wordLeft: edits(wordLeft), wordRight: edits(wordRight), lineStart: edits(lineStart), lineEnd: edits(lineEnd),
  backspace: edits(backspace), deleteNext: edits(deleteNext), killToEnd: edits(killToEnd), killToStart: edits(killToStart), killToBlank: edits(killToBlank),
  killWordLeft: edits(killWordLeft), killWordRight: edits(killWordRight), yank: edits(yank), yankOlder: edits(yankOlder), undo: edits(undo),
  newline: edits((editor) => insert(editor, '\n')),

  editElsewhere: (screen) => {
    const field = focusOf(screen) === 'field' ? screen.dialog?.field : null;
    return step(screen, { do: 'edit', text: expand(field?.editor ?? screen.editor), dialog: field ? (screen.dialog?.id ?? null) : null });
  },
  submit: (screen) => {
    const { editor } = screen;
    if (editor.text.slice(0, editor.cursor).endsWith('\\')) return step(editFocused(screen, (line) => insert(backspace(line), '\n')));
    return send(screen);
  },
  up: (screen, context) => {
    const { editor } = screen;
    const { queue } = context.session;
    const last = queue.at(-1);
    if (editor.text === '' && editor.shown === null && last !== undefined) {
      return step(editFocused(screen, (line) => withText(line, last)), { do: 'setQueue', prompts: queue.slice(0, -1) });
    }
    return step(editFocused(screen, (line) => vertical(line, -1, context.promptWidth) ?? recall(line, -1)));
  },
  down: (screen, context) => step(editFocused(screen, (line) => vertical(line, 1, context.promptWidth) ?? recall(line, 1))),
  deleteOrQuit: (screen) => (screen.editor.text === '' ? step(screen, { do: 'quit', code: 0 }) : step(editFocused(screen, deleteNext))),

  interrupt: (screen, { session }, _press, at) => {
    if (isBusy(session)) return step(screen, { do: 'cancel' });
    const { dialog } = screen;
    if (dialog && !dialog.answered) {
      const kind = session.questions[0]?.question.kind === 'permission' ? 'deny' : 'dismissed';
      return step({ ...screen, dialog: { ...dialog, answered: true } }, { do: 'answer', id: dialog.id, answer: { kind } });
    }
    if (screen.editor.text !== '') return step(editFocused(screen, cleared));
    if (screen.quitArmed !== null && at - screen.quitArmed <= QUIT_MS) return step(screen, { do: 'quit', code: 0 });
    return step({ ...screen, quitArmed: at }, { do: 'later', ms: QUIT_MS, action: { type: 'disarm_quit', at } });
  },
  escape: (screen, { session }) => {
    if (!isBusy(session)) return step(screen);
    return step(screen, { do: session.queue.length > 0 ? 'sendQueue' : 'cancel' });
  },

  completionUp: (screen, context) => moveCompletion(screen, context, -1),
  completionDown: (screen, context) => moveCompletion(screen, context, 1),
  completePrefix: (screen, context) => {
    const list = completions(screen, context.commands);
    const start = commonStart(list.map(({ name }) => name));
    // One is meant: take it, with the blank that starts its arguments.
    const chosen = list.length === 1 || screen.completion.selected > 0 ? list[screen.completion.selected] : undefined;
    const name = chosen ? `${chosen.name} ` : start;
    return step(editFocused(screen, (line) => withText(line, `/${name}`)));
  },
  completeAndSubmit: (screen, context) => {
    const list = completions(screen, context.commands);
    const exact = list.find(({ name }) => `/${name}` === screen.editor.text);
    const chosen = (screen.completion.selected === 0 ? exact : undefined) ?? list[screen.completion.selected];
    if (!chosen) return send(screen);
    if (needsArguments(chosen.command)) return step(editFocused(screen, (line) => withText(line, `/${chosen.name} `)));
    return send(editFocused(screen, (line) => withText(line, `/${chosen.name}`)));
  },
  closeCompletion: (screen) => step({ ...screen, completion: { selected: 0, closed: true } }),
} satisfies Partial<Record<ActionName, Handler>>;

/** Sends the prompt and shows the end of the chat. */
function send(screen: ScreenState): Step {
  const text = expand(screen.editor);
  if (text.trim() === '') return step(screen);
  return step({ ...screen, editor: submitted(screen.editor), completion: { selected: 0, closed: false }, anchor: 'end' }, { do: 'submit', text });
}

function moveCompletion(screen: ScreenState, context: Context, by: number): Step {
  const { length } = completions(screen, context.commands);
  return step({ ...screen, completion: { ...screen.completion, selected: (screen.completion.selected + by + length) % Math.max(1, length) } });
}
