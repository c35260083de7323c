// How commands end: at their time, at a cancel, with everything that they started, however it resists; and how much they may say until then.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { createTasks } from '../../src/tools/bash/background.ts';
import { bash } from '../../src/tools/bash.ts';
import { isGone } from '../helpers/gone.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

const contexts: TestContext[] = [];
afterAll(() => contexts.forEach((ctx) => ctx.dispose()));

/** A shell in a folder of its own. */
function shell() {
  const ctx = toolContext();
  contexts.push(ctx);
  const tool = bash(createTasks());
  return {
    root: ctx.root,
    run: (command: string, { timeout_s = 60, ...more }: { timeout_s?: number; signal?: AbortSignal; spillFile?: string } = {}) => tool.run({ command, timeout_s }, { ...ctx, ...more }),
    /** The process id that a command writes to a file. */
    async pidIn(name: string): Promise<number> {
      const file = join(ctx.root, name);
      while (!existsSync(file) || !readFileSync(file, 'utf8').endsWith('\n')) await sleep(20);
      return Number(readFileSync(file, 'utf8'));
    },
  };
}

describe.concurrent('a command ends', () => {
  test('at its time, with the output so far, even what ignores TERM', async () => {
    const { run, pidIn } = shell();
    const result = await run('trap "" TERM; echo begun; bash -c \'trap "" TERM; echo $$ > child; while :; do sleep 0.1; done\'', { timeout_s: 1 });
    expect(result).toMatchObject({ ok: false, text: 'begun\nTimed out after 1 s: the command and everything that it started were ended.' });
    expect(await isGone(await pidIn('child'))).toBe(true);
  });

  test('when cancelled: at once for the caller, soon for the whole group', async () => {
    const { run, pidIn } = shell();
    const controller = new AbortController();
    const running = run('echo begun; bash -c \'trap "" TERM; echo $$ > child; while :; do sleep 0.1; done\' & wait', { signal: controller.signal });
    const pid = await pidIn('child');
    controller.abort();
    expect(await running).toMatchObject({ ok: false, text: 'begun\nCancelled by the user: the command and everything that it started were ended.' });
    await sleep(2_000);
    expect(await isGone(pid)).toBe(true);
  });

  test('before it began when it is cancelled already', async () => {
    const { run, root } = shell();
    expect(await run('touch made', { signal: AbortSignal.abort() })).toEqual({ ok: false, text: 'Cancelled by the user before it was run.' });
    expect(readdirSync(root)).toEqual([]);
  });

  test('with its shell: a child that keeps the pipe open is ended, not waited for', async () => {
    const { run, pidIn } = shell();
    const result = await run('sleep 300 & echo $! > child; echo started');
    expect(result).toMatchObject({ ok: true, text: 'started\nExit code 0.' });
    expect(await isGone(await pidIn('child'))).toBe(true);
  });
});

const processesNamed = (mark: string) => Number(execFileSync('bash', ['-c', `pgrep -fc ${mark} || true`], { encoding: 'utf8' }));

let used = 0;
/** A time that no other process on the machine sleeps, and how to find those that do. */
function aLongSleep() {
  used += 1;
  const seconds = `${100_000 + (process.pid % 100_000)}.${used}1`;
  return { seconds, sleepers: () => processesNamed(`[s]leep.${seconds.replace('.', '[.]')}`) };
}

describe.runIf(process.platform === 'linux').concurrent('nothing stays behind', () => {
  test.each([
    ['setsid', 'setsid sleep TIME > /dev/null 2>&1 & sleep 0.1'],
    ['a daemon that keeps the pipe open', "(setsid sh -c 'trap \"\" TERM HUP; sleep TIME' &) ; sleep 0.1"],
    ['nohup', 'nohup sleep TIME & disown; sleep 0.1'],
  ])('of %s, when the command ends, at its time and at a cancel', async (_, script) => {
    const { run } = shell();
    const { seconds, sleepers } = aLongSleep();
    const command = script.replace('TIME', seconds);
    expect((await run(command)).text).toContain('Exit code 0.');
    expect(sleepers()).toBe(0);
    expect((await run(`${command}; sleep 60`, { timeout_s: 1 })).text).toContain('Timed out after 1 s');
    expect(sleepers()).toBe(0);
    const controller = new AbortController();
    const running = run(`${command}; echo started; sleep 60`, { signal: controller.signal });
    while (sleepers() === 0) await sleep(50);
    controller.abort();
    await running;
    for (let tries = 0; tries < 60 && sleepers() > 0; tries += 1) await sleep(50);
    expect(sleepers()).toBe(0);
  });

  const crowd = process.env['MEWCODE_LONG'] ? 2_000 : 200;
  test(`of ${crowd} processes, half of them outside of the group, that ignore TERM`, async () => {
    const { run } = shell();
    const { seconds, sleepers } = aLongSleep();
    const time = process.env['MEWCODE_LONG'] ? 10 : 2;
    const began = Date.now();
    const { text } = await run(`trap '' TERM; for i in $(seq ${crowd / 2}); do sleep ${seconds} & setsid sleep ${seconds} > /dev/null 2>&1 & done; echo all; wait`, { timeout_s: time });
    expect(text).toMatch(/^all\nTimed out/);
    expect(sleepers()).toBe(0);
    console.log(`${crowd} processes: the result came ${Date.now() - began - time * 1_000} ms after the timeout`);
  });
});

test.each(['yes', 'cat /dev/zero', 'head -c 30000000 /dev/urandom'])('endless output of %s is bounded, and kept up to the limit of a file', async (command) => {
  const { run, root } = shell();
  const before = process.memoryUsage().rss;
  const file = join(root, 'results', 'call-1.txt');
  const { text, spill } = await run(command, { timeout_s: 1, spillFile: file });
  expect(text.length).toBeLessThanOrEqual(10_000);
  expect(text).toMatch(/characters left out|no output/);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  if (command === 'cat /dev/zero') return;
  expect([spill, statSync(file).size > 1_000_000, statSync(file).size <= 64 * 1024 * 1024]).toEqual([file, true, true]);
});
