// What the tools cost, each as a multiple of the least that such work can cost, measured in the same run. Run: npx node bench/tools.ts [10000 100000]
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync, writeSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatherFacts } from '../src/permissions/facts.ts';
import { isHidden, openFiles } from '../src/permissions/paths.ts';
import { childEnv } from '../src/lib/spawn.ts';
import { findProgram } from '../src/lib/find-program.ts';
import { applyPatch } from '../src/tools/apply-patch.ts';
import { editFile } from '../src/tools/edit-file.ts';
import { gitStatus } from '../src/tools/git-status.ts';
import { glob } from '../src/tools/glob.ts';
import { grep } from '../src/tools/grep.ts';
import { ls } from '../src/tools/ls.ts';
import { readFile } from '../src/tools/read-file.ts';
import type { Tool, ToolContext, ToolResult } from '../src/types/tool.ts';

/** One line of the table. `floor` does the least that has to be done; `most` is the multiple of it that we hold ourselves to. */
type Row = { name: string; floor: string; least(): unknown; run(): Promise<unknown>; most?: number };

const RUNS = 5;
const SENSITIVE = ['.env', '.env.*', '!.env.example', '*.pem', '*.key', '*.p12', '**/secrets/**', '**/credentials/**', '.git/config', 'id_rsa*', 'id_ed25519*', '.npmrc', '.netrc'];

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;
const time = async (run: () => unknown): Promise<number> => {
  const start = performance.now();
  await run();
  return performance.now() - start;
};

/** Prints one row. The two take turns, so that a busy moment meets both. */
async function measure({ name, floor, least, run, most }: Row): Promise<void> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  await run();
  await least();
  for (let round = 0; round < RUNS; round++) {
    theirs.push(await time(least));
    ours.push(await time(run));
  }
  const ratio = median(ours) / median(theirs);
  console.log(`  ${name.padEnd(44)} ${median(ours).toFixed(1).padStart(8)} ms  ${ratio.toFixed(2).padStart(7)} × ${floor} (${median(theirs).toFixed(1)} ms)${most === undefined ? '' : `, at most ${most}: ${ratio <= most ? 'ok' : 'MISSED'}`}`);
}

async function contextFor(root: string, signal = new AbortController().signal, writes: readonly string[] = []): Promise<ToolContext> {
  const facts = await gatherFacts(writes.map((target) => ({ kind: 'write', target })), { cwd: root, roots: [root], home: root });
  return {
    callId: 'bench', cwd: root, roots: [root], signal, env: childEnv(process.env), progress: () => {}, mask: (text) => text, ask: () => Promise.resolve({ kind: 'dismissed' }), wrap: (argv) => [...argv], spillFile: null,
    files: openFiles({ roots: [root], facts, seen: new Map(), hidden: isHidden(SENSITIVE, [root]) }),
  };
}

/** A call with its defaults filled in. A result that is no success would be quick for the wrong reason. */
async function call<I>(tool: Tool<I>, raw: object, ctx: ToolContext): Promise<ToolResult> {
  const parsed = tool.parse(raw);
  if (!parsed.ok) throw new Error(parsed.problem);
  const result = await tool.run(parsed.value, ctx);
  if (!result.ok) throw new Error(result.text);
  return result;
}

/** Source-like files, fifty to a folder, the same in every run. One in 500 has a needle. */
function makeTree(root: string, files: number): void {
  const words = 'alpha beta gamma delta const function return import export value index name path file line text'.split(' ');
  let seed = 1;
  const pick = (count: number) => (((seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) >>> 8) % count);
  for (let number = 0; number < files; number++) {
    const folder = join(root, `p${Math.floor(number / 50) % 40}`, `m${Math.floor(number / 2_000)}`);
    if (number % 50 === 0) mkdirSync(folder, { recursive: true });
    const lines = Array.from({ length: 20 + pick(40) }, () => Array.from({ length: 3 + pick(8) }, () => words[pick(words.length)]).join(' '));
    if (pick(500) === 0) lines.push('a needle in here');
    writeFileSync(join(folder, `f${number % 50}.${['ts', 'js', 'md', 'json'][number % 4]}`), `${lines.join('\n')}\n`);
  }
  writeFileSync(join(root, '.gitignore'), 'dist/\n*.log\n');
}

