// Slash commands: what each shows and changes, and what it says to a mistake.
import { describe, expect, test } from 'vitest';
import { commands, findCommand } from '../../src/commands/index.ts';
import { modes } from '../../src/permissions/modes.ts';
import type { App, Done } from '../../src/types/command.ts';
import { fakeApp } from '../helpers/fake-app.ts';

const IO = { stdin: (async function* none() {})(), out: () => {}, err: () => {} };

async function run(app: App, line: string): Promise<Done | void> {
  const [name = '', ...args] = line.split(' ');
  const command = findCommand(commands, name);
  if (!command) throw new Error(`no command ${name}`);
  return command.needsApp === false ? command.run(args, IO) : command.run(app, args, IO);
}

test('names and aliases are unique and spelled so that they can be typed', () => {
  const names = commands.flatMap((command) => [command.name, ...(command.aliases ?? [])]);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  expect(names.filter((name) => !/^:?[A-Za-z][\w-]*$/.test(name))).toEqual([]);
});

test('commands are found by name and alias, in any case', () => {
  expect(['help', 'acceptedits', 'quit', ':q', 'nope'].map((name) => findCommand(commands, name)?.name)).toEqual(['help', 'acceptEdits', 'exit', 'exit', undefined]);
});

describe('/help', () => {
  const app = fakeApp({ commands: () => commands });

  test('lists every command', async () => {
    const done = await run(app, 'help');
    expect(done?.view?.type).toBe('table');
    if (done?.view?.type !== 'table') return;
    expect(done.view.rows.length).toBe(commands.length);
    expect(done.view.rows[0]).toEqual(['/help [COMMAND]', 'List the commands, or say what one does']);
    expect(done.view.rows.at(-1)).toEqual(['/exit /quit :q', 'Leave MewCode']);
  });

  test('says what one does', async () => {
    expect(await run(app, 'help /do')).toEqual({ view: { type: 'table', head: ['command', 'what it does'], rows: [['/do', 'Leave plan mode for the mode before']] } });
  });

  test('offers the nearest', async () => {
    await expect(run(app, 'help claer')).rejects.toMatchObject({ text: 'There is no command /claer. Did you mean /clear?' });
  });
});

describe('modes', () => {
  test('each mode that there is has a command', () => {
    expect(modes.filter(({ name }) => findCommand(commands, name)?.name !== name)).toEqual([]);
  });

  test('/mode shows the current one among all', async () => {
    expect(await run(fakeApp({ start: { mode: 'acceptEdits' } }), 'mode')).toEqual({
      view: { type: 'table', head: ['mode', 'what it allows'], rows: [['  default', 'asks'], ['● acceptEdits', 'edits'], ['  plan', 'looks']] },
    });
  });

  test.each([['mode acceptedits', 'acceptEdits'], ['acceptEdits', 'acceptEdits'], ['plan', 'plan']])('/%s switches', async (line, mode) => {
    const app = fakeApp();
    await run(app, line);
    expect(app.happened).toEqual([{ type: 'mode', mode }]);
  });

  test('an unknown mode names the nearest, or all', async () => {
    await expect(run(fakeApp(), 'mode plam')).rejects.toMatchObject({ text: 'There is no mode "plam". Did you mean plan?' });
    await expect(run(fakeApp(), 'mode xyzzy')).rejects.toMatchObject({ text: 'There is no mode "xyzzy". Modes: default, acceptEdits, plan.' });
  });

  test.each(['do', 'plan off'])('/%s goes back to the mode before plan', async (line) => {
    const app = fakeApp({ start: { mode: 'acceptEdits' } });
    await run(app, 'plan');
    await run(app, line);
    expect(app.state.get().mode).toBe('acceptEdits');
    await expect(run(app, line)).rejects.toMatchObject({ text: 'The mode is acceptEdits, not plan. /plan switches to it.' });
  });

  test('started in plan mode, /do goes to default', async () => {
    const app = fakeApp({ start: { mode: 'plan' } });
    await run(app, 'do');
    expect(app.state.get().mode).toBe('default');
  });
});

describe('looking', () => {
  test('/tools says of each where it comes from, what the mode makes of it, and the first sentence on it', async () => {
    const app = fakeApp({ listTools: () => [
      { name: 'Look', description: 'Looks at a file. Then\nmore.', kind: 'built-in', permission: 'allow', deferred: false, disabled: false },
      { name: 'mcp_a_b', description: 'Does b', kind: 'MCP', permission: undefined, deferred: true, disabled: false },
      { name: 'Run', description: 'Runs.', kind: 'built-in', permission: 'ask', deferred: false, disabled: true },
    ] });
    expect(await run(app, 'tools')).toEqual({ view: { type: 'table', head: ['tool', 'kind', 'permission', 'what it does'], rows: [
      ['Look', 'built-in', 'allow', 'Looks at a file.'], ['mcp_a_b', 'MCP, deferred', 'depends', 'Does b'], ['Run', 'built-in', 'disabled', 'Runs.'],
    ] } });
  });

  test('/session and /cwd', async () => {
    const app = fakeApp({ start: { id: 's1', cwd: '/p/src', startedAt: 0 } });
    app.emit({ type: 'usage', usage: { input: 10, cacheRead: 90, cacheWrite: 0, output: 5 }, costUsd: 0.5, model: 'm' });
    expect(await run(app, 'cwd')).toEqual({ view: { type: 'text', text: '/p/src' } });
    expect(await run(app, 'session')).toEqual({ view: { type: 'table', head: ['session', ''], rows: [
      ['id', 's1'], ['folder', '/p/.mewcode/session/s1'], ['started', '1970-01-01T00:00:00.000Z'], ['rounds of the last turn', '0'],
      ['tokens in', '100, of them 90 from the cache'], ['tokens out', '5'], ['cost', '$0.5000'],
    ] } });
  });
});

test('/clear and /exit', async () => {
  let cleared = 0;
  const app = fakeApp({ clear: () => { cleared += 1; } });
  expect(await run(app, 'clear')).toBeUndefined();
  expect(cleared).toBe(1);
  expect(await run(app, ':q')).toEqual({ exit: 0 });
});
