// The verifier with the real checkers: what it says after an edit, and what it leaves out.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { configuredVerifier, verifiers, type Verifier } from '../../src/agent/verifiers.ts';
import { createVerify, type Report } from '../../src/agent/verify.ts';
import { runTurn } from '../../src/agent/loop.ts';
import { findProgram } from '../../src/lib/find-program.ts';
import { builtinTools } from '../../src/tools/index.ts';
import type { ToolResultPart } from '../../src/types/message.ts';
import { testConversation } from '../helpers/conversation.ts';

const folders: string[] = [];
afterAll(() => { for (const folder of folders) rmSync(folder, { recursive: true, force: true }); });

const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
const never = new AbortController().signal;

function project(files: Readonly<Record<string, string>>, options: { rows?: readonly Verifier[]; debounceMs?: number; timeoutMs?: number; tests?: boolean } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'verify-')));
  folders.push(root);
  const put = (path: string, text: string) => { mkdirSync(dirname(join(root, path)), { recursive: true }); writeFileSync(join(root, path), text); return join(root, path); };
  for (const [path, text] of Object.entries(files)) put(path, text);
  mkdirSync(join(root, '.cache'));
  let now = 0;
  const verify = createVerify({ rows: options.rows ?? verifiers, roots: [root], env, wrap: (argv) => argv, cacheDir: join(root, '.cache'), debounceMs: options.debounceMs ?? 0, timeoutMs: options.timeoutMs ?? 30_000, tests: options.tests ?? false, clock: () => now });
  /** One call that writes a file. */
  const edit = async (path: string, text: string): Promise<Report | null> => {
    await verify.before([join(root, path)], never);
    put(path, text);
    return verify.after([join(root, path)], never);
  };
  return { root, put, verify, edit, wait: (ms: number) => { now += ms; } };
}

const tsProject = { 'tsconfig.json': '{"compilerOptions": {"strict": true, "types": []}, "include": ["src"]}', 'src/a.ts': 'export const a: number = 1;\n', 'src/b.ts': "import { a } from './a';\nexport const b = a + 1;\n" };
function withTsc(root: string) {
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  symlinkSync(join(import.meta.dirname, '../../node_modules/typescript'), join(root, 'node_modules/typescript'));
  writeFileSync(join(root, 'node_modules/.bin/tsc'), `#!/bin/sh\nexec '${join(import.meta.dirname, '../../node_modules/.bin/tsc')}' "$@"\n`);
  chmodSync(join(root, 'node_modules/.bin/tsc'), 0o755);
}

