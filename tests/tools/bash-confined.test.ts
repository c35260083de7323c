// What Bash says and asks when a command failed because of the sandbox. The sandbox is played: the real one has its own tests.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bash } from '../../src/tools/bash.ts';
import { createTasks } from '../../src/tools/bash/background.ts';
import type { Answer, Question } from '../../src/types/question.ts';
import type { ToolResult } from '../../src/types/tool.ts';
import { toolContext } from '../helpers/tool-context.ts';

/** A shell that has the network only where `wrap` says so: a command sees it as ONLINE. */
function stage({ network = false, answers = [] as Answer[] } = {}) {
  const ctx = toolContext({ hidden: (path) => path.endsWith('.env') });
  onTestFinished(() => ctx.dispose());
  const tasks = createTasks();
  onTestFinished(() => tasks.close());
  const tool = bash(tasks);
  const asked: Question[] = [];
  return {
    ctx, asked,
    run: (command: string, background?: true, named = network): Promise<ToolResult> => tool.run({ command, timeout_s: 20, ...(background && { background }) }, {
      ...ctx, confined: { network: named },
      wrap: (argv, options) => ['env', `ONLINE=${options?.network === true || named}`, ...argv],
      ask: async (question) => { asked.push(question); return answers.shift() ?? { kind: 'dismissed' }; },
    }),
  };
}

const FETCH = 'if [ $ONLINE = true ]; then echo fetched; else echo "curl: (6) Could not resolve host: x"; exit 6; fi';
const chosen = (id: string): Answer => ({ kind: 'chosen', ids: [id] });

test('a failure for want of the network is run again, once or for the session', async () => {
  const { run, asked } = stage({ answers: [chosen('once'), chosen('session')] });
  const again = { ok: true, text: 'fetched\nExit code 0.\nThis is its second run, with the network: the first one failed for want of it.' };
  expect(await run(FETCH)).toMatchObject(again);
  expect(await run(FETCH)).toMatchObject(again);
  expect(await run(FETCH)).toMatchObject({ ok: true, text: 'fetched\nExit code 0.' });
  expect(asked.map((question) => question.kind === 'choose' && [question.title, question.options.map(({ id }) => id)])).toEqual(Array.from({ length: 2 }, () => ['The command failed, it seems for want of the network. Run it again with the network?', ['once', 'session', 'no']]));
});

test('who can not reach a server in the background is told why, and asked once', async () => {
  const { run, asked } = stage({ answers: [chosen('session')] });
  const curl = 'exit 7';
  expect((await run(curl, undefined, true)).text).toBe('(no output)\nExit code 7.');
  await run('sleep 20', true);
  expect((await run(curl, undefined, true)).text).toMatch(/started without the network, so nothing reaches it\. The user has given .* start the server again\.$/);
  expect((await run('echo $ONLINE')).text).toContain('true');
  expect((await run(curl, undefined, true)).text).toBe('(no output)\nExit code 7.');
  expect(asked).toHaveLength(1);
});

test('a no is asked once for a command; where nobody is there the sentence says what to do', async () => {
  const { run, asked } = stage({ answers: [chosen('no')] });
  const refused = 'curl: (6) Could not resolve host: x\nExit code 6.\nThe command ran in a sandbox without the network; the user did not want it run with it.';
  expect(await run(FETCH)).toMatchObject({ ok: false, text: refused });
  expect(await run(FETCH)).toMatchObject({ ok: false, text: refused });
  expect(asked).toHaveLength(1);
  expect((await stage().run(FETCH)).text).toBe('curl: (6) Could not resolve host: x\nExit code 6.\nThe command ran in a sandbox without the network. --allow WebFetch, or /permission allow WebFetch, gives commands the network.');
});

test.each([
  'connect ECONNREFUSED 127.0.0.1:5432', 'npm error code EAI_AGAIN', 'getaddrinfo ENOTFOUND registry.npmjs.org', 'connect: network is unreachable', 'ssh: Could not resolve hostname github.com: Temporary failure in name resolution',
  "fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com", 'psycopg2.OperationalError: could not connect to server: Connection refused', 'dial tcp: lookup proxy.golang.org: no such host', 'java.net.UnknownHostException: repo.maven.apache.org',
  'urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>', 'warning: spurious network error (3 tries remaining): [6] Could not resolve hostname', 'OSError: [Errno 101] Network is unreachable', 'requests.exceptions.ConnectionError: [Errno 111] Connection refused',
])('%s is a want of network', async (line) => {
  const { run, asked } = stage();
  await run(`printf '%s\\n' ${JSON.stringify(line)}; exit 1`);
  expect(asked).toHaveLength(1);
});

test.each<[string, string | null]>([
  ['echo "AssertionError: expected 1 to be 2"; exit 1', null],
  ['echo "ECONNREFUSED 127.0.0.1"', null],
  ['echo "touch: cannot touch /etc/x: Read-only file system"; exit 1', 'The sandbox lets commands write in the project and the temporary folder. What git keeps, and settings of editors and CI, can be changed by commands whose own words say so: git itself, or a path that is named.'],
  ['echo "PermissionError: [Errno 13] Permission denied: \'.env\'"; exit 1', 'The sandbox hides .env from commands: it may hold secrets (security.ignore_patterns). A rule that names it allows it.'],
  ['echo "Permission denied: a.txt"; exit 1', null],
  ['echo "error: .env: can only add regular files"; exit 128', 'The sandbox hides .env from commands: it may hold secrets (security.ignore_patterns). A rule that names it allows it.'],
  ['echo "git@github.com: Permission denied (publickey)."; exit 128', 'The sandbox shows keys only to the program that they are made for, and only where nothing else stands in the same command line.'],
  ['echo "sudo: The \\"no new privileges\\" flag is set"; exit 1', 'In the sandbox nobody is root.'],
])('%s', async (command, note) => {
  const { run, asked } = stage();
  const { text } = await run(command);
  expect(text.split('\n').slice(2)).toEqual(note === null ? [] : [note]);
  expect(asked).toEqual([]);
});

test('with the network, or where nothing keeps it in, nothing is added', async () => {
  const { ctx, run, asked } = stage({ network: true });
  writeFileSync(join(ctx.root, 'x'), '');
  expect((await run('echo ENETUNREACH; exit 1')).text).toBe('ENETUNREACH\nExit code 1.');
  expect(asked).toEqual([]);
});

test('who starts a server in the background is told that nobody reaches it', async () => {
  expect((await stage().run('sleep 0', true)).text).toMatch(/a server in it is reached by nobody outside/);
  expect((await stage({ network: true }).run('sleep 0', true)).text).not.toMatch(/nobody outside/);
});
