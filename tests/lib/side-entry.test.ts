// side-entry: the file of a side program is found from source and from the bundle.
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { sideEntry } from '../../src/lib/side-entry.ts';

const LIB = join(import.meta.dirname, '../../src/lib/side-entry.ts');

test('from source it is the .ts file in its room', () => {
  expect(sideEntry('tools/grep').href).toBe(pathToFileURL(join(import.meta.dirname, '../../src/tools/grep.side.ts')).href);
  expect(existsSync(sideEntry('tools/grep'))).toBe(true);
});

test('from the bundle it is the .js file beside it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'side-'));
  writeFileSync(join(folder, 'main.ts'), `export { sideEntry } from ${JSON.stringify(LIB)};`);
  const outfile = join(folder, 'main.js');
  await build({ entryPoints: [join(folder, 'main.ts')], outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'silent' });
  const bundled = (await import(pathToFileURL(outfile).href)) as { sideEntry: typeof sideEntry };
  expect(bundled.sideEntry('tools/grep').href).toBe(pathToFileURL(join(folder, 'grep.side.js')).href);
});
