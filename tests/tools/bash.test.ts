// Bash: real shells. What is said and what is kept.
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTasks } from '../../src/tools/bash/background.ts';
import { bash } from '../../src/tools/bash.ts';
import type { ToolResult } from '../../src/types/tool.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

let ctx: TestContext;
let tool: ReturnType<typeof bash>;
beforeEach(() => { ctx = toolContext(); tool = bash(createTasks()); });
afterEach(() => ctx.dispose());

/** As the pipeline does: in the folder that the tool names. */
const run = (command: string, { timeout_s = 60, ...more }: { timeout_s?: number; signal?: AbortSignal; spillFile?: string } = {}): Promise<ToolResult> =>
  tool.run({ command, timeout_s }, { ...ctx, cwd: tool.cwd?.() ?? ctx.root, ...more });

test.each<[string, boolean, string]>([
  ['echo hello', true, 'hello\nExit code 0.'],
  ['true', true, '(no output)\nExit code 0.'],
  ['echo out; echo err >&2; echo again', true, 'out\nerr\nagain\nExit code 0.'],
  ['echo before; exit 3', false, 'before\nExit code 3.'],
  ['false', false, '(no output)\nExit code 1.'],
  ['kill -9 $$', false, '(no output)\nEnded by SIGKILL.'],
  ['cat; echo "input ended"', true, 'input ended\nExit code 0.'],
  ['printf "1%%\\r2%%\\r3%%\\n"', true, '3%\nExit code 0.'],
  ['printf "\\033[31mred\\033[0m \\377\\n"', true, 'red \ufffd\nExit code 0.'],
  ['set -euo pipefail; echo "$UNSET"', false, expect.stringContaining('UNSET: unbound variable\nExit code 1.')],
  ['exec echo replaced', true, 'replaced\nExit code 0.'],
  ['trap "echo own trap" EXIT; echo x', true, 'x\nown trap\nExit code 0.'],
  ['echo "$BASH_ENV" | wc -c', true, '1\nExit code 0.'],
  ["cat <<'E'\n$HOME it's\nE", true, "$HOME it's\nExit code 0."],
])('%s', async (command, ok, text) => {
  expect(await run(command)).toMatchObject({ ok, text });
});

test('the command is run as it is: errors name its own lines', async () => {
  expect((await run('echo a\nif')).text).toMatch(/line 3: syntax error/);
  expect((await run('echo a\nnosuchprogram')).text).toMatch(/line 2: nosuchprogram: command not found\nExit code 127\.$/);
});

test('gives a terminal view', async () => {
  expect((await run('echo hi; exit 2')).view).toEqual({ type: 'terminal', command: 'echo hi; exit 2', output: 'hi\n', exit: 2 });
});

test('reports output while the command runs', async () => {
  const controller = new AbortController();
  const running = run('echo started; sleep 60', { signal: controller.signal });
  while (!ctx.progressed.join('').includes('started')) await sleep(20);
  controller.abort();
  await running;
});

