// Reads the reports of a mouse.

/** `x` and `y` count cells from 0. `delta` is -1 for one notch up, 1 for one down, else 0. */
export type MouseEvent = {
  kind: 'press' | 'release' | 'drag' | 'wheel';
  x: number; y: number;
  button: 'left' | 'middle' | 'right';
  delta: -1 | 0 | 1;
  shift: boolean; alt: boolean; ctrl: boolean;
};

const BUTTONS = ['left', 'middle', 'right'] as const;

/** The event in `sequence`, SGR (`CSI < 0;10;5 M`) or the old form (`CSI M` and three characters); undefined for what is none, and for moves and buttons that nobody uses. https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Mouse-Tracking */
export function readMouse(sequence: string): MouseEvent | undefined {
  const sgr = /^\x1b\[<(\d+);(\d+);(\d+)([Mm])$/.exec(sequence);
  const old = sequence.startsWith('\x1b[M') && sequence.length === 6;
  if (!sgr && !old) return undefined;
  const byte = (index: number) => sequence.charCodeAt(index) - 32;
  const [code, x, y] = sgr ? [Number(sgr[1]), Number(sgr[2]) - 1, Number(sgr[3]) - 1] : [byte(3), byte(4) - 1, byte(5) - 1];
  // Beyond column 95 the old form is no character any more.
  if (!(code >= 0 && code < 128 && x >= 0 && y >= 0 && y < 65_000 && x < 65_000)) return undefined;
  const event = { x, y, shift: (code & 4) !== 0, alt: (code & 8) !== 0, ctrl: (code & 16) !== 0 };
  const number = code & 3;
  if (code & 64) return number < 2 ? { ...event, kind: 'wheel', button: 'left', delta: number === 0 ? -1 : 1 } : undefined;
  // The old form does not say which button was released.
  if (old && number === 3 && !(code & 32)) return { ...event, kind: 'release', button: 'left', delta: 0 };
  const button = BUTTONS[number];
  return button === undefined ? undefined : { ...event, kind: sgr?.[4] === 'm' ? 'release' : code & 32 ? 'drag' : 'press', button, delta: 0 };
}
