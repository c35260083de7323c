// Finds a program as a shell would.
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Absolute path of `name` on the PATH of `env`. Relative entries of PATH are passed over: a project must not bring its own programs. */
export function findProgram(name: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder)).map((folder) => join(folder, name + suffix)).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