describe('the folder', () => {
  beforeEach(() => mkdirSync(join(ctx.root, "src/it's"), { recursive: true }));

  test.each([
    ['cd src', 'src'], ['cd src; false', 'src'], ['cd src; exit 3', 'src'], ['cd src && set -e && false && true', 'src'], ['set -C; cd src', 'src'],
    ['cd "src/it\'s"', "src/it's"], ['(cd src)', '.'], ['cd src; cd ..', '.'], ['cd src; exec true', '.'], ['cd src; trap - EXIT', '.'], ['exec >/dev/null 2>&1; cd src', 'src'],
  ])('after `%s` is %s', async (command, folder) => {
    await run(command);
    expect((await run('pwd')).text).toBe(`${join(ctx.root, folder)}\nExit code 0.`);
    expect(tool.cwd?.()).toBe(folder === '.' ? undefined : join(ctx.root, folder));
  });

  test('is said when it changes, and stays inside the project', async () => {
    symlinkSync(tmpdir(), join(ctx.root, 'way-out'));
    expect((await run('cd src')).text).toBe('(no output)\nExit code 0.\nThe next command runs in src.');
    expect((await run('cd /')).text).toBe('(no output)\nExit code 0.\n/ is outside the project. The next command runs in src.');
    expect((await run('cd ../way-out')).text).toContain('is outside the project. The next command runs in src.');
    expect((await run('cd ..')).text).toBe('(no output)\nExit code 0.\nThe next command runs in the project root.');
  });

  test('that is gone runs nothing', async () => {
    await run('cd src');
    await run('rm -r ../src');
    expect(await run('touch made')).toMatchObject({ ok: false, text: expect.stringContaining('Nothing was run') });
    expect(readdirSync(ctx.root)).toEqual([]);
    expect((await run('pwd')).text).toContain(ctx.root);
  });

  test('in which a command was judged is the one in which it runs', async () => {
    await run('cd src');
    const judged = { ...ctx, cwd: tool.cwd?.() ?? ctx.root };
    await run('cd ..');
    expect((await tool.run({ command: 'pwd', timeout_s: 60 }, judged)).text).toContain(join(ctx.root, 'src'));
  });

  test('belongs to one tool', async () => {
    await run('cd src');
    tool = bash(createTasks());
    expect((await run('pwd')).text).toContain(`${ctx.root}\n`);
  });

  test('is kept by a plain sh too', async () => {
    mkdirSync(join(ctx.root, 'bin'));
    symlinkSync('/bin/sh', join(ctx.root, 'bin/sh'));
    ctx.env = { ...ctx.env, PATH: join(ctx.root, 'bin') };
    expect((await run('cd src; echo out; echo err >&2; exit 3')).text).toBe('out\nerr\nExit code 3.\nThe next command runs in src.');
  });
});

test('long output is in the file as it was said, and its end and errors in the result', async () => {
  const file = join(ctx.root, 'call-1.txt');
  const { ok, text, spill } = await run('seq 1 20000; echo "error: middle" >&2; seq 1 20000; exit 7', { spillFile: file });
  const numbers = Array.from({ length: 20_000 }, (_, n) => `${n + 1}\n`).join('');
  expect(readFileSync(file, 'utf8')).toBe(`${numbers}error: middle\n${numbers}`);
  expect([ok, spill]).toEqual([false, file]);
  expect(text).toMatch(/^1\n2\n[^]*\n20001: error: middle\n\[…\]\n[^]*\n19999\n20000\nExit code 7\.$/);
});

test('without a file as much as a result may hold is kept', async () => {
  const { text } = await run('seq 1 200000');
  expect([text.length > 40_000, text.length <= 50_000]).toEqual([true, true]);
  expect(text).toMatch(/characters left out[^]*Nothing is kept on disk in this session, so what is left out is lost\.\]\nExit code 0\.$/);
});

test('leaves nothing in the temporary folder', async () => {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = join(ctx.root, 'tmp');
  mkdirSync(process.env.TMPDIR);
  try {
    expect((await run('ls tmp; cd tmp')).text).toContain('mewcode-bash-');
    expect(readdirSync(join(ctx.root, 'tmp'))).toEqual([]);
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
});

test('a shell that can\'t be started is a sentence', async () => {
  const result = await tool.run({ command: 'true', timeout_s: 1 }, { ...ctx, wrap: () => [join(ctx.root, 'no-such-wrapper')] });
  expect(result).toMatchObject({ ok: false, text: expect.stringContaining(`The shell could not be started in ${ctx.root}:`) });
});

test('names the command as target and title', () => {
  expect(tool.access({ command: 'npm test', timeout_s: 1 }, '/p')).toEqual([{ kind: 'run', target: 'npm test' }]);
  expect(tool.title({ command: 'a\n  b', timeout_s: 1 })).toBe('a b');
});
