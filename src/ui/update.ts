// update: the screen's one reducer. A key finds its action by the places that hold, the action its handler.
import { dialogActions, createDialog, scrollDialog, takesKeys } from './dialog.ts';
import { completions } from './completion.ts';
import { insert, paste } from './editor/editor.ts';
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
      return step({ ...editFocused(disarmed(screen), (editor) => paste(editor, focusOf(screen) === 'prompt' ? action.text : oneLine(action.text))), lastKeyAt: action.at });
    case 'wheel':
      return step(onWheel(screen, action, context));
    case 'click': {
      const { pane, owner } = context.hit(action.x, action.y);
      if (owner === null || screen.overlay) return step(screen);
      return step(pane === 'log' ? { ...screen, log: { ...screen.log, focused: true, selected: owner } } : toggleFold(screen, owner));
    }
    case 'resized':
      return step({ ...screen, size: { columns: action.columns, rows: action.rows } });
    case 'asked':
      if ((screen.dialog?.id ?? null) === action.id) return step(screen);
      return step({ ...screen, dialog: action.id === null ? null : createDialog(action.id, action.at) });
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
    if (screen.dialog?.field && press.text !== '') return step(editFocused(screen, (editor) => insert(editor, press.text)));
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
  if (screen.dialog?.field) return ['field', 'edit'];
  const kind = context.session.questions[0]?.question.kind;
  return kind ? [kind] : [];
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
