// What arrives in Ink's useInput through our tokenizer: the table at the top of input.ts, checked row by row.
import { render, useInput, usePaste } from 'ink';
import { afterEach, describe, expect, test } from 'vitest';
import { createInput, type InputListeners } from '../../src/terminal/input.ts';
import { createScreen } from '../../src/terminal/screen.ts';
import { createFakeInput, createFakeOutput } from '../helpers/fake-tty.ts';

type Seen = string;
const ends: (() => void)[] = [];
afterEach(() => { for (const end of ends.splice(0)) end(); });

function Probe({ seen }: { seen: Seen[] }) {
  useInput((input, key) => {
    const flags = Object.entries(key).filter(([name, value]) => value === true && name !== 'eventType').map(([name]) => name);
    seen.push([JSON.stringify(input), ...flags.sort()].join(' '));
  });
  usePaste((text) => { seen.push(`paste ${JSON.stringify(text)}`); });
  return null;
}

/** Ink with a probe, and an input to type into; `seen` is what useInput got. */
function start(listeners: InputListeners = {}, early = false) {
  const { source, send } = createFakeInput();
  const input = createInput(source, listeners);
  if (!early) send('');
  const seen: Seen[] = [];
  const show = () => {
    const { unmount } = render(<Probe seen={seen} />, { stdout: createScreen(createFakeOutput(20, 5).output).stdout, stdin: input.stdin, debug: true, interactive: true, patchConsole: false, exitOnCtrlC: false });
    ends.push(unmount);
  };
  if (!early) show();
  ends.push(() => input.close());
  return { seen, send, input, show };
}

const turns = async (count: number) => { for (let turn = 0; turn < count; turn++) await new Promise((resolve) => { setImmediate(resolve); }); };

