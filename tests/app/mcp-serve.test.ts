// mewcode mcp serve, in a process of its own, with the SDK's client; and MewCode as the client of MewCode.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema, type CallToolResult, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isGone } from '../helpers/gone.ts';
import { makeWorld, openApp, type World } from '../helpers/start-app.ts';
import { until } from '../mcp/servers.ts';

const SERVE = join(import.meta.dirname, '../fixtures/mcp/serve.ts');
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const envOf = ({ home }: World) => ({ HOME: home, MEWCODE_HOME: home, PATH: process.env['PATH'] ?? '' });

/** A client of a server for `world`; with `answer` it can be asked. */
async function connect(world: World, flags: object = {}, answer?: (message: string) => ElicitResult): Promise<{ client: Client; pid: number; stderr(): string; call(name: string, input: object, signal?: AbortSignal, onProgress?: (message: string) => void): Promise<CallToolResult> }> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
  const transport = new StdioClientTransport({ command: process.execPath, args: [SERVE, world.project, JSON.stringify(flags)], env: envOf(world), stderr: 'pipe' });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => { stderr += chunk.toString(); });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client, pid: transport.pid ?? -1, stderr: () => stderr,
    call: async (name, input, signal, onProgress) => await client.callTool({ name, arguments: { ...input } }, undefined, { ...(signal && { signal }), ...(onProgress && { onprogress: ({ message }) => onProgress(message ?? '') }) }) as CallToolResult,
  };
}

const textOf = ({ content }: CallToolResult): string => content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');

test('reads and looks at once; what would be asked is refused; pictures come as pictures; keys and models are not needed', async () => {
  const world = makeWorld('protocol: anthropic\n');
  writeFileSync(join(world.project, 'a.txt'), 'one\ntwo\n');
  writeFileSync(join(world.project, 'dot.png'), Buffer.from(PNG, 'base64'));
  const { client, call, stderr } = await connect(world);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['ReadFile', 'EditFile', 'Bash', 'Grep']));
  expect(tools.filter(({ name }) => /AskUser|ToolSearch|CallTool|^Todo|mcp/.test(name))).toEqual([]);
  expect(tools.find(({ name }) => name === 'ReadFile')?.annotations).toEqual({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
  expect(tools.find(({ name }) => name === 'Bash')?.annotations).toEqual({ readOnlyHint: false, destructiveHint: true, openWorldHint: true });
  expect(client.getInstructions()).toContain(world.project);
  const [read, found, written, picture, unknown, odd] = await Promise.all([
    call('ReadFile', { path: 'a.txt' }), call('Grep', { pattern: 'two' }), call('WriteFile', { path: 'b.txt', content: 'x' }), call('ReadFile', { path: 'dot.png' }), call('Nothing', {}), call('ReadFile', { path: 7 }),
  ]);
  expect(textOf(read)).toContain('two');
  expect([read.isError, textOf(found).includes('a.txt')]).toEqual([false, true]);
  expect(written).toEqual({ isError: true, content: [{ type: 'text', text: expect.stringContaining('nobody could be asked') }] });
  expect(picture.content.map(({ type }) => type)).toEqual(['text', 'image']);
  expect([unknown.isError, textOf(unknown), odd.isError]).toEqual([true, 'There is no tool named Nothing.', true]);
  expect(stderr()).toBe('');
});