describe('the checkers', () => {
  it('tsc: an error anywhere in the project, older ones hidden, then all fixed', async () => {
    const at = project({ ...tsProject, 'src/old.ts': "export const old: number = 'x';\n" });
    withTsc(at.root);
    at.verify.beginTurn();
    expect(await at.edit('src/a.ts', "export const a: string = 'one';\nexport const c: number = a;\n")).toEqual({ failed: true, text: "--- tsc verifier ---\n1 new, 1 older hidden\nsrc/a.ts:2:14 error TS2322: Type 'string' is not assignable to type 'number'." });
    expect(await at.edit('src/old.ts', 'export const old: number = 1;\n')).toEqual({ failed: true, text: "--- tsc verifier ---\n1 new, 1 fixed\nsrc/a.ts:2:14 error TS2322: Type 'string' is not assignable to type 'number'." });
    expect(await at.edit('src/a.ts', 'export const a: number = 2;\n')).toEqual({ failed: false, text: '--- tsc verifier ---\nnothing new, 1 fixed' });
  }, 60_000);

  it('what was wrong before the turn moves with its line and stays hidden', async () => {
    const at = project({ ...tsProject, 'src/a.ts': "export const a: number = 'x';\n" });
    withTsc(at.root);
    at.verify.beginTurn();
    expect(await at.edit('src/a.ts', "\n\n\nexport const a: number = 'x';\n")).toEqual({ failed: false, text: '--- tsc verifier ---\nnothing new, 1 older hidden' });
  }, 60_000);

  it.skipIf(!findProgram('cargo', env))('cargo: errors with code and place', async () => {
    const at = project({ 'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n', 'src/main.rs': 'fn main() {}\n' });
    at.verify.beginTurn();
    const report = await at.edit('src/main.rs', 'fn main() { let x: i32 = "a"; }\n');
    expect({ ...report, text: report?.text.split('\n').slice(0, 4) }).toEqual({ failed: true, text: ['--- cargo verifier ---', '1 new', 'src/main.rs:1:26 error E0308: mismatched types', '  expected `i32`, found `&str`'] });
    expect(await at.edit('src/main.rs', 'fn main() {}\n')).toEqual({ failed: false, text: '--- cargo verifier ---\nnothing new' });
  }, 120_000);

  it.skipIf(!findProgram('python3', env))('python: syntax, and no file left beside the source', async () => {
    const at = project({ 'a.py': 'x = 1\n' }, { rows: verifiers.filter(({ name }) => name === 'python') });
    at.verify.beginTurn();
    const report = await at.edit('a.py', 'def f(:\n  pass\n');
    expect({ ...report, text: report?.text.replace(/SyntaxError: .*/, 'SyntaxError') }).toEqual({ failed: true, text: '--- python verifier ---\n1 new\na.py:1 error: SyntaxError' });
    expect(execFileSync('ls', ['-A', at.root]).toString().split('\n').filter(Boolean).filter((name) => name !== '.cache')).toEqual(['a.py']);
  }, 30_000);

  it('node, json and yaml', async () => {
    const at = project({ 'package.json': '{"type": "module"}', 'a.js': 'export const a = 1;\n', 'old.json': '{"a": }' });
    at.verify.beginTurn();
    expect(await at.edit('a.js', 'export const a = ;\n')).toEqual({ failed: true, text: "--- node verifier ---\n1 new\na.js:1 error: SyntaxError: Unexpected token ';'" });
    const broken = await at.edit('b.json', '{\n  "a": 1,\n  "b" 2\n}\n');
    expect({ ...broken, text: broken?.text.split('\n').slice(0, 2) }).toEqual({ failed: true, text: ['--- json verifier ---', '1 new'] });
    expect(broken?.text).toMatch(/^b\.json:3:\d+ error: /m);
    expect(await at.edit('old.json', '\n{"a": }')).toEqual({ failed: false, text: '--- json verifier ---\nnothing new, 1 older hidden' });
    expect(await at.edit('tsconfig.json', '{ // why\n  "a": "http://x", /* b */ "c": [1,],\n}')).toEqual({ failed: false, text: '--- json verifier ---\nnothing new' });
    expect(await at.edit('a.yaml', 'a: 1\nb: [1, 2\nc: 3\n')).toMatchObject({ failed: true, text: expect.stringMatching(/^--- yaml verifier ---\n\d new\na\.yaml:\d:\d+ error [A-Z_]+: /) });
    expect(await at.edit('chart.yaml', 'a: {{ .Values.a }}\n')).toEqual({ failed: false, text: '--- yaml verifier ---\nnothing new' });
    expect(await at.edit('a.txt', 'anything')).toBeNull();
  }, 30_000);

  it('a check of the user, whose file names are never shell text', async () => {
    const row = configuredVerifier({ command: `grep -n TODO {file} | sed "s|^|$1:|; s|:TODO|: error: a TODO|"; true`, matches: (file) => file.endsWith('.md'), parser: undefined });
    const at = project({}, { rows: [row] });
    at.verify.beginTurn();
    expect(await at.edit('a $(touch hacked).md', 'fine\nTODO\n')).toEqual({ failed: true, text: '--- grep verifier ---\n1 new\na $(touch hacked).md:2 error: a TODO' });
  });
});

describe('when it runs', () => {
  const slow: Verifier = { name: 'slow', covers: (file) => file.endsWith('.slow'), command: () => ({ argv: ['sh', '-c', 'sleep 60'] }), read: () => [] };

  it('a check right after another is put off and made up', async () => {
    const row = configuredVerifier({ command: 'echo ran >> {file}.log; grep -c bad {file} >/dev/null && echo "f:1: error: bad" || true', matches: (file) => file.endsWith('.txt'), parser: undefined });
    const at = project({}, { rows: [row], debounceMs: 2_000 });
    at.verify.beginTurn();
    at.wait(10_000);
    expect(await at.edit('a.txt', 'good')).toEqual({ failed: false, text: '--- echo verifier ---\nnothing new' });
    expect(await at.edit('a.txt', 'bad')).toBeNull();
    expect(await at.verify.settle(never)).toEqual({ failed: true, text: '--- echo verifier ---\n1 new\nf:1 error: bad' });
    expect(await at.verify.settle(never)).toBeNull();
    at.wait(2_000);
    expect(await at.edit('a.txt', 'good')).toEqual({ failed: false, text: '--- echo verifier ---\nnothing new' });
  });

  it('one that takes too long is said once and left out until the next turn', async () => {
    const at = project({}, { rows: [slow], timeoutMs: 50 });
    at.verify.beginTurn();
    const said = { failed: false, text: '--- slow verifier ---\nslow was stopped after 0.05 s (verifier.timeout_secs) and is left out for the rest of this turn.' };
    expect([await at.edit('a.slow', ''), await at.edit('a.slow', '1')]).toEqual([said, null]);
    at.verify.beginTurn();
    expect(await at.edit('a.slow', '2')).toEqual(said);
  });

  it('a cancel ends it', async () => {
    const at = project({ 'a.slow': '' }, { rows: [slow] });
    const stop = new AbortController();
    const running = at.verify.after([join(at.root, 'a.slow')], stop.signal);
    stop.abort();
    expect(await running).toBeNull();
  });

  it('a checker that breaks is said with its last lines, and is no error of the edit', async () => {
    const row = configuredVerifier({ command: 'echo no such option >&2; exit 3', matches: () => true, parser: undefined });
    const at = project({ 'a.x': '' }, { rows: [row] });
    expect(await at.verify.after([join(at.root, 'a.x')], never)).toEqual({ failed: false, text: '--- echo verifier ---\necho ended with 3 and nothing that could be read:\nno such option' });
  });
});

