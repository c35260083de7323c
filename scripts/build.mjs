// Builds dist/: one split bundle from src/main.ts and from every side entry (src/**/*.side.ts). `--if-needed` skips when dist/ is newer than all that goes in.
import { chmodSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { PLAIN } from '../src/lib/width.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const inputs = ['package.json', 'scripts/build.mjs', ...globSync('{src,components,hooks}/**/*.{ts,tsx,json}', { cwd: root })];
const stamp = join(root, 'dist', '.built');

/**
 * string-width is what Ink measures every text with. At load it makes an Intl.Segmenter (11 ms) and at the first box
 * character it compiles the table of all emoji (13 ms): both wait here until a text needs them.
 */
const quickStringWidth = {
  name: 'quick-string-width',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules\/string-width\/index\.js$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8');
      for (const [old, quick] of [
        ['const segmenter = new Intl.Segmenter();', 'let segmenter;'],
        ['of segmenter.segment(', 'of (segmenter ??= new Intl.Segmenter()).segment('],
        ['/^[\\u0020-\\u007E]*$/.test(', `${PLAIN}.test(`],
      ]) {
        if (contents.split(old).length !== 2) throw new Error(`string-width has changed: ${old} is not there once.`);
        contents = contents.replace(old, () => quick);
      }
      return { contents };
    });
  },
};

function isFresh() {
  try {
    const built = statSync(stamp).mtimeMs;
    // The list of inputs is compared too: a removed file changes no time.
    return readFileSync(stamp, 'utf8') === inputs.join('\n') && inputs.every((file) => statSync(join(root, file)).mtimeMs <= built);
  } catch {
    return false;
  }
}

if (!process.argv.includes('--if-needed') || !isFresh()) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts', ...globSync('src/**/*.side.ts', { cwd: root })],
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.12',
    minify: true,
    legalComments: 'linked',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"', MEWCODE_VERSION: JSON.stringify(version) },
    // Ink reaches for the dev tools only with DEV=true; left external they would become a static import that fails.
    plugins: [quickStringWidth],
    alias: { 'react-devtools-core': './scripts/empty.mjs' },
    // CommonJS packages inside an ESM bundle still call require().
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    logLevel: 'warning',
  });
  chmodSync(join(root, 'dist', 'main.js'), 0o755);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, inputs.join('\n'));
}
