// A ToolContext on a real temporary folder, for tests of tools.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { childEnv } from '../../src/lib/spawn.ts';
import type { ToolContext } from '../../src/types/tool.ts';
import { diskFiles } from './files.ts';

export type TestContext = ToolContext & {
  root: string;
  /** What was reported by `progress`. */
  progressed: string[];
  /** Writes a file below the root, its folders with it; gives its absolute path. */
  put(path: string, content: string | Uint8Array): string;
  dispose(): void;
};

export function toolContext(options: { signal?: AbortSignal; hidden?(path: string): boolean; env?: Record<string, string> } = {}): TestContext {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-tools-')));
  const progressed: string[] = [];
  return {
    root, progressed, callId: 'call-1', cwd: root, roots: [root],
    signal: options.signal ?? new AbortController().signal,
    files: diskFiles(root, options.hidden),
    env: options.env ?? childEnv(process.env),
    progress: (text) => progressed.push(text),
    ask: () => Promise.resolve({ kind: 'dismissed' }),
    wrap: (argv) => [...argv],
    spillFile: null,
    mask: (text) => text,
    put(path, content) {
      const full = join(root, path);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content);
      return full;
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}
