// The keymap as data: which key does what, where. The help screen is made from the same rows.

/** Where a binding counts. Several hold at once, the most special first (see `placesOf`). */
export type Place = 'permission' | 'choose' | 'marking' | 'filter' | 'form' | 'boxes' | 'field' | 'editing' | 'palette' | 'keys' | 'completion' | 'log' | 'scrolled' | 'empty' | 'prompt' | 'edit' | 'screen';

/** `says` is what the help screen shows; bindings without it go without saying. */
type Row = { in: Place; keys: readonly string[]; does: string; says?: string };

const rows = [
  { in: 'prompt', keys: ['enter'], does: 'submit', says: 'send; while the agent works: queue' },
  { in: 'prompt', keys: ['shift+enter', 'alt+enter', 'ctrl+enter', 'ctrl+j'], does: 'newline', says: 'new line, as `\\` and Enter' },
  { in: 'prompt', keys: ['up'], does: 'up', says: 'row up, then older prompts; on an empty prompt take back the last queued one' },
  { in: 'prompt', keys: ['down'], does: 'down', says: 'row down, then newer prompts' },
  { in: 'prompt', keys: ['ctrl+d'], does: 'deleteOrQuit', says: 'delete the next letter; on an empty prompt quit' },
  { in: 'empty', keys: ['?'], does: 'showKeys', says: 'show the keys' },
  { in: 'prompt', keys: ['esc'], does: 'escape', says: 'close what is open, else send the queue, else stop the turn' },

  { in: 'screen', keys: ['ctrl+c'], does: 'interrupt', says: 'stop the turn, else clear the prompt, twice: quit' },
  { in: 'screen', keys: ['ctrl+p'], does: 'openPalette', says: 'command palette' },
  { in: 'screen', keys: ['shift+tab'], does: 'nextMode', says: 'next mode' },
  { in: 'screen', keys: ['ctrl+o'], does: 'unfold', says: 'unfold thinking and results, and back' },
  { in: 'screen', keys: ['ctrl+t'], does: 'toggleLog', says: 'walk the tool log' },
  { in: 'screen', keys: ['alt+l'], does: 'nextLayout', says: 'tool log beside, below, hidden' },
  { in: 'screen', keys: ['ctrl+l'], does: 'repaint', says: 'repaint the screen' },
  { in: 'screen', keys: ['ctrl+z'], does: 'suspend', says: 'suspend' },
  { in: 'screen', keys: ['pageup'], does: 'pageUp', says: 'scroll a page up' },
  { in: 'screen', keys: ['pagedown'], does: 'pageDown', says: 'scroll a page down' },
  { in: 'screen', keys: ['shift+up', 'ctrl+up'], does: 'rowUp', says: 'scroll a row up' },
  { in: 'screen', keys: ['shift+down', 'ctrl+down'], does: 'rowDown', says: 'scroll a row down' },
  { in: 'screen', keys: ['ctrl+home'], does: 'top', says: 'scroll to the top' },
  { in: 'screen', keys: ['ctrl+end'], does: 'bottom', says: 'scroll to the end and follow it' },
  { in: 'scrolled', keys: ['['], does: 'previousMessage', says: 'while scrolled: previous message' },
  { in: 'scrolled', keys: [']'], does: 'nextMessage', says: 'while scrolled: next message' },

  { in: 'edit', keys: ['left', 'ctrl+b'], does: 'left' },
  { in: 'edit', keys: ['right', 'ctrl+f'], does: 'right' },
  { in: 'edit', keys: ['alt+b', 'alt+left', 'ctrl+left'], does: 'wordLeft', says: 'word left' },
  { in: 'edit', keys: ['alt+f', 'alt+right', 'ctrl+right'], does: 'wordRight', says: 'word right' },
  { in: 'edit', keys: ['ctrl+a', 'home'], does: 'lineStart', says: 'start of the line' },
  { in: 'edit', keys: ['ctrl+e', 'end'], does: 'lineEnd', says: 'end of the line' },
  { in: 'edit', keys: ['backspace', 'ctrl+h', 'shift+backspace'], does: 'backspace' },
  { in: 'edit', keys: ['delete', 'ctrl+d'], does: 'deleteNext' },
  { in: 'edit', keys: ['ctrl+k'], does: 'killToEnd', says: 'cut to the end of the line' },
  { in: 'edit', keys: ['ctrl+u'], does: 'killToStart', says: 'cut to the start of the line' },
  { in: 'edit', keys: ['ctrl+w'], does: 'killToBlank', says: 'cut back to a blank' },
  { in: 'edit', keys: ['alt+backspace', 'ctrl+backspace'], does: 'killWordLeft' },
  { in: 'edit', keys: ['alt+d', 'alt+delete', 'ctrl+delete'], does: 'killWordRight', says: 'cut the next word' },
  { in: 'edit', keys: ['ctrl+y'], does: 'yank', says: 'insert what was cut' },
  { in: 'edit', keys: ['alt+y'], does: 'yankOlder', says: 'then: the cut before it' },
  { in: 'edit', keys: ['ctrl+_', 'ctrl+-'], does: 'undo', says: 'undo' },
  { in: 'prompt', keys: ['ctrl+g'], does: 'editElsewhere', says: 'edit the prompt, or what a dialog edits, in $EDITOR' },
  { in: 'editing', keys: ['ctrl+g'], does: 'editElsewhere' },

  { in: 'completion', keys: ['up'], does: 'completionUp' },
  { in: 'completion', keys: ['down'], does: 'completionDown' },
  { in: 'completion', keys: ['tab'], does: 'completePrefix' },
  { in: 'completion', keys: ['enter'], does: 'completeAndSubmit' },
  { in: 'completion', keys: ['esc'], does: 'closeCompletion' },

  { in: 'log', keys: ['up'], does: 'logUp', says: 'in the tool log: earlier call' },
  { in: 'log', keys: ['down'], does: 'logDown', says: 'in the tool log: later call' },
  { in: 'log', keys: ['esc'], does: 'toggleLog' },

  { in: 'palette', keys: ['up', 'ctrl+p'], does: 'paletteUp' },
  { in: 'palette', keys: ['down', 'ctrl+n'], does: 'paletteDown' },
  { in: 'palette', keys: ['enter'], does: 'paletteTake' },
  { in: 'palette', keys: ['esc', 'ctrl+c'], does: 'closeOverlay' },

  { in: 'keys', keys: ['esc', 'enter', 'q', '?', 'ctrl+c'], does: 'closeOverlay' },
  { in: 'keys', keys: ['up'], does: 'keysUp' },
  { in: 'keys', keys: ['down'], does: 'keysDown' },
  { in: 'keys', keys: ['pageup'], does: 'keysPageUp' },
  { in: 'keys', keys: ['pagedown', 'space'], does: 'keysPageDown' },

  { in: 'permission', keys: ['y', '1'], does: 'allowOnce', says: 'in a permission dialog: allow once' },
  { in: 'permission', keys: ['a', '2'], does: 'allowSession', says: 'in a permission dialog: allow for this session' },
  { in: 'permission', keys: ['n', '3', 'esc'], does: 'deny', says: 'in a permission dialog: deny' },
  { in: 'permission', keys: ['A', '4'], does: 'allowAlways', says: 'in a permission dialog: allow always, by a rule to edit' },
  { in: 'permission', keys: ['tab'], does: 'openNote', says: 'in a permission dialog: note to the model' },
  { in: 'permission', keys: ['e'], does: 'openEdit', says: 'in a permission dialog: change the command or content first' },
  { in: 'permission', keys: ['?'], does: 'toggleTrace', says: 'in a permission dialog: why it asks, layer by layer' },
  { in: 'permission', keys: ['up'], does: 'optionUp' },
  { in: 'permission', keys: ['down'], does: 'optionDown' },
  { in: 'permission', keys: ['enter'], does: 'takeOption' },
  { in: 'permission', keys: ['pageup'], does: 'dialogPageUp' },
  { in: 'permission', keys: ['pagedown'], does: 'dialogPageDown' },

  { in: 'choose', keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], does: 'takeNumber' },
  { in: 'choose', keys: ['up'], does: 'optionUp' },
  { in: 'choose', keys: ['down'], does: 'optionDown' },
  { in: 'choose', keys: ['enter'], does: 'takeOption' },
  { in: 'choose', keys: ['esc'], does: 'dismiss' },
  { in: 'choose', keys: ['pageup'], does: 'dialogPageUp' },
  { in: 'choose', keys: ['pagedown'], does: 'dialogPageDown' },
  { in: 'marking', keys: ['space'], does: 'mark', says: 'in a question with several answers: mark one' },
  { in: 'filter', keys: ['up', 'ctrl+p'], does: 'optionUp' },
  { in: 'filter', keys: ['down', 'ctrl+n'], does: 'optionDown' },
  { in: 'filter', keys: ['enter'], does: 'takeOption' },
  { in: 'filter', keys: ['esc'], does: 'filterClose' },
  { in: 'filter', keys: ['pageup'], does: 'dialogPageUp' },
  { in: 'filter', keys: ['pagedown'], does: 'dialogPageDown' },

  { in: 'form', keys: ['up', 'shift+tab'], does: 'formUp' },
  { in: 'form', keys: ['down', 'tab'], does: 'formDown' },
  { in: 'form', keys: ['enter'], does: 'formEnter' },
  { in: 'form', keys: ['esc'], does: 'dismiss' },
  { in: 'form', keys: ['pageup'], does: 'dialogPageUp' },
  { in: 'form', keys: ['pagedown'], does: 'dialogPageDown' },
  { in: 'boxes', keys: ['left'], does: 'formLeft' },
  { in: 'boxes', keys: ['right', 'space'], does: 'formRight' },

  { in: 'field', keys: ['enter'], does: 'fieldDone' },
  { in: 'field', keys: ['esc', 'tab'], does: 'fieldClose' },

  { in: 'editing', keys: ['enter'], does: 'fieldDone' },
  { in: 'editing', keys: ['esc'], does: 'fieldClose' },
  { in: 'editing', keys: ['up'], does: 'editUp' },
  { in: 'editing', keys: ['down'], does: 'editDown' },
  { in: 'editing', keys: ['shift+enter', 'alt+enter', 'ctrl+enter', 'ctrl+j'], does: 'newline' },
] as const satisfies readonly Row[];

