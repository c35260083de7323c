// What the terminal is switched to while the program runs, and how it gets back to what it was, whatever ends the program.
import { writeSync } from 'node:fs';

export type Mouse = 'on' | 'wheel' | 'off';

type Mode = { enter: string; leave: string; mouse?: readonly Mouse[] };

const KEYBOARD_OFF = '\x1b[<u';

/** All of them, in the order of entering; left in the opposite one. `mouse`: only with these settings. https://invisible-island.net/xterm/ctlseqs/ctlseqs.html */
const MODES: readonly Mode[] = [
  // The title is put on the terminal's stack.
  { enter: '\x1b[22;0t', leave: '\x1b[23;0t' },
  // Alternate screen, empty. The keyboard below has a stack for each screen, so it comes after.
  { enter: '\x1b[?1049h\x1b[2J\x1b[H', leave: '\x1b[?1049l' },
  { enter: '\x1b[?25l', leave: '\x1b[?25h' },
  // No wrapping at the last column: a row that is wider than we thought stays in its line.
  { enter: '\x1b[?7l', leave: '\x1b[?7h' },
  // Bracketed paste.
  { enter: '\x1b[?2004h', leave: '\x1b[?2004l' },
  // Focus reports.
  { enter: '\x1b[?1004h', leave: '\x1b[?1004l' },
  // Presses, the wheel, and drags with `on`; as SGR.
  { enter: '\x1b[?1002h\x1b[?1006h', leave: '\x1b[?1006l\x1b[?1002l', mouse: ['on'] },
  { enter: '\x1b[?1000h\x1b[?1006h', leave: '\x1b[?1006l\x1b[?1000l', mouse: ['wheel'] },
  // The wheel as arrow keys. Many terminals have it on anyway; it says nothing on the normal screen.
  { enter: '\x1b[?1007h', leave: '', mouse: ['off'] },
  // xterm's modifyOtherKeys, then kitty's keyboard: the only way to tell Shift+Enter from Enter.
  // A terminal that overlooks the > takes the first for a style, so that is reset.
  { enter: '\x1b[>4;1m\x1b[m', leave: '\x1b[>4m\x1b[m' },
  { enter: '\x1b[>1u', leave: KEYBOARD_OFF },
];

/** Ends a frame that was cut off, and what it had switched. */
const SETTLE = '\x1b\\\x1b[?2026l\x1b[m\x1b(B\x1b[r';

/** Signals that end the program, and the exit codes that say so. */
const DEADLY = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type DeadlySignal = keyof typeof DEADLY;

export type EnterOptions = {
  /** Default `on`. */
  mouse?: Mouse;
  /** Its raw mode goes with the rest. */
  input?: NodeJS.ReadStream;
  /** Closes what is open when a signal ends the program. It gets `graceMs` (default 1,000), then the program ends with 129, 130 or 143. */
  onSignal?(signal: DeadlySignal): void | Promise<void>;
  graceMs?: number;
  /** The program was stopped and goes on; the modes are set again and the screen may be anything. */
  onContinue?(): void;
};

export type EnteredTerminal = {
  /** Restores the terminal for good. Calling it again does nothing. */
  leave(): void;
  /** Restores it for another program, until `resume`. */
  suspend(): void;
  resume(): void;
  /** Switches the mouse while running. */
  setMouse(mouse: Mouse): void;
};

/** A stream to a terminal, as `process.stdout` is. */
export type TerminalOutput = NodeJS.WriteStream & { fd: number };

/** Switches the terminal to the full screen. It is restored by `leave`, and else when the process exits, an exception is not caught, or SIGTERM, SIGHUP or SIGINT comes. */
export function enterTerminal(output: TerminalOutput, options: EnterOptions = {}): EnteredTerminal {
  let mouse = options.mouse ?? 'on';
  let state: 'entered' | 'suspended' | 'left' = 'suspended';

  const modes = () => MODES.filter((mode) => mode.mouse?.includes(mouse) ?? true);
  const entering = () => modes().map((mode) => mode.enter).join('');
  const leaving = () => SETTLE + modes().toReversed().map((mode) => mode.leave).join('');

  function resume(): void {
    if (state !== 'suspended') return;
    state = 'entered';
    setRaw(options.input, true);
    writeNow(output, entering());
  }
  function suspend(): void {
    if (state !== 'entered') return;
    state = 'suspended';
    writeNow(output, leaving());
    setRaw(options.input, false);
  }
  function leave(): void {
    suspend();
    state = 'left';
    process.off('exit', leave);
    process.off('uncaughtExceptionMonitor', leave);
    process.off('SIGCONT', onContinue);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }

  let dying = false;
  function onSignal(signal: NodeJS.Signals): void {
    // Ctrl-C in the program that has the terminal now is that program's.
    if (signal === 'SIGINT' && state === 'suspended') return;
    const code = DEADLY[signal as DeadlySignal];
    // Whoever sends a second one does not want to wait.
    if (dying) process.exit(code);
    dying = true;
    setTimeout(() => process.exit(code), options.graceMs ?? 1_000);
    // The rest of the closing is a rejected promise's business too.
    void Promise.resolve().then(() => options.onSignal?.(signal as DeadlySignal)).catch(() => {}).finally(() => process.exit(code));
  }
  function onContinue(): void {
    if (state !== 'entered') return;
    // The shell may have changed what Node believes to be set.
    setRaw(options.input, false);
    setRaw(options.input, true);
    // One keyboard on the stack, whether the shell took ours away or not.
    writeNow(output, KEYBOARD_OFF + entering());
    options.onContinue?.();
  }

  process.on('exit', leave);
  process.on('uncaughtExceptionMonitor', leave);
  process.on('SIGCONT', onContinue);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  resume();

  return {
    leave, suspend, resume,
    setMouse(next) {
      const before = MODES.filter((mode) => mode.mouse?.includes(mouse)).map((mode) => mode.leave);
      const after = MODES.filter((mode) => mode.mouse?.includes(next)).map((mode) => mode.enter);
      mouse = next;
      if (state === 'entered') writeNow(output, [...before, ...after].join(''));
    },
  };
}

const SIGNALS = Object.keys(DEADLY) as DeadlySignal[];

function setRaw(input: NodeJS.ReadStream | undefined, raw: boolean): void {
  try {
    if (input?.isTTY) input.setRawMode(raw);
  } catch {
    // The terminal is gone; there is nothing to restore.
  }
}

/** Writes past the stream's queue, which nobody would empty any more when the process ends. Gives up on a terminal that takes nothing for 200 ms. */
function writeNow(output: TerminalOutput, text: string): void {
  const bytes = Buffer.from(text);
  let patience = 40;
  for (let written = 0; written < bytes.length;) {
    try {
      written += writeSync(output.fd, bytes, written);
    } catch (error) {
      patience -= 1;
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || patience === 0) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
