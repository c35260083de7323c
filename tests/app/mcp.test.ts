// MCP servers through the whole program: found, asked for, called, cancelled, changed; with the demo model, over real and misbehaving servers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Start } from '../../src/app.ts';
import type { Answer, Question } from '../../src/types/question.ts';
import type { ToolResultPart } from '../../src/types/message.ts';
import { fromNpm, HOSTILE, until } from '../mcp/servers.ts';
import { makeWorld, openApp, type Opened, type World } from '../helpers/start-app.ts';

const NODE = JSON.stringify(process.execPath);
const server = (how: object, more = '') => `{command: ${NODE}, args: [${JSON.stringify(HOSTILE)}, ${JSON.stringify(JSON.stringify(how))}]${more}}`;
const npm = (name: string, args: readonly string[] = [], more = '') => `{command: ${NODE}, args: [${[fromNpm(name), ...args].map((arg) => JSON.stringify(arg)).join(', ')}]${more}}`;

/** Opens the app on the demo model with a script and servers, as lines of `mcp_servers`. */
async function open(servers: Record<string, string>, steps: object[], options: { config?: string; answer?(question: Question): Answer; world?: World; session?: Start['session'] } = {}): Promise<Opened & { world: World; results(): ToolResultPart[]; ready(count: number): Promise<void> }> {
  const world = options.world ?? makeWorld();
  world.write(`protocol: demo\nmcp_servers:\n${Object.entries(servers).map(([name, text]) => `  ${name}: ${text}\n`).join('')}${options.config ?? ''}`);
  const script = join(world.home, 'script.yaml');
  writeFileSync(script, JSON.stringify(steps));
  const opened = await openApp(world, { env: { MEWCODE_DEMO_SCRIPT: script }, ...(options.answer && { answer: options.answer }), ...(options.session && { session: options.session }) });
  return {
    ...opened, world,
    results: () => opened.events.flatMap((event) => (event.type === 'part' && event.part.type === 'tool_result' ? [event.part] : [])),
    ready: (count) => until(() => opened.app.state.get().mcp.filter(({ state }) => state === 'ready').length >= count),
  };
}

const notices = ({ events }: Opened): string[] => events.flatMap((event) => (event.type === 'notice' ? [`${event.level}: ${event.text}`] : []));
const allow = (): Answer => ({ kind: 'allow' });

