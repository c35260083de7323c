// Bash: real shells. What is said, what is kept, what is ended.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bash } from '../../src/tools/bash.ts';
import type { Tool, ToolResult } from '../../src/types/tool.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

let ctx: TestContext;
let tool: Tool<{ command: string; timeout_s: number; description?: string }>;
beforeEach(() => { ctx = toolContext(); tool = bash(); });
afterEach(() => ctx.dispose());

/** As the pipeline does: in the folder that the tool names. */
const run = (command: string, options: { timeout_s?: number; signal?: AbortSignal } = {}): Promise<ToolResult> =>
  tool.run({ command, timeout_s: options.timeout_s ?? 60 }, { ...ctx, cwd: tool.cwd?.() ?? ctx.root, signal: options.signal ?? ctx.signal });

/** Waits until no process has this id any more. */
async function isGone(pid: number): Promise<boolean> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      process.kill(pid, 0);
      // A zombie has ended.
      if (existsSync(`/proc/${pid}/stat`) && /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return true;
    } catch {
      return true;
    }
    await sleep(50);
  }
  return false;
}

/** Waits for the process id that a command writes to a file. */
async function pidIn(name: string): Promise<number> {
  for (;;) {
    const text = existsSync(join(ctx.root, name)) ? readFileSync(join(ctx.root, name), 'utf8') : '';
    if (text.endsWith('\n')) return Number(text);
    await sleep(20);
  }
}

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
    tool = bash();
    expect((await run('pwd')).text).toContain(`${ctx.root}\n`);
  });

  test('is kept by a plain sh too', async () => {
    mkdirSync(join(ctx.root, 'bin'));
    symlinkSync('/bin/sh', join(ctx.root, 'bin/sh'));
    ctx.env = { ...ctx.env, PATH: join(ctx.root, 'bin') };
    expect((await run('cd src; echo out; echo err >&2; exit 3')).text).toBe('out\nerr\nExit code 3.\nThe next command runs in src.');
  });
});

describe('ends', () => {
  test('at its time, with the output so far, even what ignores TERM', async () => {
    const result = await run('trap "" TERM; echo begun; bash -c \'trap "" TERM; echo $$ > child; while :; do sleep 0.1; done\'', { timeout_s: 1 });
    expect(result).toMatchObject({ ok: false, text: 'begun\nTimed out after 1 s: the command and everything that it started was ended.' });
    expect(await isGone(await pidIn('child'))).toBe(true);
  });

  test('when cancelled: at once for the caller, soon for the whole group', async () => {
    const controller = new AbortController();
    const running = run('echo begun; bash -c \'trap "" TERM; echo $$ > child; while :; do sleep 0.1; done\' & wait', { signal: controller.signal });
    const pid = await pidIn('child');
    controller.abort();
    expect(await running).toMatchObject({ ok: false, text: 'begun\nCancelled by the user: the command and everything that it started was ended.' });
    expect(await isGone(pid)).toBe(true);
  });

  test('before it began when it is cancelled already', async () => {
    expect(await run('touch made', { signal: AbortSignal.abort() })).toEqual({ ok: false, text: 'Cancelled by the user before it was run.' });
    expect(readdirSync(ctx.root)).toEqual([]);
  });

  test('with its shell: a child that keeps the pipe open is ended, not waited for', async () => {
    const result = await run('sleep 300 & echo $! > child; echo started');
    expect(result).toMatchObject({ ok: true, text: 'started\nExit code 0.' });
    expect(await isGone(await pidIn('child'))).toBe(true);
  });
});

test.each(['yes', 'cat /dev/zero', 'head -c 30000000 /dev/urandom'])('endless output of %s is bounded', async (command) => {
  const before = process.memoryUsage().rss;
  const { text } = await run(command, { timeout_s: 1 });
  expect(text.length).toBeLessThanOrEqual(50_000);
  expect(text).toMatch(/characters left out|no output/);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
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
