// The one way for untrusted text (model, tools, files, servers) to the terminal: no control sequence survives it.

/* Escape sequences as ECMA-48 has them: strings (OSC, DCS, APC, PM, SOS) up to their end or the end of the line, CSI, and two- or three-byte escapes. */
const SEQUENCES = /(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c|(?=\x1b)|(?=\n)|$)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;
/* What is left of C0 and C1 but newline and tab. */
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/* Marks that reorder or hide text: bidi controls, zero-width spaces, soft hyphen, fillers, tags, interlinear marks. Joiners stay: scripts and emoji need them. */
const HIDDEN = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/gu;
/* In a command no character may be invisible, joiners and blanks other than the common one included. */
const INVISIBLE = /(?![ \n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/* Nearly all text has nothing to clean; one test tells. */
const SUSPECT = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]/u;

/** `text` as it may be shown: newlines and tabs stay, carriage returns overwrite as on a terminal, all other controls go. */
export function clean(text: string): string {
  if (!SUSPECT.test(text)) return text;
  const plain = text.replaceAll('\r\n', '\n').replace(SEQUENCES, '');
  const settled = plain.includes('\r') ? plain.split('\n').map(lastState).join('\n') : plain;
  return settled.replace(CONTROLS, '').replace(HIDDEN, '');
}

/** A progress bar rewrites its line: the last state counts. No regular expression: it would be quadratic in a long line. */
function lastState(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** `text` on one line: cleaned, with every run of white space as one blank. For titles. */
export function cleanLine(text: string): string {
  return clean(text).replace(/\s+/g, ' ').trim();
}

/** `text` with every invisible character made visible as `⟨U+202E⟩`: for what a user is asked to approve. */
export function reveal(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(INVISIBLE, (char) => `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}
