// However the program is left, nothing that its commands started stays behind, in the sandbox and without it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { makeProject, startMewcode } from '../helpers/mewcode.ts';

let used = 0;
/** A time that nothing else on the machine sleeps. */
const aLongTime = () => `${200_000 + (process.pid % 100_000)}.${(used += 1)}1`;
const sleepers = (time: string) => Number(execFileSync('bash', ['-c', `pgrep -fc '^[s]leep ${time.replace('.', '[.]')}$' || true`], { encoding: 'utf8' }));

const WAYS: Record<string, (app: ReturnType<typeof startMewcode>) => void> = {
  'a kill': (app) => app.kill('SIGKILL'),
  SIGTERM: (app) => app.kill('SIGTERM'),
  SIGHUP: (app) => app.kill('SIGHUP'),
};

describe.runIf(process.platform === 'linux').each(['auto', 'off'])('sandbox %s', (sandbox) => {
  test.each(Object.keys(WAYS))('after %s nothing is left', async (way) => {
    const time = aLongTime();
    const script = [
      { calls: [{ name: 'Bash', input: { command: `sleep ${time} & setsid sleep ${time} > /dev/null 2>&1 & trap '' TERM HUP; echo on; wait`, background: true } }] },
      { calls: [{ name: 'Bash', input: { command: `setsid sleep ${time} & sleep ${time}` } }] },
    ];
    const cwd = makeProject();
    writeFileSync(join(cwd, 'script.yaml'), JSON.stringify(script));
    mkdirSync(join(cwd, 'tmp'));
    const app = startMewcode({ cwd, args: ['--demo', '--mode', 'bypassPermissions'], env: { MEWCODE_DEMO_SCRIPT: join(cwd, 'script.yaml'), TMPDIR: join(cwd, 'tmp') }, config: `security: {sandbox: "${sandbox}"}\n` });
    await app.waitFor('ask for something');
    app.write('go\r');
    for (let tries = 0; tries < 400 && sleepers(time) < 4; tries += 1) await sleep(25);
    expect(sleepers(time)).toBe(4);
    WAYS[way]?.(app);
    await app.exited;
    for (let tries = 0; tries < 80 && sleepers(time) > 0; tries += 1) await sleep(25);
    expect(sleepers(time)).toBe(0);
    if (way !== 'a kill') expect(readdirSync(join(cwd, 'tmp')).filter((name) => name.startsWith('mewcode-bash-'))).toEqual([]);
  });
});
