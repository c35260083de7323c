// Finds a program as a shell would.
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';

/**
 * Absolute path of `name` on the PATH of `env`. Relative entries of PATH are passed over, and those inside of `outside` (real paths): a project
 * must not bring the programs that run without a sandbox, as it could where `npx` has put its `node_modules/.bin` on the PATH.
 */
export function findProgram(name: string, env: Readonly<Record<string, string | undefined>>, { outside = [] }: { outside?: readonly string[] } = {}): string | undefined {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return (env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder)).map((folder) => join(folder, name + suffix)).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      const folder = `${realpathSync(dirname(path))}${sep}`;
      return !outside.some((one) => folder.startsWith(`${one}${sep}`));
    } catch {
      return false;
    }
  });
}