/** How long after the call the first result is told, and how long after a cancel the call is over. */
async function promptness<I>(name: string, tool: Tool<I>, raw: object, root: string): Promise<void> {
  const [firsts, ends]: [number[], number[]] = [[], []];
  for (let round = 0; round < RUNS; round++) {
    const start = performance.now();
    let first: number | undefined;
    await call(tool, raw, { ...await contextFor(root), progress: () => { first ??= performance.now() - start; } });
    if (first !== undefined) firsts.push(first);
    const controller = new AbortController();
    const running = call(tool, raw, await contextFor(root, controller.signal)).catch(() => {});
    await new Promise((resolve) => { setTimeout(resolve, 60); });
    controller.abort();
    ends.push(await time(() => running));
  }
  console.log(`  ${name.padEnd(44)} first result after ${median(firsts).toFixed(0)} ms, over ${Math.max(...ends).toFixed(0)} ms after a cancel at most`);
}

async function benchTree(files: number, folder: string): Promise<void> {
  const root = join(folder, String(files));
  mkdirSync(root);
  makeTree(root, files);
  const ctx = await contextFor(root);
  const rg = findProgram('rg', process.env);
  /** Read through a pipe as any program would, not into one buffer. */
  const ripgrep = (...args: string[]) => () => new Promise((resolve) => {
    const child = spawn(rg ?? 'rg', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    child.on('close', resolve);
  });
  const walk = (at: string): void => { for (const entry of readdirSync(at, { withFileTypes: true })) if (entry.isDirectory()) walk(join(at, entry.name)); };
  console.log(`\n${files.toLocaleString('en')} files`);
  const [plain, builtIn] = [grep(), grep({ ripgrep: false })];
  if (rg === undefined) console.log('  ripgrep is not installed: Grep is only measured against itself.');
  const rows: Row[] = rg === undefined ? [] : [
    { name: 'Grep, a rare word', floor: 'rg', least: ripgrep('needle', './'), run: () => call(plain, { pattern: 'needle' }, ctx), most: 1.5 },
    { name: 'Grep, a rare word, all matches', floor: 'rg', least: ripgrep('needle', './'), run: () => call(plain, { pattern: 'needle', limit: 1_000 }, ctx), most: 1.5 },
    { name: 'Grep, a word in every file', floor: 'rg', least: ripgrep('alpha', './'), run: () => call(plain, { pattern: 'alpha' }, ctx), most: 1.5 },
    { name: 'Grep, files with it', floor: 'rg -l', least: ripgrep('-l', 'alpha', './'), run: () => call(plain, { pattern: 'alpha', output: 'files' }, ctx), most: 1.5 },
    { name: 'Grep, an expression', floor: 'rg', least: ripgrep('\\w+edle\\s\\w', './'), run: () => call(plain, { pattern: '\\w+edle\\s\\w' }, ctx), most: 1.5 },
    { name: 'Grep without ripgrep, a rare word', floor: 'rg', least: ripgrep('needle', './'), run: () => call(builtIn, { pattern: 'needle' }, ctx), most: 10 },
    { name: 'Grep without ripgrep, a word in every file', floor: 'rg', least: ripgrep('alpha', './'), run: () => call(builtIn, { pattern: 'alpha' }, ctx), most: 10 },
    { name: 'Grep without ripgrep, an expression', floor: 'rg', least: ripgrep('\\w+edle\\s\\w', './'), run: () => call(builtIn, { pattern: '\\w+edle\\s\\w' }, ctx), most: 10 },
    { name: 'Glob, a quarter of the files', floor: 'rg --files', least: ripgrep('--files', '--glob=*.ts'), run: () => call(glob(), { pattern: '**/*.ts' }, ctx), most: 10 },
    { name: 'Glob, all files', floor: 'rg --files', least: ripgrep('--files'), run: () => call(glob(), { pattern: '**' }, ctx), most: 10 },
  ];
  rows.push(
    { name: 'Glob, one folder', floor: 'readdir', least: () => walk(join(root, 'p1')), run: () => call(glob(), { pattern: 'p1/**/*.md' }, ctx) },
    { name: 'LS, two levels', floor: 'readdir', least: () => { for (const name of readdirSync(root)) if (name.startsWith('p')) readdirSync(join(root, name), { withFileTypes: true }); }, run: () => call(ls(), {}, ctx) },
  );
  for (const row of rows) await measure(row);
  await promptness('Grep', plain, { pattern: 'needle' }, root);
  await promptness('Grep without ripgrep', builtIn, { pattern: '\\w+edle\\s\\w' }, root);
  await promptness('Glob', glob(), { pattern: '**/*.ts' }, root);
  if (files > 20_000) return;
  for (const args of [['init', '-q'], ['add', '-A'], ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x']]) execFileSync('git', args, { cwd: root });
  await measure({ name: 'GitStatus', floor: 'git status', least: () => spawnSync('git', ['status'], { cwd: root }), run: () => call(gitStatus(), {}, ctx) });
}

async function benchReads(folder: string): Promise<void> {
  const root = join(folder, 'reads');
  mkdirSync(root);
  const ctx = await contextFor(root);
  const small = Array.from({ length: 8 }, (_, n) => join(root, `small-${n}.ts`));
  for (const path of small) writeFileSync(path, 'const value = 1;\n'.repeat(400));
  writeFileSync(join(root, 'middle.ts'), 'const value = 1;\n'.repeat(200_000));
  const huge = openSync(join(root, 'huge.log'), 'w');
  for (let piece = 0; piece < 200; piece++) writeSync(huge, `${'x'.repeat(99)}\n`.repeat(10_000));
  closeSync(huge);
  console.log('\nReadFile');
  const read = (path: string, offset = 1) => call(readFile(), { path, offset }, ctx);
  for (const row of [
    { name: 'a small file', floor: 'readFileSync', least: () => readFileSync(join(root, 'small-0.ts'), 'utf8'), run: () => read('small-0.ts') },
    { name: 'eight small files side by side', floor: 'readFileSync', least: () => small.map((path) => readFileSync(path, 'utf8')), run: () => Promise.all(small.map((path) => read(path))) },
    { name: '3.4 MB, the last page', floor: 'readFileSync', least: () => readFileSync(join(root, 'middle.ts'), 'utf8'), run: () => read('middle.ts', 199_000) },
    { name: '200 MB, a page in the middle', floor: 'wc -l', least: () => spawnSync('wc', ['-l', join(root, 'huge.log')]), run: () => read('huge.log', 1_000_000) },
  ]) await measure(row);
}

/** What must be done at least: read, write beside, flush, rename. */
function rewrite(path: string): void {
  const bytes = readFileSync(path);
  const file = openSync(`${path}.new`, 'w');
  writeSync(file, bytes);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.new`, path);
}

const line = (n: number): string => `\tconst value${n} = compute(first, ${n});\n`;

const linesTo = (end: number): string => Array.from({ length: end }, (_, n) => line(n)).join('');

async function benchEdits(folder: string): Promise<void> {
  const root = join(folder, 'edits');
  mkdirSync(root);
  const many = Array.from({ length: 50 }, (_, n) => `f${n}.ts`);
  for (const path of many) writeFileSync(join(root, path), linesTo(200));
  writeFileSync(join(root, 'one.ts'), linesTo(28_000));
  writeFileSync(join(root, 'ten.ts'), linesTo(250_000));
  const ctx = await contextFor(root, undefined, [...many, 'one.ts', 'ten.ts'].map((path) => join(root, path)));
  for (const path of ['one.ts', 'ten.ts']) await call(readFile(), { path }, ctx);
  let turn = 0;
  /** There and back again, so that every run has something to do. */
  const swap = (a: string, b: string): [string, string] => (turn++ % 2 === 0 ? [a, b] : [b, a]);
  const edit = (path: string, [old_string, new_string]: [string, string]) => call(editFile(), { path, old_string, new_string }, ctx);
  const patch = ([from, to]: [string, string]) => call(applyPatch(), { patch: many.map((path) => `--- a/${path}\n+++ b/${path}\n@@ -100,3 +100,3 @@\n ${line(99)}-${from} ${line(101)}`).join('').replaceAll(`-${from} `, `-${from}+${to} `) }, ctx);
  console.log('\nEdits');
  for (const row of [
    { name: 'EditFile, 1 MB', floor: 'read, write, flush', least: () => rewrite(join(root, 'one.ts')), run: () => edit('one.ts', swap('value777 =', 'other777 =')) },
    { name: 'EditFile, 1 MB, other indentation', floor: 'read, write, flush', least: () => rewrite(join(root, 'one.ts')), run: () => edit('one.ts', swap('    const value9 = compute(first, 9);\n', '    const other9 = compute(first, 9);\n')) },
    { name: 'EditFile, 10 MB, refused', floor: 'read', least: () => readFileSync(join(root, 'ten.ts'), 'utf8'), run: () => editFile().run({ path: 'ten.ts', old_string: 'if (never) {\n  return there;\n}', new_string: 'x' }, ctx) },
    { name: 'ApplyPatch, 50 files', floor: 'read, write, flush', least: () => many.forEach((path) => rewrite(join(root, path))), run: () => patch(swap(line(100), line(-1))) },
  ]) await measure(row);
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-bench-')));
try {
  await benchReads(folder);
  await benchEdits(folder);
  for (const files of process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 100_000]) await benchTree(files, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
