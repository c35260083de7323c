// Background commands: started, looked at, ended, told of; with real processes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bashOutput } from '../../src/tools/bash-output.ts';
import { createTasks, type Tasks } from '../../src/tools/bash/background.ts';
import { bash } from '../../src/tools/bash.ts';
import { killBash } from '../../src/tools/kill-bash.ts';
import type { Happening } from '../../src/types/event.ts';
import { isGone } from '../helpers/gone.ts';
import { toolContext, type TestContext } from '../helpers/tool-context.ts';

let ctx: TestContext;
let tasks: Tasks;
let happened: Happening[];
beforeEach(() => {
  ctx = toolContext();
  happened = [];
  tasks = createTasks({ emit: (happening) => happened.push(happening), clock: () => 5_000 });
});
afterEach(() => { tasks.close(); ctx.dispose(); });

const start = (command: string, more: Partial<TestContext> = {}) => bash(tasks).run({ command, timeout_s: 1, background: true }, { ...ctx, ...more });
const look = async (id: string, wait_s = 0, signal = ctx.signal) => (await bashOutput(tasks).run({ id, wait_s }, { ...ctx, signal })).text;
const end = async (id: string) => (await killBash(tasks).run({ id }, ctx)).text;
/** Looks until it has ended, and gives all that was said. */
async function lookToTheEnd(id: string): Promise<string> {
  for (let all = ''; ;) {
    const text = await look(id, 10);
    all += `${text}\n`;
    if (!text.startsWith(`${id}: running`)) return all;
  }
}

test('it comes back at once with an id, and each look gives what is new', async () => {
  const file = join(ctx.root, 'results', 'call-1.txt');
  expect(await start('echo one; until [ -e go ]; do sleep 0.02; done; echo two >&2; exit 3', { spillFile: file })).toEqual({
    ok: true, text: `It runs in the background as bg_1. BashOutput gives what it says, KillBash ends it; you are told when it ends. All of it is kept in ${file}.`,
    view: { type: 'terminal', command: expect.any(String) as string, output: 'in the background as bg_1' },
  });
  expect(await look('bg_1', 10)).toBe('bg_1: running, 0 s.\none');
  expect(await look('bg_1')).toBe('bg_1: running, 0 s.\n(nothing new)');
  ctx.put('go', '');
  expect(await lookToTheEnd('bg_1')).toContain('two');
  expect(await look('bg_1')).toBe('bg_1: exit code 3, 0 s.\n(no more output)');
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
  expect(happened.filter(({ type }) => type === 'notice')).toEqual([{ type: 'notice', level: 'warn', text: expect.stringMatching(/^The background command bg_1 \(echo one.*\) is over: exit code 3 after 0 s\.$/) as string }]);
  expect(happened.filter(({ type }) => type === 'task')).toEqual([
    { type: 'task', task: { id: 'bg_1', title: expect.any(String) as string, callId: 'call-1', status: 'running' } },
    { type: 'task', task: { id: 'bg_1', title: expect.any(String) as string, callId: 'call-1', status: 'failed', outcome: 'exit code 3' } },
  ]);
  expect(happened.flatMap((one) => (one.type === 'task_output' ? [one.text] : [])).join('')).toBe('one\ntwo\n');
});

test('the time limit of commands does not end it, a kill does, with all that it started', async () => {
  await start('trap "" TERM; setsid sh -c \'echo $$ > child; sleep 300\' > /dev/null 2>&1 & echo $! ; sleep 300');
  const shown = await look('bg_1', 10);
  const child = Number(/\n(\d+)$/.exec(shown)?.[1]);
  await sleep(1_100);
  process.kill(child, 0);
  expect(await end('bg_1')).toMatch(/^bg_1: ended, 0 s\.\n/);
  expect(await isGone(child)).toBe(true);
  expect(await end('bg_1')).toBe('bg_1: ended, 0 s.\n(no more output)');
  expect(tasks.news()).toEqual([]);
});

test('what ends by itself is told once, unless it was looked at', async () => {
  await start('echo over');
  await start('false');
  await lookToTheEnd('bg_1');
  for (let told: string[] = []; told.length === 0; await sleep(20)) {
    told = tasks.news();
    if (told.length > 0) expect(told).toEqual(['The background command bg_2 (false) is over: exit code 1 after 0 s. BashOutput gives what it said.']);
  }
  expect(tasks.news()).toEqual([]);
});

test('what was not looked at in time is left out of the look, not of the file', async () => {
  const file = join(ctx.root, 'call-1.txt');
  await start('seq 1 100000', { spillFile: file });
  while (tasks.news().length === 0) await sleep(20);
  const text = await look('bg_1');
  expect(text).toMatch(/^bg_1: exit code 0, 0 s\.\n\[… 5\d\d,\d\d\d characters left out\. All of it is kept in .*call-1\.txt\. …\]\n[^]*\n99999\n100000$/);
  expect(text.length).toBeLessThan(50_000);
  expect(readFileSync(file, 'utf8')).toHaveLength(588_895);
});

test('a line that has not ended is shown as it stands', async () => {
  await start('echo ready; printf "port? "; until [ -e go ]; do sleep 0.02; done; echo 80');
  let text = '';
  while (!text.includes('port?')) text = await look('bg_1', 1);
  ctx.put('go', '');
  expect(await lookToTheEnd('bg_1')).toContain('port? 80');
});

test('at most 16 run at the same time', async () => {
  for (let n = 1; n <= 16; n += 1) expect((await start('sleep 300')).ok).toBe(true);
  expect(await start('sleep 300')).toMatchObject({ ok: false, text: expect.stringMatching(/^16 background commands are running, and no more can\. End one with KillBash first: bg_1, .*bg_16\.$/) });
  await end('bg_3');
  expect(await start('true')).toMatchObject({ ok: true, text: expect.stringContaining('bg_17') });
});

test('a wrong id names the right ones', async () => {
  expect(await look('bg_1')).toBe('There is no background command "bg_1". None was started; Bash with background: true starts one.');
  await start('sleep 300');
  expect(await end('bg_2')).toBe('There is no background command "bg_2". There are:\nbg_1 (running): sleep 300');
});

test('a cancel ends the wait, not the command', async () => {
  await start('sleep 300');
  const controller = new AbortController();
  const waiting = look('bg_1', 60, controller.signal);
  controller.abort();
  expect(await waiting).toBe('bg_1: running, 0 s.\n(nothing new)');
});

test('closing ends all and tells nobody', async () => {
  await start('echo $$; exec sleep 300');
  const pid = Number(/\n(\d+)$/.exec(await look('bg_1', 10))?.[1]);
  tasks.close();
  const before = happened.length;
  expect(await isGone(pid)).toBe(true);
  await sleep(300);
  expect(happened).toHaveLength(before);
});

test('one that can not be started says so', async () => {
  await start('true', { wrap: () => ['/no/such/sandbox'] });
  expect(await lookToTheEnd('bg_1')).toContain(`It could not be started in ${ctx.root}: spawn /no/such/sandbox ENOENT`);
});
