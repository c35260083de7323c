// The whole screen, drawn by Ink: events in, keys in, frames out.
import { cleanup, render } from 'ink-testing-library';
import { afterEach, describe, expect, test } from 'vitest';
import { App } from '../../components/App.tsx';
import { columnsOf, unpainted } from '../../src/lib/width.ts';
import type { Place } from '../../hooks/use-caret.ts';
import { createRig, permission, settle, type Rig } from './fixtures.ts';

afterEach(cleanup);

/** The app on a screen of the rig's size. */
function open(rig: Rig) {
  const carets: (Place | null)[] = [];
  const { columns } = rig.driver.screen.get().size;
  const view = render(<></>);
  Object.defineProperty(view.stdout, 'columns', { value: columns });
  view.rerender(<App driver={rig.driver} placeCaret={(at) => carets.push(at)} />);
  const frame = () => unpainted(view.lastFrame() ?? '').split('\n');
  return {
    ...view, carets,
    rows: frame,
    text: () => frame().join('\n'),
    /** Writes keys one at a time, as the terminal's input hands them to Ink. */
    async keys(...keys: string[]) {
      for (const key of keys) { view.stdin.write(key); await settle(); }
    },
  };
}

const CTRL_C = '\x03';
const ESC = '\x1b[27u';

function talk(rig: Rig): void {
  rig.emit(
    { type: 'turn_started' },
    { type: 'message', message: { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'find the tokens' }], at: 0 } },
    { type: 'part', messageId: 'a1', role: 'assistant', part: { type: 'text', text: 'They are in **src/context**.\n\n```ts\nconst x = 1;\n```' } },
    { type: 'part', messageId: 'a1', role: 'assistant', part: { type: 'tool_call', id: 'c1', name: 'Search', input: {} } },
    { type: 'tool_called', call: { id: 'c1', name: 'Search', input: {} }, title: 'countTokens in src' },
    { type: 'tool_started', callId: 'c1', acts: true },
  );
}

function long(rig: Rig, count: number): void {
  for (let index = 0; index < count; index += 1) {
    rig.emit({ type: 'message', message: { id: `m${index}`, role: index % 2 === 0 ? 'user' : 'assistant', parts: [{ type: 'text', text: `message ${index}` }], at: 0 } });
  }
}

describe('frames', () => {
  test.each([[60, 20], [100, 30], [140, 45], [30, 8]])('at %d×%d every row fits, whatever is open', async (columns, rows) => {
    const rig = createRig({ columns, rows });
    const app = open(rig);
    const check = () => {
      expect(app.rows().length).toBeLessThanOrEqual(rows);
      expect(app.rows().filter((row) => columnsOf(row) > columns)).toEqual([]);
    };
    await settle();
    check();
    talk(rig);
    await settle();
    check();
    expect(app.text()).toContain('const x = 1;');
    rig.emit({ type: 'queued', prompts: ['日本語 '.repeat(60), 'second'] });
    rig.type(`/${'x'.repeat(300)}`);
    await settle();
    check();
    rig.type('<ctrl+c><ctrl+p>');
    await settle();
    check();
    rig.type('<esc>?');
    await settle();
    check();
    rig.type('<esc>');
    rig.emit({ type: 'asked', id: 'q1', question: permission({ title: 'x'.repeat(2_000) }) });
    await settle();
    check();
    app.unmount();
  });

  test.each([[1, 1], [10, 3], [20, 6]])('at %d×%d it does not fall over', async (columns, rows) => {
    const rig = createRig({ columns, rows });
    const app = open(rig);
    talk(rig);
    rig.type('/m');
    rig.emit({ type: 'asked', id: 'q1', question: permission() });
    await settle();
    expect(app.rows().length).toBeLessThanOrEqual(rows);
  });

  test('header, chat, log, prompt and status stand where they should', async () => {
    const rig = createRig({ columns: 100, rows: 30 });
    const app = open(rig);
    talk(rig);
    await settle();
    const rows = app.rows();
    expect(rows[0]).toMatch(/^┌ MewCode ── demo ── main .*model-1 · default ┐$/);
    expect(app.text()).toContain('find the tokens');
    expect(app.text()).toMatch(/● Search .*countTokens/);
    expect(app.text()).toMatch(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /);
    expect(app.text()).toContain('esc to interrupt');
    expect(rows.at(-2)).toMatch(/^│ default ⏵ ctx /);
    expect(rows.at(-1)).toMatch(/^└─+┘$/);
  });
});

