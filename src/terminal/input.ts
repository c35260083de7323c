// Stands between the terminal and Ink: hands Ink one key at a time and takes out pastes, mouse, focus and replies.

/* What arrives in `useInput((input, key) => …)`. Flags that are not named are false. The same on every keyboard (legacy, modifyOtherKeys, kitty) that can tell the keys apart.

   key                        input   key flags
   a, A, é, 你, 👍🏽            itself  (A: shift)           one grapheme a call; only a burst of over 32 that comes in one read stays whole
   Enter                      "\r"    return
   Shift+Enter                "\r"    return, shift        (kitty, modifyOtherKeys; elsewhere it is Enter)
   Ctrl+Enter                 "\r"    return, ctrl         (same)
   Alt+Enter                  "\r"    return, meta
   Ctrl+J                     "\n"    none                 take it as "new line"
   Tab / Shift+Tab            ""      tab / tab, shift
   Escape                     ""      escape               also twice for Esc Esc; Alt+Escape is two Escapes
   Backspace / Ctrl+H (old)   ""      backspace            Ctrl+H on kitty: "h" with ctrl
   Alt+Backspace              ""      backspace, meta
   Ctrl+Backspace             ""      backspace, ctrl      (kitty; elsewhere it is Backspace or Ctrl+W)
   Delete / Home / End        ""      delete / home / end
   Page Up / Page Down        ""      pageUp / pageDown
   arrows                     ""      upArrow, downArrow, leftArrow, rightArrow; with shift, meta (Alt), ctrl
   Ctrl+letter                letter  ctrl                 lower case; Ctrl+Shift+letter adds shift (kitty)
   Ctrl+Space                 " "     ctrl
   Ctrl+_ , Ctrl+/ , Ctrl+-   "_"     ctrl                 undo, everywhere
   Ctrl+\ , Ctrl+] , Ctrl+^   \ ] ^   ctrl
   Alt+letter                 letter  meta                 Alt+Shift+letter: upper case, meta, shift
   Alt+digit, Alt+sign        itself  meta
   F1–F12, Insert             not in useInput: `onKey({ name: 'f1', shift, alt, ctrl })`
   paste                      not in useInput: `onPaste(text)`, else `usePaste`; whole, line ends as "\n", not cleaned

   Ink reads one key, then React commits, then Ink reads the next: no burst meets a stale closure. */
import { EventEmitter } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import { ESCAPE, readAlt, readKey, type KeyMeaning, type NamedKey } from './keys.ts';
import { readMouse, type MouseEvent } from './mouse.ts';
import { createTokenizer, type Token } from './tokenize.ts';
import { isPlain, segment } from '../lib/width.ts';

/** Who hears what Ink does not. All are called in the order of the input, but for `onFocus` and `onReply`, which never wait. */
export type InputListeners = {
  /** Pasted text, whole, line ends as "\n". It may hold control characters: clean it before it is shown. Absent: Ink gets it, for `usePaste`. */
  onPaste?(text: string): void;
  onMouse?(event: MouseEvent): void;
  onFocus?(focused: boolean): void;
  /** An answer of the terminal to a query, whole, from its ESC on. */
  onReply?(sequence: string): void;
  onKey?(key: NamedKey): void;
  /** Letters that wait for Ink, all so far that nothing but letters comes before. Not told any more once Ink or `takeText` has taken some. */
  onHeld?(text: string): void;
  /** The terminal is gone. Told once. */
  onEnd?(): void;
};

export type Input = {
  /** For Ink's option `stdin`. Raw mode is not Ink's to switch: see `enterTerminal`. */
  stdin: NodeJS.ReadStream;
  /** Takes over the letters that `onHeld` told last, key by key: Ink gets only what comes after them. */
  takeText(): string[];
  /** Leaves the terminal's input to another program, until `resume`. */
  pause(): void;
  resume(): void;
  /** Stops reading for good, so that the process can end. */
  close(): void;
};

/** How long the rest of something is awaited, in ms. */
const WAIT = { escape: 30, sequence: 300, paste: 2_000, loose: 30 };
/** A read of so many characters, with a line end among them, is a paste from a terminal that does not bracket it. Keys typed while a slow line slept are fewer. */
const PASTED_LENGTH = 16;
/* What no such paste holds. */
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;
/* Of an entry that Ink has to read. */
const CONTROL_FIRST = /^[\x00-\x1f\x7f]/;
/** More graphemes in one read are no typing. */
const BURST = 32;


