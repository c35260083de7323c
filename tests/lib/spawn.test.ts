// spawn: real processes in groups of their own, ended whole, however they resist.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { childEnv, killAllGroups, signalGroup, spawnGroup, type SpawnOptions } from '../../src/lib/spawn.ts';
import { isGone } from '../helpers/gone.ts';

const env = childEnv(process.env);
const folder = () => mkdtempSync(join(tmpdir(), 'spawn-'));

function start(script: string, options: Partial<SpawnOptions> = {}) {
  const output = { stdout: '', stderr: '' };
  const running = spawnGroup(['bash', '-c', script], { cwd: tmpdir(), env, onOutput: (chunk, stream) => { output[stream] += chunk.toString('utf8'); }, ...options });
  return { ...running, output };
}

/** Waits until `file` holds a whole line, and gives it. */
async function lineIn(file: string): Promise<string> {
  while (!existsSync(file) || !readFileSync(file, 'utf8').endsWith('\n')) await setTimeout(10);
  return readFileSync(file, 'utf8').trim();
}

describe.concurrent('a program', () => {
  test('its output and exit code', async () => {
    const { done, output } = start('echo out; echo err >&2; exit 3');
    expect(await done).toEqual({ code: 3, signal: null, timedOut: false, aborted: false });
    expect(output).toEqual({ stdout: 'out\n', stderr: 'err\n' });
  });

  test('gets its input, or none at all', async () => {
    const given = start('cat', { input: 'hello' });
    const none = start('cat; echo end');
    await Promise.all([given.done, none.done]);
    expect([given.output.stdout, none.output.stdout]).toEqual(['hello', 'end\n']);
  });

  test('is talked with over an input that stays open, and waits while its output is not taken', async () => {
    const { done, output, stdin, pause, resume } = start('while read line; do echo "got $line"; done', { openInput: true });
    stdin?.write('one\n');
    while (output.stdout === '') await setTimeout(5);
    pause();
    stdin?.write('two\n');
    await setTimeout(50);
    expect(output.stdout).toBe('got one\n');
    resume();
    stdin?.end();
    await done;
    expect(output.stdout).toBe('got one\ngot two\n');
    expect(stdin?.write('late')).toBe(false);
  });

  test('that does not read a large input is no failure', async () => {
    expect(await start('exit 0', { input: 'x'.repeat(5_000_000) }).done).toMatchObject({ code: 0 });
  });

  test('has no terminal and leads a group of its own', async () => {
    const { done, output, pid } = start('ps -o pgid= -p $$; (exec < /dev/tty) 2>/dev/null && echo tty || echo no tty');
    await done;
    expect(output.stdout.split(/\s+/).filter(Boolean)).toEqual([String(pid), 'no', 'tty']);
  });

  test('that is not there rejects', async () => {
    await expect(spawnGroup(['/no/such/program'], { cwd: tmpdir(), env }).done).rejects.toThrow('ENOENT');
    await expect(spawnGroup(['bash'], { cwd: '/no/such/folder', env }).done).rejects.toThrow('ENOENT');
  });

  test('all of its output arrives, also at a slow reader', async () => {
    let size = 0;
    const { done } = start('head -c 400000 /dev/zero', {
      onOutput(chunk) {
        size += chunk.length;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 170);
      },
    });
    await done;
    expect(size).toBe(400_000);
  });
});

describe('the end of a group', () => {
  test('a timeout ends children and grandchildren', async () => {
    const file = join(folder(), 'pid');
    const { done } = start(`bash -c 'sleep 60 & echo $! > ${file}; wait'; true`, { timeoutMs: 300 });
    expect(await done).toMatchObject({ timedOut: true, aborted: false });
    expect(await isGone(Number(await lineIn(file)))).toBe(true);
  });

  test('an abort ends a grandchild that ignores TERM', async () => {
    const file = join(folder(), 'pid');
    const abort = new AbortController();
    const { done } = start(`bash -c 'trap "" TERM; echo $$ > ${file}; while :; do sleep 0.05; done' & wait`, { signal: abort.signal });
    const pid = Number(await lineIn(file));
    abort.abort();
    expect(await done).toEqual({ code: null, signal: 'SIGTERM', timedOut: false, aborted: true });
    expect(await isGone(pid)).toBe(true);
  });

  test('a program that ignores TERM is killed after the grace', async () => {
    const file = join(folder(), 'pid');
    const { done, kill } = start(`trap "" TERM; echo $$ > ${file}; while :; do sleep 0.05; done`);
    await lineIn(file);
    kill();
    kill();
    expect(await done).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  test('a straggler that holds the pipe open is not waited for, and is ended', async () => {
    const { done, output } = start('sleep 60 & echo $!');
    expect(await done).toMatchObject({ code: 0 });
    expect(await isGone(Number(output.stdout))).toBe(true);
  });

  test('an abort before the start starts nothing', async () => {
    const file = join(folder(), 'made');
    const { done, pid, kill } = start(`echo x > ${file}`, { signal: AbortSignal.abort() });
    kill();
    expect([pid, await done]).toEqual([-1, { code: null, signal: null, timedOut: false, aborted: true }]);
    await setTimeout(50);
    expect(existsSync(file)).toBe(false);
  });

  test('kill after the end signals nobody', async () => {
    const { done, kill } = start('true');
    await done;
    const sent: unknown[] = [];
    const real = process.kill;
    process.kill = (...args) => { sent.push(args); return real.apply(process, args); };
    try {
      kill();
    } finally {
      process.kill = real;
    }
    expect(sent).toEqual([]);
  });

  test('all groups at once', async () => {
    const all = [start('sleep 60'), start('sleep 60')];
    killAllGroups();
    expect((await Promise.all(all.map(({ done }) => done))).map(({ signal }) => signal)).toEqual(['SIGKILL', 'SIGKILL']);
    expect(all.map(({ pid }) => signalGroup(pid, 0))).toEqual([false, false]);
  });
});

describe('the environment of children', () => {
  test('keeps what programs need and no key', () => {
    const source = { PATH: '/bin', HOME: '/h', LC_ALL: 'C', ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k', MEWCODE_API_KEY: 'k', AWS_SECRET_ACCESS_KEY: 'k', GITHUB_TOKEN: 'k', NODE_OPTIONS: 'x', LD_PRELOAD: 'x', EXTRA: 'e', GONE: undefined };
    expect(childEnv(source, ['EXTRA', 'GONE'])).toEqual({ AI_AGENT: 'mewcode', PATH: '/bin', HOME: '/h', LC_ALL: 'C', EXTRA: 'e' });
  });

  test('has nothing that was not allowed', () => {
    fc.assert(fc.property(fc.dictionary(fc.stringMatching(/^[A-Z][A-Z_]{3,20}$/), fc.string()), (source) => {
      const kept = Object.keys(childEnv(source)).filter((name) => name !== 'AI_AGENT');
      return kept.every((name) => !/KEY|TOKEN|SECRET|PASSWORD/.test(name) || name.startsWith('LC_'));
    }));
  });
});
