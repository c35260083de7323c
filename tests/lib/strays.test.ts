// Strays: what a program moves out of its group is ended with it, whether it ends, is ended, or we are killed.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { childEnv, killAllGroups, spawnGroup } from '../../src/lib/spawn.ts';
import { isGone } from '../helpers/gone.ts';

let cwd: string;
beforeEach(() => { cwd = mkdtempSync(join(tmpdir(), 'strays-')); });
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const env = childEnv(process.env);

async function pidIn(name: string): Promise<number> {
  const file = join(cwd, name);
  while (!existsSync(file) || !readFileSync(file, 'utf8').endsWith('\n')) await sleep(10);
  return Number(readFileSync(file, 'utf8'));
}

/** Leave the group, one of them as a daemon does. The first ignores TERM. */
const SETSID = `setsid bash -c 'trap "" TERM; echo $$ > one; while :; do sleep 0.1; done' > /dev/null 2>&1 &`;
const DAEMON = `(setsid bash -c 'sleep 300 & echo $! > two' > /dev/null 2>&1 &)\n`;

describe.runIf(process.platform === 'linux')('a stray is ended', () => {
  test('when the program ends by itself', async () => {
    const { done } = spawnGroup(['bash', '-c', `${SETSID} ${DAEMON} until [ -s one ] && [ -s two ]; do sleep 0.01; done`], { cwd, env, thorough: true });
    expect(await done).toMatchObject({ code: 0 });
    expect([await isGone(await pidIn('one')), await isGone(await pidIn('two'))]).toEqual([true, true]);
  });

  test.each(['timeout', 'abort', 'way out'])('at a %s', async (how) => {
    const abort = new AbortController();
    const { done } = spawnGroup(['bash', '-c', `${SETSID} ${DAEMON} sleep 300`], { cwd, env, thorough: true, signal: abort.signal, ...(how === 'timeout' && { timeoutMs: 600 }) });
    const pids = [await pidIn('one'), await pidIn('two')];
    if (how === 'abort') abort.abort();
    if (how === 'way out') killAllGroups();
    await done;
    expect(await Promise.all(pids.map(isGone))).toEqual([true, true]);
  });

  test('and what belongs to another program is left alone', async () => {
    const other = spawnGroup(['bash', '-c', `${SETSID} sleep 300`], { cwd, env, thorough: true });
    const pid = await pidIn('one');
    await spawnGroup(['true'], { cwd, env, thorough: true }).done;
    process.kill(pid, 0);
    other.kill();
    await other.done;
    expect(await isGone(pid)).toBe(true);
  });

  test('when this process is killed, with the program itself', async () => {
    const script = `import { spawnGroup, childEnv } from ${JSON.stringify(new URL('../../src/lib/spawn.ts', import.meta.url).href)};
      spawnGroup(['bash', '-c', ${JSON.stringify(`${SETSID} ${DAEMON} echo $$ > three; sleep 300`)}], { cwd: ${JSON.stringify(cwd)}, env: childEnv(process.env), thorough: true });`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
    const pids = [await pidIn('one'), await pidIn('two'), await pidIn('three')];
    child.kill('SIGKILL');
    expect(await Promise.all(pids.map(isGone))).toEqual([true, true, true]);
  });
});
