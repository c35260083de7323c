// The dialogs as rows: everything in sight or within reach, nothing hidden.
import { describe, expect, test } from 'vitest';
import { reveal } from '../../src/lib/clean.ts';
import { columnsOf, unpainted } from '../../src/lib/width.ts';
import type { Question } from '../../src/types/question.ts';
import { createDialog } from '../../src/ui/dialog.ts';
import { dialogPicture } from '../../src/ui/dialog-rows.ts';
import { createTheme } from '../../src/ui/themes.ts';
import { createRig, permission } from '../components/fixtures.ts';

/** A command as the pipeline shows it. */
const text = (command: string): Partial<Extract<Question, { kind: 'permission' }>> => ({ title: 'x', view: { type: 'terminal', command, output: '' } });

describe('rows', () => {
  const theme = createTheme('dark', 'truecolor');
  const dialog = createDialog('q1', 0);
  const show = (question: Question, width = 60, height = 18, state = dialog) => dialogPicture(question, state, { width, height, theme }).rows.map(unpainted);

  test('a command is shown whole, with nothing hidden in it', () => {
    const command = `echo hi${' '.repeat(80)}\u202e; rm -rf x\u200b\tend    of it\n\n\n\n\n\n\n\nhere`;
    const shown = show(permission(text(command)), 60, 20).map((row) => row.slice(2, -2).trimEnd()).join('');
    expect(shown).toContain(`echo hi⟨80 blanks⟩${reveal('\u202e; rm -rf x\u200b')}→end····of it⟨7 empty lines⟩here`);
  });

  test('so is a diff', () => {
    const patch = `@@ -1 +1 @@\n-        old\n+        new${' '.repeat(90)}evil()\u2066\n`;
    const shown = show(permission({ title: 'a.ts', view: { type: 'diff', path: 'a.ts', patch } })).join('\n');
    expect(shown).toContain('-         old');
    expect(shown).toContain('+         new⟨90 blanks⟩evil()⟨U+2066⟩');
  });

  test.each([
    ['a command', text(`echo ${'x'.repeat(30_000)} EVIL`)], ['a diff', { view: { type: 'diff' as const, path: 'a', patch: `@@ -1 +1 @@\n-a\n+${'x'.repeat(30_000)} EVIL\n` } }],
    ['a long diff', { view: { type: 'diff' as const, path: 'a', patch: `@@ -0,0 +1,5001 @@\n${'+a line\n'.repeat(5_000)}+EVIL\n` } }], ['an argument', { call: { id: 'c', name: 'Call', input: { a: `${'x'.repeat(30_000)} EVIL` } } }],
  ])('%s has an end, however long it is', (_name, extra) => {
    expect(show(permission(extra), 76, 18, { ...dialog, top: 1e9 }).join('\n')).toContain('EVIL');
  });

  test('a call that shows nothing of itself shows all its arguments', () => {
    const shown = show(permission({ title: 'x', call: { id: 'c', name: 'Call', input: { url: 'http://a\u202e/', deep: { n: 1 } } } })).join('\n');
    expect(shown).toContain('url: http://a⟨U+202E⟩/');
    expect(shown).toContain('"n": 1');
  });

  test('the commands that need the answer are marked, with folder, layer, reason and what would make it silent', () => {
    const shown = show(permission({ ...text('git status && npm test'), commands: [{ source: 'git status', asks: false }, { source: 'npm test', asks: true }] })).join('\n');
    for (const part of ['▶ npm test', '  git status', 'in /home/me/demo', 'mode: mode default asks before it runs anything', 'not asked again with the rule Run(npm test*)']) expect(shown).toContain(part);
  });

  test('who asks and how many more wait stands in the title', () => {
    const { rows } = dialogPicture(permission(), dialog, { width: 60, height: 18, theme, agent: 'main/2', waiting: 3 });
    expect(unpainted(rows[0] ?? '')).toContain('Allow Run? · asked by main/2 · 3 more');
  });

  test('rows fill the width and fit the height; the answers stay in sight under a long command', () => {
    const long = permission(text(Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n')));
    for (const [width, height] of [[40, 7], [40, 10], [60, 14], [110, 30]] as const) {
      const rows = show(long, width, height);
      expect(rows.length).toBeLessThanOrEqual(height);
      expect(rows.filter((row) => columnsOf(row) !== width)).toEqual([]);
      expect(rows.join('\n')).toMatch(/once[\s\S]*[Dd]eny/);
      expect(rows.join('\n')).toMatch(/lines 1–\d+ of 10/);
    }
  });

  test('PageDown scrolls to the last line and no further', () => {
    const rig = createRig({ columns: 80, rows: 24 });
    rig.emit({ type: 'asked', id: 'q1', question: permission(text(Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n'))) });
    rig.type('<pagedown>'.repeat(60));
    expect(rig.driver.screen.get().dialog?.top).toBeGreaterThan(80);
    expect(rig.driver.screen.get().dialog?.top).toBeLessThan(100);
    expect(dialogPicture(permission(text('x\n'.repeat(99))), dialog, { width: 76, height: 18, theme }).body.rows).toBe(99);
  });

  test('reasons that have no room scroll with the command', () => {
    const rows = show(permission(text('npm test')), 40, 8, { ...dialog, top: 9 }).join('\n');
    expect(rows).toContain('not asked again');
  });
});
