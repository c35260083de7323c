// Finds calls of the text tool protocol in streamed text, a character at a time, so that no cut between chunks matters.

export const OPEN = '<tool_call>';
export const CLOSE = '</tool_call>';

/** `name`: a call is being written, and whose it will be. `call`: all between its tags; `closed` is false where the text ended first. */
export type Found = { kind: 'text'; text: string } | { kind: 'name'; name: string } | { kind: 'call'; raw: string; closed: boolean };

export type Scanner = {
  add(text: string): Found[];
  /** The text is over. */
  end(): Found[];
};

/** The beginning of a call in the order of keys that is asked for. */
const NAME = /^\s*\{\s*(?:"type"\s*:\s*"tool_call"\s*,\s*)?"tool"\s*:\s*"([\w.:-]+)"\s*[,}]/;
/** No name begins later than this. */
const NAME_WITHIN = 200;
/** A tag in the middle of a line with no call behind it on this many characters is only spoken of. */
const MENTION = 200;

/** What has come of a call since its opening tag. */
type OpenCall = {
  pieces: string[];
  length: number;
  /** The last characters, as many as the closing tag has. */
  tail: string;
  /** Nothing but blanks stood before the tag on its line. */
  first: boolean;
  /** `undefined` until the first character that is no blank tells. */
  sure: boolean | undefined;
  named: boolean;
  quoted: boolean;
  escaped: boolean;
  /** A quoted text with a bare line break in it: no JSON, so quotes tell nothing any more. */
  broken: boolean;
  /** Behind the first closing tag that stood in a quoted text. */
  closedAt: number | undefined;
};

/**
 * Makes the scanner of one text. A tag in a code block or between backticks is text, and so is one in the middle of a
 * line that no `{` and no closing tag follow. A closing tag inside a quoted argument closes nothing.
 */
export function createScanner(): Scanner {
  const code = trackCode();
  let out: Found[] = [];
  let plain = '';
  let held = '';
  let call: OpenCall | undefined;

  const flush = (): void => {
    if (plain !== '') out.push({ kind: 'text', text: plain });
    plain = '';
  };
  const put = (text: string): void => {
    for (const char of text) code.add(char);
    plain += text;
  };
  const feed = (text: string): void => {
    for (let at = 0; at < text.length; at += 1) take(text.charAt(at));
  };
  const take = (char: string): void => {
    if (call) return takeOfCall(call, char);
    if (held !== '' || !code.inside()) {
      const next = held + char;
      if (OPEN.startsWith(next) || CLOSE.startsWith(next)) {
        held = next;
        if (next === OPEN) {
          held = '';
          flush();
          call = { pieces: [], length: 0, tail: '', first: code.blank(), sure: undefined, named: false, quoted: false, escaped: false, broken: false, closedAt: undefined };
        } else if (next === CLOSE) {
          held = '';
          // One too many is not worth a word; in a sentence it is spoken of.
          if (!code.blank()) put(CLOSE);
        }
        return;
      }
    }
    const before = held;
    held = '';
    if (before === '') return put(char);
    put(before);
    take(char);
  };
  const takeOfCall = (open: OpenCall, char: string): void => {
    open.pieces.push(char);
    open.length += 1;
    open.tail = (open.tail + char).slice(-CLOSE.length);
    if (open.sure === undefined && char.trim() !== '') open.sure = open.first || char === '{';
    if (open.sure !== true) {
      if (open.tail === CLOSE) finish(open, open.length);
      else if (char === '\n' && !open.first || open.length > MENTION) mention(open);
      return;
    }
    quote(open, char);
    if (!open.named && open.length <= NAME_WITHIN && (char === ',' || char === '}')) {
      const name = NAME.exec(open.pieces.join(''))?.[1];
      if (name !== undefined) {
        open.named = true;
        out.push({ kind: 'name', name });
      }
    }
    if (open.tail === CLOSE) {
      if (!open.quoted) return finish(open, open.length);
      open.closedAt ??= open.length;
    }
    if (open.broken && open.closedAt !== undefined) finish(open, open.closedAt);
  };
  const finish = (open: OpenCall, at: number): void => {
    const text = open.pieces.join('');
    call = undefined;
    code.newLine();
    out.push({ kind: 'call', raw: text.slice(0, at - CLOSE.length), closed: true });
    feed(text.slice(at));
  };
  const mention = (open: OpenCall): void => {
    call = undefined;
    put(OPEN);
    feed(open.pieces.join(''));
  };
  const result = (): Found[] => {
    flush();
    const found = out;
    out = [];
    return found;
  };

  return {
    add(text) {
      feed(text);
      return result();
    },
    end() {
      while (call) {
        if (call.closedAt !== undefined) finish(call, call.closedAt);
        else if (call.sure === false || (call.sure === undefined && !call.first)) mention(call);
        else {
          out.push({ kind: 'call', raw: call.pieces.join(''), closed: false });
          call = undefined;
        }
      }
      put(held);
      held = '';
      return result();
    },
  };
}

function quote(open: OpenCall, char: string): void {
  if (!open.quoted) open.quoted = char === '"';
  else if (open.escaped) open.escaped = false;
  else if (char === '\\') open.escaped = true;
  else if (char === '"') open.quoted = false;
  else if (char === '\n') open.broken = true;
}

/** Longest beginning of a line that matters. */
const LINE = 200;
const FENCE = /^(?:[\s>*+-]|\d+[.)])*(`{3,}|~{3,})([^`]*)$/;

/** Follows Markdown far enough to know whether the next character stands in code. */
function trackCode() {
  let line = '';
  let fence: string | undefined;
  /** Backticks that opened a span, and those that have just come. */
  let span = 0;
  let run = 0;
  const settle = (): number => {
    if (run === 0) return span;
    if (span === 0) return run;
    return span === run ? 0 : span;
  };
  const endLine = (): void => {
    const [, marks = '', info = ''] = FENCE.exec(line) ?? [];
    if (fence === undefined) fence = marks === '' ? undefined : marks;
    else if (marks.startsWith(fence) && info.trim() === '') fence = undefined;
    line = '';
    span = 0;
    run = 0;
  };
  return {
    add(char: string): void {
      if (char === '\n') return endLine();
      if (line.length < LINE) line += char;
      if (char === '`') run += 1;
      else {
        span = settle();
        run = 0;
      }
    },
    inside: (): boolean => fence !== undefined || settle() !== 0 || /^\s*~{3,}/.test(line),
    blank: (): boolean => line.trim() === '',
    newLine(): void {
      line = '';
      span = 0;
      run = 0;
    },
  };
}
