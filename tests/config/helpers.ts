// Throw-away homes and projects, loaded as the program would load them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { loadConfig, type Loaded, type LoadOptions } from '../../src/config/load.ts';
import { findPaths, type Paths } from '../../src/config/paths.ts';
import { UserError } from '../../src/types/user-error.ts';

const made: string[] = [];
afterAll(() => { for (const folder of made) rmSync(folder, { recursive: true, force: true }); });

/** An empty folder that goes with the tests. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mew-config-')));
  made.push(folder);
  return folder;
}

/** Files by path: `~/…` in the home, anything else in the project. */
export type World = { files?: Record<string, string>; env?: Record<string, string>; flags?: LoadOptions['flags']; file?: string; trusted?: boolean };

export type Made = { home: string; project: string; paths: Paths; load(more?: Partial<LoadOptions>): Promise<Loaded>; write(name: string, text: string): void };

export function makeWorld({ files = {}, env = {}, flags, file, trusted }: World): Made {
  const base = makeFolder();
  const home = join(base, 'home');
  const project = join(home, 'project');
  const write = (name: string, text: string) => {
    const path = name.startsWith('~/') ? join(home, name.slice(2)) : join(project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  mkdirSync(join(project, '.git'), { recursive: true });
  for (const [name, text] of Object.entries(files)) write(name, text);
  const full = { ...env, HOME: home };
  return {
    home, project, write,
    paths: findPaths({ cwd: project, env: full }),
    load: (more) => loadConfig({ cwd: project, env: full, flags, file, trusted, ...more }),
  };
}

/** The whole text of the error, or what was loaded instead. */
export async function faultsOf(world: World): Promise<string | Loaded> {
  try {
    return await makeWorld(world).load();
  } catch (error) {
    if (error instanceof UserError) return error.text;
    throw error;
  }
}
