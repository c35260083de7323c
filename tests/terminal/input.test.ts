// The input without Ink: cutting, timers, pastes, mouse, replies.
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createInput } from '../../src/terminal/input.ts';
import { readMouse } from '../../src/terminal/mouse.ts';
import { createTokenizer, type Token } from '../../src/terminal/tokenize.ts';
import { createFakeInput } from '../helpers/fake-tty.ts';

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { vi.useRealTimers(); });

/** An input whose chunks for Ink and events come in one list. */
function start(options: { early?: boolean } = {}) {
  const got: unknown[] = [];
  const { source, send } = createFakeInput();
  const input = createInput(source, {
    onPaste: (text) => got.push({ paste: text }),
    onMouse: (event) => got.push({ mouse: `${event.kind} ${event.x},${event.y}` }),
    onFocus: (focused) => got.push({ focus: focused }),
    onReply: (sequence) => got.push({ reply: sequence }),
    onKey: (key) => got.push({ key: key.name }),
    onEnd: () => got.push('end'),
  });
  if (!options.early) send('');
  input.stdin.on('readable', () => {
    for (let chunk = input.stdin.read() as string | null; chunk !== null; chunk = input.stdin.read() as string | null) got.push(chunk);
  });
  return { got, send, source, wait: (ms: number) => vi.advanceTimersByTime(ms) };
}

const ESCAPE = '\x1b[27u';

describe('sequences that are cut', () => {
  const CASES: [what: string, chunks: string[], ...expected: unknown[]][] = [
    ['ESC | [A', ['\x1b', '[A'], '\x1b[A'],
    ['ESC [ | A', ['\x1b[', 'A'], '\x1b[A'],
    ['ESC | b', ['\x1b', 'b'], '\x1bb'],
    ['a mouse report', ['\x1b[<0;1', '0;5M'], { mouse: 'press 9,4' }],
    ['an old mouse report', ['\x1b[M', ' !', '!'], { mouse: 'press 0,0' }],
    ['a reply', ['\x1b]11;rgb:00', '00/0000/0000\x1b', '\\'], { reply: '\x1b]11;rgb:0000/0000/0000\x1b\\' }],
    ['the ends of a paste', ['\x1b[20', '0~a\x1b[2', '01', '~b'], { paste: 'a' }, 'b'],
    ['half a paste end inside a paste', ['\x1b[200~a\x1b[20', '0~b\x1b[201~'], { paste: 'a\x1b[200~b' }],
  ];
  test.each(CASES)('%s', (_what, chunks, ...expected) => {
    const { got, send, wait } = start();
    for (const chunk of chunks) {
      send(chunk);
      wait(25);
    }
    wait(50);
    expect(got).toEqual(expected);
  });

  test('bytes of one character', () => {
    const { got, send, wait } = start();
    for (const byte of Buffer.from('你😀')) send(Uint8Array.of(byte));
    wait(1);
    expect(got).toEqual(['你', '😀']);
  });
});

describe('timers', () => {
  test('a lone ESC is Escape after 30 ms, inside a sequence the rest has 300', () => {
    const { got, send, wait } = start();
    send('\x1b');
    wait(29);
    expect(got).toEqual([]);
    wait(1);
    expect(got).toEqual([ESCAPE]);
    send('\x1b[');
    wait(299);
    send('1;5');
    wait(299);
    send('C');
    wait(1);
    expect(got).toEqual([ESCAPE, '\x1b[1;5C']);
  });

  test.each<[string, string, unknown[]]>([
    ['ESC ESC', '\x1b\x1b', [ESCAPE, ESCAPE]],
    ['Alt+[', '\x1b[', ['\x1b[91;3u']],
    ['Alt+O', '\x1bO', ['\x1b[79;4u']],
    ['Alt+]', '\x1b]', ['\x1b]']],
    ['Alt+P', '\x1bP', ['\x1bP']],
    ['a torn sequence', '\x1b[1;5', []],
    ['a torn mouse report', '\x1b[<0;1', []],
    ['a torn reply', '\x1b]11;rgb:00', []],
  ])('when nothing follows: %s', (_what, bytes, expected) => {
    const { got, send, wait } = start();
    send(bytes);
    wait(350);
    send('x');
    wait(1);
    expect(got).toEqual([...expected, 'x']);
  });

  test('a paste whose end is lost is given out after 2 s of silence, and keys work again', () => {
    const { got, send, wait } = start();
    send('\x1b[200~one');
    wait(1_900);
    send(' two');
    wait(1_999);
    expect(got).toEqual([]);
    wait(1);
    send('\x03');
    wait(1);
    expect(got).toEqual([{ paste: 'one two' }, '\x03']);
  });

  test('a control character ends a reply that was none', () => {
    const { got, send, wait } = start();
    send('\x1b]11;rgb\x03x');
    wait(1);
    expect(got).toEqual(['\x03', 'x']);
  });
});

