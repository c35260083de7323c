// The program as started from a shell: doors, exit codes, signals, pipes. It runs from source, with the demo model.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isNowhere } from './helpers/gone.ts';

const MAIN = join(import.meta.dirname, '../src/main.ts');

type Ended = { code: number | null; stdout: string; stderr: string };

/** A fresh project with a home of its own. */
function project(files: Record<string, string> = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'main-')));
  mkdirSync(join(folder, 'home'));
  mkdirSync(join(folder, 'project'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'project', name), text);
  return join(folder, 'project');
}

/** Runs the program. `onStderr` sees what has come so far, and may send a signal. */
function mewcode(cwd: string, args: readonly string[], options: { input?: string; env?: Record<string, string>; node?: readonly string[]; onStderr?(text: string, kill: (signal: NodeJS.Signals) => void): void } = {}): Promise<Ended> {
  const home = join(cwd, '..', 'home');
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...(options.node ?? []), MAIN, ...args], {
    cwd, env: { PATH: process.env['PATH'] ?? '', HOME: home, MEWCODE_HOME: join(home, '.mewcode'), MEWCODE_DEMO_RATE: '0', NODE_DISABLE_COMPILE_CACHE: '1', ...options.env },
  });
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => { ended.stdout += chunk.toString('utf8'); });
  child.stderr.on('data', (chunk: Buffer) => {
    ended.stderr += chunk.toString('utf8');
    options.onStderr?.(ended.stderr, (signal) => { child.kill(signal); });
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  return new Promise((resolve) => { child.on('close', (code) => resolve({ ...ended, code })); });
}

const sessionsOf = (cwd: string) => readdirSync(join(cwd, '.mewcode', 'session'));

describe.concurrent('doors', () => {
  test('--version', async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string };
    for (const args of [['--version'], ['-v'], ['--model', 'x', '--version']]) expect(await mewcode(project(), args)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('an old Node is refused in one sentence', async () => {
    const older = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.0' } })`;
    expect(await mewcode(project(), ['-p', 'hi'], { node: ['--import', older] })).toEqual({
      code: 2, stdout: '', stderr: 'mewcode: this is Node 20.19.0, and MewCode needs 22.12 or newer. Get it from https://nodejs.org.\n',
    });
  });

  test('--help', async () => {
    const { code, stdout, stderr } = await mewcode(project(), ['chat', '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('mewcode -p "PROMPT"');
  });

  test('permissions: calls judged in the folder and with the rules that are named, help for each subcommand', async () => {
    const cwd = project({ 'r.yaml': 'allow: ["Bash(make *)"]\n', 't.yaml': '- {call: Bash(make), expect: allow}\n' });
    const explained = await mewcode(join(cwd, '..'), ['permissions', 'explain', '--json', '-', '--cwd', 'project', '--rules', 'project/r.yaml'], { input: 'Bash(make all)\nnope(\n{"tool": "Read", "input": {"path": "r.yaml"}}' });
    expect({ ...explained, stdout: explained.stdout.split('\n').map((line) => (line === '' ? '' : (JSON.parse(line) as { verdict?: string }).verdict)) }).toEqual({ code: 1, stdout: ['allow', undefined, 'allow', ''], stderr: '' });
    expect(await mewcode(cwd, ['permissions', 'test', 't.yaml', '--rules=r.yaml'])).toEqual({ code: 0, stdout: '1 passed, 0 failed.\n', stderr: '' });
    expect(await mewcode(cwd, ['permissions', 'explain', 'Frob(x)'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^mewcode: There is no tool Frob\./) });
    expect(await mewcode(cwd, ['permissions', 'what-if', '--help'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mewcode permissions what-if /), stderr: '' });
  });

  test('an unknown flag: the nearest, exit 2, and an object for programs', async () => {
    const sentence = 'There is no flag --modle. Did you mean --model?';
    const { code, stdout, stderr } = await mewcode(project(), ['-p', 'x', '--output-format', 'json', '--modle', 'y']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `mewcode: ${sentence}\n` });
    expect(JSON.parse(stdout)).toMatchObject({ result: sentence, is_error: true, session_id: null });
  });

  test('no terminal and no -p: says so and names -p', async () => {
    expect(await mewcode(project(), ['hello'])).toEqual({
      code: 2, stdout: '', stderr: 'mewcode: This is not a terminal, so there is no screen to draw on. Use mewcode -p "PROMPT" for one answer on stdout.\n',
    });
  });

  test('--paths and --check-config write nothing', async () => {
    const cwd = project({ 'config.yaml': 'protocol: anthropic\napi_key: sk-ant-0123456789abcdefghijkl\nmax_tokens: 8K\n' });
    expect((await mewcode(cwd, ['--paths'])).stdout).toContain(`root              ${cwd}\n`);
    const { stdout } = await mewcode(cwd, ['--check-config', '--model', 'm1', '--trust']);
    expect(stdout).toMatch(/^model: m1 +# --model$/m);
    expect(stdout).toMatch(/^api_key: ••••ijkl +# .*config\.yaml/m);
    expect(stdout).not.toContain('0123456789');
    expect(readdirSync(cwd)).toEqual(['config.yaml']);
  });

  test('--print-tools', async () => {
    const { code, stdout } = await mewcode(project(), ['--print-tools', '--demo']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ReadFile +\w/m);
  });

  test.each([
    [['--cwd', '/no/such/folder', '-p', 'x'], /^mewcode: --cwd: there is no folder \/no\/such\/folder\.\n$/],
    [['--config', '/no/such.yaml', '-p', 'x'], /^mewcode: There is no configuration file \/no\/such\.yaml\.\n$/],
    [['-p', 'x', '--mode', 'plam'], /^mewcode: .*plam.*\n$/],
    [['-p', 'x', '--resume', 'nope'], /^mewcode: There is no session "nope"/],
    [['-p', 'x', '-c'], /^mewcode: There is no session to continue/],
    [['-p'], /^mewcode: There is no prompt/],
  ])('%j exits with 2 and one sentence', async (args, sentence) => {
    const { code, stdout, stderr } = await mewcode(project(), [...args, '--demo']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
  });
});

describe.concurrent('headless', () => {
  test('reads, and says only the answer on stdout', async () => {
    expect(await mewcode(project({ 'a.txt': 'one\ntwo\n' }), ['-p', '--demo', 'read a.txt'])).toEqual({
      code: 0, stdout: '`a.txt` has 2 lines:\n\n```txt\none\ntwo\n```\n', stderr: '● ReadFile a.txt\n',
    });
  });

  test('changes a file where the mode allows it', async () => {
    const cwd = project({ 'a.txt': 'old\n' });
    const { code } = await mewcode(cwd, ['-p', '--demo', '--mode', 'acceptEdits', 'replace old with new in a.txt']);
    expect([code, readFileSync(join(cwd, 'a.txt'), 'utf8')]).toEqual([0, 'new\n']);
  });

  test('what would be asked is denied, and can be told by the exit code', async () => {
    const cwd = project();
    const { code, stdout, stderr } = await mewcode(cwd, ['-p', '--demo', '--fail-on-denied', '--output-format', 'json', 'create a.txt with hi']);
    expect([code, stderr]).toEqual([3, '✗ WriteFile a.txt: denied\n']);
    expect(JSON.parse(stdout)).toMatchObject({
      stop_reason: 'end', rounds: 2, is_error: true,
      permission_denials: [{ tool_name: 'WriteFile', tool_use_id: 'demo-1', tool_input: { path: 'a.txt', content: 'hi\n' } }],
    });
    expect(readdirSync(cwd)).toEqual(['.mewcode']);
  });

  test('a failing model: one sentence, exit 1', async () => {
    expect(await mewcode(project(), ['-p', '--demo', 'fail with auth'])).toEqual({ code: 1, stdout: '', stderr: 'mewcode: The demo model failed with auth, as it was told to.\n' });
  });

  test('a limit: exit 4', async () => {
    expect((await mewcode(project(), ['-p', '--demo', '--max-rounds', '1', 'todo: a, b'])).code).toBe(4);
  });

  test('stdin is attached', async () => {
    expect((await mewcode(project(), ['-p', '--demo', 'explain'], { input: 'one\ntwo\n' })).stdout).toBe('The attached text has 2 lines and 7 characters. It begins:\n\n```\none\ntwo\n```\n');
  });

  test('--continue goes on with the session, --no-session keeps none', async () => {
    const cwd = project();
    await mewcode(cwd, ['-p', '--demo', '--no-session', 'hello']);
    expect(readdirSync(cwd)).toEqual([]);
    const first = JSON.parse((await mewcode(cwd, ['-p', '--demo', '--output-format', 'json', 'hello'])).stdout) as Record<string, unknown>;
    const second = JSON.parse((await mewcode(cwd, ['-p', '--demo', '--output-format', 'json', '-c', 'hello'])).stdout) as Record<string, unknown>;
    expect(second).toMatchObject({ session_id: first['session_id'], rounds: 1 });
    expect(sessionsOf(cwd)).toEqual([first['session_id']]);
  });

  test.each([['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 129]] as const)('%s ends the command and the program, exit %d', async (signal, expected) => {
    const cwd = project();
    const mark = `61.${process.pid}${expected}`;
    const args = ['-p', '--demo', '--yolo', '--output-format', 'json', `run echo > pid; sleep ${mark}`];
    let sent = false;
    const { code, stdout } = await mewcode(cwd, args, {
      onStderr(text, kill) {
        if (sent || !text.includes('● Bash')) return;
        sent = true;
        // The shell needs a moment to begin.
        const poll = setInterval(() => { if (readdirSync(cwd).includes('pid')) { clearInterval(poll); kill(signal); } }, 20);
      },
    });
    expect(code).toBe(expected);
    expect(JSON.parse(stdout)).toMatchObject({ stop_reason: 'cancelled', is_error: true });
    expect(await isNowhere(`sleep ${mark}`)).toBe(true);
  });

  test.each([['--help'], ['--version'], ['-p', '--demo', 'hello']])('a reader that went away ends it quietly: %s', async (...args) => {
    const cwd = project();
    // The program waits at its start, so that the reader has gone for certain.
    const ran = spawnSync('bash', ['-c', '"$0" --disable-warning=ExperimentalWarning "$@" < /dev/null | true; echo "${PIPESTATUS[0]}"', process.execPath, '--import', 'data:text/javascript,await new Promise((r) => setTimeout(r, 300))', MAIN, ...args], { cwd, encoding: 'utf8' });
    expect([ran.stdout, ran.stderr]).toEqual(['0\n', '']);
  });

  test('a bug is written to a log, masked, and told in a sentence', async () => {
    const cwd = project();
    const broken = `data:text/javascript,const { stringify } = JSON; JSON.stringify = (value, ...rest) => { if (value?.session_id) throw new Error('boom sk-ant-0123456789abcdefghijkl'); return stringify(value, ...rest); }`;
    const { code, stderr } = await mewcode(cwd, ['-p', '--demo', '--output-format', 'json', 'hello'], { node: ['--import', broken] });
    expect(code).toBe(1);
    const [log = ''] = readdirSync(join(cwd, '../home/.mewcode/logs'));
    expect(stderr).toBe(`mewcode: a bug in MewCode ended it: boom ••••ijkl. The details are in ${join(cwd, '../home/.mewcode/logs', log)}.\n`);
    expect(readFileSync(join(cwd, '../home/.mewcode/logs', log), 'utf8')).toMatch(/^Error: boom ••••ijkl\n +at /);
  });
});