describe('keys', () => {
  test('letters reach the prompt and the cursor follows them', async () => {
    const rig = createRig();
    const app = open(rig);
    await settle();
    await app.keys('h', 'é', '日');
    expect(app.text()).toContain('> hé日');
    const row = app.rows().findIndex((text) => text.includes('> hé日'));
    expect(app.carets.at(-1)).toEqual({ x: (app.rows()[row] ?? '').indexOf('> ') + 6, y: row });
  });

  test('a burst in one chunk is the same as one by one', async () => {
    const [burst, single] = [createRig(), createRig()];
    const [a, b] = [open(burst), open(single)];
    await settle();
    await a.keys('abc def');
    await b.keys(...'abc def');
    expect(burst.driver.screen.get().editor.text).toBe(single.driver.screen.get().editor.text);
    await a.keys('one\rtwo');
    expect(burst.effects).toEqual([{ do: 'submit', text: 'abc defone' }]);
    expect(burst.driver.screen.get().editor.text).toBe('two');
  });

  test('a bracketed paste becomes a chip', async () => {
    const rig = createRig();
    const app = open(rig);
    await settle();
    await app.keys(`\x1b[200~${'line\r'.repeat(120)}\x1b[201~`);
    expect(app.text()).toContain('> [pasted 120 lines]');
  });

  test('the palette is filtered, opaque, and switches the mode', async () => {
    const rig = createRig();
    const app = open(rig);
    talk(rig);
    await settle();
    await app.keys('\x10');
    expect(app.text()).toContain('─ Commands ─');
    await app.keys(...'mode plan');
    expect(app.text()).toContain('│ > mode plan ');
    expect(app.text()).not.toContain('mode: default');
    const field = app.carets.at(-1);
    expect(app.rows()[field?.y ?? 0]?.slice(0, field?.x)).toMatch(/> mode plan$/);
    await app.keys('\r');
    expect(rig.effects).toEqual([{ do: 'setMode', mode: 'plan' }]);
    rig.emit({ type: 'mode', mode: 'plan' });
    await settle();
    expect(app.rows().at(-2)).toContain('plan ⏵');
  });

  test('slash commands are listed while they are typed', async () => {
    const rig = createRig();
    const app = open(rig);
    await settle();
    await app.keys('/', 'c');
    expect(app.text()).toContain('› /clear');
    expect(app.text()).toContain('  /compact');
    await app.keys('o', '\t');
    expect(app.text()).toContain('> /compact');
  });

  test('Ctrl-C says how to quit', async () => {
    const rig = createRig();
    const app = open(rig);
    await settle();
    await app.keys('x', CTRL_C, CTRL_C);
    expect(app.text()).toContain('press Ctrl-C again to quit');
    await app.keys(CTRL_C);
    expect(rig.effects).toEqual([{ do: 'quit', code: 0 }]);
    rig.driver.stop();
  });

  test('? shows the keys, Esc closes them', async () => {
    const rig = createRig();
    const app = open(rig);
    await settle();
    await app.keys('?');
    expect(app.text()).toMatch(/─ Keys 1–\d+ of \d+ ─/);
    expect(app.carets.at(-1)).toBe(null);
    await app.keys(ESC);
    expect(app.text()).not.toContain('─ Keys');
  });
});

