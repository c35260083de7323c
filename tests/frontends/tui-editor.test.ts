// A text in the editor of the user's choice: what comes back, and what is said when nothing does.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { editText } from '../../src/frontends/tui-editor.ts';

const folder = mkdtempSync(join(tmpdir(), 'mewcode-editor-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An editor that is a shell script. */
function editor(script: string): string {
  const path = join(folder, `editor-${Math.random().toString(36).slice(2)}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const edit = (text: string, env: NodeJS.ProcessEnv) => editText(text, { env: { PATH: process.env['PATH'], ...env }, cwd: folder });

test.each<[string, string, string, string]>([
  ['changed', 'printf "b\\n" >> "$1"', 'a\n', 'a\nb\n'],
  ['the last line end is the editor\'s', 'printf "new\\n" > "$1"', 'old', 'new'],
  ['left as it is', ':', 'a', 'a'],
])('%s', async (_name, script, text, wanted) => {
  expect(await edit(text, { EDITOR: editor(script) })).toBe(wanted);
});

test('VISUAL comes first and may have arguments; keys of ours stay here; the file is private and gone afterwards', async () => {
  const notes = join(folder, 'notes');
  const visual = editor(`env > ${notes}; ls -l "$2" >> ${notes}; echo "$1" > "$2"; echo "$2" > ${notes}.path`);
  expect(await edit('x', { EDITOR: '/nowhere', VISUAL: `${visual} --wait`, ANTHROPIC_API_KEY: 'sk-secret' })).toBe('--wait');
  expect(readFileSync(notes, 'utf8')).not.toContain('sk-secret');
  expect(readFileSync(notes, 'utf8')).toContain('-rw-------');
  expect(existsSync(readFileSync(`${notes}.path`, 'utf8').trim())).toBe(false);
});

test.each<[string, NodeJS.ProcessEnv, RegExp]>([
  ['no such program', { EDITOR: '/nowhere/ed' }, /^The editor \/nowhere\/ed could not be started/],
  ['the editor says to forget it', { EDITOR: 'false' }, /^The editor false ended with 1: nothing was taken over\.$/],
  ['none at all', { PATH: folder }, /^There is no editor to open\.$/],
])('%s', async (_name, env, said) => {
  await expect(edit('x', env)).rejects.toThrow(said);
});
