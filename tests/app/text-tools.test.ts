// The whole program with tools as text, over a loopback Mattermost and a loopback Ollama.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startSseServer, type Reply, type SseServer } from '../helpers/sse-server.ts';
import { makeWorld } from '../config/helpers.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

let server: SseServer | undefined;
afterEach(() => server?.close());

const call = (path: string) => `I look.\n<tool_call>{"type":"tool_call","tool":"ReadFile","arguments":{"path":"${path}"}}</tool_call>`;

async function print(config: string, replies: Reply[]): Promise<{ code: number | null; stdout: string; bodies: { messages: { role: string; content: string }[]; tools?: unknown }[] }> {
  server = await startSseServer({ replies, strict: true });
  const { project, home } = makeWorld({ files: { '~/.mewcode/config.yaml': `base_url: ${server.url}\n${config}`, 'a.txt': 'forty-two' } });
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, '-p', 'What is in a.txt?'], { cwd: project, env: { PATH: process.env['PATH'] ?? '', HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => { stdout += chunk.toString('utf8'); });
  child.stderr.on('data', (chunk: Buffer) => { stderr += chunk.toString('utf8'); });
  child.stdin.end();
  const code = await new Promise<number | null>((resolve) => { child.on('close', resolve); });
  expect(stdout + stderr).not.toContain('tool_call>');
  return { code, stdout: stdout + (code === 0 ? '' : stderr), bodies: server.requests.map(({ body }) => body as { messages: { role: string; content: string }[] }) };
}

test('a plugin: a broken call is told what is wrong, a good one runs', async () => {
  const config = 'protocol: mattermost\nmmauth_token: token-123456\nmmuser_id: user-123456\n';
  const { code, stdout, bodies } = await print(config, ['<tool_call>{"tool":}</tool_call>', call('a.txt'), 'It says forty-two.'].map((content) => ({ status: 200, body: { content } })));
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'It says forty-two.\n' });
  expect(bodies[0]?.messages[0]?.content).toContain('## ReadFile');
  expect(bodies[1]?.messages.at(-1)?.content).toMatch(/^<tool_result id="call_\w+" tool="tool_call" error="true">\nWhat stands between the tags is not valid JSON \(/);
  expect(bodies[2]?.messages.at(-2)).toEqual({ role: 'assistant', content: call('a.txt') });
  expect(bodies[2]?.messages.at(-1)?.content).toMatch(/^<tool_result id="call_\w+" tool="ReadFile">\n[^]*forty-two[^]*<\/tool_result>$/);
  // History only grows.
  expect(bodies[2]?.messages.slice(0, bodies[1]?.messages.length)).toEqual(bodies[1]?.messages);
});

test('a stream cut into single bytes, and a model that does not learn: two retries, then a sentence', async () => {
  const broken: Reply = { say: [{ text: 'Hm <tool_call>oops</tool_call>' }], chunk: 1 };
  const { code, stdout, bodies } = await print('protocol: openai-compatible\nmodel: m\ntool_protocol: text\n', [broken, broken, broken]);
  expect(bodies.map(({ tools }) => tools)).toEqual([undefined, undefined, undefined]);
  expect(code).toBe(1);
  expect(stdout).toContain("The model wrote a tool call that can't be read 3 times in a row. The last time: What stands between the tags is not valid JSON");
});
