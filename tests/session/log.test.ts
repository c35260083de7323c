// The session's file: what stands in it, what survives a kill, a full disk and a second process.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createMask } from '../../src/lib/mask.ts';
import { childEnv, spawnGroup } from '../../src/lib/spawn.ts';
import { lockSession } from '../../src/session/lock.ts';
import { EVENTS, openLog, verifyLog } from '../../src/session/log.ts';
import { UserError } from '../../src/types/user-error.ts';
import { at, fold, linesOf, makeFolder, script, user } from './helpers.ts';

const newDir = () => join(makeFolder(), 'session', 'one');

describe('the log', () => {
  test('writes each event as a line, numbered, timed and chained; live output is left out', () => {
    const dir = newDir();
    const events = script();
    const log = openLog(dir);
    for (const event of events) log.append(event);
    log.append(at({ type: 'stream', messageId: 'a', event: { type: 'end', stop: 'end' } }));
    log.append(at({ type: 'tool_output', callId: 'c', text: 'x' }));
    log.close();
    const records = linesOf(dir).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(records.map(({ h: _h, ...rest }) => rest)).toEqual(events.map(({ at: t, ...rest }, index) => ({ v: 1, seq: index + 1, t, ...rest })));
    expect(new Set(records.map(({ h }) => h)).size).toBe(records.length);
    expect(verifyLog(dir)).toEqual({ lines: events.length, damaged: 0, broken: [] });
    expect([dir, join(dir, EVENTS)].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    expect(existsSync(join(dir, 'lock'))).toBe(false);
  });

  test('a session in which nothing was said leaves no trace', () => {
    const dir = newDir();
    let prepared = 0;
    const log = openLog(dir, { prepare: () => { prepared += 1; } });
    log.append(script()[0] ?? at({ type: 'turn_started' }));
    log.append(at({ type: 'notice', level: 'info', text: 'hello' }));
    expect(existsSync(dir)).toBe(false);
    log.append(user('now'));
    expect(linesOf(dir).length).toBe(3);
    log.close();
    expect(prepared).toBe(1);
    const silent = newDir();
    openLog(silent).close();
    expect(existsSync(silent)).toBe(false);
  });

  test('goes on after the last intact line, with a torn one sealed', () => {
    const dir = newDir();
    const first = openLog(dir);
    first.append(user('a'));
    first.close();
    appendFileSync(join(dir, EVENTS), '{"v":1,"seq":2,"t":1,"ty');
    const second = openLog(dir);
    second.append(user('b'));
    second.close();
    expect(linesOf(dir).map((line) => (line.endsWith('}') ? (JSON.parse(line) as { seq: number }).seq : 'torn'))).toEqual([1, 'torn', 2]);
    expect(verifyLog(dir)).toEqual({ lines: 2, damaged: 1, broken: [] });
  });

  test('the last line is found behind a megabyte of damage, too', () => {
    const dir = newDir();
    const first = openLog(dir);
    first.append(user('a'));
    first.append(user('x'.repeat(1_500_000)));
    first.close();
    appendFileSync(join(dir, EVENTS), `${'y'.repeat(1_500_000)}\n`);
    const second = openLog(dir);
    second.append(user('b'));
    second.close();
    expect(verifyLog(dir)).toEqual({ lines: 3, damaged: 1, broken: [] });
  });

  test('a changed, a removed and an inserted line are noticed', () => {
    const dir = newDir();
    const log = openLog(dir);
    for (const text of ['a', 'b', 'c', 'd']) log.append(user(text));
    log.close();
    const [one = '', two = '', three = '', four = ''] = linesOf(dir);
    const broken = (lines: string[]) => { writeFileSync(join(dir, EVENTS), `${lines.join('\n')}\n`); return verifyLog(dir).broken; };
    expect([[one, two.replace('"b"', '"B"'), three, four], [one, three, four], [one, two, two, three, four], [two, one, three, four]].map(broken)).toEqual([[2], [2], [3], [1, 2, 3]]);
  });

  test('secrets never reach the disk', () => {
    const dir = newDir();
    const log = openLog(dir, { mask: createMask(['canary-1234567890']) });
    log.append(user('my key is canary-1234567890'));
    log.append(at({ type: 'tool_called', call: { id: 'c', name: 'Bash', input: { command: `echo canary-1234567890 sk-ant-${'k'.repeat(24)}` } }, title: 'x' }));
    log.close();
    const text = readFileSync(join(dir, EVENTS), 'utf8');
    expect([text.includes('canary'), text.includes('sk-ant')]).toEqual([false, false]);
    expect(verifyLog(dir)).toEqual({ lines: 2, damaged: 0, broken: [] });
  });

  test('while the disk refuses, it is said once, kept in memory, and written when it can be', async () => {
    const top = makeFolder();
    const blocked = join(top, 'session');
    writeFileSync(blocked, 'a file where a folder must be');
    const dir = join(blocked, 'one');
    const told: (string | undefined)[] = [];
    const log = openLog(dir, { onProblem: (problem) => told.push(problem), retryMs: 5 });
    for (const text of ['a', 'b', 'c']) log.append(user(text));
    expect(told).toEqual([expect.stringMatching(/^The session can't be recorded \(E(NOTDIR|EXIST).*\)\. It goes on in memory; recording resumes when the disk takes it\.$/)]);
    expect(log.problem).toBe(told[0]);
    rmSync(blocked);
    while (log.problem !== undefined) await wait(5);
    log.append(user('d'));
    log.close();
    expect(told.slice(1)).toEqual([undefined]);
    expect(fold(dir).state.messages.map((message) => message.id)).toEqual(['u-a', 'u-b', 'u-c', 'u-d']);
    expect(verifyLog(dir)).toEqual({ lines: 4, damaged: 0, broken: [] });
  });

  test.skipIf(!existsSync('/usr/bin/prlimit'))('a disk that fills up in the middle of a line', async () => {
    const dir = newDir();
    let output = '';
    const options = { cwd: import.meta.dirname, env: childEnv(process.env), onOutput: (chunk: Buffer) => { output += chunk.toString('utf8'); } };
    // A limit on the size of files looks like a full disk: a short count first, then an error.
    const child = spawnGroup(['/bin/sh', '-c', 'ulimit -S -f 8; exec "$@"', 'sh', process.execPath, join(import.meta.dirname, 'filler.ts'), dir], options);
    while (!output.includes('problem')) await wait(5);
    expect(readFileSync(join(dir, EVENTS), 'utf8').endsWith('\n')).toBe(false);
    await spawnGroup(['/usr/bin/prlimit', '--fsize=unlimited', '--pid', String(child.pid)], { ...options, onOutput: () => {} }).done;
    expect(await child.done).toMatchObject({ code: 0 });
    const { state, damaged } = fold(dir);
    expect({ output: output.split('\n').map((line) => line.split(':')[0]), messages: state.messages.map((message) => message.id), damaged: damaged > 0 }).toEqual({ output: ['problem', 'resumed', ''], messages: Array.from({ length: 200 }, (_, index) => `m${index}`), damaged: true });
    expect(verifyLog(dir).broken).toEqual([]);
  });

  test('after kill -9 at any moment nothing that was acknowledged is missing', async () => {
    const writer = join(import.meta.dirname, 'writer.ts');
    for (let round = 0; round < 4; round++) {
      const dir = newDir();
      let output = '';
      const child = spawnGroup([process.execPath, writer, dir], { cwd: import.meta.dirname, env: childEnv(process.env), onOutput: (chunk) => { output += chunk.toString('utf8'); } });
      while (!output.includes('\n')) await wait(2);
      await wait(Math.random() * 40);
      process.kill(child.pid, 'SIGKILL');
      await child.done;
      const acknowledged = Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1));
      const { state, damaged } = fold(dir);
      expect(state.messages.map((message) => message.id).slice(0, acknowledged)).toEqual(Array.from({ length: acknowledged }, (_, index) => `m${index + 1}`));
      expect(damaged).toBeLessThanOrEqual(1);
      // The dead writer's lock is taken over.
      const log = openLog(dir);
      log.append(user('after'));
      log.close();
      expect(verifyLog(dir).broken).toEqual([]);
      expect(fold(dir).state.messages.at(-1)?.id).toBe('u-after');
    }
  });
});

describe('the lock', () => {
  test('a session in use is refused, and free again when it is released', () => {
    const dir = newDir();
    const log = openLog(dir);
    log.append(user('a'));
    expect(() => openLog(dir)).toThrow(new UserError(`This session is open in another process (${process.pid}).`, 'Use it there, or start a new session.'));
    log.close();
    openLog(dir).close();
  });

  test.each([
    ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 12345, started: 'x' })],
    ['of a process number that went to another', JSON.stringify({ pid: process.pid, started: 'another boot/1' })],
    ['that is empty', ''],
    ['that is not ours', '{"pid":"x"}'],
  ])('a lock %s is taken over', (_name, text) => {
    const dir = newDir();
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'lock'), text);
    const release = lockSession(dir);
    expect(JSON.parse(readFileSync(join(dir, 'lock'), 'utf8'))).toMatchObject({ pid: process.pid });
    release();
    expect(existsSync(join(dir, 'lock'))).toBe(false);
  });

  test.skipIf(!existsSync('/proc/self/stat'))('a holder that has ended but was never reaped holds nothing', async () => {
    const dir = newDir();
    mkdirSync(dir, { recursive: true });
    let pid = '';
    // What sh starts is left to a program that never asks after it.
    const parent = spawnGroup(['sh', '-c', 'true & echo $!; exec sleep 30'], { cwd: dir, env: childEnv(process.env), onOutput: (chunk) => { pid += chunk.toString('utf8'); } });
    await vi.waitFor(() => expect(readFileSync(`/proc/${Number(pid)}/stat`, 'utf8')).toMatch(/\) Z /));
    const stat = readFileSync(`/proc/${Number(pid)}/stat`, 'utf8');
    const started = `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
    writeFileSync(join(dir, 'lock'), JSON.stringify({ pid: Number(pid), started }));
    lockSession(dir)();
    parent.kill();
    await parent.done;
  });

  test('of many that take over a stale lock at once, one gets it', async () => {
    const dir = newDir();
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'lock'), '{}');
    const outputs = await Promise.all(Array.from({ length: 4 }, async () => {
      let output = '';
      await spawnGroup([process.execPath, join(import.meta.dirname, 'locker.ts'), dir], { cwd: import.meta.dirname, env: childEnv(process.env), onOutput: (chunk) => { output += chunk.toString('utf8'); } }).done;
      return output.trim();
    }));
    expect(outputs.filter((output) => output === 'got it').length).toBe(1);
    expect(outputs.filter((output) => /^(This session is open in another process|Other processes are opening)/.test(output)).length).toBe(3);
  });
});
