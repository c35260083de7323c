// update: the screen's one reducer. A key finds its action by the places that hold, the action its handler.
import { clickDialog, dialogActions, createDialog, scrollDialog, takesKeys } from './dialog.ts';
import { edited } from './dialog-edit.ts';
import { completions } from './completion.ts';
import { insert, paste, withText } from './editor/editor.ts';
import { clean } from '../lib/clean.ts';
import { lookUp, type ActionName, type Place } from './keymap.ts';
import type { Press } from './keys.ts';
import { promptActions } from './prompt-actions.ts';
import { editFocused, focusOf, step, type Context, type Handler, type ScreenAction, type ScreenState, type Step } from './state.ts';
import { scrollChat, takePalette, toggleFold, viewActions, walkLog } from './view-actions.ts';

const actions: Record<ActionName, Handler> = {
  ...promptActions,
  ...viewActions,
  ...dialogActions,
  paletteTake: (screen, context, press, at) => {
    const { after, ...taken } = takePalette(screen, context);
    return after ? actions[after](taken.screen, context, press, at) : taken;
  },
};

/** The screen after an action, and what it asks of the world. Pure. */
export function update(screen: ScreenState, action: ScreenAction, context: Context): Step {
  switch (action.type) {
    case 'press': {
      const { screen: next, effects } = onPress(screen, action.press, action.at, context);
      // The word about quitting stands only as long as nothing else is pressed.
      const quitArmed = next.quitArmed === screen.quitArmed ? null : next.quitArmed;
      return { screen: { ...next, quitArmed, lastKeyAt: action.at }, effects };
    }
    case 'paste':
      return step({ ...editFocused(disarmed(screen), (editor) => paste(editor, takesLines(screen) ? action.text : oneLine(action.text))), lastKeyAt: action.at });
    case 'wheel':
      return step(onWheel(screen, action, context));
    case 'click': {
      const { pane, owner, item } = context.hit(action.x, action.y);
      if (item !== undefined) return takesKeys(screen, action.at) ? clickDialog(armed(screen), context, item) : step(screen);
      if (owner === null || screen.overlay) return step(screen);
      return step(pane === 'log' ? { ...screen, log: { ...screen.log, focused: true, selected: owner } } : toggleFold(screen, owner));
    }
    case 'resized':
      return step({ ...screen, size: { columns: action.columns, rows: action.rows } });
    case 'asked':
      if ((screen.dialog?.id ?? null) === action.id) return step(screen);
      return step({ ...screen, dialog: action.id === null ? null : createDialog(action.id, action.at, context.session.questions[0]?.question) });
    case 'edited': {
      // What was typed into the other program is not meant for the dialog.
      const back = { ...screen, lastKeyAt: action.at };
      if (action.dialog === null) return step({ ...back, editor: withText(screen.editor, clean(action.text)) });
      return screen.dialog?.id === action.dialog ? edited({ ...back, dialog: { ...screen.dialog, armed: false } }, context.session.questions[0]?.question, action.text) : step(back);
    }
    case 'anchored':
      return step({ ...screen, anchor: action.anchor });
    case 'recoloured':
      return step({ ...screen, revision: screen.revision + 1 });
    case 'stalled':
      return step({ ...screen, lastKeyAt: action.at });
    case 'disarm_quit':
      return step(screen.quitArmed === action.at ? { ...screen, quitArmed: null } : screen);
  }
}

function onPress(screen: ScreenState, press: Press, at: number, context: Context): Step {
  if (takesKeys(screen, at)) {
    const found = lookUp(dialogPlaces(screen, context), press.name);
    if (found) return actions[found.does](armed(screen), context, press, at);
    if (screen.dialog?.field && press.text !== '') return step(editFocused(armed(screen), (editor) => insert(editor, press.text)));
    screen = disarmed(screen);
  }
  const places = placesOf(screen, context);
  const found = lookUp(places, press.name);
  if (found) return actions[found.does](screen, context, press, at);
  if (press.text === '' || places[0] === 'keys') return step(screen);
  // Who types means the prompt.
  const left = screen.log.focused ? { ...screen, log: { ...screen.log, focused: false } } : screen;
  return step(editFocused(left, (editor) => insert(editor, press.text)));
}

function dialogPlaces(screen: ScreenState, context: Context): Place[] {
  const question = context.session.questions[0]?.question;
  const marks: Place[] = question?.kind === 'choose' && question.many ? ['marking'] : [];
  switch (screen.dialog?.field?.for) {
    case 'note': case 'rule': case 'free': return ['field', 'edit'];
    case 'edit': return ['editing', 'edit'];
    case 'filter': return [...marks, 'filter', 'edit'];
    case 'form': return ['form', 'edit'];
    case undefined: return question === undefined ? [] : question.kind === 'form' ? ['boxes', 'form'] : [...marks, question.kind];
  }
}

/** Whether what is typed into can hold several lines. */
function takesLines(screen: ScreenState): boolean {
  return focusOf(screen) === 'prompt' || (focusOf(screen) === 'field' && screen.dialog?.field?.for === 'edit');
}

/** The places whose bindings hold when no dialog takes keys, the most special first. */
export function placesOf(screen: ScreenState, context: Pick<Context, 'commands'>): Place[] {
  if (screen.overlay?.kind === 'keys') return ['keys', 'screen'];
  if (screen.overlay?.kind === 'palette') return ['palette', 'edit', 'screen'];
  const places: Place[] = [];
  if (completions(screen, context.commands).length > 0) places.push('completion');
  if (screen.log.focused) places.push('log');
  if (screen.editor.text === '') places.push(...(screen.anchor === 'end' ? [] : ['scrolled' as const]), 'empty');
  return [...places, 'prompt', 'edit', 'screen'];
}

function armed(screen: ScreenState): ScreenState {
  return screen.dialog && !screen.dialog.armed ? { ...screen, dialog: { ...screen.dialog, armed: true } } : screen;
}

/** After a key that is no dialog's: what follows belongs to the prompt until the keys rest again. An open field keeps its keys. */
function disarmed(screen: ScreenState): ScreenState {
  return screen.dialog?.armed && !screen.dialog.field ? { ...screen, dialog: { ...screen.dialog, armed: false } } : screen;
}

function onWheel(screen: ScreenState, { x, y, rows }: { x: number; y: number; rows: number }, context: Context): ScreenState {
  switch (context.hit(x, y).pane) {
    case 'dialog':
      return scrollDialog(screen, context, rows);
    case 'log':
      return walkLog(screen, context, Math.sign(rows));
    case 'chat':
    case 'other':
      return scrollChat(screen, context, rows);
  }
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, ' ').trim();
}
