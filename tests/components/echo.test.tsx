// The echo of a key comes before the frame of the components, and the frame finds nothing left to change.
import * as fc from 'fast-check';
import { render } from 'ink';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { App } from '../../components/App.tsx';
import { createScreen } from '../../src/terminal/screen.ts';
import { echoDraft } from '../../src/ui/echo.ts';
import { createFakeOutput } from '../helpers/fake-tty.ts';
import { createRig, permission, settle } from './fixtures.ts';

const stdin = () => Object.assign(new EventEmitter(), { isTTY: true, setRawMode() {}, setEncoding() {}, ref() {}, unref() {}, pause() {}, resume() {}, read: () => null }) as unknown as NodeJS.ReadStream;

async function start(columns: number, rows: number) {
  const rig = createRig({ columns, rows, level: 'truecolor' });
  const terminal = createFakeOutput(columns, rows);
  const screen = createScreen(terminal.output, { fps: Infinity });
  echoDraft(rig.driver, screen.patch);
  const ink = render(<App driver={rig.driver} placeCaret={screen.setCursor} />, { stdout: screen.stdout, stdin: stdin(), debug: true, interactive: true, exitOnCtrlC: false, patchConsole: false });
  const rest = async () => { await settle(); await terminal.settle(); };
  await rest();
  return { rig, terminal, screen, ink, rest };
}

test.each([[100, 30], [60, 14], [40, 10]])('%d×%d: a typed letter is written before anything is rendered, and not again', async (columns, rows) => {
  const { rig, terminal, ink, rest } = await start(columns, rows);
  rig.type('x');
  await rest();
  const { length } = terminal.written();
  rig.type('é');
  const echoed = terminal.written().slice(length);
  await rest();
  expect({ echoed: echoed.includes('é'), later: terminal.written().slice(length + echoed.length), cursor: terminal.cursor().visible }).toEqual({ echoed: true, later: '', cursor: true });
  ink.unmount();
});

test('what lies over the prompt, or moves it, waits for the frame', async () => {
  const { rig, terminal, ink, rest } = await start(100, 30);
  const echoes = async (keys: string) => {
    const { length } = terminal.written();
    rig.type(keys);
    const bytes = terminal.written().length - length;
    await rest();
    return bytes > 0;
  };
  const seen = [await echoes('a'), await echoes('<backspace>'), await echoes('a'), await echoes('<ctrl+j>'), await echoes('b'), await echoes('<ctrl+p>'), await echoes('c')];
  rig.emit({ type: 'asked', id: 'q1', question: permission() });
  await rest();
  seen.push(await echoes('d'));
  expect(seen).toEqual([true, false, true, false, true, false, false, false]);
  ink.unmount();
});

test('after any keys the terminal shows the frame, and nothing but', async () => {
  const key = fc.constantFrom('a', 'Z', ' ', '你', '👍🏽', '/', '?', '<left>', '<right>', '<ctrl+a>', '<backspace>', '<ctrl+w>', '<ctrl+j>', '<enter>', '<ctrl+p>', '<esc>', '<up>', '<ctrl+c>');
  const step = fc.oneof({ weight: 5, arbitrary: key }, { weight: 1, arbitrary: fc.constantFrom('busy', 'idle', 'rest', 'queue') });
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.constantFrom([100, 30], [64, 15], [30, 8]), async (steps, [columns = 0, rows = 0]) => {
    const { rig, terminal, screen, ink, rest } = await start(columns, rows);
    for (const one of steps) {
      if (one === 'rest') await rest();
      else if (one === 'busy') rig.emit({ type: 'turn_started' });
      else if (one === 'idle') rig.emit({ type: 'turn_ended', why: 'end' });
      else if (one === 'queue') rig.emit({ type: 'queued', prompts: ['later'] });
      else rig.type(one);
    }
    await rest();
    // The spinner may have turned meanwhile, or a second have passed.
    const picture = () => ({ cells: terminal.cells().map((row) => (/[\u2800-\u28ff]/.test(row) ? 'spinner' : row)), cursor: terminal.cursor().visible && terminal.cursor() });
    const shown = picture();
    screen.repaint();
    rig.driver.dispatch({ type: 'recoloured' });
    await rest();
    expect(shown).toEqual(picture());
    ink.unmount();
  }), { numRuns: process.env['MEWCODE_LONG'] ? 400 : 20 });
}, 300_000);
