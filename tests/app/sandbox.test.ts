// The sandbox in the app: what keeps commands in is told, `require` refuses, what stays inside may go unasked, nothing outlives the program.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AgentEvent } from '../../src/types/event.ts';
import type { Answer, Question } from '../../src/types/question.ts';
import { countOf, isNowhere } from '../helpers/gone.ts';
import { makeWorld, openApp, type World } from '../helpers/start-app.ts';
import { without } from '../sandbox/jail.ts';

type Told = { results: string[]; verdicts: string[]; events: AgentEvent[]; asked: Question[] };

/** One turn in which the model makes these calls, each by itself. */
async function turn(world: World, commands: readonly string[], options: { answer?: Answer; env?: Record<string, string> } = {}): Promise<Told> {
  const script = join(world.home, 'script.yaml');
  writeFileSync(script, JSON.stringify([...commands.map((command) => ({ calls: [{ name: 'Bash', input: { command } }] })), { text: 'done' }]));
  const asked: Question[] = [];
  const { app, events } = await openApp(world, { env: { MEWCODE_DEMO_SCRIPT: script, ...options.env }, answer: (question) => { asked.push(question); return options.answer ?? { kind: 'dismissed' }; } });
  await app.submit('go');
  const results = app.state.get().messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool_result' ? [part.text] : [])));
  return { results, events, asked, verdicts: events.flatMap((event) => (event.type === 'decided' ? [event.decision.verdict] : [])) };
}

const ALLOW: Answer = { kind: 'allow' };

test('require refuses where there is none, off uses none, and both say so', async () => {
  const refused = await turn(makeWorld('protocol: demo\nsecurity: {sandbox: require}\n'), ['echo x'], { env: { PATH: '/nowhere' }, answer: ALLOW });
  expect(refused.results).toEqual(['Commands are not run: security.sandbox is "require", and there is no sandbox here (bwrap is not on the PATH). Install bubblewrap (apt install bubblewrap, dnf install bubblewrap).']);
  expect(refused.asked).toEqual([]);
  const world = makeWorld('protocol: demo\nsecurity: {sandbox: "off"}\n');
  const { app } = await openApp(world);
  while (!app.state.get().sandbox) await new Promise((resolve) => { setTimeout(resolve, 20); });
  expect(app.state.get().sandbox).toEqual({ kind: 'none', because: 'security.sandbox is off' });
  app.clear();
  expect(app.state.get().sandbox).toEqual({ kind: 'none', because: 'security.sandbox is off' });
});

