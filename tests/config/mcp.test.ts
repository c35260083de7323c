// MCP servers from every place: shapes, ranks, variables, trust, and what is said of bad entries.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { makeWorld } from '../helpers/start-app.ts';

/** Loads a project with these files; `~/…` are the user's. */
async function load(files: Record<string, string>, options: { env?: Record<string, string>; trusted?: boolean; mcpConfig?: string } = {}) {
  const { home, project } = makeWorld();
  for (const [name, text] of Object.entries(files)) {
    const path = name.startsWith('~/') ? join(home, name.slice(2)) : join(project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const { mcpConfig, trusted = true, env } = options;
  const loaded = await loadConfig({ cwd: project, env: { HOME: home, MEWCODE_HOME: home, ...env }, home, trusted, flags: mcpConfig === undefined ? {} : { mcpConfig: join(project, mcpConfig) } });
  return { loaded, home, project, told: loaded.warnings.map((text) => text.replaceAll(home, '~')) };
}

const servers = (all: Record<string, unknown>) => JSON.stringify({ mcpServers: all }, null, 2);
const one = (command: string) => servers({ s: { command } });

test('a server in full, from YAML and from JSON', async () => {
  const { loaded, project } = await load({
    '~/config.yaml': 'mcp_servers:\n  one: {command: npx, args: ["-y", "pkg"], env: {LEVEL: info, N: 3}, timeout: 5, trust_read_only: true, defer: false, tools: {allow: ["get*"], deny: [getall]}}\n',
    '.mcp.json': servers({ two: { type: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer abcdefgh12345' }, timeout: 5_000, alwaysAllow: ['x'], disabled: false } }),
  });
  expect(loaded.mcp).toEqual([
    {
      name: 'one', from: '~/config.yaml', scope: 'user', enabled: true, timeoutMs: 5_000, trustReadOnly: true, defer: false, allow: ['get*'], deny: ['getall'],
      via: { kind: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: { LEVEL: 'info', N: '3' }, cwd: project },
    },
    {
      name: 'two', from: '.mcp.json', scope: 'project', enabled: true, timeoutMs: 5_000, trustReadOnly: false, defer: true,
      via: { kind: 'http', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer abcdefgh12345' }, sse: false },
    },
  ]);
  expect(loaded.secrets).toContain('abcdefgh12345');
  expect(loaded.warnings).toEqual([]);
});

test('the nearer wins whole', async () => {
  const files = { '~/config.yaml': 'mcp_servers: {s: {command: user-yaml, env: {A: b}}}\n', '~/mcp.json': one('user-json'), '.mcp.json': one('shared'), '.mewcode/mcp.json': one('project-json'), '.mewcode/config.yaml': 'mcp_servers: {s: {command: project-yaml}}\n', 'named.json': one('named') };
  const chosen = async (names: (keyof typeof files)[], mcpConfig?: string) => {
    const { loaded } = await load(Object.fromEntries(names.map((name) => [name, files[name]])), mcpConfig === undefined ? {} : { mcpConfig });
    return loaded.mcp.map(({ via, from }) => `${via.kind === 'stdio' ? `${via.command} ${JSON.stringify(via.env)}` : ''} ${from}`);
  };
  expect(await chosen(['~/config.yaml'])).toEqual(['user-yaml {"A":"b"} ~/config.yaml']);
  expect(await chosen(['~/config.yaml', '.mcp.json'])).toEqual(['shared {} .mcp.json']);
  expect(await chosen(['~/mcp.json', '.mcp.json', '.mewcode/mcp.json'])).toEqual(['project-json {} .mewcode/mcp.json']);
  expect(await chosen(['.mcp.json', '.mewcode/mcp.json', '.mewcode/config.yaml'])).toEqual(['project-yaml {} .mewcode/config.yaml']);
  expect(await chosen(Object.keys(files) as (keyof typeof files)[], 'named.json')).toEqual(['named {} named.json']);
});

test('an entry that only says enabled: false switches off what is farther away', async () => {
  const { loaded } = await load({ '~/mcp.json': servers({ s: { command: 'x' }, t: { command: 'y' } }), '.mewcode/config.yaml': 'mcp_servers: {s: {enabled: false}, unknown: {enabled: false}}\n' });
  expect(loaded.mcp.map(({ name, enabled }) => [name, enabled])).toEqual([['s', false], ['t', true]]);
});

test('variables are put in; one that is not set skips its server and says where', async () => {
  const { loaded, told } = await load({
    '.mcp.json': servers({
      ok: { command: 'x', args: ['${A}', '${B:-b}', '$A'], env: { K: 'k-${A}' } },
      web: { url: 'https://${HOST:-example.com}/mcp', headers: { 'X-Key': '${A}' } },
      bad: { command: 'x', env: { K: '${NO_SUCH}' } },
      off: { command: 'x', env: { K: '${NO_SUCH}' }, disabled: true },
    }),
  }, { env: { A: 'a' } });
  expect(loaded.mcp.map(({ name, via }) => [name, via.kind === 'stdio' ? [via.args, via.env] : [via.url, via.headers]])).toEqual([
    ['ok', [['a', 'b', '$A'], { K: 'k-a' }]], ['web', ['https://example.com/mcp', { 'X-Key': 'a' }]], ['off', [[], { K: '' }]],
  ]);
  expect(told).toEqual(['.mcp.json:20: the MCP server "bad" is skipped: the variable NO_SUCH is not set. Set it, or say what stands for it: ${NO_SUCH:-…}']);
});

test("an untrusted project's servers are not there, and the question names them", async () => {
  const { loaded } = await load({ '~/mcp.json': servers({ mine: { command: 'x' } }), '.mcp.json': servers({ theirs: { command: 'sh', args: ['-c', 'evil'], env: { LD_PRELOAD: 'x' } }, mine: { enabled: false } }), '.mewcode/config.yaml': 'mcp_servers: {also: {url: "https://evil.example"}}\n' }, { trusted: false });
  expect(loaded.mcp.map(({ name }) => name)).toEqual(['mine']);
  expect(loaded.trust?.needed.flatMap(({ why }) => why)).toEqual(['mcp_servers.also.url: https://evil.example (programs are started)', 'MCP server theirs: sh -c evil with LD_PRELOAD (runs a program)']);
});

describe('what other tools write', () => {
  test.each<[string, unknown, unknown]>([
    ['a list as command', { command: ['npx', '-y', 'pkg'] }, { via: { command: 'npx', args: ['-y', 'pkg'] } }],
    ['httpUrl', { httpUrl: 'https://a.example' }, { via: { url: 'https://a.example', sse: false } }],
    ['type sse', { type: 'sse', url: 'https://a.example' }, { via: { url: 'https://a.example', sse: true } }],
    ['type streamable-http', { type: 'streamable-http', url: 'https://a.example' }, { via: { sse: false } }],
    ['alwaysLoad', { command: 'x', alwaysLoad: true }, { defer: false }],
    ['excludeTools', { command: 'x', excludeTools: ['rm'] }, { deny: ['rm'] }],
    ['tools as a list', { command: 'x', tools: ['*'] }, { allow: ['*'] }],
    ['numbers as arguments', { command: 'x', args: [1, true] }, { via: { args: ['1', 'true'] } }],
    ['a folder of the user', { command: 'x', cwd: '/srv' }, { via: { cwd: '/srv' } }],
  ])('%s', async (_name, entry, expected) => {
    const { loaded } = await load({ '~/mcp.json': servers({ s: entry }) });
    expect(loaded.mcp).toMatchObject([expected]);
    expect(loaded.warnings).toEqual([]);
  });
});

test.each<[string, string, string]>([
  ['no JSON', '{"mcpServers": {', '~/mcp.json:1: not valid JSON'],
  ['another shape', '{"servers": {}}', '~/mcp.json: there are no "mcpServers" in it.'],
  ['both', servers({ s: { command: 'x', url: 'https://a.example' } }), '~/mcp.json:3: the MCP server "s" is skipped: exactly one of "command" and "url" is needed.'],
  ['a name of two lines', servers({ 'a\nb': { command: 'x' } }), '~/mcp.json:3: an MCP server is skipped: its name is empty, too long or has characters that can\'t be seen.'],
  ['neither', servers({ s: {} }), 'exactly one of "command" and "url" is needed.'],
  ['no object', servers({ s: 'npx' }), '~/mcp.json:3: the MCP server "s" is skipped: it must be an object with "command" or "url".'],
  ['args', servers({ s: { command: 'x', args: 'y' } }), '"args" must be a list of texts.'],
  ['timeout', servers({ s: { command: 'x', timeout: '30' } }), '"timeout" must be a number of milliseconds.'],
  ['type', servers({ s: { url: 'https://a.example', type: 'ws' } }), '"type" can\'t be "ws". Accepted: stdio, http, sse.'],
  ['address', servers({ s: { url: 'ftp://a.example' } }), 'ftp://a.example is no address that begins with http:// or https://'],
  ['a misspelt key', servers({ s: { command: 'x', heders: {} } }), '~/mcp.json:3: the MCP server "s": `heders` is not known and passed over. Did you mean `headers`?'],
  ['what is not done', servers({ s: { url: 'https://a.example', headersHelper: 'x' } }), '`headersHelper`: a program for headers is not run; write `headers` instead.'],
])('a bad entry (%s) is one warning, and the rest goes on', async (_name, text, warning) => {
  const { told } = await load({ '~/mcp.json': text });
  expect(told).toEqual([expect.stringContaining(warning)]);
});

test('comments and a byte more are no fault; a named file must be there', async () => {
  const { loaded } = await load({ '.mewcode/mcp.json': '// ours\n{"mcpServers": {\n  /* one */ "s": {"command": "x", "args": ["//no", "/*no*/"]},\n}}\n' });
  expect(loaded.mcp).toMatchObject([{ name: 's', via: { args: ['//no', '/*no*/'] } }]);
  await expect(load({}, { mcpConfig: 'none.json' })).rejects.toThrow(/There is no file of MCP servers .*none\.json/);
});