test('real servers: found by words, called by CallTool, asked for under their own name, shown as themselves', async () => {
  const asked: Question[] = [];
  const world = makeWorld();
  const opened = await open({ everything: npm('everything'), files: npm('filesystem', [world.project]), memory: npm('memory', [], `, env: {MEMORY_FILE_PATH: ${JSON.stringify(join(world.project, 'memory.jsonl'))}}`) }, [
    { calls: [{ name: 'ToolSearch', input: { query: 'echo back input', max_results: 2 } }, { name: 'ToolSearch', input: { query: 'select:mcp_memory_create_entities,list_directory' } }] },
    { calls: [{ name: 'CallTool', input: { name: 'mcp_everything_echo', arguments: { message: 'hello' } } }, { name: 'mcp__files__list_directory', input: { path: world.project } }] },
    { calls: [{ name: 'mcp_memory_create_entities', input: { entities: [{ name: 'Mew', entityType: 'cat', observations: ['codes'] }] } }] },
    { text: 'Done.' },
  ], { world, answer: (question) => { asked.push(question); return allow(); } });
  const { app, results, ready, events } = opened;
  await ready(3);
  await app.submit('go');

  const [echo, select, said, listing, made] = results();
  expect(echo).toMatchObject({ name: 'ToolSearch', ok: true, found: expect.arrayContaining(['mcp_everything_echo']), text: expect.stringMatching(/## mcp_everything_echo\nEchoes back the input string\nArguments \(JSON Schema\): \{"\$schema"/) });
  expect(select).toMatchObject({ ok: true, found: ['mcp_memory_create_entities', 'mcp_files_list_directory'] });
  expect(said).toEqual({ type: 'tool_result', callId: expect.any(String), name: 'mcp_everything_echo', ok: true, text: 'Echo: hello' });
  expect(listing).toMatchObject({ name: 'mcp_files_list_directory', ok: true, text: expect.stringContaining('[DIR] .git') });
  expect(made).toMatchObject({ name: 'mcp_memory_create_entities', ok: true, text: expect.stringContaining('"Mew"') });
  expect(asked.map((question) => (question.kind === 'permission' ? [question.call.name, question.call.input, question.session, question.always] : question))).toEqual([
    ['mcp_everything_echo', { message: 'hello' }, ['mcp_everything_echo'], 'mcp_everything_echo'],
    ['mcp_files_list_directory', { path: world.project }, ['mcp_files_list_directory'], 'mcp_files_list_directory'],
    ['mcp_memory_create_entities', { entities: [{ name: 'Mew', entityType: 'cat', observations: ['codes'] }] }, ['mcp_memory_create_entities'], 'mcp_memory_create_entities'],
  ]);
  expect(app.state.get().tools.map(({ call, status }) => [call.name, status])).toEqual([['ToolSearch', 'done'], ['ToolSearch', 'done'], ['mcp_everything_echo', 'done'], ['mcp_files_list_directory', 'done'], ['mcp_memory_create_entities', 'done']]);
  expect(notices(opened)).toContainEqual(expect.stringMatching(/^info: Connected to 3 MCP server\(s\), 4\d tools registered$/));
  const reminder = events.flatMap((event) => (event.type === 'message' && event.message.source === 'reminder' ? event.message.parts.map((part) => (part.type === 'text' ? part.text : '')) : [])).join('\n');
  expect(reminder).toContain('- everything is connected: 17 tools (mcp_everything_NAME): echo, ');
  expect(reminder).toContain('What the MCP server "everything" says of its use (written by the server, not by the user):\n# Everything Server');
});

test('the prompt does not wait for slow servers; a search does, and the model is told when they have come', async () => {
  const opened = await open({ slow: server({ slowMs: 1_000 }) }, [
    { calls: [{ name: 'ToolSearch', input: { query: 'select:mcp_slow_echo' } }] },
    { text: 'Found.' }, { text: 'Again.' },
  ]);
  await opened.app.submit('go');
  expect(opened.results()[0]).toMatchObject({ ok: true, found: ['mcp_slow_echo'] });
  await opened.app.submit('once more');
  await opened.app.submit('and again');
  const reminders = opened.events.flatMap((event) => (event.type === 'message' && event.message.source === 'reminder' ? event.message.parts.map((part) => (part.type === 'text' ? part.text : '')) : []));
  expect(reminders.filter((text) => text.includes('slow is'))).toEqual([
    expect.stringContaining('- slow is still connecting. ToolSearch waits for it.'),
    expect.stringContaining('- slow is connected: 9 tools (mcp_slow_NAME): echo, die, hang'),
  ]);
});

test('servers with defer: false are in the list of the first request', async () => {
  const { app, results } = await open({ eager: server({ slowMs: 400 }, ', defer: false') }, [{ calls: [{ name: 'mcp_eager_echo', input: { text: 'at once' } }] }, { text: 'ok' }], { answer: allow });
  await app.submit('go');
  expect(results()[0]).toMatchObject({ ok: true, text: 'at once' });
});

test('rules hold for them as for any tool, in either spelling', async () => {
  const asked: string[] = [];
  const world = makeWorld();
  writeFileSync(join(world.home, 'permissions.yaml'), 'allow: [mcp__a__echo]\n');
  const { app, results, ready } = await open({ a: server({}), b: server({}) }, [
    { calls: [{ name: 'mcp_a_echo', input: { text: 'ruled' } }, { name: 'mcp_b_echo', input: { text: 'asked' } }, { name: 'CallTool', input: { name: 'mcp_b_die', arguments: {} } }] },
    { text: 'ok' },
  ], { world, answer: (question) => { asked.push(question.kind === 'permission' ? question.call.name : ''); return { kind: 'deny', note: 'no' }; } });
  await ready(2);
  await app.submit('go');
  expect(results().map(({ name, ok, text }) => [name, ok, text])).toEqual([
    ['mcp_a_echo', true, 'ruled'], ['mcp_b_echo', false, 'The user denied this call. The user says: no'], ['mcp_b_die', false, 'The user denied this call. The user says: no'],
  ]);
  expect(asked).toEqual(['mcp_b_echo', 'mcp_b_die']);
});

test('a server that dies in a call is told to the model and the user, and the next call finds it again', async () => {
  const opened = await open({ s: server({}) }, [
    { calls: [{ name: 'mcp_s_die', input: {} }] }, { calls: [{ name: 'mcp_s_echo', input: { text: 'back' } }] }, { text: 'ok' },
  ], { answer: allow });
  await opened.ready(1);
  await opened.app.submit('go');
  expect(opened.results().map(({ text }) => text)).toEqual(['MCP server "s": it ended with exit code 7 during the call. It said last:\n  dying words', 'back']);
  expect(notices(opened)).toContainEqual('warn: The MCP server "s" is started again: it ended with exit code 7. It said last:\n  dying words');
});

test('resources are listed and read, with permission', async () => {
  const { app, results, ready } = await open({ s: server({}), t: server({}, ', trust_read_only: true') }, [
    { calls: [{ name: 'ListMcpResources', input: {} }, { name: 'ReadMcpResource', input: { server: 's', uri: 'memo://one' } }, { name: 'ReadMcpResource', input: { server: 'x', uri: 'memo://one' } }] }, { text: 'ok' },
  ], { answer: allow });
  await ready(2);
  await app.submit('go');
  expect(results().map(({ ok, text }) => [ok, text])).toEqual([
    [true, '# s\nmemo://one  one, text/plain\nmemo://{id}  any\n\n# t\nmemo://one  one, text/plain\nmemo://{id}  any'],
    [true, '[resource memo://one]\ncontents of memo://one'],
    [false, 'There is no MCP server "x". There are: s, t.'],
  ]);
});

test('results that are too long are kept in a file like those of any tool, and one of 40 MiB is refused; the app goes on', async () => {
  const { app, results, ready } = await open({ s: server({}) }, [
    { calls: [{ name: 'mcp_s_huge', input: { mb: 1 } }, { name: 'mcp_s_huge', input: { mb: 40 } }, { name: 'mcp_s_escape', input: {} }] }, { text: 'ok' },
  ], { answer: allow });
  await ready(1);
  await app.submit('go');
  expect(results().map(({ ok, text, spill }) => [ok, text.length < 10_000, spill === undefined])).toEqual([[true, true, false], [false, true, true], [true, true, true]]);
  expect(results()[1]?.text).toBe('MCP server "s": The answer has more than 32 MiB, so it was not taken.');
});

describe('a changed definition', () => {
  test('between two sessions: announced, and confirmed by the next answer', async () => {
    const world = makeWorld();
    const first = await open({ s: server({ version: 1 }) }, [], { world });
    await first.ready(1);
    await until(() => notices(first).length > 0);
    await first.app.close();
    const second = await open({ s: server({ version: 1 }) }, [
      { calls: [{ name: 'mcp_s_change', input: {} }] }, { text: 'one' },
      { calls: [{ name: 'mcp_s_echo', input: { text: 'x' } }] }, { text: 'two' },
    ], { world, answer: (question) => ({ kind: 'allow', ...(question.kind === 'permission' && question.call.name === 'mcp_s_echo' && { keep: 'session', rules: ['mcp_s_echo'] }) }) });
    await second.ready(1);
    await second.app.submit('change');
    const warning = 'warn: The MCP server "s" has changed what it says of mcp_s_echo. Rules that allow it do not count until you confirm the change: /mcp confirm s';
    await until(() => notices(second).includes(warning));
    await second.app.submit('echo');
    await second.app.close();
    // Confirmed as version 2: version 1 is now the change.
    const third = await open({ s: server({ version: 1 }) }, [], { world });
    await until(() => notices(third).includes(warning));
  });
});

/** How often the model was told that server `s` is there. */
const told = ({ events }: Pick<Opened, 'events'>) => events.flatMap((event) => (event.type === 'message' && event.message.source === 'reminder' ? event.message.parts.filter((part) => part.type === 'text' && part.text.includes('- s is connected')) : [])).length;

test('a new session in the window keeps the servers, a resumed one has those of its own process, and each is told once', async () => {
  const world = makeWorld();
  const opened = await open({ s: server({}) }, [{ text: 'one' }, { text: 'two' }], { world });
  await opened.ready(1);
  await opened.app.submit('one');
  opened.app.clear();
  expect(opened.app.state.get().mcp).toEqual([{ name: 's', state: 'ready', tools: 9 }]);
  await opened.app.submit('two');
  expect(told(opened)).toBe(2);
  await opened.app.close();

  world.write('protocol: demo\n');
  const bare = await openApp(world, { session: { kind: 'continue' } });
  expect(bare.app.state.get().mcp).toEqual([]);
  await bare.app.close();
  const again = await open({ s: server({}) }, [{ text: 'three' }], { world, session: { kind: 'continue' } });
  await again.ready(1);
  await again.app.submit('three');
  expect(told(again)).toBe(0);
});

test('/mcp shows, switches off and on, and confirms', async () => {
  const opened = await open({ s: server({}), off: server({}, ', enabled: false'), bad: server({ exit: 3 }) }, [{ calls: [{ name: 'mcp_s_change', input: {} }] }, { text: 'ok' }], { answer: allow });
  const { app, ready } = opened;
  /** What a command shows, without the command lines. */
  const shown = async (line: string) => {
    const view = (await app.submit(line))?.view;
    return view?.type === 'table' ? view.rows.map((row) => row.slice(0, 4)) : view?.type === 'text' ? view.text : undefined;
  };
  await ready(1);
  await until(() => app.state.get().mcp.some(({ state }) => state === 'failed'));
  expect(await shown('/mcp')).toEqual([['s', 'stdio', 'connected', '9'], ['off', 'stdio', 'off', ''], ['bad', 'stdio', 'failed: it ended with exit code 3. It said last:', '']]);
  expect(app.state.get().mcp.map(({ name }) => name)).toEqual(['s', 'bad']);
  expect((await shown('/mcp s'))?.[0]).toEqual(['mcp_s_echo', '', 'Says it again, version 1']);

  await app.submit('change');
  await until(() => notices(opened).some((text) => text.includes('has changed what it says')));
  expect(await shown('/mcp')).toContainEqual(['s', 'stdio', 'connected', '9 (1 changed: /mcp confirm s)']);
  expect(await shown('/mcp confirm s')).toBe('Confirmed as they are now: mcp_s_echo.');
  expect(await shown('/mcp confirm s')).toBe('Nothing of s has changed.');

  expect(await shown('/mcp disable s')).toBe('s is off for this session. `enabled: false` in ~/config.yaml keeps it off.');
  expect(app.tools().some(({ name }) => name === 'mcp_s_echo')).toBe(false);
  expect(await shown('/mcp enable off')).toEqual([['off', 'stdio', 'connected', '9']]);
  expect(await shown('/mcp reconnect bad')).toEqual([['bad', 'stdio', 'failed: it ended with exit code 3. It said last:', '']]);
  await app.submit('/mcp reconnect nobody');
  await app.submit('/mcp dance s');
  expect(notices(opened).slice(-2)).toEqual(['warn: There is no MCP server "nobody". There are: s, off, bad.', expect.stringContaining('warn: /mcp can\'t do "dance". It is /mcp, or /mcp tools|')]);
});

test('@server:uri in a prompt attaches what is there', async () => {
  const opened = await open({ s: server({}) }, [{ text: 'ok' }, { text: 'ok' }]);
  await opened.ready(1);
  await opened.app.submit('Compare @s:memo://one, (@s:memo://two) and mail me@s:memo://three or @other:x.');
  const said = opened.events.flatMap((event) => (event.type === 'message' ? event.message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : []));
  expect(said.filter((text) => text.includes('attached'))).toEqual([1, 2].map((n) => `<system-reminder>\nThe user attached memo://${n === 1 ? 'one' : 'two'} of the MCP server "s":\n[resource memo://${n === 1 ? 'one' : 'two'}]\ncontents of memo://${n === 1 ? 'one' : 'two'}\n</system-reminder>`));
  await opened.app.submit('/mcp disable s');
  await opened.app.submit('Again @s:memo://one');
  expect(notices(opened).at(-1)).toBe('warn: @s:memo://one is not attached: The MCP server "s" is switched off.');
});

test('prompts are commands; what they give is said in their name and never taken for a command', async () => {
  const { app, ready, events } = await open({ 'my.server': server({}) }, [{ text: 'one' }]);
  await ready(1);
  const command = app.commands().find(({ name }) => name.startsWith('mcp__'));
  expect(command && [command.name, command.usage]).toEqual(['mcp__my_server__greet', 'WHO']);
  await app.submit('/mcp__my_server__greet');
  await app.submit('/mcp__my_server__greet the whole world');
  expect(events.flatMap((event) => (event.type === 'message' && event.message.role === 'user' && event.message.source === undefined ? event.message.parts : []))).toEqual([{ type: 'text', text: 'Prompt "greet" of the MCP server my.server:\n\nGreet the whole world.' }]);
  expect(events.flatMap((event) => (event.type === 'notice' && event.level === 'warn' ? [event.text] : []))).toEqual(['This prompt needs WHO.']);
});

test('a rule that allows a tool does not hold for what the tool has become', async () => {
  const asked: string[] = [];
  const world = makeWorld();
  writeFileSync(join(world.home, 'permissions.yaml'), 'allow: [mcp_s_*]\n');
  const opened = await open({ s: server({}) }, [
    { calls: [{ name: 'mcp_s_echo', input: { text: 'before' } }, { name: 'mcp_s_change', input: {} }] }, { text: 'ok' },
    { calls: [{ name: 'mcp_s_echo', input: { text: 'after' } }] }, { text: 'ok' },
    { calls: [{ name: 'mcp_s_echo', input: { text: 'confirmed' } }] }, { text: 'ok' },
  ], { world, answer: (question) => { asked.push(question.kind === 'permission' ? `${question.call.name}: ${question.decision.because}` : ''); return { kind: 'deny' }; } });
  await opened.ready(1);
  await opened.app.submit('one');
  await until(() => notices(opened).some((text) => text.includes('has changed')));
  await opened.app.submit('two');
  await opened.app.submit('/mcp confirm s');
  await opened.app.submit('three');
  expect(opened.results().map(({ text }) => text)).toEqual(['before', 'changed', 'The user denied this call.', 'confirmed']);
  expect(asked).toEqual([expect.stringMatching(/^mcp_s_echo: /)]);
});

test('500 tools cost less than 2,000 tokens of context', async () => {
  const { app, events, ready } = await open({ big: server({ tools: 500, instructions: 'Use these well.' }) }, [{ text: 'ok' }]);
  const without = (await open({}, [{ text: 'ok' }])).app.tools().length;
  await ready(1);
  await app.submit('go');
  const offered = app.tools().filter((tool) => !tool.deferred).slice(without);
  const specs = offered.map(({ name, description, schema }) => JSON.stringify({ name, description, schema })).join('');
  const reminder = events.flatMap((event) => (event.type === 'message' && event.message.source === 'reminder' ? event.message.parts.map((part) => (part.type === 'text' ? part.text : '')) : [])).filter((text) => text.includes('MCP servers')).join('');
  expect(offered.map(({ name }) => name)).toEqual(['ToolSearch', 'CallTool', 'ListMcpResources', 'ReadMcpResource']);
  expect(reminder).toMatch(/509 tools \(mcp_big_NAME\): echo, .* \d+ more\n/);
  // English and JSON have more than three bytes a token.
  const tokens = Buffer.byteLength(specs + reminder) / 3;
  expect(tokens).toBeLessThan(2_000);
});