test('modes and rules widen it; changes go one after the other; the client that can be asked is asked', async () => {
  const world = makeWorld();
  writeFileSync(join(world.project, 'n.txt'), '0\n');
  const { call } = await connect(world, { mode: 'acceptEdits', allow: ['Bash(echo *)'] });
  await call('ReadFile', { path: 'n.txt' });
  // Each of them only fits what the one before left.
  const edits = await Promise.all([0, 1, 2, 3].map((n) => call('EditFile', { path: 'n.txt', old_string: `${n}\n`, new_string: `${n + 1}\n` })));
  expect([edits.map(({ isError }) => isError), readFileSync(join(world.project, 'n.txt'), 'utf8')]).toEqual([[false, false, false, false], '4\n']);
  expect(textOf(await call('Bash', { command: 'echo allowed' }))).toContain('allowed');

  const messages: string[] = [];
  const answers: ElicitResult[] = [{ action: 'accept', content: { answer: 'once' } }, { action: 'accept', content: { answer: 'session' } }, { action: 'decline' }];
  const asked = await connect(world, {}, (message) => { messages.push(message); return answers.shift() ?? { action: 'cancel' }; });
  const outputs: string[] = [];
  for (const command of ['touch one', 'touch two', 'touch two', 'mkdir three']) outputs.push(textOf(await asked.call('Bash', { command })));
  expect(messages.map((message) => message.split('\n')[0])).toEqual(['MewCode wants to run Bash touch one', 'MewCode wants to run Bash touch two', 'MewCode wants to run Bash mkdir three']);
  expect(outputs[3]).toBe('The user denied this call.');
});

test('progress is told, a cancelled call ends with all that it started, and so does everything when the client goes', async () => {
  const world = makeWorld();
  const { client, pid, call } = await connect(world, { mode: 'bypassPermissions' });
  const lines: string[] = [];
  await call('Bash', { command: 'echo first; sleep 0.3; echo second' }, undefined, (message) => lines.push(message));
  expect(lines[0]).toBe('first');

  // In a sandbox it would know its own number only.
  const mark = `6${process.pid}.${Date.now() % 10_000}`;
  const running = () => spawnSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' }).stdout.split('\n').filter((line) => line === `sleep ${mark}`).length;
  const controller = new AbortController();
  const cancelled = call('Bash', { command: `sleep ${mark}` }, controller.signal).catch((error: Error) => error.message);
  await until(() => running() === 1);
  controller.abort('enough');
  expect(await cancelled).toContain('enough');
  await until(() => running() === 0);
  const left = call('Bash', { command: `sleep ${mark}` }).catch(() => {});
  await until(() => running() === 1);
  await client.close();
  await left;
  await until(() => running() === 0);
  expect(await isGone(pid)).toBe(true);
});

test('a pipe of requests is answered to its end, with nothing but messages on stdout', () => {
  const world = makeWorld('tools: {enabled: [ReadFile, Nonsense]}\n');
  writeFileSync(join(world.project, 'a.txt'), 'inside\n');
  const requests = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } } },
    { method: 'notifications/initialized' }, { id: 2, method: 'tools/list' }, { id: 3, method: 'tools/call', params: { name: 'ReadFile', arguments: { path: 'a.txt' } } },
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, [SERVE, world.project], { env: envOf(world), encoding: 'utf8', input: `no message\n${requests.map((request) => `${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`).join('')}` });
  const answers = stdout.trim().split('\n').map((line) => JSON.parse(line) as { id: number; result: { tools?: { name: string }[] } });
  expect(answers.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(answers[1]?.result.tools?.map(({ name }) => name)).toEqual(['ReadFile']);
  expect(stderr).toContain('there is no tool "Nonsense"');
  expect(status).toBe(0);
});

test('MewCode uses the tools of MewCode', async () => {
  const world = makeWorld();
  writeFileSync(join(world.project, 'a.txt'), 'inside\n');
  const script = join(world.home, 'script.yaml');
  writeFileSync(script, JSON.stringify([{ calls: [{ name: 'mcp_mew_ReadFile', input: { path: 'a.txt' } }] }, { text: 'Done.' }]));
  world.write(`protocol: demo\nmcp_servers:\n  mew: {command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(SERVE)}, ${JSON.stringify(world.project)}], env: {MEWCODE_HOME: ${JSON.stringify(world.home)}}}\n`);
  const { app, events } = await openApp(world, { env: { MEWCODE_DEMO_SCRIPT: script }, answer: () => ({ kind: 'allow' }) });
  await until(() => app.state.get().mcp.some(({ state }) => state === 'ready'));
  await app.submit('go');
  expect(events.flatMap((event) => (event.type === 'part' && event.part.type === 'tool_result' ? [event.part] : []))).toEqual([expect.objectContaining({ name: 'mcp_mew_ReadFile', ok: true, text: expect.stringContaining('inside') })]);
});