it('nothing is kept between runs where the session has no folder yet', async () => {
  const at = project({ 'a.txt': '' });
  const seen: (string | null)[] = [];
  const row: Verifier = { ...configuredVerifier({ command: 'true', matches: () => true, parser: undefined }), command: ({ cacheDir }) => { seen.push(cacheDir); return { argv: ['true'] }; } };
  const verify = createVerify({ rows: [row], roots: [at.root], env, wrap: (argv) => argv, cacheDir: join(at.root, 'session'), debounceMs: 0, timeoutMs: 5_000, tests: false });
  await verify.check([join(at.root, 'a.txt')], never);
  mkdirSync(join(at.root, 'session'));
  await verify.check([join(at.root, 'a.txt')], never);
  expect([...new Set(seen)]).toEqual([null, join(at.root, 'session')]);
});

describe('in the loop', () => {
  it('what is found stands in that very result, and the last edit of a round carries what was put off', async () => {
    const at = project({});
    const row = configuredVerifier({ command: 'grep -n bad {file} | sed "s|^[0-9]*:|f:&: error: |; s|:: |: |"; true', matches: (file) => file.endsWith('.txt'), parser: undefined });
    const verify = createVerify({ rows: [row], roots: [at.root], env, wrap: (argv) => argv, cacheDir: null, debounceMs: 60_000, timeoutMs: 5_000, tests: false });
    const { conversation, state } = testConversation({
      cwd: at.root, mode: 'acceptEdits', tools: builtinTools(),
      steps: [{ calls: Object.entries({ a: 'fine\n', b: 'bad\n', c: 'x\n' }).map(([name, content]) => ({ id: name, name: 'WriteFile', input: { path: `${name}.txt`, content } })) }, { text: 'Done.' }],
    });
    await runTurn({ ...conversation, env, verify }, ['go'], never);
    const results = state().messages.flatMap(({ parts }) => parts).filter((part): part is ToolResultPart => part.type === 'tool_result');
    expect(results.map(({ ok, text }) => ({ ok, text }))).toEqual([
      { ok: true, text: 'Wrote the new file a.txt (1 line).\n--- grep verifier ---\nnothing new' },
      { ok: true, text: 'Wrote the new file b.txt (1 line).' },
      { ok: false, text: 'Wrote the new file c.txt (1 line).\n--- grep verifier ---\n1 new\nf:1 error: bad' },
    ]);
  });

  it('failing tests of the project go back to the model before it may stop, at most three times', async () => {
    const at = project({ 'package.json': '{"scripts": {"test": "test ! -e bad || { echo boom; exit 7; }"}}' }, { tests: true });
    const { conversation, requests } = testConversation({
      cwd: at.root, mode: 'acceptEdits', tools: builtinTools(),
      steps: [{ calls: [{ id: '1', name: 'WriteFile', input: { path: 'bad', content: 'x' } }] }, { text: 'Done.' }, { text: 'Done, really.' }],
    });
    await runTurn({ ...conversation, env, verify: at.verify }, ['go'], never);
    expect(requests.length).toBe(3);
    expect(requests[2]?.messages.at(-1)).toMatchObject({ role: 'user', source: 'reminder', parts: [{ text: '<system-reminder>\n--- npm test ---\nboom\nExit code 7.\n</system-reminder>' }] });
  }, 30_000);
});

it('by hand: files, or what was changed and the project at the root', async () => {
  const at = project({ ...tsProject, 'src/a.ts': "export const a: number = 'x';\n", 'bad.json': '{' });
  withTsc(at.root);
  const [tsc, json] = ["--- tsc verifier ---\nsrc/a.ts:1:14 error TS2322: Type 'string' is not assignable to type 'number'.", expect.stringMatching(/^--- json verifier ---\nbad\.json:1:2 error: /)];
  expect([await at.verify.check([join(at.root, 'bad.json')], never), await at.verify.check([], never), await at.verify.check([join(at.root, 'x.txt')], never)]).toEqual([json, tsc, 'No checker covers these files, or none is installed.']);
}, 30_000);
