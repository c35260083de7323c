// Starts the built program as a user would: in a PTY, in a project folder of its own, with a home of its own.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startPty, type Pty, type PtyOptions } from './pty.ts';

export const ROOT = join(import.meta.dirname, '../..');
/** The built program. */
export const MAIN = join(ROOT, 'dist/main.js');

const folders: string[] = [];
process.once('exit', () => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder that is gone when the process ends. */
function makeFolder(kind: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `mewcode-${kind}-`)));
  folders.push(folder);
  return folder;
}

/** A fresh project folder with the given files; a git repository where `git` says so. */
export function makeProject(files: Readonly<Record<string, string>> = {}, options: { git?: boolean } = {}): string {
  const folder = makeFolder('project');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  if (options.git) execFileSync('git', ['init', '-q', '-b', 'main', folder]);
  return folder;
}

/** The program in a PTY. `config` becomes the user's config.yaml. */
export function startMewcode(options: Omit<PtyOptions, 'file'> & { cwd: string; config?: string; args?: readonly string[] }): Pty {
  const home = makeFolder('home');
  if (options.config !== undefined) writeFileSync(join(home, 'config.yaml'), options.config);
  return startPty({ ...options, file: process.execPath, args: [MAIN, ...(options.args ?? [])], env: { MEWCODE_HOME: home, MEWCODE_DEMO_RATE: '0', ...options.env } });
}