describe.skipIf(without !== '')(`with bubblewrap${without}`, () => {
  test('sandbox_auto_allow: what stays inside is not asked for; the network, git and whatever a rule or the floor says are', async () => {
    const world = makeWorld('protocol: demo\npermissions: {mode: default}\nsecurity: {sandbox_auto_allow: true, require_confirmation: ["make *"]}\n');
    const { verdicts, asked, events } = await turn(world, ['echo x > made && cat made', 'curl -s http://127.0.0.1:9', 'git commit -m x', 'make all', 'echo x > /var/tmp/mewcode-outside', 'echo x >> .git/config', 'rm -rf /']);
    expect(verdicts).toEqual(['allow', 'ask', 'ask', 'ask', 'ask', 'ask', 'deny']);
    expect(asked).toHaveLength(5);
    expect(events.find((event) => event.type === 'decided')).toMatchObject({ decision: { layer: 'sandbox', because: 'It stays inside the sandbox (security.sandbox_auto_allow).' } });
    expect(readFileSync(join(world.project, 'made'), 'utf8')).toBe('x\n');
    expect((await turn(makeWorld('protocol: demo\npermissions: {mode: default}\n'), ['echo x'])).verdicts).toEqual(['ask']);
  });

  test('no argument switches it off; the folder of the shell is kept; files of MewCode stay as they are', async () => {
    const world = makeWorld('protocol: demo\npermissions: {mode: bypassPermissions}\n');
    mkdirSync(join(world.project, 'sub'));
    writeFileSync(join(world.project, 'try.sh'), 'for f in ~/x ~/config.yaml .mewcode/permissions.yaml .mewcode/session/*/events.jsonl .git/HEAD; do echo x >> $f; done\n');
    const { results } = await turn(world, ['sh try.sh; cd sub', 'pwd', 'echo x >> /var/tmp/mewcode-written && rm /var/tmp/mewcode-written']);
    expect(results[0]?.match(/Read-only file system|cannot create/g)?.length).toBeGreaterThanOrEqual(5);
    expect(results[1]).toBe(`${join(world.project, 'sub')}\nExit code 0.`);
    // The words of the command said so, and it was allowed.
    expect(results[2]).toBe('(no output)\nExit code 0.');
    expect(readdirSync(world.project).sort()).toEqual(['.git', '.mewcode', 'sub', 'try.sh']);
  });

  test.each([['kept', { kind: 'chosen', ids: ['keep'] }, true], ['moved away where nobody is there', { kind: 'dismissed' }, false]] as const)('what a command makes at a guarded place is asked for: %s', async (_, answer, kept) => {
    const world = makeWorld('protocol: demo\npermissions: {mode: bypassPermissions}\n');
    writeFileSync(join(world.project, 'make.sh'), 'mkdir .vscode; echo {} > .vscode/tasks.json\n');
    const { results, asked } = await turn(world, ['sh make.sh'], { answer });
    expect(asked).toMatchObject([{ kind: 'choose', title: 'The command made .vscode. Keep it?' }]);
    expect(existsSync(join(world.project, '.vscode/tasks.json'))).toBe(kept);
    const moved = /\.vscode was moved to (\S+): code can be run from there later, and nobody said that it may stay\./.exec(results[0] ?? '')?.[1];
    expect(moved !== undefined && existsSync(join(moved, '.vscode/tasks.json'))).toBe(!kept);
  });

  test('a rule that names a sensitive file shows it to commands; --allow WebFetch gives them the network', async () => {
    const world = makeWorld('protocol: demo\npermissions: {mode: bypassPermissions}\n');
    for (const name of ['.env', '.env.local']) writeFileSync(join(world.project, name), `in ${name}\n`);
    writeFileSync(join(world.home, 'permissions.yaml'), 'allow:\n  - ReadFile(.env)\n  - WebFetch\n');
    writeFileSync(join(world.project, 'read.sh'), 'cat .env; cat .env.local; readlink /proc/self/ns/net\n');
    const { results } = await turn(world, ['sh read.sh']);
    expect(results[0]).toContain('in .env\n');
    expect(results[0]).toContain('cat: .env.local: Permission denied');
    expect(results[0]).toContain(readlinkSync('/proc/self/ns/net'));
  });
});

test.each([['with the sandbox', 'auto'], ['without', '"off"']])('kill -9 leaves no command behind, and nothing in the project: %s', async (_, sandbox) => {
  const world = makeWorld(`protocol: demo\nsecurity: {sandbox: ${sandbox}}\n`);
  writeFileSync(join(world.project, '.env'), 'x');
  for (let round = 0; round < 3; round += 1) {
    const mark = `7${round}.${process.pid}`;
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), '-p', '--demo', '--yolo', '--no-session', `run sleep ${mark} & sleep ${mark}`], { cwd: world.project, env: { PATH: process.env['PATH'], HOME: world.home, MEWCODE_HOME: world.home, MEWCODE_DEMO_RATE: '0' }, stdio: 'ignore' });
    onTestFinished(() => { child.kill('SIGKILL'); });
    while (countOf(`sleep ${mark}`) < 3) await new Promise((resolve) => { setTimeout(resolve, 10); });
    await new Promise((resolve) => { setTimeout(resolve, round * 15); });
    child.kill('SIGKILL');
    expect(await isNowhere(`sleep ${mark}`)).toBe(true);
    expect(readdirSync(world.project).sort()).toEqual(['.env', '.git']);
  }
});
