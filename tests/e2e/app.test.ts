// The whole program, built, in a real terminal against a loopback server: what a user sees, presses and finds on disk.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeProject, startMewcode } from '../helpers/mewcode.ts';
import type { Pty } from '../helpers/pty.ts';
import { startSseServer, type Reply } from '../helpers/sse-server.ts';

/** Keys count for a dialog only after a pause; a person makes one by reading. */
const READ_MS = 1_000;
const pause = (ms: number) => new Promise((resolve) => { setTimeout(resolve, ms); });

const APIS = [
  { name: 'messages', protocol: 'anthropic', key: 'ANTHROPIC_API_KEY' },
  { name: 'responses', protocol: 'openai', key: 'OPENAI_API_KEY' },
  { name: 'chat', protocol: 'deepseek', key: 'DEEPSEEK_API_KEY' },
] as const;

async function start(protocol: string, replies: readonly Reply[], project: string, options: { columns?: number; rows?: number } = {}): Promise<{ app: Pty; server: Awaited<ReturnType<typeof startSseServer>> }> {
  const server = await startSseServer({ replies, strict: true });
  const app = startMewcode({ cwd: project, ...options, config: `protocol: ${protocol}\nmodel: test-model\nbase_url: ${server.url}/v1\napi_key: test-key-0123456789\ncontext_window: 100K\n` });
  return { app, server };
}

/** Types a line and sends it, once the prompt is there. */
async function say(app: Pty, text: string): Promise<void> {
  await app.waitFor(/ctx /);
  app.write(text);
  await app.waitFor(text);
  app.write('\r');
}

/** Answers the dialog once it can be read. */
async function answer(app: Pty, about: string, key: string): Promise<void> {
  await app.waitFor(/Allow/);
  await app.waitFor(about);
  await pause(READ_MS);
  app.write(key);
}

async function leave(app: Pty): Promise<void> {
  app.write('/exit\r');
  expect(await app.exited).toEqual({ code: 0, signal: undefined });
  expect(app.buffer()).toBe('normal');
  expect(app.modes()).toEqual([]);
  expect(app.cursor().visible).toBe(true);
}