/** What a key can do; `actions` has a handler for each. */
export type ActionName = (typeof rows)[number]['does'];

export type Binding = Row & { does: ActionName };

export const keymap: readonly Binding[] = rows;

const byPlace = new Map<string, ActionName>(keymap.flatMap((binding) => binding.keys.map((key) => [`${binding.in} ${key}`, binding.does] as const)));

/** What `key` does in the first of `places` that knows it, and which that was. */
export function lookUp(places: readonly Place[], key: string): { does: ActionName; place: Place } | null {
  for (const place of places) {
    const does = byPlace.get(`${place} ${key}`);
    if (does !== undefined) return { does, place };
  }
  return null;
}

/** The first key of an action, as people write it: `Ctrl-P`. */
export function keyOf(action: ActionName): string | undefined {
  const key = keymap.find((binding) => binding.does === action)?.keys[0];
  return key === undefined ? undefined : spell(key);
}

/** Rows of the help screen: keys and what they do. */
export function keyHelp(): { keys: string; says: string }[] {
  return keymap.flatMap(({ keys, says }) => (says === undefined ? [] : [{ keys: keys.slice(0, 3).map(spell).join(', '), says }]));
}

function spell(key: string): string {
  const parts = key.split('+');
  return parts.map((part) => (part.length > 1 ? part.charAt(0).toUpperCase() + part.slice(1) : parts.length > 1 ? part.toUpperCase() : part)).join('-').replace('Pageup', 'PageUp').replace('Pagedown', 'PageDown');
}
