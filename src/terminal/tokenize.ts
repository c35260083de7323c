// Cuts what a terminal sends into tokens: text, controls, escapes, sequences, pastes.

/** One well-formed piece of input. `sequence` is the whole of it, from its ESC on. */
export type Token =
  | { kind: 'text'; text: string }
  | { kind: 'control'; char: string }
  | { kind: 'escape' }
  | { kind: 'alt'; char: string }
  | { kind: 'csi'; sequence: string; alt: boolean }
  | { kind: 'ss3'; sequence: string; alt: boolean }
  | { kind: 'x10'; sequence: string }
  | { kind: 'string'; sequence: string }
  | { kind: 'paste'; text: string };

export type Tokenizer = {
  push(text: string): void;
  /** Gives out what waits for more: a lone ESC is a key, `ESC [` is Alt+[, an open paste is what has come of it, a torn sequence is nothing. */
  flush(): void;
  /** What it waits for: nothing, the rest of an `escape` (or its being alone), of a `sequence`, or the end of a `paste`. */
  waiting(): 'nothing' | 'escape' | 'sequence' | 'paste';
};

const ESC = '\x1b';
const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';
/** No reply we ask for is longer; past it, it was never a sequence. */
const LONGEST = { csi: 128, string: 65_536 };

type Step = { token?: Token; next: number } | 'pending';

/** Makes a tokenizer that calls `emit` with each token. How the input is cut into chunks makes no difference, but for where text is cut. */
export function createTokenizer(emit: (token: Token) => void): Tokenizer {
  let pending = '';
  let paste: string[] | undefined;

  const take = (data: string): void => {
    let at = 0;
    while (at < data.length) {
      if (paste) {
        const end = data.indexOf(PASTE_END, at);
        if (end < 0) {
          // The end may be cut by the chunk's end.
          const keep = Math.max(at, data.length - PASTE_END.length + 1);
          paste.push(data.slice(at, keep));
          pending = data.slice(keep);
          return;
        }
        paste.push(data.slice(at, end));
        endPaste();
        at = end + PASTE_END.length;
        continue;
      }
      const step = next(data, at);
      if (step === 'pending') {
        pending = data.slice(at);
        return;
      }
      at = step.next;
      const token = step.token;
      if (token?.kind === 'csi' && token.sequence === PASTE_START) paste = [];
      else if (token && !(token.kind === 'csi' && token.sequence === PASTE_END)) emit(token);
    }
  };

  const endPaste = () => {
    const text = (paste ?? []).join('');
    paste = undefined;
    emit({ kind: 'paste', text });
  };

  return {
    push(text) {
      const data = pending + text;
      pending = '';
      take(data);
    },
    flush() {
      const rest = pending;
      pending = '';
      if (paste) {
        paste.push(rest);
        endPaste();
        return;
      }
      // ESC ESC [ is Escape, then Alt+[.
      const doubled = rest.startsWith(ESC + ESC);
      const last = doubled ? rest.slice(1) : rest;
      if (doubled && last.length <= 2) emit({ kind: 'escape' });
      if (last === ESC) emit({ kind: 'escape' });
      else if (last.length === 2) emit({ kind: 'alt', char: last.slice(1) });
    },
    waiting: () => paste ? 'paste' : pending === '' ? 'nothing' : pending === ESC || pending === ESC + ESC ? 'escape' : 'sequence',
  };
}

/* Everything that is not printable text; C1 is never sent in UTF-8. */
const CONTROL = /[\x00-\x1f\x7f-\x9f]/g;

function next(data: string, at: number): Step {
  const char = data.charAt(at);
  if (char === ESC) return escape(data, at);
  CONTROL.lastIndex = at;
  const end = CONTROL.exec(data)?.index ?? data.length;
  if (end > at) return { token: { kind: 'text', text: data.slice(at, end) }, next: end };
  return char >= '\x80' ? { next: at + 1 } : { token: { kind: 'control', char }, next: at + 1 };
}