const TABLE: [what: string, bytes: string, ...seen: Seen[]][] = [
  ['letters', 'aA', '"a"', '"A" shift'],
  ['a space', ' ', '" "'],
  ['graphemes', 'é你👍🏽👨‍👩‍👧', '"é"', '"你"', '"👍🏽"', '"👨‍👩‍👧"'],
  ['Enter behind text', 'hi\r', '"h"', '"i"', '"\\r" return'],
  ['a tab in text', 'a\tb', '"a"', '"" tab', '"b"'],
  ['Shift+Enter, kitty', '\x1b[13;2u', '"\\r" return shift'],
  ['Shift+Enter, modifyOtherKeys', '\x1b[27;2;13~', '"\\r" return shift'],
  ['Ctrl+Enter', '\x1b[13;5u', '"\\r" ctrl return'],
  ['Alt+Enter', '\x1b\r', '"\\r" meta return'],
  ['Alt+Enter, kitty', '\x1b[13;3u', '"\\r" meta return'],
  ['Enter of the keypad', '\x1bOM\x1b[57414u', '"\\r" return', '"\\r" return'],
  ['Ctrl+J', '\n', '"\\n"'],
  ['Ctrl+J, kitty', '\x1b[106;5u', '"\\n"'],
  ['Shift+Tab', '\x1b[Z\x1b[9;2u\x1b[27;2;9~', '"" shift tab', '"" shift tab', '"" shift tab'],
  ['Escape, kitty', '\x1b[27u', '"" escape'],
  ['Esc Esc and a letter', '\x1b[27u\x1b[27ux', '"" escape', '"" escape', '"x"'],
  ['Backspace', '\x7f\b', '"" backspace', '"" backspace'],
  ['held Backspace', '\x7f\x7f', '"" backspace', '"" backspace'],
  ['Alt+Backspace', '\x1b\x7f\x1b[127;3u', '"" backspace meta', '"" backspace meta'],
  ['Ctrl+Backspace', '\x1b[127;5u', '"" backspace ctrl'],
  ['Delete', '\x1b[3~', '"" delete'],
  ['Home, of all terminals', '\x1b[H\x1bOH\x1b[1~\x1b[7~', '"" home', '"" home', '"" home', '"" home'],
  ['End, of all terminals', '\x1b[F\x1bOF\x1b[4~\x1b[8~', '"" end', '"" end', '"" end', '"" end'],
  ['Ctrl+Home', '\x1b[1;5H\x1b[1;5~', '"" ctrl home', '"" ctrl home'],
  ['pages', '\x1b[5~\x1b[6~', '"" pageUp', '"" pageDown'],
  ['arrows', '\x1b[A\x1bOB\x1b[C\x1b[D', '"" upArrow', '"" downArrow', '"" rightArrow', '"" leftArrow'],
  ['Ctrl+arrows', '\x1b[1;5C\x1bOd', '"" ctrl rightArrow', '"" ctrl leftArrow'],
  ['Alt+arrows', '\x1b[1;3A\x1b\x1b[B\x1b\x1bOC', '"" meta upArrow', '"" downArrow meta', '"" meta rightArrow'],
  ['Shift+arrows', '\x1b[1;2A\x1b[a', '"" shift upArrow', '"" shift upArrow'],
  ['Num Lock is no modifier', '\x1b[1;129A', '"" upArrow'],
  ['Ctrl+letters', '\x03\x10\x1a', '"c" ctrl', '"p" ctrl', '"z" ctrl'],
  ['Ctrl+C in text', 'a\x03b', '"a"', '"c" ctrl', '"b"'],
  ['Ctrl+C behind Escape', '\x1b\x03', '"" escape', '"c" ctrl'],
  ['Ctrl+C, kitty and with Caps Lock', '\x1b[99;5u\x1b[99;69u', '"c" ctrl', '"c" ctrl'],
  ['Ctrl+Shift+C', '\x1b[99;6u\x1b[27;6;67~', '"c" ctrl shift', '"c" ctrl shift'],
  ['Ctrl+I, Ctrl+M, Ctrl+H of kitty', '\x1b[105;5u\x1b[109;5u\x1b[104;5u', '"i" ctrl', '"m" ctrl', '"h" ctrl'],
  ['Ctrl+Space', '\0\x1b[32;5u', '" " ctrl', '" " ctrl'],
  ['Ctrl+_ and its kin', '\x1f\x1b[47;5u\x1b[45;6u\x1b[95;5u', '"_" ctrl', '"_" ctrl', '"_" ctrl', '"_" ctrl'],
  ['Ctrl+\\ ] ^', '\x1c\x1d\x1e\x1b[92;5u', '"\\\\" ctrl', '"]" ctrl', '"^" ctrl', '"\\\\" ctrl'],
  ['Alt+letters', '\x1bb\x1bB\x1b[98;3u\x1b[98;4u', '"b" meta', '"B" meta shift', '"b" meta', '"B" meta shift'],
  ['Alt+signs', '\x1b.\x1b1\x1b]\x1bP\x1b[91;3u\x1b[111;4u', '"." meta', '"1" meta', '"]" meta', '"P" meta shift', '"[" meta', '"O" meta shift'],
  ['Alt+Ctrl+letter', '\x1b\x02\x1b[98;7u', '"b" ctrl meta', '"b" ctrl meta'],
  ['shifted text that comes as a key', '\x1b[97;2u\x1b[97:65;2u\x1b[228;2u', '"A" shift', '"A" shift', '"Ä"'],
  ['digits of the keypad', '\x1b[57400u\x1b[57413u', '"1"', '"+"'],
  ['arrows of the keypad', '\x1b[57417u\x1b[57420;5u', '"" leftArrow', '"" ctrl downArrow'],
  ['releases', '\x1b[97;1:3u\x1b[1;1:3A\x1b[3;1:3~x', '"x"'],
  ['repeats', '\x1b[1;1:2A', '"" upArrow'],
  ['shortcuts of the desktop', '\x1b[99;9ux', '"x"'],
  ['a burst that nobody typed', 'x'.repeat(40), `"${'x'.repeat(40)}"`],
  ['replies and reports', '\x1b[?62;22c\x1b[24;80R\x1b[?2026;1$y\x1b[I\x1b[O\x1b[<0;10;5M\x1b[M !!\x1b]11;rgb:0000/0000/0000\x1b\\\x1bP>|xterm(390)\x1b\\\x1b]52;c;aGk=\x07x', '"x"'],
  ['a paste', '\x1b[200~one\rtwo\x1b[201~x', '"x"'],
  ['an end of paste without a start', '\x1b[201~x', '"x"'],
];

const key = (name: string, more = {}) => ({ name, shift: false, alt: false, ctrl: false, ...more });

describe('keys through Ink', () => {
  test.each(TABLE)('%s', async (_what, bytes, ...expected) => {
    const { seen, send } = start({ onPaste() {} });
    await turns(2);
    send(bytes);
    await turns(expected.length + 3);
    expect(seen).toEqual(expected);
  });

  test('keys that Ink cannot name go to onKey, in order with the rest', async () => {
    const order: unknown[] = [];
    const { seen, send } = start({ onKey: (key) => order.push(key, seen.length) });
    await turns(2);
    send('a\x1bOP\x1b[15;5~b\x1b[2~\x1b[[B\x1b[1;2R');
    await turns(5);
    expect({ seen, order }).toEqual({ seen: ['"a"', '"b"'], order: [key('f1'), 1, key('f5', { ctrl: true }), 1, key('insert'), 2, key('f2'), 2] });
  });

  test('what is typed before Ink is there waits for it, and its line ends are Enter', async () => {
    const { seen, send, show } = start({}, true);
    send('hi\n');
    await turns(2);
    show();
    await turns(6);
    expect(seen).toEqual(['"h"', '"i"', '"\\r" return']);
  });

  test('a paste that nobody else takes goes to usePaste, whole', async () => {
    const { seen, send } = start();
    await turns(2);
    send('\x1b[200~two\rlines\x7f\x1b[201~');
    await turns(4);
    expect(seen).toEqual(['paste "two\\nlines\x7f"']);
  });
});
