// A plain Files over the real disk, for tests of tools: no judged facts, but the roots hold.
import { mkdir, open, readFile, realpath, rm, stat, chmod, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { Files } from '../../src/types/tool.ts';
import { UserError } from '../../src/types/user-error.ts';

/** `root` must be a real path. `hidden` gets absolute paths. */
export function diskFiles(root: string, hidden: (path: string) => boolean = () => false): Files {
  const absolute = (path: string) => resolve(root, path);
  const inside = async (path: string): Promise<string> => {
    const real = await realpath(absolute(path)).catch(() => absolute(path));
    const way = relative(root, real);
    if (way.startsWith('..') || isAbsolute(way)) throw new UserError(`${path} is outside the project.`);
    return real;
  };
  return {
    resolve: absolute,
    async stat(path) {
      const real = await inside(path);
      const info = await stat(real).catch(() => null);
      return info && { path: real, kind: info.isFile() ? 'file' : info.isDirectory() ? 'folder' : 'other', size: info.size, mtimeMs: info.mtimeMs, mode: info.mode & 0o7777 };
    },
    async read(path, range) {
      const real = await inside(path);
      if (!range) return readFile(real);
      const file = await open(real);
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(range.end - range.start), 0, range.end - range.start, range.start);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    async write(path, bytes, options = {}) {
      const real = await inside(path);
      const mode = options.mode ?? await stat(real).then((info) => info.mode & 0o777, () => undefined);
      await mkdir(dirname(real), { recursive: true });
      await writeFile(real, bytes);
      if (mode !== undefined) await chmod(real, mode);
    },
    async remove(path) {
      await rm(await inside(path));
    },
    hidden,
    seen: new Map(),
  };
}