/** Starts reading `source` at once: what is typed before Ink is there waits for it. */
export function createInput(source: NodeJS.ReadStream, listeners: InputListeners = {}): Input {
  const decoder = new StringDecoder('utf8');
  const tokenizer = createTokenizer(accept);
  // Chunks for Ink and calls, in the order of the input.
  const queue: (string | (() => void))[] = [];
  let timer: NodeJS.Timeout | undefined;
  let loose: string[] | undefined;
  let turn = true;
  let holding = true;
  // What was typed before raw mode is there as soon as the event loop looks, and has the newlines of a line editor.
  let early = true;
  setImmediate(() => setImmediate(() => { early = false; }));

  const facade = Object.assign(new EventEmitter(), {
    isTTY: true as const,
    isRaw: true,
    readable: true,
    setRawMode: () => facade,
    setEncoding: () => facade,
    ref: () => facade,
    unref: () => facade,
    pause: () => facade,
    resume: () => facade,
    read(): string | null {
      const first = queue[0];
      if (!turn || typeof first !== 'string') return null;
      holding = false;
      queue.shift();
      // React commits before the next key is read.
      turn = false;
      setImmediate(() => { turn = true; deliver(); });
      return first;
    },
  });
  facade.on('newListener', (event) => { if (event === 'readable') queueMicrotask(deliver); });

  function deliver(): void {
    if (!turn) return;
    for (let entry = queue[0]; typeof entry === 'function'; entry = queue[0]) {
      queue.shift();
      entry();
    }
    if (queue.length > 0 && facade.listenerCount('readable') > 0) facade.emit('readable');
  }

  /** How many entries at the head of the queue are letters. */
  function letters(): number {
    const end = queue.findIndex((entry) => typeof entry !== 'string' || CONTROL_FIRST.test(entry));
    return end < 0 ? queue.length : end;
  }

  function accept(token: Token): void {
    switch (token.kind) {
      case 'text': queue.push(...keysOf(token.text)); return;
      case 'control': queue.push(token.char); return;
      case 'escape': queue.push(ESCAPE); return;
      case 'alt': mean(readAlt(token.char)); return;
      case 'ss3': mean(readKey(token.sequence, token.alt)); return;
      case 'string': listeners.onReply?.(token.sequence); return;
      case 'paste': paste(token.text); return;
      case 'x10': mouse(token.sequence); return;
      case 'csi': {
        const { sequence } = token;
        if (sequence === '\x1b[I' || sequence === '\x1b[O') listeners.onFocus?.(sequence === '\x1b[I');
        else if (sequence.startsWith('\x1b[<')) mouse(sequence);
        else if (!mean(readKey(sequence, token.alt))) listeners.onReply?.(sequence);
        return;
      }
      default: token satisfies never;
    }
  }

  function mean(meaning: KeyMeaning | undefined): boolean {
    if (meaning?.kind === 'ink') queue.push(meaning.chunk);
    else if (meaning) queue.push(() => listeners.onKey?.(meaning.key));
    return meaning !== undefined;
  }

  function mouse(sequence: string): void {
    const event = readMouse(sequence);
    if (event) queue.push(() => listeners.onMouse?.(event));
  }

  function paste(raw: string): void {
    const text = raw.replace(/\r\n?/g, '\n');
    if (text === '') return;
    queue.push(listeners.onPaste ? () => listeners.onPaste?.(text) : `\x1b[200~${text}\x1b[201~`);
  }

  function endLoose(): void {
    const text = (loose ?? []).join('');
    loose = undefined;
    paste(text);
  }

  function read(bytes: Buffer): void {
    clearTimeout(timer);
    let text = decoder.write(bytes);
    if (early) text = text.replaceAll('\n', '\r');
    else if (!CONTROL.test(text) && (loose || (tokenizer.waiting() === 'nothing' && text.length >= PASTED_LENGTH && /[\r\n][^\r\n]/.test(text)))) {
      (loose ??= []).push(text);
      timer = setTimeout(() => { endLoose(); deliver(); }, WAIT.loose);
      return;
    }
    early = false;
    if (loose) endLoose();
    tokenizer.push(text);
    const waiting = tokenizer.waiting();
    if (waiting !== 'nothing') timer = setTimeout(() => { tokenizer.flush(); deliver(); }, WAIT[waiting]);
    deliver();
    if (holding) listeners.onHeld?.(queue.slice(0, letters()).join(''));
  }

  let over = false;
  const end = () => {
    if (!over) listeners.onEnd?.();
    over = true;
  };
  source.on('data', read);
  source.on('end', end);
  // A terminal that hangs up is an error here, and the same as the end.
  source.on('error', end);

  return {
    stdin: facade as unknown as NodeJS.ReadStream,
    takeText() {
      holding = false;
      return queue.splice(0, letters()).filter((entry) => typeof entry === 'string');
    },
    pause: () => { source.pause(); },
    resume: () => { source.resume(); },
    close() {
      over = true;
      clearTimeout(timer);
      source.off('data', read);
      source.pause();
      source.unref?.();
    },
  };
}

function keysOf(text: string): string[] {
  // Cutting it into graphemes would take the first letter of a start 10 ms.
  if (text.length <= BURST && isPlain(text)) return [...text];
  const keys: string[] = [];
  for (const { segment: one } of segment(text.slice(0, BURST * 16))) {
    keys.push(one);
    if (keys.length > BURST) return [text];
  }
  return text.length > BURST * 16 ? [text] : keys;
}
