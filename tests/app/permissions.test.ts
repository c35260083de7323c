// mewcode permissions: what is judged, what is said, and what a bad call costs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runPermissions } from '../../src/app/permissions.ts';
import type { PermissionsOrder } from '../../src/commands/permissions.ts';
import type { Flags } from '../../src/config/load.ts';
import { openLog } from '../../src/session/log.ts';
import type { Happening } from '../../src/types/event.ts';
import type { Decision, Verdict } from '../../src/types/permission.ts';
import { sentenceOf } from '../../src/types/user-error.ts';
import { makeWorld, startOf, type World } from '../helpers/start-app.ts';

type Stage = { world?: World; files?: Record<string, string>; config?: string; flags?: Flags; trust?: boolean; rules?: string; json?: boolean; stdin?: readonly string[]; addDirs?: readonly string[] };

/** Runs it in a place of its own: `~/…` files lie in the user's folder, the others in the project. */
async function run(order: PermissionsOrder, { config = '', files = {}, world = makeWorld(config), flags = {}, trust = false, rules, json = false, stdin = [], addDirs }: Stage = {}) {
  for (const [name, text] of Object.entries(files)) {
    const path = name.startsWith('~/') ? join(world.home, name.slice(2)) : join(world.project, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const said = { out: '', err: '' };
  const start = { ...startOf(world, { flags, trust, ...(addDirs && { addDirs }) }), json, ...(rules !== undefined && { rules: join(world.project, rules) }) };
  const code = await runPermissions(order, start, { stdin: (async function* lines() { yield* stdin; })(), out: (text) => { said.out += text; }, err: (text) => { said.err += text; } }).catch((error: unknown) => { said.err += sentenceOf(error); return 2; });
  return { code, ...said };
}

const judge = async (call: string, stage: Stage = {}): Promise<Omit<Decision, 'trace' | 'because'>> => {
  const { verdict, layer, rule } = JSON.parse((await run({ action: 'explain', call }, { ...stage, json: true })).out) as Decision;
  return { verdict, layer, ...(rule && { rule }) };
};

describe('one call', () => {
  test('as an object', async () => {
    expect(await run({ action: 'explain', call: 'Bash(npm test)' }, { json: true })).toEqual({
      code: 0, err: '',
      out: `${JSON.stringify({
        verdict: 'ask', layer: 'mode', rule: null, because: 'Mode default asks before running commands.',
        trace: [
          { layer: 'blacklist', verdict: 'pass', because: 'nothing forbids it outright', about: 'npm test' },
          { layer: 'rules', verdict: 'pass', because: 'no rule speaks of it', about: 'npm test' },
          { layer: 'mode', verdict: 'ask', because: 'mode default asks before running commands', about: 'npm test' },
          { layer: 'ask', verdict: 'ask', because: 'mode default asks before running commands', about: 'npm test' },
        ],
      })}\n`,
    });
  });

  test('in words: each command with its verdict, and the rule that would make it silent', async () => {
    expect(await run({ action: 'explain', call: 'Bash(ls && npm test\u202e)' }, { flags: { allow: ['Bash(ls *)'] } })).toEqual({
      code: 0, err: '',
      out: `Bash(ls && npm test⟨U+202E⟩)

ask, decided by layer mode
Mode default asks before running commands.

allow: ls
  blacklist  pass   nothing forbids it outright
  rules      allow  the rule Bash(ls *) (--allow) says allow

ask: npm test⟨U+202E⟩
  blacklist  pass   nothing forbids it outright
  rules      pass   no rule speaks of it
  mode       ask    mode default asks before running commands
  ask        ask    mode default asks before running commands
`,
    });
  });

  test.each<[call: string, expected: object, stage?: Stage]>([
    ['Bash(rm -rf /)', { verdict: 'deny', layer: 'blacklist' }],
    ['Bash(rm -rf /)', { verdict: 'deny', layer: 'blacklist' }, { flags: { mode: 'bypassPermissions', allow: ['Bash'] } }],
    ['bash(ls (a))', { verdict: 'ask', layer: 'blacklist' }],
    ['ReadFile(src/a.ts)', { verdict: 'allow', layer: 'mode' }],
    ['Read(src/a.ts)', { verdict: 'allow', layer: 'mode' }],
    ['Read(.env)', { verdict: 'deny', layer: 'sandbox' }],
    ['Write(/etc/x)', { verdict: 'deny', layer: 'sandbox' }],
    ['Write(src/a.ts)', { verdict: 'ask', layer: 'mode' }],
    ['Edit(src/a.ts)', { verdict: 'allow', layer: 'rules', rule: 'EditFile(src/**)' }, { flags: { allow: ['Edit(src/**)'] } }],
    ['Edit(src/a.ts)', { verdict: 'allow', layer: 'mode' }, { flags: { mode: 'acceptEdits' } }],
    ['Write(.git/hooks/x)', { verdict: 'ask', layer: 'sandbox' }, { flags: { mode: 'bypassPermissions' } }],
    ['LS', { verdict: 'allow', layer: 'mode' }],
    ['Grep(x)', { verdict: 'allow', layer: 'mode' }],
    ['TodoWrite', { verdict: 'allow', layer: 'mode' }],
    ['mcp__fs__read', { verdict: 'ask', layer: 'mode' }],
    ['mcp_fs_read', { verdict: 'deny', layer: 'mode' }, { flags: { mode: 'dontAsk' } }],
    ['WebFetch(https://example.com/a)', { verdict: 'ask', layer: 'mode' }],
    ['WebFetch(https://example.com/a)', { verdict: 'allow', layer: 'rules', rule: 'WebFetch(domain:example.com)' }, { flags: { allow: ['WebFetch(domain:example.com)'] } }],
    ['{"tool": "CallTool", "input": {"name": "mcp_fs_read", "arguments": {"a": 1}}}', { verdict: 'deny', layer: 'rules', rule: 'mcp_fs_*' }, { flags: { mode: 'bypassPermissions', deny: ['mcp_fs_*'] } }],
    ['{"tool": "CallTool", "input": {"name": "Bash", "arguments": {"command": "rm -rf /"}}}', { verdict: 'deny', layer: 'blacklist' }, { flags: { mode: 'bypassPermissions' } }],
    ['CallTool(mcp_fs_read)', { verdict: 'ask', layer: 'mode' }],
    ['{"tool": "ListMcpResources", "input": {"server": "x"}}', { verdict: 'ask', layer: 'mode' }],
    ['{"tool": "ApplyPatch", "input": {"patch": "--- a/.git/hooks/x\\n+++ b/.git/hooks/x\\n@@ -0,0 +1 @@\\n+x\\n"}}', { verdict: 'ask', layer: 'sandbox' }, { flags: { mode: 'bypassPermissions' } }],
    ['mcp_fs_read', { verdict: 'allow', layer: 'rules', rule: 'mcp_fs_*' }, { flags: { allow: ['mcp__fs'] } }],
    ['{"tool": "Bash", "input": {"command": "npm test"}}', { verdict: 'deny', layer: 'mode' }, { flags: { mode: 'plan' } }],
    ['{"tool": "Write", "input": {"path": "a", "content": "x"}}', { verdict: 'ask', layer: 'mode' }],
    ['Bash(npm test)', { verdict: 'allow', layer: 'rules', rule: 'Bash(npm *)' }, { rules: 'r.yaml', files: { 'r.yaml': 'allow: ["Bash(npm *)"]', '~/permissions.yaml': 'always_deny: [Bash]' } }],
    ['Bash(npm test)', { verdict: 'deny', layer: 'rules', rule: 'Bash(npm *)' }, { rules: 'r.yaml', files: { 'r.yaml': 'always_deny: ["Bash(npm *)"]' }, flags: { allow: ['Bash'] } }],
    // Of a folder that is not trusted only what is stricter counts.
    ['Bash(npm test)', { verdict: 'ask', layer: 'mode' }, { files: { '.mewcode/permissions.yaml': 'allow: ["Bash(npm *)"]' } }],
    ['Bash(npm test)', { verdict: 'allow', layer: 'rules', rule: 'Bash(npm *)' }, { trust: true, files: { '.mewcode/permissions.yaml': 'allow: ["Bash(npm *)"]' } }],
    ['Bash(npm test)', { verdict: 'deny', layer: 'rules', rule: 'Bash(npm *)' }, { files: { '.mewcode/permissions.yaml': 'deny: ["Bash(npm *)"]' } }],
  ])('%s → %o', async (call, expected, stage) => {
    expect(await judge(call, stage)).toEqual(expected);
  });

  test.each<[call: string, sentence: string, stage?: Stage]>([
    ['Frob(x)', 'There is no tool Frob.'],
    ['ReadFil(x)', 'Did you mean ReadFile?'],
    ['Bash', 'Bash needs its command. Write Bash(COMMAND).'],
    ['foo(', '"foo(" is no call.'],
    ['{"tool": 1}', '`tool` must be the name of a tool.'],
    ['{"tool": "Bash", "args": {}}', 'There is no key `args` in a call.'],
    ['{"tool"', 'This is no JSON'],
    ['{"tool": "Bash", "input": {"cmd": "ls"}}', 'The arguments of Bash do not fit: `command` is missing'],
    ['LS', '--mode: there is no mode `nope`', { flags: { mode: 'nope' } }],
    ['LS', 'There is no file of rules', { rules: 'gone.yaml' }],
    ['LS', 'r.yaml:1: `alow` is not a known key', { rules: 'r.yaml', files: { 'r.yaml': 'alow: []' } }],
    ['LS', '~/permissions.yaml:3: the rule Bash(npm test*) does not match its own example "npm run x". Correct the rule or the example.', { files: { '~/permissions.yaml': 'allow:\n  - LS\n  - {rule: "Bash(npm test*)", match: ["npm test", "npm run x"]}\n' } }],
    ['LS', '~/permissions.yaml:2: the rule Bash(git status *) matches its own example "git status -s".', { files: { '~/permissions.yaml': 'allow:\r\n  - rule: Bash(git status *)\r\n    not_match: [git log, git status -s]\r\n' } }],
    ['LS', 'permissions.yaml:1: "(x)" is not a rule. A rule is Tool, Tool(glob) or tool:glob, like Bash(npm test *) or WriteFile(src/**).\n--deny: ")" is not a rule.', { files: { '~/permissions.yaml': 'deny: ["(x)"]' }, flags: { deny: [')'] } }],
    ['LS', '.mewcode/permissions.yaml:2: not valid YAML', { files: { '.mewcode/permissions.yaml': 'allow: [a\nb: }\n' } }],
    ['LS', 'permissions.yaml:1: `alow` is not a known key', { files: { '~/permissions.yaml': 'alow: []' } }],
  ])('%s: %s', async (call, sentence, stage) => {
    const said = await run({ action: 'explain', call }, stage);
    expect(said).toEqual({ code: 2, out: '', err: expect.stringContaining(sentence) });
    const json = await run({ action: 'explain', call }, { ...stage, json: true });
    const text = json.out === '' ? json.err : (JSON.parse(json.out) as { error: string }).error;
    expect({ code: json.code, text }).toEqual({ code: 2, text: expect.stringContaining(sentence) });
  });

  test('a provider that can not be used and other faults of the configuration are warnings', async () => {
    const { code, err } = await run({ action: 'explain', call: 'LS' }, { config: 'protocol: openai-compatible\napi_key: ${NOPE}\n' });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const faulty = await run({ action: 'explain', call: 'LS' }, { config: 'frob: 1' });
    expect({ code: faulty.code, err: faulty.err }).toEqual({ code: 0, err: expect.stringMatching(/^Judged without it: .*config\.yaml:1: `frob` is not a known key/) });
  });
});

test('calls on stdin: one object a line, in order, and a bad line does not stop the others', async () => {
  const { code, out, err } = await run({ action: 'explain', call: '-' }, { json: true, stdin: ['Bash(l', 's)\nnope(\n\n{"tool": "Bash", "input": {"command": "a\\nb"}}\r\nLS'] });
  expect({ code, err, lines: out.split('\n').map((line) => (line === '' ? '' : Object.keys(JSON.parse(line) as object))) }).toEqual({
    code: 1, err: '', lines: [['verdict', 'layer', 'rule', 'because', 'trace'], ['error'], ['verdict', 'layer', 'rule', 'because', 'trace'], ['verdict', 'layer', 'rule', 'because', 'trace'], ''],
  });
  expect(await run({ action: 'explain', call: '-' }, { json: true })).toEqual({ code: 0, out: '', err: '' });
});

/** A stored session with one call of each pair: its text and how it was decided. */
function storeSession(world: World, id: string, mode: string, calls: readonly (readonly [command: string, verdict: string, because: string])[]): void {
  const log = openLog(join(world.project, '.mewcode/session', id), { mask: (text) => text });
  const add = (event: Happening) => log.append({ agent: 'main', at: 1, ...event });
  add({ type: 'session_started', id, cwd: world.project, provider: 'demo', model: 'demo', mode, window: 1 });
  add({ type: 'message', message: { id: 'u', role: 'user', parts: [{ type: 'text', text: 'go' }], at: 1 } });
  calls.forEach(([command, verdict, because], index) => {
    add({ type: 'tool_called', call: { id: `c${index}`, name: 'Bash', input: { command } }, title: command });
    add({ type: 'decided', callId: `c${index}`, decision: { verdict: verdict as Verdict, layer: 'rules', because, trace: [{ layer: 'rules', verdict: verdict as Verdict, because }] } });
  });
  log.close();
}

describe('lint', () => {
  test('says where, what and what to do; 1 where something is found', async () => {
    const files = { '~/permissions.yaml': '# mine\nallow:\n  - Bash(git *)\n  - Bash(npm test *)\n', '.mewcode/permissions.yaml': 'deny:\n  - {rule: "Frob(x)"}\n' };
    expect(await run({ action: 'lint' }, { files, flags: { deny: ['Bash(npm *)'] } })).toEqual({
      code: 1, err: '',
      out: `~/permissions.yaml:3  too broad: allow Bash(git *): git can run or change anything. Name what it is to do, like Bash(git status *).
~/permissions.yaml:4  shadowed: allow Bash(npm test *): deny Bash(npm *) (--deny) always wins over it. Remove one of the two.
.mewcode/permissions.yaml:2  dead: deny Frob(x): there is no tool Frob. Remove it.
4 rules, 3 to look at. No stored session tells which are used.
`,
    });
    expect(await run({ action: 'lint' }, { json: true, files: { '~/permissions.yaml': 'allow: [Bash]' } })).toEqual({
      code: 1, err: '', out: `${JSON.stringify([{ kind: 'broad', rule: 'Bash', verdict: 'allow', from: '~/permissions.yaml:1', why: 'it allows every command', todo: 'Name the commands: program and subcommand, like Bash(npm test *).' }])}\n`,
    });
    expect(await run({ action: 'lint' })).toEqual({ code: 0, err: '', out: '0 rules, nothing to find fault with. No stored session tells which are used.\n' });
  });

  test('what stored sessions never used', async () => {
    const world = makeWorld();
    storeSession(world, 's1', 'default', [['npm test', 'allow', 'the rule Bash(npm test *) (~/permissions.yaml:1) says allow']]);
    expect(await run({ action: 'lint' }, { world, files: { '~/permissions.yaml': 'allow:\n- Bash(npm test *)\n- Bash(npm run lint *)' } })).toEqual({
      code: 1, err: '', out: '~/permissions.yaml:3  never used: allow Bash(npm run lint *): it decided nothing in the last session. Remove it if it is not needed any more.\n2 rules, 1 to look at.\n',
    });
  });
});

describe('test', () => {
  test('what is otherwise than expected', async () => {
    const files = {
      'r.yaml': 'allow: ["Bash(npm test:*)"]', 't.yaml': `rules: r.yaml
tests:
  - {call: Bash(npm test), expect: allow, layer: rules, rule: "Bash(npm test:*)"}
  - {call: Bash(npm test), mode: plan, expect: allow}
  - {call: {tool: Bash, input: {command: rm -rf /}}, mode: bypassPermissions, expect: deny, layer: blacklist}
  - {call: Bash(npm start), expect: allow, rule: Bash}
  - {call: Frob(x), expect: ask}
`,
    };
    const world = makeWorld();
    const order = { action: 'test', files: [join(world.project, 't.yaml')] } as const;
    expect(await run(order, { world, files })).toEqual({
      code: 1, err: '', out: expect.stringMatching(/^✗ t\.yaml:6 {2}Bash\(npm start\)\n {4}verdict: expected allow, found ask\n {4}rule: expected Bash, found none\n {4}because: Mode default asks before running commands\.\n✗ t\.yaml:7 {2}Frob\(x\)\n {4}There is no tool Frob\. Tools: ReadFile, .*\n3 passed, 2 failed\.\n$/),
    });
    expect(await run(order, { world, files: { 't.yaml': '- {call: LS, expect: allow}' } })).toEqual({ code: 0, err: '', out: '1 passed, 0 failed.\n' });
    expect(await run(order, { world, files: { 't.yaml': '- {call: LS, expect: alow}\n- {cal: LS}' } })).toEqual({ code: 2, out: '', err: expect.stringMatching(/^t\.yaml:1: .*Did you mean `allow`[^]*t\.yaml:2: /) });
    expect(await run({ action: 'test', files: [join(world.project, 'gone.yaml')] }, { world })).toEqual({ code: 2, out: '', err: 'There is no file gone.yaml.' });
  });
});

test('what-if: calls of the last sessions that a rule would decide otherwise', async () => {
  const world = makeWorld();
  storeSession(world, 's1', 'default', [['npm test', 'ask', ''], ['npm test', 'ask', ''], ['ls', 'ask', '']]);
  storeSession(world, 's2', 'plan', [['npm test -- a', 'deny', '']]);
  expect(await run({ action: 'what-if', verdict: 'allow', rule: 'Bash(npm test *)' }, { world })).toEqual({
    code: 0, err: '', out: 'deny → allow  Bash(npm test -- a)\nask → allow  Bash(npm test)  (2 times)\nWith allow Bash(npm test *), 3 of 4 calls in 2 sessions would be decided otherwise.\n',
  });
  expect(await run({ action: 'what-if', verdict: 'deny', rule: 'LS' }, { world, json: true })).toEqual({ code: 0, err: '', out: '{"rule":"LS","verdict":"deny","sessions":2,"calls":4,"changed":[]}\n' });
  expect(await run({ action: 'what-if', verdict: 'deny', rule: 'Bash(' }, { world })).toMatchObject({ code: 2 });
  expect(await run({ action: 'what-if', verdict: 'deny', rule: 'LS' })).toEqual({ code: 0, err: '', out: 'With deny LS, 0 of 0 calls in 0 sessions would be decided otherwise.\n' });
});

test('list: the strongest first', async () => {
  const files = { '~/permissions.yaml': 'allow: [LS]\nalways_deny: ["Bash(rm *)"]', '.mewcode/permissions.local.yaml': 'ask: [Read]' };
  expect(await run({ action: 'list' }, { files, flags: { allow: ['Grep'], mode: 'plan' } })).toEqual({
    code: 0, err: '', out: 'always_deny  Bash(rm *)  ~/permissions.yaml:2\nallow        Grep        --allow\nask          ReadFile    .mewcode/permissions.local.yaml:1\nallow        LS          ~/permissions.yaml:1\nMode plan; 4 rules, the strongest first.\n',
  });
});

test('help for each', async () => {
  for (const of of [undefined, 'explain', 'lint', 'test', 'what-if', 'list']) expect(await run({ action: 'help', of })).toEqual({ code: 0, err: '', out: expect.stringContaining(`mewcode permissions ${of ?? 'explain'}`) });
});
