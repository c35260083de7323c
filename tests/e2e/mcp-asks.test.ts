// The built program with a server that asks for a form: filled in by keys, and hostile texts stay texts.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProject, ROOT, startMewcode } from '../helpers/mewcode.ts';

const ask = (params: object) => ({ calls: [{ name: 'mcp_asking_ask', input: { requests: [{ method: 'elicitation/create', params }] } }] });

test('a form of a server is filled in at the keyboard, a page is refused, and the program goes on', async () => {
  const cwd = makeProject({
    'servers.json': JSON.stringify({ mcpServers: { asking: { command: process.execPath, args: [join(ROOT, 'tests/fixtures/mcp/asking.mjs')], defer: false } } }),
    'script.yaml': JSON.stringify([
      ask({ message: '\x1b]0;owned\x07Who are \x1b[2Jyou?', requestedSchema: { type: 'object', required: ['name'], properties: { name: { type: 'string', title: 'Name' }, token: { type: 'string', title: 'Token' } } } }),
      ask({ mode: 'url', elicitationId: 'one', message: 'Log in', url: 'https://example.com/login' }),
      { text: 'That was all.' },
    ]),
  });
  const app = startMewcode({ cwd, columns: 120, rows: 36, config: 'protocol: demo\n', args: ['--mcp-config', 'servers.json', '--allow', 'mcp_*'], env: { MEWCODE_DEMO_SCRIPT: join(cwd, 'script.yaml'), MEWCODE_BROWSER: 'none' } });
  await app.waitFor('Connected to 1 MCP server(s)');
  app.write('go\r');
  await app.waitFor('MCP server asking asks');
  await app.waitFor('Who are you?');
  expect(app.text()).toContain('This looks like a secret. What you type goes to MCP server asking');
  await new Promise((resolve) => { setTimeout(resolve, 1_000); });
  app.write('Mew');
  await app.waitFor('Name*: Mew');
  app.write('\t\t');
  await app.waitFor('› [ Send ]');
  app.write('\r');
  await app.waitFor('asks you to open a page of example.com');
  await new Promise((resolve) => { setTimeout(resolve, 1_000); });
  app.write('3');
  await app.waitFor('That was all.');
  expect(app.raw()).not.toContain('owned');
  app.write('/exit\r');
  expect(await app.exited).toEqual({ code: 0, signal: undefined });
});
