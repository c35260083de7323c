// /permissions and /permission, over the real app: what they list, add and take away, and what they refuse.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { App } from '../../src/types/command.ts';
import { makeWorld, openApp, type World } from '../helpers/start-app.ts';

/** What a slash command showed: rows of its table, its text, or its warning. */
async function type(app: App, line: string): Promise<unknown> {
  await app.submit(line);
  const { view, text } = app.state.get().notices.at(-1) ?? {};
  if (view?.type === 'table') return view.rows;
  return view?.type === 'text' ? view.text : text;
}

const ELSE = ['', 'else', 'mode default: reads freely, asks before anything else', '/mode'];

function worldWith(files: Readonly<Record<string, string>>): World {
  const world = makeWorld();
  mkdirSync(join(world.project, '.mewcode'));
  for (const [name, text] of Object.entries(files)) writeFileSync(name.startsWith('~/') ? join(world.home, name.slice(2)) : join(world.project, name), text);
  return world;
}

/** What the table shows of some rules. */
const rows = (...rules: readonly (readonly string[])[]) => [...rules.map((cells, index) => [String(index + 1), ...cells]), ELSE];

test('lists by strength, adds answers, removes by number, clears', async () => {
  const world = worldWith({ '~/permissions.yaml': 'always_deny: ["Bash(rm *)"]\nallow:\n  - LS\n', '.mewcode/permissions.local.yaml': 'ask:\n  - Read\n' });
  const { app } = await openApp(world, { flags: { allow: ['Grep'] } });
  const files = [['ask', 'ReadFile', '.mewcode/permissions.local.yaml:2'], ['allow', 'LS', '~/permissions.yaml:3']];
  expect(await type(app, '/permissions')).toEqual(rows(['always_deny', 'Bash(rm *)', '~/permissions.yaml:1'], ['allow', 'Grep', '--allow'], ...files));
  expect(await type(app, '/permission allow Bash(npm  test *)')).toBe('Allowed: Bash(npm test *) for this session.');
  expect(await type(app, '/permission deny edit')).toBe('Denied: edit for this session.');
  expect(await type(app, '/permission allow LS --always')).toBe('Allowed: LS from now on.');
  expect(readFileSync(join(world.project, '.mewcode/permissions.local.yaml'), 'utf8')).toBe('ask:\n  - Read\nallow:\n  - LS\n');
  const always = ['allow', 'LS', '.mewcode/permissions.local.yaml:4'];
  expect(await type(app, '/permission')).toEqual(rows(['always_deny', 'Bash(rm *)', '~/permissions.yaml:1'], ['deny', 'EditFile', 'session'], ['allow', 'Bash(npm test *)', 'session'], ['allow', 'LS', 'session'], ['allow', 'Grep', '--allow'], ['ask', 'ReadFile', '.mewcode/permissions.local.yaml:2'], always, ['allow', 'LS', '~/permissions.yaml:3']));
  // The last word on the same rule counts.
  expect(await type(app, '/permission allow edit')).toBe('Allowed: edit for this session.');
  expect(await type(app, '/permission remove 4')).toBe('Removed: allow EditFile (session).');
  expect(await type(app, '/permission clear')).toBe('Took back 2 answers of this session. Rules of files and flags hold.');
  expect(await type(app, '/permission clear')).toBe('There are no answers of this session.');
  expect(await type(app, '/permission remove 4')).toBe('Removed: allow LS (.mewcode/permissions.local.yaml:4).');
  expect(readFileSync(join(world.project, '.mewcode/permissions.local.yaml'), 'utf8')).toBe('ask:\n  - Read\nallow:\n');
  expect(await type(app, '/permission remove 1')).toBe('Removed: deny Bash(rm *) (~/permissions.yaml:1).');
  expect(await type(app, '/permissions')).toEqual(rows(['allow', 'Grep', '--allow'], ...files));
});

test('lines that move when a file changes take no rule with them', async () => {
  const world = worldWith({ '.mewcode/permissions.local.yaml': 'allow:\n  - LS\ndeny:\n  - Bash(rm *)\n  - Bash(curl *)\n' });
  const { app } = await openApp(world, { trust: true });
  const places = () => app.rules().list().filter(({ from }) => from !== 'session').map(({ verdict, tool, glob, from }) => `${from.slice(-1)} ${verdict} ${tool}(${glob})`);
  for (const name of ['a', 'b', 'c']) await type(app, `/permission allow Bash(${name} *) --always`);
  await type(app, '/permission allow Bash(a *) --always');
  expect(places()).toEqual(['7 deny Bash(rm *)', '8 deny Bash(curl *)', '2 allow LS(*)', '3 allow Bash(a *)', '4 allow Bash(b *)', '5 allow Bash(c *)']);
  await type(app, '/permission clear');
  await type(app, '/permission remove 4');
  expect(places()).toEqual(['6 deny Bash(rm *)', '7 deny Bash(curl *)', '2 allow LS(*)', '3 allow Bash(b *)', '4 allow Bash(c *)']);
  expect(readFileSync(join(world.project, '.mewcode/permissions.local.yaml'), 'utf8')).toBe('allow:\n  - LS\n  - Bash(b *)\n  - Bash(c *)\ndeny:\n  - Bash(rm *)\n  - Bash(curl *)\n');
});

test('what is no rule, no tool, no number is refused with a sentence', async () => {
  const { app } = await openApp(makeWorld(), { flags: { deny: ['Grep'] } });
  for (const [line, sentence] of [
    ['/permission alow LS', '/permission does not know "alow". Did you mean allow?'],
    ['/permission allow', '/permission allow needs a tool or a rule. For example: /permission allow Bash(npm test *)'],
    ['/permission allow Frobnicate', /^There is no tool Frobnicate\. Tools: ReadFile, /],
    ['/permission deny Gerp', 'There is no tool Gerp. Did you mean Grep?'],
    ['/permission deny (x)', 'session: "(x)" is not a rule. A rule is Tool, Tool(glob) or tool:glob, like Bash(npm test *) or WriteFile(src/**).'],
    ['/permission remove', '/permission remove needs the number of a rule. /permissions lists them.'],
    ['/permission remove 9', 'There is no rule number 9. /permissions lists them.'],
    ['/permission remove 1', "This rule comes from --deny, so it can't be removed here."],
    ['/permission clear all', '/permission clear takes back all answers of this session. To take away one rule: /permission remove NUMBER'],
  ] as const) expect(await type(app, line)).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence));
  expect(app.rules().list().map(({ from }) => from)).toEqual(['--deny']);
});

test('a rule that can not be written down holds for the session, and that is said', async () => {
  const { app } = await openApp(makeWorld());
  const broken = join(app.info.root, '.mewcode');
  mkdirSync(broken);
  writeFileSync(join(broken, 'permissions.local.yaml'), 'allow: [a\n');
  expect(await type(app, '/permission allow LS --always')).toMatch(/^\.mewcode\/permissions\.local\.yaml is not valid YAML: /);
  expect(app.rules().list()).toEqual([{ tool: 'LS', glob: '*', verdict: 'allow', from: 'session', rank: 100 }]);
});

test('answers end with their session; what was written down stays', async () => {
  const { app } = await openApp(makeWorld());
  await type(app, '/permission allow LS');
  await type(app, '/permission allow Grep --always');
  app.clear();
  expect(app.rules().list().map(({ tool, from }) => [tool, from])).toEqual([['Grep', '.mewcode/permissions.local.yaml:2']]);
});