describe('pastes', () => {
  test('lines that come in one read without brackets are a paste, up to the silence', () => {
    const { got, send, wait } = start();
    send('first line\r\nsecond line\r');
    wait(10);
    send('third');
    wait(30);
    send('k');
    wait(1);
    expect(got).toEqual([{ paste: 'first line\nsecond line\nthird' }, 'k']);
  });

  test('a line with its Enter, and a few keys, are typed', () => {
    const { got, send, wait } = start();
    send('ok\ry');
    wait(5);
    send('read the file\r');
    wait(20);
    expect(got).toEqual(['o', 'k', '\r', 'y', ...'read the file', '\r']);
  });

  test('Ctrl-C ends an unbracketed paste', () => {
    const { got, send, wait } = start();
    send('first line\rsecond line');
    send('\x03');
    wait(1);
    expect(got).toEqual([{ paste: 'first line\nsecond line' }, '\x03']);
  });

  test.each([1_024, 4_096, 65_536])('1 MB in chunks of %i comes whole', (size) => {
    const { got, send, wait } = start();
    const text = Array.from({ length: 1 << 14 }, (_, index) => `line ${index} ${'x'.repeat(50)}`).join('\n').slice(0, 1 << 20);
    const bytes = `\x1b[200~${text}\x1b[201~k`;
    for (let at = 0; at < bytes.length; at += size) send(bytes.slice(at, at + size));
    wait(1);
    expect(got.length).toBe(2);
    expect((got[0] as { paste: string }).paste === text && got[1] === 'k').toBe(true);
  });
});

test('events keep their order; focus and replies do not wait for a reader', async () => {
  const got: unknown[] = [];
  const { source, send } = createFakeInput();
  const input = createInput(source, { onPaste: (text) => got.push({ paste: text }), onFocus: (focused) => got.push({ focus: focused }), onReply: (sequence) => got.push({ reply: sequence }) });
  send('a\x1b[200~p\x1b[201~\x1b[I\x1b[?62c');
  expect(got).toEqual([{ focus: true }, { reply: '\x1b[?62c' }]);
  input.stdin.on('readable', () => { got.push(input.stdin.read()); });
  await vi.advanceTimersByTimeAsync(1);
  expect(got.slice(2)).toEqual(['a', { paste: 'p' }]);
});

test('the end of the terminal, which may be an error, is told once', () => {
  const { got, source } = start();
  source.emit('error', new Error('EIO'));
  source.emit('end');
  expect(got).toEqual(['end']);
});

const event = (more: object) => ({ kind: 'press', x: 9, y: 4, button: 'left', delta: 0, shift: false, alt: false, ctrl: false, ...more });

describe('mouse', () => {
  test.each<[string, object | undefined]>([
    ['\x1b[<0;10;5M', event({})],
    ['\x1b[<0;10;5m', event({ kind: 'release' })],
    ['\x1b[<2;10;5M', event({ button: 'right' })],
    ['\x1b[<32;10;5M', event({ kind: 'drag' })],
    ['\x1b[<64;10;5M', event({ kind: 'wheel', delta: -1 })],
    ['\x1b[<65;10;5M', event({ kind: 'wheel', delta: 1 })],
    ['\x1b[<28;10;5M', event({ shift: true, alt: true, ctrl: true })],
    ['\x1b[<66;10;5M', undefined],
    ['\x1b[<35;10;5M', undefined],
    ['\x1b[<128;10;5M', undefined],
    ['\x1b[<0;0;5M', undefined],
    ['\x1b[M !!', event({ x: 0, y: 0 })],
    ['\x1b[M#!!', event({ x: 0, y: 0, kind: 'release' })],
    ['\x1b[M`!!', event({ x: 0, y: 0, kind: 'wheel', delta: -1 })],
    ['\x1b[A', undefined],
  ])('%j', (sequence, expected) => {
    expect(readMouse(sequence)).toEqual(expected);
  });
});

