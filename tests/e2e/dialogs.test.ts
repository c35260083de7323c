// Dialogs in a real terminal: what is typed while one appears answers nothing; what is edited is what runs; questions are answered.
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeProject, startMewcode } from '../helpers/mewcode.ts';
import type { Pty } from '../helpers/pty.ts';

const long = process.env['MEWCODE_LONG'] !== undefined;
const pause = (ms: number) => new Promise((resolve) => { setTimeout(resolve, ms); });
/** A person reads before answering. */
const READ_MS = 700;

const TOUCH = `
- text: one two three four five six
  rate: 12
  calls: [{name: Bash, input: {command: touch made}}]
- text: All done.
`;

/** The program with a scripted model, its first request sent. */
async function begin(script: string, options: { columns?: number; rows?: number; env?: Record<string, string> } = {}): Promise<{ app: Pty; project: string; made(): boolean }> {
  const project = makeProject();
  const file = join(makeProject(), 'script.yaml');
  writeFileSync(file, script);
  const app = startMewcode({ cwd: project, ...options, env: { MEWCODE_DEMO_SCRIPT: file, ...options.env } });
  await app.waitFor(/ctx /);
  app.write('go\r');
  return { app, project, made: () => existsSync(join(project, 'made')) };
}

const draftOf = (app: Pty) => /> (.*?)\s*│?$/.exec(app.text().split('\n').findLast((row) => /^│? ?> /.test(row)) ?? '')?.[1] ?? '';

async function typeSlowly(app: Pty, keys: readonly string[], gap: number): Promise<void> {
  for (const key of keys) {
    app.write(key);
    await pause(gap);
  }
}

const SENTENCE = 'yes 1 2 4 a y';
const kitty = (letter: string) => `\x1b[${letter.codePointAt(0)}u`;

// The guard is a matter of real time here: where the machine stops for longer than the guard between two keys, that key may answer.
describe('what is typed while a dialog appears answers nothing, and the draft stays', { retry: 2 }, () => {
  // The dialog comes somewhere in the middle: after half a second of text, while a second of keys comes in.
  const all = [0, 80, 160, 240, 320, 400, 480].flatMap((wait) => [['letters', wait], ['kitty', wait]] as const);
  test.each(long ? all : [['letters', 0], ['kitty', 300]] as const)('%s, from %d ms on', async (how, wait) => {
    const { app, made } = await begin(TOUCH);
    await app.waitFor('one');
    await pause(wait);
    await typeSlowly(app, [...SENTENCE].map((letter) => (how === 'kitty' ? kitty(letter) : letter)), 60);
    await app.waitFor('Allow Bash?');
    await app.waitFor(() => draftOf(app) === SENTENCE);
    expect(made()).toBe(false);
    await pause(READ_MS);
    app.write(how === 'kitty' ? kitty('y') : 'y');
    await app.waitFor('All done.');
    expect([made(), draftOf(app)]).toEqual([true, SENTENCE]);
  });

  test('pastes, cut anywhere, before and after it is there', async () => {
    const { app, made } = await begin(TOUCH);
    const paste = '\x1b[200~y\n1\n\x1b[201~';
    await app.waitFor('one');
    // Behind its first bytes: an escape byte that stands alone for long is the Esc key, on a machine that is slow too.
    for (let at = 6; at < paste.length; at += long ? 1 : 2) {
      app.write(paste.slice(0, at));
      await pause(20);
      app.write(paste.slice(at));
      await pause(20);
    }
    await app.waitFor('Allow Bash?');
    await pause(READ_MS);
    app.write(paste);
    await pause(READ_MS);
    expect(app.text()).toContain('Allow Bash?');
    app.write('n');
    await app.waitFor(/denied/);
    expect(made()).toBe(false);
  });

  test('two in a row: a key held down answers neither, each needs its own', async () => {
    const { app, made } = await begin(`
- calls: [{name: Bash, input: {command: touch made}}, {name: Bash, input: {command: touch second}}]
- text: All done.
`);
    await app.waitFor('Allow Bash?');
    await typeSlowly(app, Array.from({ length: 30 }, () => 'y'), 33);
    await app.waitFor(() => draftOf(app) === 'y'.repeat(30));
    expect(made()).toBe(false);
    await pause(READ_MS);
    app.write('y');
    await app.waitFor(() => made() && app.text().includes('touch second'));
    await typeSlowly(app, Array.from({ length: 10 }, () => 'n'), 33);
    await pause(READ_MS);
    app.write('y');
    await app.waitFor('All done.');
    expect(draftOf(app)).toBe('y'.repeat(30) + 'n'.repeat(10));
  });
});

test.each(long ? [[120, 36], [80, 24], [45, 12]] : [[45, 12]])('the dialog at %i x %i, and after a resize', async (columns, rows) => {
  const { app, made } = await begin(TOUCH, { columns, rows });
  await app.waitFor('Allow Bash?');
  expect(app.text()).toMatch(/touch made[^]*once[^]*[Dd]eny/);
  app.resize(60, 20);
  await app.waitFor(/Allow once/);
  await pause(READ_MS);
  app.write('y');
  await app.waitFor('All done.');
  expect(made()).toBe(true);
});

test('the command is edited first: in the dialog, then in the editor of the user', async () => {
  const editor = join(makeProject(), 'editor.sh');
  writeFileSync(editor, '#!/bin/sh\nprintf "%s\\n" "touch from-editor" >> "$1"\n');
  chmodSync(editor, 0o755);
  const { app, project } = await begin(TOUCH, { env: { EDITOR: editor } });
  await app.waitFor('Allow Bash?');
  await pause(READ_MS);
  app.write('e');
  await app.waitFor('Enter takes it over');
  app.write(' edited');
  await app.waitFor('touch made edited');
  app.write('\x0a');
  await pause(50);
  app.write('\x07');
  await app.waitFor('touch from-editor');
  await app.waitFor('as you changed it');
  await pause(READ_MS);
  app.write('y');
  await app.waitFor('All done.');
  expect(['made', 'edited', 'from-editor'].map((name) => existsSync(join(project, name)))).toEqual([true, true, true]);
});

test('questions of the model are answered one after the other', async () => {
  const { app } = await begin(`
- calls:
    - name: AskUserQuestion
      input:
        questions:
          - {question: Which store shall it be?, header: Store, options: [{label: SQLite, description: one file}, {label: Redis}]}
          - {question: Which extras?, header: Extras, multi_select: true, options: [{label: cache}, {label: log}]}
- text: Thanks.
`);
  await app.waitFor('Which store shall it be?');
  expect(app.text()).toContain('1 of 2 · Store');
  await pause(READ_MS);
  app.write('2');
  await app.waitFor('2 of 2 · Extras');
  await pause(READ_MS);
  app.write(' ');
  await app.waitFor('[x] 1 cache');
  app.write('3');
  await app.waitFor('answer:');
  app.write('my own\r');
  await app.waitFor('Thanks.');
  app.write('\x0f');
  await app.waitFor(/→ Redis[^]*→ cache; \(in their own words\) my own/);
});
