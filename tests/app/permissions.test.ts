// mewcode permissions explain: what is judged, what is said, and what a bad call costs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runPermissions } from '../../src/app/permissions.ts';
import type { PermissionsOrder } from '../../src/commands/permissions.ts';
import type { Flags } from '../../src/config/load.ts';
import type { Decision } from '../../src/types/permission.ts';
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
    ['LS', 'permissions.yaml:1: `alow` is not a known key', { files: { '~/permissions.yaml': 'alow: []' } }],
  ])('%s: %s', async (call, sentence, stage) => {
    const said = await run({ action: 'explain', call }, stage);
    expect(said).toEqual({ code: 2, out: '', err: expect.stringContaining(sentence) });
    const json = await run({ action: 'explain', call }, { ...stage, json: true });
    expect({ code: json.code, text: json.err + json.out }).toEqual({ code: 2, text: expect.stringContaining(JSON.stringify(sentence).slice(1, -1)) });
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