/** Tokens of `chunks`, text that was cut joined again. */
const tokensOf = (chunks: string[]): Token[] => {
  const tokens: Token[] = [];
  const tokenizer = createTokenizer((token) => {
    const before = tokens.at(-1);
    if (token.kind === 'text' && before?.kind === 'text') tokens[tokens.length - 1] = { kind: 'text', text: before.text + token.text };
    else tokens.push(token);
  });
  for (const chunk of chunks) tokenizer.push(chunk);
  tokenizer.flush();
  expect(tokenizer.waiting()).toBe('nothing');
  return tokens;
};

describe('the tokenizer', () => {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('\x1b', '[', 'O', ']', 'P', '_', '\x1b[', '\x1b[200~', '\x1b[201~', '\x1b[<0;1;1M', '\x1b[M', '\x1b]11;x\x07', '\x1b\\', '\x1b[1;5C', '\x1b[27;2;13~', '\x1b[[A', '\x1b[2$', '\x1b\x1b[A', '\x1bOA', '\r', '\x03', '\x9b', '2', ';', '~', 'M', 'é', '😀') },
    { weight: 1, arbitrary: fc.string({ maxLength: 5 }) },
  );
  const bytes = fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join('').toWellFormed());

  test('gives the same however its input is cut', () => {
    fc.assert(fc.property(bytes, fc.array(fc.nat({ max: 60 }), { maxLength: 8 }), (text, cuts) => {
      // Cut between characters: the decoder before it never gives half of one.
      const characters = [...text];
      const at = [0, ...cuts.sort((a, b) => a - b), characters.length];
      const chunks = at.slice(1).map((end, index) => characters.slice(at[index], end).join(''));
      expect(tokensOf(chunks)).toEqual(tokensOf([text]));
    }), { numRuns: 2_000 });
  });

  test('never gives out text with a control in it, and loses no printable text outside of sequences', () => {
    fc.assert(fc.property(bytes, (text) => {
      for (const token of tokensOf([text])) if (token.kind === 'text') expect(token.text).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    }));
    fc.assert(fc.property(fc.string(), (text) => {
      const printable = text.replace(/[\x00-\x1f\x7f-\x9f]/g, '');
      expect(tokensOf([printable])).toEqual(printable === '' ? [] : [{ kind: 'text', text: printable }]);
    }));
  });
});

describe('before Ink is there', () => {
  const chunk = fc.oneof({ weight: 4, arbitrary: fc.constantFrom('a', 'bc', ' ', '你', 'é') }, { weight: 1, arbitrary: fc.constantFrom('\r', '\x1b[A', '\x7f', '\x1b[200~pasted\x1b[201~', '\x1b[<0;1;1M') });

  test('letters are told while they wait; whoever takes them, each key arrives once and in order', async () => {
    await fc.assert(fc.asyncProperty(fc.array(chunk, { maxLength: 12 }), fc.nat(12), fc.boolean(), async (chunks, at, takes) => {
      const plain = start();
      const { source, send } = createFakeInput();
      const got: unknown[] = [];
      const held: string[] = [];
      const input = createInput(source, { onPaste: (text) => got.push({ paste: text }), onMouse: (event) => got.push({ mouse: `${event.kind} ${event.x},${event.y}` }), onHeld: (text) => held.push(text) });
      send('');
      const attach = async () => {
        if (takes) {
          const taken = input.takeText();
          expect(taken.join('')).toBe(held.at(-1) ?? '');
          got.push(...taken);
        }
        input.stdin.on('readable', () => {
          for (let key = input.stdin.read() as string | null; key !== null; key = input.stdin.read() as string | null) got.push(key);
        });
        await vi.advanceTimersByTimeAsync(1_000);
      };
      for (const [index, one] of chunks.entries()) {
        if (index === at) await attach();
        send(one);
        plain.send(one);
        await vi.advanceTimersByTimeAsync(1);
      }
      if (at >= chunks.length) await attach();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(got).toEqual(plain.got);
    }));
  });
});
