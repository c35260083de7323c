// Ctrl-G: a text in the editor of the user's choice.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../lib/find-program.ts';
import { childEnv, runOnTerminal } from '../lib/spawn.ts';
import { sentenceOf, UserError } from '../types/user-error.ts';

/** Where editors find their settings and the display. */
const PASSED = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'VIMINIT', 'EDITOR', 'VISUAL', 'ALTERNATE_EDITOR'];

/** `text` as it stands when the editor has ended; its last line end is the editor's, not the text's. Rejects with a `UserError`. The terminal must have been handed over. */
export async function editText(text: string, { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string }): Promise<string> {
  const childs = childEnv(env, PASSED);
  const named = env['VISUAL'] || env['EDITOR'];
  const argv = named ? named.trim().split(/\s+/) : ['nano', 'vi'].flatMap((name) => findProgram(name, childs) ?? []).slice(0, 1);
  if (argv.length === 0) throw new UserError('There is no editor to open.', 'Set EDITOR, for example EDITOR=nano or EDITOR="code --wait".');
  const folder = await mkdtemp(join(tmpdir(), 'mewcode-edit-'));
  const file = join(folder, 'text.txt');
  try {
    await writeFile(file, text, { mode: 0o600 });
    const code = await runOnTerminal([...argv, file], { cwd, env: childs }).catch((error: unknown) => {
      throw new UserError(`The editor ${argv[0]} could not be started (${sentenceOf(error)}).`, 'Change EDITOR or VISUAL.');
    });
    // Editors have a way to say "forget it": `:cq` in vi.
    if (code !== 0) throw new UserError(`The editor ${argv[0]} ended with ${code ?? 'a signal'}: nothing was taken over.`);
    const changed = await readFile(file, 'utf8');
    return text.endsWith('\n') ? changed : changed.replace(/\r?\n$/, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