describe('dialog', () => {
  test('asks over a dimmed screen, shows the draft below, and goes away with the answer', async () => {
    const rig = createRig({ level: 'ansi16' });
    const app = open(rig);
    talk(rig);
    await settle();
    await app.keys(...'draft');
    rig.emit({ type: 'asked', id: 'q1', question: permission({ view: { type: 'diff', path: 'a.ts', patch: '@@ -1 +1 @@\n-old\n+new\n' } }) });
    await settle();
    expect(app.text()).toContain('─ Allow Run? ─');
    expect(app.text()).toMatch(/old[\s\S]*new[\s\S]*y Allow once[\s\S]*a Allow for this session +Run\(npm test\)[\s\S]*n Deny[\s\S]*A Allow always/);
    expect(app.text()).toContain('> draft');
    rig.time += 1_000;
    await app.keys('y');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'allow' } }]);
    expect(app.text()).not.toContain('Allow Run?');
  });

  test('the note and the rule are typed in the dialog', async () => {
    const rig = createRig();
    const app = open(rig);
    rig.emit({ type: 'asked', id: 'q1', question: permission() });
    await settle();
    rig.time += 1_000;
    await app.keys('\t', ...'ok');
    expect(app.text()).toContain('note to the model: ok ');
    const at = app.carets.at(-1);
    expect(app.rows()[at?.y ?? 0]?.slice(0, at?.x)).toMatch(/note to the model: ok$/);
    await app.keys('\r', '4');
    expect(app.text()).toContain('rule to keep: Run(npm test*)');
    expect(app.text()).toContain('Enter keeps the rule and allows · Esc back');
    await app.keys('\r');
    expect(rig.effects).toEqual([{ do: 'answer', id: 'q1', answer: { kind: 'allow', keep: 'always', rules: ['Run(npm test*)'], note: 'ok' } }]);
  });
});

describe('chat', () => {
  test('follows the end, stands still when scrolled, and says what is new', async () => {
    const rig = createRig();
    const app = open(rig);
    long(rig, 100);
    await settle();
    expect(app.text()).toContain('message 99');
    await app.keys('\x1b[5~');
    expect(app.text()).not.toContain('message 99');
    expect(app.text()).toMatch(/↓ \d+ new/);
    const before = app.rows().slice(1, 10);
    rig.emit({ type: 'message', message: { id: 'last', role: 'assistant', parts: [{ type: 'text', text: 'the last' }], at: 0 } });
    await settle();
    expect(app.rows().slice(1, 10)).toEqual(before);
    await app.keys('\x1b[1;5F');
    expect(app.text()).toContain('the last');
    await app.keys('\x1b[1;5H');
    expect(app.text()).toContain('message 0');
  });

  test('the wheel scrolls the chat', async () => {
    const rig = createRig();
    const app = open(rig);
    long(rig, 60);
    await settle();
    rig.driver.dispatch({ type: 'wheel', x: 5, y: 5, rows: -3 });
    await settle();
    expect(app.text()).toMatch(/↓ 3 new/);
  });

  test('only the rows in sight are in the tree', async () => {
    const rig = createRig();
    const app = open(rig);
    long(rig, 2_000);
    await settle();
    expect(rig.driver.transcript.rendered()).toBeLessThan(200);
    expect(app.text()).toContain('message 1999');
  });

  test('narrow: the log is a tab', async () => {
    const rig = createRig({ columns: 80, rows: 24 });
    const app = open(rig);
    talk(rig);
    await settle();
    expect(app.text()).toContain('find the tokens');
    await app.keys('\x14');
    expect(app.text()).not.toContain('find the tokens');
    expect(app.text()).toContain('countTokens in src');
    await app.keys(ESC);
    expect(app.text()).toContain('find the tokens');
  });

  test('queued prompts stand above the draft', async () => {
    const rig = createRig();
    const app = open(rig);
    talk(rig);
    rig.emit({ type: 'queued', prompts: ['one', 'two', 'three', 'four'] });
    await settle();
    expect(app.text()).toMatch(/⋯ one[\s\S]*⋯ two[\s\S]*⋯ three {2}and 1 more[\s\S]*> /);
  });

  test('nothing is drawn while nothing happens', async () => {
    const rig = createRig();
    const app = open(rig);
    long(rig, 10);
    await settle();
    const drawn = app.frames.length;
    await new Promise((resolve) => { setTimeout(resolve, 150); });
    expect(app.frames.length).toBe(drawn);
  });
});