describe.each(APIS)('over $name', ({ protocol }) => {
  test('a prompt, thinking, a permission, the diff, the file on disk, the meter, a cancelled command, and the terminal as it was', async () => {
    const project = makeProject({ 'hello.txt': 'one\ntwo\nthree\n' }, { git: true });
    const usage = { input: 20_000, output: 50 };
    const { app, server } = await start(protocol, [
      { say: [{ thinking: 'I should read it first.' }, { text: 'Reading.' }, { call: 'ReadFile', input: { path: 'hello.txt' } }], usage },
      { say: [{ text: 'Now the edit.' }, { call: 'EditFile', input: { path: 'hello.txt', old_string: 'two', new_string: 'TWO' } }], usage },
      { say: [{ text: 'Running.' }, { call: 'Bash', input: { command: 'echo begun; sleep 60' } }], usage },
      { say: [{ text: 'All **done** then.' }], usage },
    ], project);
    try {
      await say(app, 'make two big');
      await app.waitFor('TWO');
      expect(readFileSync(join(project, 'hello.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
      await answer(app, 'TWO', 'y');
      await app.waitFor(() => readFileSync(join(project, 'hello.txt'), 'utf8') === 'one\nTWO\nthree\n');
      await answer(app, 'sleep 60', 'y');
      await app.waitFor('begun');
      await app.waitFor(/ctx 20\.\dK\/100K ██░░░░░░░░ 20%/);
      app.write('\x1b');
      await app.waitFor(/cancelled/i);
      await say(app, 'and now?');
      await app.waitFor('All done then.');
      expect(server.requests.length).toBe(4);
      await leave(app);
      expect(app.normalText()).toContain('All done then.');
    } finally {
      await server.close();
    }
  });
});

describe('without a key', () => {
  test('the demo model answers through the real loop: reads, creates after a question, runs', async () => {
    const project = makeProject({ 'package.json': '{ "name": "sample" }\n' });
    const app = startMewcode({ cwd: project });
    await say(app, 'read package.json');
    await app.waitFor(/sample/);
    await say(app, 'create notes.md with three lines');
    await answer(app, 'notes.md', 'y');
    await app.waitFor(() => existsSync(join(project, 'notes.md')));
    expect(readFileSync(join(project, 'notes.md'), 'utf8').trimEnd().split('\n').length).toBe(3);
    await say(app, 'run ls -la');
    await answer(app, 'ls -la', 'n');
    await app.waitFor(/denied/i);
    await leave(app);
  });

  test('modes change from the palette and by Shift+Tab', async () => {
    const app = startMewcode({ cwd: makeProject() });
    await app.waitFor(/ctx /);
    app.write('\x1b[Z');
    await app.waitFor('acceptEdits ⏵');
    app.write('\x10');
    await app.waitFor('plan');
    app.write('plan');
    await app.settled();
    app.write('\r');
    await app.waitFor('plan ⏵');
    await leave(app);
  });

  test.each([[60, 20], [100, 30], [200, 60]])('draws at %i x %i and after a resize', async (columns, rows) => {
    const app = startMewcode({ cwd: makeProject(), columns, rows });
    await say(app, 'help');
    await app.settled();
    app.resize(80, 24);
    await app.waitFor((pty) => /^└─{78}┘$/.test(pty.row(23)) && pty.row(22).includes('ctx '));
    await leave(app);
  });
});

describe('what goes wrong', () => {
  test('a server that refuses the key gets one sentence and the session lives', async () => {
    const { app, server } = await start('anthropic', [{ status: 401, body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } } }, { say: [{ text: 'Better now.' }] }], makeProject());
    await say(app, 'hello');
    await app.waitFor(/key/i);
    await say(app, 'again');
    await app.waitFor('Better now.');
    await leave(app);
    await server.close();
  });

  test('broken tool arguments are told back to the model and nothing runs', async () => {
    const project = makeProject();
    const { app, server } = await start('deepseek', [{ say: [{ call: 'Bash', raw: '{"command": "touch broken' }] }, { say: [{ text: 'I see.' }] }], project);
    await say(app, 'go');
    await app.waitFor('I see.');
    expect(existsSync(join(project, 'broken'))).toBe(false);
    expect(JSON.stringify(server.requests[1]?.body)).toContain('not valid JSON');
    await leave(app);
    await server.close();
  });

  test('a faulty configuration is told in the normal screen, with exit code 2', async () => {
    const app = startMewcode({ cwd: makeProject(), config: 'protocl: anthropic\n' });
    expect((await app.exited).code).toBe(2);
    expect(app.normalText()).toMatch(/protocl.*protocol/s);
    expect(app.modes()).toEqual([]);
  });

  test.each([['SIGTERM', 143], ['SIGHUP', 129]] as const)('%s restores the terminal', async (signal, code) => {
    const app = startMewcode({ cwd: makeProject() });
    await app.waitFor(/ctx /);
    app.kill(signal);
    expect((await app.exited).code).toBe(code);
    expect(app.buffer()).toBe('normal');
    expect(app.modes()).toEqual([]);
  });
});

test('a project that would redirect the key is asked about, once', async () => {
  const project = makeProject({ '.mewcode/config.yaml': 'protocol: openai-compatible\nbase_url: http://127.0.0.1:9/v1\nmodel: x\n' });
  const app = startMewcode({ cwd: project });
  await app.waitFor(/base_url/);
  await app.waitFor(/trust/i);
  await pause(READ_MS);
  app.write('\x1b');
  expect((await app.exited).code).toBe(0);
  expect(app.buffer()).toBe('normal');
});

test('--continue takes the session up again', async () => {
  const project = makeProject({ 'package.json': '{ "name": "sample" }\n' });
  const home = makeProject();
  const first = startMewcode({ cwd: project, env: { MEWCODE_HOME: home } });
  await say(first, 'read package.json');
  await first.waitFor(/sample/);
  await leave(first);
  const second = startMewcode({ cwd: project, args: ['--continue'], env: { MEWCODE_HOME: home } });
  await second.waitFor('read package.json');
  await leave(second);
});
