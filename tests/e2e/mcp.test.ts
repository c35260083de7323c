// The built program with servers that are slow, dead or hostile: usable at once, alive, and honest about it.
import { expect, test } from 'vitest';
import { join } from 'node:path';
import { makeProject, ROOT, startMewcode } from '../helpers/mewcode.ts';

const SERVER = join(ROOT, 'tests/fixtures/mcp/server.mjs');
const server = (how: object) => ({ command: process.execPath, args: [SERVER, JSON.stringify(how)] });

test('with eight servers that never answer, one dead and one that floods, the prompt is there, a tool is called under its own name, and nothing stays behind', async () => {
  const mute = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`mute${n}`, server({ never: true })]));
  const cwd = makeProject({
    'servers.json': JSON.stringify({ mcpServers: { ...mute, dead: { command: 'no-such-program' }, loud: server({ flood: 'stdout' }) } }),
    'script.yaml': JSON.stringify([{ calls: [{ name: 'CallTool', input: { name: 'mcp_loud_escape', arguments: { of: 'everything' } } }] }, { text: 'That was all.' }]),
  });
  const app = startMewcode({ cwd, columns: 120, rows: 40, config: 'protocol: demo\n', args: ['--mcp-config', 'servers.json'], env: { MEWCODE_DEMO_SCRIPT: join(cwd, 'script.yaml') } });
  await app.waitFor('The MCP server "dead" is skipped: there is no program');
  await app.waitFor('1/10 MCP');
  await app.waitFor('Connected to 1 MCP server(s), 9 tools', { timeoutMs: 20_000 });
  app.write('go\r');
  await app.waitFor('Allow mcp_loud_escape?');
  expect(app.text()).toContain('"of": "everything"');
  await new Promise((resolve) => { setTimeout(resolve, 1_000); });
  app.write('y');
  await app.waitFor('That was all.');
  expect(app.raw()).not.toContain('owned');
  app.write('/exit\r');
  expect(await app.exited).toEqual({ code: 0, signal: undefined });
});
