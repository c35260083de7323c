// Tools that the user calls: judged, shown, logged, not told to the model; and which tools there are.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkChoice, choose } from '../../src/app/toolset.ts';
import { foldSession } from '../../src/session/fold.ts';
import { EVENTS } from '../../src/session/log.ts';
import { initialState, reduce } from '../../src/store/reduce.ts';
import type { View } from '../../src/types/message.ts';
import { isGone } from '../helpers/gone.ts';
import { fromNpm } from '../mcp/servers.ts';
import { makeWorld, openApp, type Opened, type World } from '../helpers/start-app.ts';

const CONFIG = 'protocol: demo\n';

async function open(config = '', more: Parameters<typeof openApp>[1] = {}): Promise<Opened & { world: World; said(): string[]; shown(line: string): Promise<View | undefined> }> {
  const world = makeWorld(CONFIG + config);
  mkdirSync(join(world.project, 'src'));
  writeFileSync(join(world.project, 'src/a.ts'), 'const two = 2;\n');
  writeFileSync(join(world.project, 'my file.txt'), 'spaced\n');
  const opened = await openApp(world, more);
  return {
    ...opened, world,
    said: () => opened.app.state.get().notices.map(({ text }) => text),
    async shown(line) {
      const done = await opened.app.submit(line);
      return done?.view;
    },
  };
}

const allow = { answer: () => ({ kind: 'allow' as const }) };
const server = (path: string) => `{command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(path)}]}`;
const rowsOf = (view: View | undefined): string[][] => (view?.type === 'table' ? view.rows : []);

