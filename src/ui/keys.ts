// Key presses by one name each, whatever way the terminal spelled them: `a`, `ctrl+a`, `alt+enter`, `shift+tab`, `up`.

/** `name` is what the keymap knows it by; `text` what it would type, empty for keys that type nothing. */
export type Press = { name: string; text: string };

/** The fields of Ink's `Key` that are looked at. */
export type InkKey = Partial<Record<
  | 'upArrow' | 'downArrow' | 'leftArrow' | 'rightArrow' | 'pageUp' | 'pageDown' | 'home' | 'end' | 'return' | 'escape' | 'tab' | 'backspace' | 'delete'
  | 'ctrl' | 'shift' | 'meta' | 'super', boolean>> & { eventType?: 'press' | 'repeat' | 'release' | undefined };

const NAMED = {
  upArrow: 'up', downArrow: 'down', leftArrow: 'left', rightArrow: 'right', pageUp: 'pageup', pageDown: 'pagedown', home: 'home', end: 'end',
  return: 'enter', escape: 'esc', tab: 'tab', backspace: 'backspace', delete: 'delete',
} as const satisfies Partial<Record<keyof InkKey, string>>;

/* What a control character inside a run of text stands for. */
const INSIDE: Readonly<Record<string, string>> = { '\r': 'enter', '\n': 'ctrl+j', '\t': 'tab' };

/** The presses in one event of Ink's useInput: a run of letters that came at once is one, an Enter among them is its own. */
export function pressesOf(input: string, key: InkKey): Press[] {
  if (key.eventType === 'release') return [];
  const named = Object.entries(NAMED).find(([field]) => key[field as keyof typeof NAMED])?.[1];
  if (named !== undefined) return [{ name: withModifiers(named, key, true), text: '' }];
  if (key.ctrl || key.meta || key.super) return input === '' ? [] : [{ name: withModifiers(input === ' ' ? 'space' : input.toLowerCase(), key, input.length > 1), text: '' }];
  return input.split(/([\r\n\t])/).filter((piece) => piece !== '').map((piece) => {
    const inside = INSIDE[piece];
    return inside === undefined ? { name: piece === ' ' ? 'space' : piece, text: piece } : { name: inside, text: '' };
  });
}

/** Shift counts only for keys that look the same without it. */
function withModifiers(name: string, key: InkKey, shifts: boolean): string {
  return `${key.ctrl ? 'ctrl+' : ''}${key.meta ? 'alt+' : ''}${shifts && key.shift ? 'shift+' : ''}${name}`;
}
