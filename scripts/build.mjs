// Builds dist/: one split bundle from src/main.ts and from every side entry (src/**/*.side.ts). `--if-needed` skips when dist/ is newer than all that goes in.
import { chmodSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { PLAIN } from '../src/lib/width.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const inputs = ['package.json', 'scripts/build.mjs', ...globSync('{src,components,hooks}/**/*.{ts,tsx,json}', { cwd: root })];
const stamp = join(root, 'dist', '.built');

/** What packages do that costs too much for us. A package that has changed so that a patch does not fit fails the build. */
const PATCHES = [
  {
    // What every text is measured with. At load it makes an Intl.Segmenter (11 ms) and compiles the table of all emoji (12 ms): both wait here until a text needs them.
    path: 'string-width/index.js',
    replace: [
      ['const segmenter = new Intl.Segmenter();', 'let segmenter;'],
      ['of segmenter.segment(', 'of (segmenter ??= new Intl.Segmenter()).segment('],
      ['const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;', 'let emoji; const rgiEmojiRegex = { test: (one) => (emoji ??= /^\\p{RGI_Emoji}$/v).test(one) };'],
      ['/^[\\u0020-\\u007E]*$/.test(', `${PLAIN}.test(`],
    ],
  },
  {
    // Half of all the time that a streamed answer costs goes here without it.
    path: 'ink/build/output.js',
    replace: [['export default class Output', `import { keepingRows } from ${JSON.stringify(join(root, 'src/terminal/ink-output.ts'))};\nclass Output`]],
    append: 'export default keepingRows(Output);',
  },
  {
    // It would fetch its own bytes from a data: URL, and so load all that a fetch needs (20 ms).
    path: 'yoga-layout/dist/binaries/yoga-wasm-base64-esm.js',
    replace: [['function ya(){return w||"function"!=typeof fetch?', 'function ya(){return true?']],
  },
  {
    // Asked about every text twice a frame, nearly always about the same ones.
    path: 'ink/build/sanitize-ansi.js',
    replace: [['export default sanitizeAnsi;', '']],
    append: `const known = new Map();
      export default (text) => {
        let sane = known.get(text);
        if (sane === undefined) {
          if (known.size >= 2_000) known.clear();
          known.set(text, sane = sanitizeAnsi(text));
        }
        return sane;
      };`,
  },
];

const patchPackages = {
  name: 'patch-packages',
  setup({ onLoad }) {
    for (const { path, replace, append = '' } of PATCHES) {
      onLoad({ filter: new RegExp(`node_modules/${path.replaceAll('.', '\\.')}$`) }, (args) => {
        let contents = readFileSync(args.path, 'utf8');
        for (const [old, quick] of replace) {
          if (contents.split(old).length !== 2) throw new Error(`${path} has changed: ${old} is not there once.`);
          contents = contents.replace(old, () => quick);
        }
        return { contents: `${contents}\n${append}` };
      });
    }
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
    plugins: [patchPackages],
    alias: { 'react-devtools-core': './scripts/empty.mjs' },
    // CommonJS packages inside an ESM bundle still call require().
    banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
    logLevel: 'warning',
  });
  chmodSync(join(root, 'dist', 'main.js'), 0o755);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, inputs.join('\n'));
}