describe('/call', () => {
  test.each<[string, string]>([
    ['/call ReadFile {"path": "src/a.ts", "limit": 1}', '     1\tconst two = 2;'],
    ['/call ReadFile src/a.ts', '     1\tconst two = 2;'],
    ['/call readfile  my file.txt ', '     1\tspaced'],
    ['/call Grep two', 'src/a.ts:1:const two = 2;'],
    ['/read src/a.ts', '     1\tconst two = 2;'],
    ['/read "my file.txt"', '     1\tspaced'],
    ['/files src', expect.stringContaining('a.ts') as string],
    ['/files', expect.stringContaining('src/') as string],
    ['/search const two', 'src/a.ts:1:const two = 2;'],
    ['/search two src', 'src/a.ts:1:const two = 2;'],
    ['/search const nowhere', 'No match for "const nowhere".'],
  ])('%s', async (line, text) => {
    const { shown, app } = await open();
    expect(await shown(line)).toEqual({ type: 'text', text });
    expect(app.state.get()).toMatchObject({ messages: [], doing: { what: 'idle' }, tools: [{ agent: 'you', status: 'done', decision: { verdict: 'allow' } }] });
    expect(app.state.get().notices.at(-1)).toMatchObject({ text: line.trim(), view: { type: 'text', text } });
  });

  test('a command is asked for like one of the model, and what it gives is not sent', async () => {
    const asked: string[] = [];
    const { shown, app } = await open('', { answer: (question) => { asked.push(question.kind === 'permission' ? question.title : question.kind); return { kind: 'allow' }; } });
    expect(await shown('/call Bash echo "a  b"; { echo c; }')).toEqual({ type: 'terminal', command: 'echo "a  b"; { echo c; }', output: 'a  b\nc\n', exit: 0 });
    expect(await shown('/call Bash { echo d; }')).toMatchObject({ output: 'd\n' });
    expect(asked).toEqual(['echo "a b"; { echo c; }', '{ echo d; }']);
    expect(app.state.get().messages).toEqual([]);
  });

  test('what is denied says so', async () => {
    const { shown, app } = await open('permissions: {mode: plan}\n');
    expect(await shown('/call Bash ls')).toEqual({ type: 'text', text: expect.stringContaining('Not allowed: Mode plan denies') as string });
    expect(app.state.get().tools).toMatchObject([{ status: 'denied', tail: expect.stringContaining('Not allowed') as string }]);
  });

  test.each([
    ['/call', 'Which tool? Say /call TOOL and its arguments as JSON. /tools lists them.'],
    ['/call Grap x', 'There is no tool "Grap". Did you mean Grep?'],
    ['/call Grep {"pattern": "a" "path": 1}', expect.stringMatching(/^That is no JSON: .*position 16.* Grep takes \{"pattern": …, "path"\?: …/) as string],
    ['/call WriteFile x', expect.stringMatching(/^That is no JSON: .* WriteFile takes \{"path": …, "content": …\}\.$/) as string],
    ['/read', 'Which file? Say /read PATH.'],
    ['/search', 'What is to be found? Say /search WORDS [PATH].'],
  ])('%s is answered with a sentence', async (line, text) => {
    const { app, said } = await open();
    await app.submit(line);
    expect(said().at(-1)).toEqual(text);
    expect(app.state.get().tools).toEqual([]);
  });

  test('a long one can be stopped, and prompts wait for it', async () => {
    const { app, events } = await open('', allow);
    const running = app.submit('/call Bash echo on; sleep 60');
    while (!events.some(({ type }) => type === 'tool_output')) await new Promise((resolve) => { setTimeout(resolve, 10); });
    expect(app.state.get().doing.what).toBe('tools');
    await app.submit('/call Bash ls');
    expect(app.state.get().notices.at(-1)?.text).toBe('Something else is running. Esc stops it.');
    await app.submit('hello');
    expect(app.state.get().queue).toEqual(['hello']);
    app.cancel();
    expect(await running).toEqual({ view: { type: 'text', text: 'cancelled by user\non\nCancelled by the user: the command and everything that it started were ended.' } });
    while (app.state.get().turn.ended === undefined) await new Promise((resolve) => { setTimeout(resolve, 10); });
    expect(app.state.get()).toMatchObject({ queue: [], tools: [{ status: 'cancelled' }], messages: expect.arrayContaining([expect.objectContaining({ parts: [{ type: 'text', text: 'hello' }] })]) });
  });

  test('one that acts begins a session on disk; one that looks leaves no trace', async () => {
    const { app, shown } = await open('', allow);
    const file = join(app.info.sessionDir ?? '', EVENTS);
    await shown('/files');
    expect(foldSession(file, reduce, initialState()).events).toBe(0);
    await shown('/call Bash seq 1 20000');
    const { view } = app.state.get().notices.at(-1) ?? {};
    const [, kept = ''] = (view?.type === 'text' && /^<persisted-output>\n.* in (\S+)\n/.exec(view.text)) || [];
    expect(kept.startsWith(app.info.sessionDir ?? '-')).toBe(true);
    expect(await shown(`/call ReadFile {"path": ${JSON.stringify(kept)}, "offset": 19999}`)).toEqual({ type: 'text', text: ' 19999\t19999\n 20000\t20000' });
    await app.close();
    expect(foldSession(file, reduce, initialState()).state.tools).toMatchObject([{ agent: 'you', status: 'done' }, { agent: 'you', status: 'done' }, { agent: 'you', status: 'done' }]);
  });
});

describe('which tools there are', () => {
  test('/tools lists them with what the mode makes of a plain call', async () => {
    const { app, shown } = await open();
    const permissions = async () => Object.fromEntries(rowsOf(await shown('/tools')).map(([name, kind, permission]) => [name, `${kind} ${permission}`]));
    expect(await permissions()).toMatchObject({ ReadFile: 'built-in allow', WriteFile: 'built-in ask', EditFile: 'built-in ask', Bash: 'built-in ask', BashOutput: 'built-in allow', Grep: 'built-in allow', WebFetch: 'built-in ask', TodoWrite: 'built-in allow' });
    app.setMode('acceptEdits');
    expect(await permissions()).toMatchObject({ WriteFile: 'built-in allow', EditFile: 'built-in allow', Bash: 'built-in ask' });
    app.setMode('plan');
    expect(await permissions()).toMatchObject({ WriteFile: 'built-in deny', Bash: 'built-in deny', ReadFile: 'built-in allow' });
    expect(Object.entries<string>(await permissions()).filter(([, text]) => text.endsWith('depends'))).toEqual([]);
  });

  test('a rule for the whole tool counts', async () => {
    const { shown } = await open('', { flags: { deny: ['Bash'], allow: ['WriteFile'] } });
    const rows = rowsOf(await shown('/tools'));
    expect(rows.filter(([name]) => name === 'Bash' || name === 'WriteFile').map((row) => row.slice(0, 3))).toEqual([['WriteFile', 'built-in', 'allow'], ['Bash', 'built-in', 'deny']]);
  });

  test('a rule of a flag that is for no tool is told of', async () => {
    const { said } = await open('', { flags: { allow: ['Bsh(npm test)', 'Read(src/**)', 'mcp_late_tool', '*'], deny: ['bash(rm *)', 'Zzzzzzzzzz'] } });
    expect(said().filter((text) => text.includes('no tool')).sort()).toEqual(['--allow: there is no tool Bsh. Did you mean Bash?', '--deny: there is no tool Zzzzzzzzzz.']);
  });

  test('tools.enabled and tools.disabled choose, and a call of one that is off says so', async () => {
    const { app, said, shown } = await open('tools: {enabled: [ReadFile, "*Bash*", Grpe], disabled: [KillBash, Nothing]}\n', allow);
    expect(app.tools().map(({ name }) => name)).toEqual(['ReadFile', 'Bash', 'BashOutput']);
    expect(said()).toEqual(expect.arrayContaining(['tools.enabled: there is no tool "Grpe". Did you mean Grep?', 'tools.disabled: there is no tool "Nothing".']));
    expect(rowsOf(await shown('/tools')).slice(3).every(([, , permission]) => permission === 'disabled')).toBe(true);
    expect(await shown('/call Grep two')).toEqual({ type: 'text', text: 'Grep is disabled by configuration (tools.enabled, tools.disabled).' });
    app.clear();
    expect(app.tools().map(({ name }) => name)).toEqual(['ReadFile', 'Bash', 'BashOutput']);
  });

  test('those of servers are waited for, marked, and chosen by glob; servers that are not there are named', async () => {
    const { shown, app } = await open(`mcp_servers:\n  mem: ${server(fromNpm('memory'))}\n  gone: ${server('/no/such/server.js')}\ntools: {disabled: ["mcp_mem_create*"]}\n`, allow);
    const rows = rowsOf(await shown('/tools')).map((row) => row.slice(0, 3));
    expect(rows).toEqual(expect.arrayContaining([['mcp_mem_read_graph', 'MCP, deferred', 'ask'], ['mcp_mem_create_entities', 'MCP, deferred', 'disabled'], ['gone', 'MCP server', 'failed']]));
    expect(await shown('/call mcp_mem_create_entities {"entities": []}')).toEqual({ type: 'text', text: 'mcp_mem_create_entities is disabled by configuration (tools.enabled, tools.disabled).' });
    expect(await shown('/call mcp__mem__read_graph')).toMatchObject({ text: expect.stringContaining('entities') as string });
    expect(app.tools().some(({ name }) => name.startsWith('mcp_mem_create'))).toBe(false);
  });

  test.each<[string, Parameters<typeof choose>[0], string[]]>([
    ['nothing said', {}, ['Bash', 'ToolSearch', 'CallTool', 'mcp_a_x', 'mcp_b_x']],
    ['a list of nothing', { enabled: [] }, []],
    ['a server', { enabled: ['Bash', 'mcp_a_*'] }, ['Bash', 'ToolSearch', 'CallTool', 'mcp_a_x']],
    ['a server as other programs name it', { disabled: ['mcp__a__*'] }, ['Bash', 'ToolSearch', 'CallTool', 'mcp_b_x']],
    ['all but a server', { disabled: ['mcp_a_*'] }, ['Bash', 'ToolSearch', 'CallTool', 'mcp_b_x']],
    ['a way that is off', { enabled: ['mcp_*'], disabled: ['CallTool'] }, ['ToolSearch', 'mcp_a_x', 'mcp_b_x']],
    ['both lists empty again', { enabled: null, disabled: null }, ['Bash', 'ToolSearch', 'CallTool', 'mcp_a_x', 'mcp_b_x']],
  ])('%s', (_, choice, names) => {
    expect(['Bash', 'ToolSearch', 'CallTool', 'mcp_a_x', 'mcp_b_x'].filter(choose(choice))).toEqual(names);
    expect(checkChoice(choice, ['Bash', 'CallTool'])).toEqual([]);
  });
});

describe('the background', () => {
  test('/tasks lists what runs, /clear and the end of the app end it', async () => {
    const { app, shown } = await open('security: {sandbox: "off"}\n', allow);
    const pidOf = async (command: string) => {
      await shown(`/call Bash ${JSON.stringify({ command, background: true })}`);
      while (!/\d+\n/.test(app.state.get().tasks.at(-1)?.tail ?? '')) await new Promise((resolve) => { setTimeout(resolve, 10); });
      return Number(app.state.get().tasks.at(-1)?.tail);
    };
    expect(await shown('/tasks')).toEqual({ type: 'text', text: 'Nothing runs in the background.' });
    const first = await pidOf('echo $$; exec sleep 300');
    expect(await shown('/tasks')).toEqual({ type: 'table', head: ['id', 'command', 'state', 'time', 'last line'], rows: [['bg_1', 'echo $$; exec sleep 300', 'running', expect.stringMatching(/^\d+s$/), String(first)]] });
    app.clear();
    expect(await isGone(first)).toBe(true);
    expect(app.state.get().tasks).toEqual([]);
    const second = await pidOf('echo $$; exec sleep 300');
    await app.close();
    expect(await isGone(second)).toBe(true);
  });

  test('a resume tells the model what has ended meanwhile, and ids go on', async () => {
    const first = await open('', allow);
    await first.shown('/call Bash {"command": "sleep 300", "background": true}');
    await first.app.close();
    const { app } = await openApp(first.world, { ...allow, session: { kind: 'continue' } });
    expect(app.state.get().tasks).toMatchObject([{ id: 'bg_1', status: 'ended', outcome: 'ended with MewCode' }]);
    await app.submit('hello');
    expect(JSON.stringify(app.state.get().messages)).toContain('The background command bg_1 (sleep 300) was ended when MewCode was closed.');
    await app.submit('/call Bash {"command": "true", "background": true}');
    expect(app.state.get().tasks.at(-1)?.id).toBe('bg_2');
  });
});
