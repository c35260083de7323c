// LS: the tree as it is drawn, what is left out, where it is cut.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ls } from '../../src/tools/ls.ts';
import type { ToolResult } from '../../src/types/tool.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

let ctx: TestContext;
beforeEach(() => {
  ctx = toolContext({ hidden: (path) => path.endsWith('/.env') });
  for (const path of ['src/lib/deep/x.ts', 'src/a.ts', 'README.md', '.env', '.github/ci.yml', 'node_modules/m/i.js', 'out/o.js']) ctx.put(path, '');
  ctx.put('.gitignore', 'out/\n');
  mkdirSync(join(ctx.root, 'empty'));
  symlinkSync('/etc', join(ctx.root, 'etc'));
});
afterEach(() => ctx.dispose());

const list = (options: { path?: string; depth?: number; limit?: number } = {}): Promise<ToolResult> => ls().run({ path: '.', depth: 2, limit: 200, ...options }, ctx);

test.each<[object, string[]]>([
  [{}, ['.github/', '  ci.yml', 'empty/', 'src/', '  lib/', '  a.ts', '.gitignore', 'README.md', 'etc -> /etc']],
  [{ depth: 1 }, ['.github/', 'empty/', 'src/', '.gitignore', 'README.md', 'etc -> /etc']],
  [{ path: 'src', depth: 9 }, ['lib/', '  deep/', '    x.ts', 'a.ts']],
  [{ path: 'out' }, ['o.js']],
  [{ limit: 7 }, ['.github/', '  ci.yml', 'empty/', 'src/', '.gitignore', 'README.md', 'etc -> /etc', '[Cut at 7 entries. List a folder below, or raise limit.]']],
  [{ limit: 9 }, ['.github/', '  ci.yml', 'empty/', 'src/', '  lib/', '  a.ts', '.gitignore', 'README.md', 'etc -> /etc']],
])('%j', async (options, lines) => {
  expect(await list(options)).toEqual({ ok: true, text: lines.join('\n') });
});

test('empty folders, files and missing paths', async () => {
  expect(await list({ path: 'empty' })).toEqual({ ok: true, text: 'empty is empty, or has only what listings leave out.' });
  expect(await list({ path: 'README.md' })).toEqual({ ok: false, text: 'README.md is not a folder. Read a file with ReadFile.' });
  expect(await list({ path: 'emty' })).toEqual({ ok: false, text: 'There is no emty. Did you mean empty?' });
  await expect(list({ path: 'etc' })).rejects.toThrow('outside');
});
