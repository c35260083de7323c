// What keys do to the view: scrolling, folding, the tool log, the palette, the mode.
import { createEditor, withText } from './editor/editor.ts';
import { keyHelp, type ActionName } from './keymap.ts';
import { paletteItems } from './palette.ts';
import { NONE, step, type Context, type Handler, type ScreenState, type Step } from './state.ts';

const LAYOUTS = ['side', 'bottom', 'hidden'] as const;

export const viewActions = {
  openPalette: (screen) => step({ ...screen, overlay: { kind: 'palette', filter: createEditor(), selected: 0 } }),
  showKeys: (screen) => step({ ...screen, overlay: { kind: 'keys', top: 0 } }),
  closeOverlay: (screen) => step({ ...screen, overlay: null }),
  paletteUp: (screen, context) => movePalette(screen, context, -1),
  paletteDown: (screen, context) => movePalette(screen, context, 1),
  keysUp: (screen) => moveKeys(screen, -1),
  keysDown: (screen) => moveKeys(screen, 1),
  keysPageUp: (screen) => moveKeys(screen, -10),
  keysPageDown: (screen) => moveKeys(screen, 10),

  nextMode: (screen, { modes, session }) => {
    const round = modes.filter((mode) => mode.cycle !== undefined).sort((a, b) => (a.cycle ?? 0) - (b.cycle ?? 0));
    // From a mode outside the round it goes back to its start.
    const next = round[(round.findIndex((mode) => mode.name === session.mode) + 1) % round.length];
    return next ? step(screen, { do: 'setMode', mode: next.name }) : step(screen);
  },
  unfold: (screen) => step({ ...screen, unfolded: screen.unfolded === 'all' ? NONE : 'all' }),
  repaint: (screen) => step(screen, { do: 'repaint' }),
  suspend: (screen) => step(screen, { do: 'suspend' }),
  nextLayout: (screen) => {
    const place = LAYOUTS[(LAYOUTS.indexOf(screen.log.place) + 1) % LAYOUTS.length] ?? 'side';
    return step({ ...screen, log: { ...screen.log, place } });
  },

  toggleLog: (screen, context) => {
    const { log } = screen;
    if (log.focused) return step({ ...screen, log: { ...log, focused: false, selected: null } });
    return step({ ...screen, log: { place: log.place === 'hidden' ? 'side' : log.place, focused: true, selected: context.logStep(null, 0) } });
  },
  logUp: (screen, context) => step(walkLog(screen, context, -1)),
  logDown: (screen, context) => step(walkLog(screen, context, 1)),

  rowUp: (screen, context) => step(scrollChat(screen, context, -1)),
  rowDown: (screen, context) => step(scrollChat(screen, context, 1)),
  // A row of the page before stays in sight.
  pageUp: (screen, context) => step(scrollChat(screen, context, 1 - context.chat.height)),
  pageDown: (screen, context) => step(scrollChat(screen, context, context.chat.height - 1)),
  top: (screen, context) => step({ ...screen, anchor: context.chat.jump(screen.anchor, 'top') }),
  bottom: (screen, context) => step({ ...screen, anchor: context.chat.jump(screen.anchor, 'end') }),
  previousMessage: (screen, context) => step({ ...screen, anchor: context.chat.jump(screen.anchor, 'previousMessage') }),
  nextMessage: (screen, context) => step({ ...screen, anchor: context.chat.jump(screen.anchor, 'nextMessage') }),
} satisfies Partial<Record<ActionName, Handler>>;

export function scrollChat(screen: ScreenState, context: Context, rows: number): ScreenState {
  return { ...screen, anchor: context.chat.scroll(screen.anchor, rows) };
}

export function walkLog(screen: ScreenState, context: Context, by: number): ScreenState {
  return { ...screen, log: { ...screen.log, selected: context.logStep(screen.log.selected, by) } };
}

/** Folds one entry of the chat, or unfolds it. */
export function toggleFold(screen: ScreenState, owner: string): ScreenState {
  if (screen.unfolded === 'all') return { ...screen, unfolded: NONE };
  return { ...screen, unfolded: screen.unfolded.has(owner) ? screen.unfolded.difference(new Set([owner])) : screen.unfolded.union(new Set([owner])) };
}

function movePalette(screen: ScreenState, context: Context, by: number): Step {
  const { overlay } = screen;
  if (overlay?.kind !== 'palette') return step(screen);
  const { length } = paletteItems(context, overlay.filter.text);
  return step({ ...screen, overlay: { ...overlay, selected: (overlay.selected + by + length) % Math.max(1, length) } });
}

function moveKeys(screen: ScreenState, by: number): Step {
  const { overlay } = screen;
  if (overlay?.kind !== 'keys') return step(screen);
  return step({ ...screen, overlay: { ...overlay, top: Math.max(0, Math.min(overlay.top + by, keyHelp().length - 5)) } });
}

/** Closes the palette and does what its highlighted entry says, all but an action of the screen, which is given back. */
export function takePalette(screen: ScreenState, context: Context): Step & { after?: ActionName } {
  const { overlay } = screen;
  if (overlay?.kind !== 'palette') return step(screen);
  const does = paletteItems(context, overlay.filter.text)[overlay.selected]?.does;
  const closed: ScreenState = { ...screen, overlay: null };
  if (!does) return step(screen);
  if ('mode' in does) return step(closed, { do: 'setMode', mode: does.mode });
  if ('submit' in does) return step(closed, { do: 'submit', text: does.submit });
  if ('type' in does) return step({ ...closed, editor: withText(closed.editor, does.type), completion: { selected: 0, closed: false } });
  return { ...step(closed), after: does.action };
}
