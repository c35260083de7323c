// Servers that hang, flood, die, answer garbage or change: the rest goes on, and what happened is said.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isGone } from '../helpers/gone.ts';
import { hostile, manage, remember, settings, until } from './servers.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'mcp-'));
const all = () => true;

describe('at the start', () => {
  test('those that fail are skipped, each with its reason; the others are there', async () => {
    const { manager, said, states } = manage([
      hostile('good'), hostile('quits', { exit: 3 }),
      settings('absent', { via: { kind: 'stdio', command: 'no-such-program', args: [], env: {}, cwd: tmpdir() } }),
      settings('away', { via: { kind: 'stdio', command: '/no/such/program', args: [], env: {}, cwd: tmpdir() } }),
      settings('nowhere', { via: { kind: 'http', url: 'http://127.0.0.1:2/mcp', headers: {}, sse: false } }),
    ]);
    await manager.settled(all, 20_000);
    await until(() => said.length >= 5);
    expect(said.toSorted()).toEqual([
      'info: Connected to 1 MCP server(s), 9 tools registered',
      'warn: The MCP server "absent" is skipped: there is no program "no-such-program" on the PATH',
      'warn: The MCP server "away" is skipped: there is no program "/no/such/program"',
      'warn: The MCP server "nowhere" is skipped: nothing answers at its address (connection refused)',
      'warn: The MCP server "quits" is skipped: it ended with exit code 3. It said last:\n  can not go on',
    ]);
    expect(states.at(-1)).toEqual([
      { name: 'good', state: 'ready', tools: 9 },
      { name: 'quits', state: 'failed', tools: 0, problem: 'it ended with exit code 3. It said last:\n  can not go on' },
      { name: 'absent', state: 'failed', tools: 0, problem: expect.stringContaining('no program') },
      { name: 'away', state: 'failed', tools: 0, problem: expect.stringContaining('no program') },
      { name: 'nowhere', state: 'failed', tools: 0, problem: expect.stringContaining('refused') },
    ]);
  });

  test('one that does not answer is given up', async () => {
    const { manager, said } = manage([settings('mute', { via: { kind: 'stdio', command: 'bash', args: ['-c', 'echo waiting for nothing >&2; cat > /dev/null'], env: {}, cwd: tmpdir() } })], { connectMs: 400 });
    await manager.settled(all, 20_000);
    await until(() => said.length > 0);
    expect(said).toEqual([expect.stringMatching(/^warn: The MCP server "mute" is skipped: it did not answer within 0\.4 s(\. It said last:\n {2}waiting for nothing)?$/)]);
  });

  test('noise between the messages, pages without end and entries that are no tools are passed over', async () => {
    const { manager, run } = manage([hostile('noisy', { noise: true, broken: true }), hostile('endless', { loop: true })]);
    await manager.settled(all, 20_000);
    expect(manager.servers().map(({ tools }) => tools.map(({ name }) => name))).toEqual([
      ['echo', 'die', 'hang', 'huge', 'crawl', 'change', 'escape', 'environment', 'cancelled', 'odd'].map((name) => `mcp_noisy_${name}`),
      ['echo', 'die', 'hang', 'huge', 'crawl', 'change', 'escape', 'environment', 'cancelled'].map((name) => `mcp_endless_${name}`),
    ]);
    expect(await run('mcp_noisy_echo', { text: 'hi' })).toEqual({ ok: true, text: 'hi' });
  });

  test('floods on stdout and stderr leave room for answers and for us', async () => {
    const { manager, run } = manage([hostile('out', { flood: 'stdout' }), hostile('err', { flood: 'stderr' })]);
    await manager.settled(all, 20_000);
    for (const name of ['mcp_out_echo', 'mcp_err_echo']) expect(await run(name, { text: 'still here' })).toEqual({ ok: true, text: 'still here' });
    const began = performance.now();
    let turns = 0;
    // Between two floods there is time for everything else.
    for (; performance.now() - began < 300; turns += 1) await new Promise((resolve) => { setTimeout(resolve, 1); });
    expect(turns).toBeGreaterThan(10);
  });
});

