// Canaries: keys in the environment, the configuration, headers, files and tool input are in no byte that the program writes.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MAIN } from '../helpers/mewcode.ts';
import { startPty } from '../helpers/pty.ts';
import { startSseServer, type Reply } from '../helpers/sse-server.ts';
import type { Piece } from '../helpers/sse-bytes.ts';

const canary = (name: string) => `cnry${name}-${randomBytes(12).toString('hex')}`;

const KEYS = { ANTHROPIC_API_KEY: canary('anthropic'), OPENAI_API_KEY: canary('openai'), DEEPSEEK_API_KEY: canary('deepseek'), RANDOM_SERVICE_TOKEN: canary('token'), DB_PASSWORD: canary('db') };
const LITERAL = canary('literal');
const HEADER = canary('header');
/** In a file that nobody may read. */
const ENV_FILE = canary('envfile');
/** In variables that no name gives away: children must not have them at all. */
const PLAIN = canary('plain');

type World = { home: string; project: string; env: Record<string, string> };

function makeWorld(url: string): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mewcode-canary-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  mkdirSync(join(home, '.mewcode'), { recursive: true });
  mkdirSync(join(project, '.git'), { recursive: true });
  writeFileSync(join(home, '.mewcode/config.yaml'), `protocol: deepseek\nmodel: m\nbase_url: ${url}/v1\napi_key: ${LITERAL}\nmcp_servers:\n  far: {url: "http://127.0.0.1:9/mcp", headers: {Authorization: "Bearer ${HEADER}"}}\n`);
  writeFileSync(join(project, '.env'), `SECRET=${ENV_FILE}\n`);
  writeFileSync(join(project, 'read.py'), "print(open('.env').read())\n");
  return { home, project, env: { PATH: process.env['PATH'] ?? '', HOME: home, MEWCODE_HOME: join(home, '.mewcode'), LANG: 'C.UTF-8', INNOCENT: PLAIN, NODE_DISABLE_COMPILE_CACHE: '1', ...KEYS } };
}

const ALL = [...Object.values(KEYS), LITERAL, HEADER, ENV_FILE, PLAIN];
/** A canary in any spelling, and in pieces as a stream cuts it; what a mask leaves of one is at most four characters of its end. */
const spellings = (secret: string) => [secret.slice(0, 20), ...[24, 20, 16, 14].map((from) => secret.slice(-from, -from + 8)), Buffer.from(secret).toString('base64').slice(4, 24), Buffer.from(`x${secret}`).toString('base64').slice(4, 24), Buffer.from(secret).toString('hex').slice(4, 40)];

/** Which canaries a text shows, and where. */
function leaks(where: string, text: string): string[] {
  return ALL.flatMap((secret) => spellings(secret).filter((piece) => text.includes(piece)).map((piece) => `${where}: ${piece}`));
}

/** Every file that was written, but for those that hold the canaries by our own hand. */
function leaksOnDisk({ home, project }: World): string[] {
  return [home, project].flatMap((root) => readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)))
    .filter((path) => path !== join(project, '.env') && path !== join(home, '.mewcode/config.yaml')).flatMap((path) => leaks(path, readFileSync(path, 'latin1')));
}

const bash = (command: string): Piece => ({ call: 'Bash', input: { command } });
const all = ALL.filter((secret) => secret !== ENV_FILE && secret !== PLAIN).join(' ');

/** A model that has got hold of every key, and says it in every way there is. */
const REPLIES: Reply[] = [
  { say: [{ thinking: `I know ${all}` }, { text: `They are ${all}, are they not?` }, bash('env; cat /proc/self/environ; cat /proc/*/environ; cat .env; python3 read.py; echo "$INNOCENT"')] },
  { say: [bash(`echo ${all}; echo ${LITERAL} | base64; echo ${KEYS.OPENAI_API_KEY} >&2; false`), { call: 'ReadFile', input: { path: `${KEYS.DB_PASSWORD}.txt` } }, { call: 'Grep', input: { pattern: KEYS.RANDOM_SERVICE_TOKEN } }, { call: LITERAL, input: { [HEADER]: LITERAL } }, { call: 'Bash', raw: `{"command": "${LITERAL}` }] },
  { say: [{ text: `\`\`\`\n${all}\n\`\`\` and ${encodeURIComponent(LITERAL)} and ${Buffer.from(`u:${LITERAL}`).toString('base64')}` }] },
];
const REFUSAL: Reply = { status: 401, body: { error: { message: `Incorrect API key provided: ${LITERAL}. Also ${KEYS.OPENAI_API_KEY}.` } } };

async function run(world: World, args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), ...args], { cwd: world.project, env: world.env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => { stdout += chunk.toString(); });
  child.stderr.on('data', (chunk: Buffer) => { stderr += chunk.toString(); });
  return new Promise((resolve) => { child.on('close', (code) => resolve({ code, stdout, stderr })); });
}

test.each(['text', 'json'])('headless, --debug, %s', async (format) => {
  const server = await startSseServer({ replies: [...REPLIES, REFUSAL], chunk: 7 });
  onTestFinished(() => server.close());
  const world = makeWorld(server.url);
  const first = await run(world, ['-p', 'go', '--yolo', '--debug', '--output-format', format]);
  expect(first.stdout).toContain('••••');
  expect(server.requests).toHaveLength(REPLIES.length);
  // What the model is told is as it was: the agent works with what it has. But it never got what nobody showed it.
  const told = JSON.stringify(server.requests.map(({ body }) => body));
  expect(leaks('told', told).filter((leak) => [ENV_FILE, PLAIN].some((secret) => spellings(secret).some((piece) => leak.includes(piece))))).toEqual([]);
  const refused = await run(world, ['-p', 'again', '-c', '--debug', '--output-format', format]);
  expect(refused.code).not.toBe(0);
  const others = await Promise.all([['--check-config'], ['doctor'], ['-p', '/config'], ['config', 'show'], ['session', 'export']].map((args) => run(world, args)));
  const written = [first, refused, ...others].flatMap(({ stdout, stderr }, i) => [...leaks(`stdout ${i}`, stdout), ...leaks(`stderr ${i}`, stderr)]);
  expect([...written, ...leaksOnDisk(world)]).toEqual([]);
});

test('in a terminal', async () => {
  const server = await startSseServer({ replies: [...REPLIES, REFUSAL], chunk: 7 });
  onTestFinished(() => server.close());
  const world = makeWorld(server.url);
  const pty = startPty({ file: process.execPath, args: [MAIN, '--debug'], cwd: world.project, columns: 200, rows: 60, env: world.env });
  const seen: string[] = [];
  const look = setInterval(() => seen.push(pty.text()), 20);
  onTestFinished(() => clearInterval(look));
  await pty.waitFor(/ctx /);
  pty.write('go\r');
  // The first command is denied, since it reads a sensitive file; the second is asked for.
  await pty.waitFor(/Allow Bash/);
  // Keys count for a dialog only after a pause.
  await new Promise((resolve) => { setTimeout(resolve, 1_000); });
  pty.write('y');
  await pty.waitFor(() => server.requests.length === REPLIES.length);
  await pty.settled(300);
  pty.write('again\r');
  await pty.waitFor(/key|401/i);
  await pty.settled(300);
  pty.write('/exit\r');
  await pty.exited;
  // Runs of text may be broken by cursor movements: the pictures are looked at as well as the bytes.
  expect([...leaks('bytes', pty.raw()), ...new Set(seen.flatMap((picture) => leaks('picture', picture.replaceAll('\n', '')))), ...leaksOnDisk(world)]).toEqual([]);
});