function escape(data: string, at: number): Step {
  const alone: Step = { token: { kind: 'escape' }, next: at + 1 };
  const char = data.charAt(at + 1);
  switch (char) {
    case '': return 'pending';
    // Ctrl-C is never hidden behind an Escape that came with it.
    case '\x03': return alone;
    case '[': return csi(data, at);
    case 'O': return ss3(data, at);
    case ']': case 'P': case '_': return string(data, at, char);
    case ESC: {
      const third = data.charAt(at + 2);
      if (third === '') return 'pending';
      if (third !== '[' && third !== 'O') return alone;
      const inner = third === '[' ? csi(data, at + 1) : ss3(data, at + 1);
      if (inner === 'pending') return 'pending';
      // Some terminals send Alt+arrow as ESC and the arrow. Anything else is two things.
      const { token } = inner;
      if ((token?.kind === 'csi' || token?.kind === 'ss3') && /^\x1b(?:[[O][A-DFH]|\[[1-8]~)$/.test(token.sequence)) return { token: { ...token, alt: true }, next: inner.next };
      return alone;
    }
    default: {
      const whole = String.fromCodePoint(data.codePointAt(at + 1) ?? 0);
      return { token: { kind: 'alt', char: whole }, next: at + 1 + whole.length };
    }
  }
}

/** ECMA-48 5.4: parameters 0-?, intermediates blank-/, one final @-~. And three that are not: `[[A` of the Linux console, `[2$` of rxvt, `[M` with three characters of old mice. */
function csi(data: string, at: number): Step {
  const torn = (next: number): Step => next === at + 2 ? { token: { kind: 'alt', char: '[' }, next } : { next };
  const sequence = (end: number): Step => ({ token: { kind: 'csi', sequence: data.slice(at, end), alt: false }, next: end });
  const first = data.charAt(at + 2);
  if (first === 'M') return data.length < at + 6 ? 'pending' : { token: { kind: 'x10', sequence: data.slice(at, at + 6) }, next: at + 6 };
  if (first === '[') {
    const letter = data.charAt(at + 3);
    return letter === '' ? 'pending' : /[A-E]/.test(letter) ? sequence(at + 4) : torn(at + 2);
  }
  if (/[235678]/.test(first) && data.charAt(at + 3) === '$') return sequence(at + 4);
  for (let index = at + 2; index < data.length; index++) {
    const char = data.charAt(index);
    if (char >= '@' && char <= '~') return sequence(index + 1);
    if (char < ' ' || char > '~' || index - at > LONGEST.csi) return torn(index);
  }
  return 'pending';
}

function ss3(data: string, at: number): Step {
  const alone: Step = { token: { kind: 'alt', char: 'O' }, next: at + 2 };
  for (let index = at + 2; index < data.length; index++) {
    const char = data.charAt(index);
    if (/[A-Za-z]/.test(char)) return { token: { kind: 'ss3', sequence: data.slice(at, index + 1), alt: false }, next: index + 1 };
    if (!/[\d;]/.test(char) || index - at > LONGEST.csi) return alone;
  }
  return 'pending';
}

/* How replies begin, by their introducer; Alt+], Alt+P and Alt+_ begin otherwise. */
const REPLY = { ']': /[\dlL]/, P: /[\d>!$+=]/, _: /G/ };

/** OSC, DCS, APC: up to BEL or ST. A control in it says that it was none, or was torn. */
function string(data: string, at: number, introducer: keyof typeof REPLY): Step {
  const first = data.charAt(at + 2);
  if (first === '') return 'pending';
  if (!REPLY[introducer].test(first)) return { token: { kind: 'alt', char: introducer }, next: at + 2 };
  CONTROL.lastIndex = at + 2;
  const end = CONTROL.exec(data)?.index;
  if (end === undefined) return data.length - at > LONGEST.string ? { next: data.length } : 'pending';
  const token = (stop: number): Step => ({ token: { kind: 'string', sequence: data.slice(at, stop) }, next: stop });
  const char = data.charAt(end);
  if (char === '\x07' || char === '\x9c') return token(end + 1);
  if (char !== ESC) return { next: end };
  if (end + 1 === data.length) return 'pending';
  return data.charAt(end + 1) === '\\' ? token(end + 2) : { next: end };
}