describe('in a call', () => {
  test('a server that dies is said to, started again, and given up after three times', async () => {
    const { manager, said, run, states } = manage([hostile('s')]);
    await manager.settled(all, 20_000);
    for (let death = 1; death <= 3; death += 1) {
      expect(await run('mcp_s_die')).toEqual({ ok: false, text: '!MCP server "s": it ended with exit code 7 during the call. It said last:\n  dying words' });
      // A call in between waits for the new one.
      expect(await run('mcp_s_echo', { text: 'back' })).toEqual({ ok: true, text: 'back' });
    }
    await run('mcp_s_die');
    await until(() => states.at(-1)?.[0]?.state === 'failed');
    expect(said).toEqual([
      'info: Connected to 1 MCP server(s), 9 tools registered',
      ...Array.from({ length: 3 }, () => 'warn: The MCP server "s" is started again: it ended with exit code 7. It said last:\n  dying words'),
      'warn: The MCP server "s" is skipped: it ends again and again: it ended with exit code 7. It said last:\n  dying words',
    ]);
    expect(manager.tools()).toEqual([]);
    await manager.find('s')?.reconnect();
    expect(await run('mcp_s_echo', { text: 'again' })).toEqual({ ok: true, text: 'again' });
  });

  test('no answer: given up after its time, which progress begins anew', async () => {
    const { manager, run } = manage([hostile('s', {}, { timeoutMs: 1_200 })]);
    await manager.settled(all, 20_000);
    expect(await run('mcp_s_hang')).toEqual({ ok: false, text: '!MCP server "s": it did not answer within 1.2 s (`timeout` in its configuration sets the limit)' });
    const lines: string[] = [];
    expect(await run('mcp_s_crawl', { steps: 25 }, { progress: (text) => lines.push(text) })).toEqual({ ok: true, text: 'there' });
    expect(lines[0]).toBe('step 1 (1/25)\n');
  });

  test('a cancelled call is over at once, and the server hears of it; one that is over does not', async () => {
    const { manager, run } = manage([hostile('s')]);
    await manager.settled(all, 20_000);
    const controller = new AbortController();
    await run('mcp_s_echo', { text: 'over' }, { signal: controller.signal });
    const hanging = run('mcp_s_hang', {}, { signal: controller.signal });
    await new Promise((resolve) => { setTimeout(resolve, 50); });
    controller.abort();
    expect(await hanging).toEqual({ ok: false, text: '!cancelled' });
    const told = JSON.parse((await run('mcp_s_cancelled')).text) as number[];
    expect(told).toHaveLength(1);
  });

  const huge = process.env['MEWCODE_LONG'] ? 100 : 40;
  test(`an answer of ${huge} MiB is not taken, one of 8 MiB is`, async () => {
    const { manager, run } = manage([hostile('s', {}, { timeoutMs: 20_000 })]);
    await manager.settled(all, 20_000);
    expect(await run('mcp_s_huge', { mb: huge })).toEqual({ ok: false, text: '!MCP server "s": The answer has more than 32 MiB, so it was not taken.' });
    expect((await run('mcp_s_huge', { mb: 8 })).text).toHaveLength(8 * 1_048_576);
  });
});

test('it gets the allow-list and what is declared, in its folder, and is gone with all its like when we close', async () => {
  const home = folder();
  const pids = join(home, 'pids');
  const server = hostile('s', { pidFile: pids });
  const { manager, run } = manage([{ ...server, via: { ...server.via, kind: 'stdio', command: process.execPath, args: server.via.kind === 'stdio' ? server.via.args : [], env: { DECLARED: 'yes', HOME: home }, cwd: home } }, hostile('deaf', { deaf: true, pidFile: pids })], { env: { PATH: '/bin', HOME: '/root' } });
  await manager.settled(all, 20_000);
  const { env, cwd } = JSON.parse((await run('mcp_s_environment')).text) as { env: Record<string, string>; cwd: string };
  delete env['__CF_USER_TEXT_ENCODING'];
  expect({ env: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('MEWCODE'))), cwd }).toEqual({ env: { PATH: '/bin', HOME: home, DECLARED: 'yes' }, cwd: home });
  await manager.close();
  const ids = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
  expect(ids).toHaveLength(2);
  for (const id of ids) expect(await isGone(id)).toBe(true);
});

test("a tool's access says that it only reads where its server is trusted to say so", async () => {
  const { manager } = manage([hostile('s'), hostile('t', {}, { trustReadOnly: true })]);
  await manager.settled(all, 20_000);
  expect(manager.tools().filter(({ name }) => /echo|die/.test(name)).map((tool) => tool.access({}, '/'))).toEqual([
    [{ kind: 'mcp', target: 's/echo' }], [{ kind: 'mcp', target: 's/die' }], [{ kind: 'mcp', target: 't/echo', readOnly: true }], [{ kind: 'mcp', target: 't/die' }],
  ]);
});

describe('a changed tool', () => {
  test('is announced once and unconfirmed until it is confirmed or as it was', async () => {
    const known = remember();
    const { manager, said, run } = manage([hostile('s', { version: 1 })], { known });
    await manager.settled(all, 20_000);
    await until(() => said.length > 0);
    expect(manager.unconfirmed()).toEqual([]);
    await run('mcp_s_change');
    await until(() => manager.unconfirmed().length > 0);
    expect(manager.tools()[0]?.description).toBe('Says it again, version 2');
    expect(said.slice(1)).toEqual(['warn: The MCP server "s" has changed what it says of mcp_s_echo. Rules that allow it do not count until you confirm the change: /mcp confirm s']);
    expect(manager.confirm('s')).toEqual(['mcp_s_echo']);
    expect(manager.unconfirmed()).toEqual([]);
    await manager.close();

    // The next session knows version 2.
    const next = manage([hostile('s', { version: 1 })], { known });
    await next.manager.settled(all, 20_000);
    await until(() => next.manager.unconfirmed().length > 0);
    expect(next.manager.unconfirmed()).toEqual(['mcp_s_echo']);
    await next.run('mcp_s_change');
    await until(() => next.manager.unconfirmed().length === 0);
    expect(next.said.filter((text) => text.startsWith('warn'))).toHaveLength(1);
  });
});
