// Turns key sequences of all keyboards (legacy, xterm's modifyOtherKeys, kitty) into the one form that Ink reads right.

/** A key that Ink has no name for. */
export type NamedKey = { name: string; shift: boolean; alt: boolean; ctrl: boolean };

/** What a sequence is: `ink` is a chunk for Ink that it reads as one key. */
export type KeyMeaning = { kind: 'ink'; chunk: string } | { kind: 'named'; key: NamedKey };

/* Modifier bits, one less than the number sent: https://sw.kovidgoyal.net/kitty/keyboard-protocol/#modifiers */
const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
/** Super and hyper: shortcuts of the desktop, never text. */
const DESKTOP = 8 | 16;
const META = 32;

/* Escape in the form that Ink takes at once, without waiting for what may follow. */
export const ESCAPE = '\x1b[27u';

const FUNCTION_KEYS: Readonly<Record<string, string>> = {
  11: 'f1', 12: 'f2', 13: 'f3', 14: 'f4', 15: 'f5', 17: 'f6', 18: 'f7', 19: 'f8', 20: 'f9', 21: 'f10', 23: 'f11', 24: 'f12', 2: 'insert',
  P: 'f1', Q: 'f2', R: 'f3', S: 'f4', '[A': 'f1', '[B': 'f2', '[C': 'f3', '[D': 'f4', '[E': 'f5',
};
/** Numbers before `~` that Ink knows: delete, page up and down, home, end, and rxvt's and the console's own. */
const TILDE_KEYS = new Set(['1', '3', '4', '5', '6', '7', '8']);

/** Kitty's keypad from 57399 on, as the text it types. */
const KEYPAD = '0123456789./*-+\r=,';

/** What `sequence` (CSI or SS3) means as a key; undefined when it is none, or the release of one. */
export function readKey(sequence: string, alt: boolean): KeyMeaning | undefined {
  if (sequence.startsWith('\x1bO')) {
    const letter = sequence.slice(2);
    return FUNCTION_KEYS[letter] === undefined ? /^(?:[A-DFHM]|[a-d])$/.test(letter) ? ink((alt ? '\x1b' : '') + sequence) : undefined : named(letter, alt ? ALT : 0);
  }
  const console = /^\x1b\[(\[[A-E])$/.exec(sequence);
  if (console?.[1]) return named(console[1], 0);
  const match = /^\x1b\[(?:(\d+)(?::(\d*))?[:\d]*(?:;(\d*)(?::(\d+))?(?:;([\d:]+))?)?)?([A-Za-z~$^])$/.exec(sequence);
  if (!match) return undefined;
  const [, number = '', shifted = '', modifier = '', event = '', rest = '', final = ''] = match;
  if (event === '3') return undefined;
  const sent = modifier === '' ? 0 : Math.max(0, Number(modifier) - 1);
  // Locks are no modifiers for us; meta is as good as alt.
  const bits = (sent & (SHIFT | ALT | CTRL | DESKTOP)) | (sent & META || alt ? ALT : 0);
  switch (final) {
    case 'u': return character(Number(number), bits, shifted === '' ? undefined : Number(shifted));
    case '~':
      if (number === '27' && rest !== '') return character(Number(rest), bits);
      if (FUNCTION_KEYS[number]) return named(number, bits);
      return TILDE_KEYS.has(number) ? ink(`\x1b[${number === '1' ? '7' : number === '4' ? '8' : number}${suffix(bits)}~`) : undefined;
    case '$': case '^': return number === '2' ? named(number, final === '$' ? SHIFT : CTRL) : TILDE_KEYS.has(number) ? ink(sequence) : undefined;
    case 'Z': return ink('\x1b[Z');
    case 'P': case 'Q': case 'S': return named(final, bits);
    // With parameters it is the answer to "where is the cursor".
    case 'R': return number === '' ? named(final, bits) : undefined;
    case 'A': case 'B': case 'C': case 'D': case 'F': case 'H': return ink(bits === 0 ? `\x1b[${final}` : `\x1b[1${suffix(bits)}${final}`);
    case 'a': case 'b': case 'c': case 'd': return number === '' ? ink(sequence) : undefined;
    default: return undefined;
  }
}

/** What ESC and `char` mean: Alt and the key. */
export function readAlt(char: string): KeyMeaning | undefined {
  if (char >= '\x80' && char <= '\x9f') return undefined;
  return char === '[' || char === 'O' ? ink(`\x1b[${char.codePointAt(0)};${char === 'O' ? 4 : 3}u`) : ink(`\x1b${char}`);
}

/** A key told by its character, with its modifiers. The legacy form where there is one, so that every keyboard gives the same. */
function character(code: number, bits: number, shifted?: number): KeyMeaning | undefined {
  if (!(code <= 0x10ffff) || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  const keypad = code >= 57399 && code <= 57416 ? KEYPAD.charCodeAt(code - 57399) : code;
  if (keypad >= 57344 && keypad <= 63743) return /^574(?:1[7-9]|2[0-46])$/.test(String(code)) ? ink(`\x1b[${code}${suffix(bits)}u`) : code === 57425 ? named('2', bits) : undefined;
  const plain = (bits & ~SHIFT) === 0;
  switch (keypad) {
    case 13: return ink(bits === 0 ? '\r' : `\x1b[13${suffix(bits)}u`);
    case 9: return ink(bits === 0 ? '\t' : bits === SHIFT ? '\x1b[Z' : `\x1b[9${suffix(bits)}u`);
    case 27: return ink(`\x1b[27${suffix(bits)}u`);
    case 8: case 127: return ink(bits === 0 ? '\x7f' : `\x1b[127${suffix(bits)}u`);
    default:
  }
  if (keypad < 32 || (keypad > 127 && keypad < 160) || bits & DESKTOP) return undefined;
  const char = String.fromCodePoint(keypad);
  const upper = shifted === undefined ? char.toUpperCase() : String.fromCodePoint(shifted);
  if (plain) return ink(bits === SHIFT ? upper : char);
  if (bits === ALT || bits === (ALT | SHIFT)) return readAlt(bits & SHIFT ? upper : char);
  const lower = char.toLowerCase();
  const prefix = bits & ALT ? '\x1b' : '';
  if ('-/_7'.includes(char)) return ink(`${prefix}\x1f`);
  if (char === ' ') return ink(`${prefix}\0`);
  if (!(bits & SHIFT)) {
    if (lower === 'j') return ink(`${prefix}\n`);
    // Where the control character is another key's (Tab, Enter, Backspace), the letter says which.
    if (/[a-z\\\]^@]/.test(lower) && !'imh'.includes(lower)) return ink(prefix + String.fromCharCode(lower.charCodeAt(0) & 0x1f));
  }
  return ink(`\x1b[${lower.codePointAt(0)}${suffix(bits)}u`);
}

const ink = (chunk: string): KeyMeaning => ({ kind: 'ink', chunk });

const suffix = (bits: number) => bits === 0 ? '' : `;${bits + 1}`;

function named(code: string, bits: number): KeyMeaning {
  return { kind: 'named', key: { name: FUNCTION_KEYS[code] ?? code, shift: (bits & SHIFT) !== 0, alt: (bits & ALT) !== 0, ctrl: (bits & CTRL) !== 0 } };
}
