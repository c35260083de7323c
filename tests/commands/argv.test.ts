// The command line: what is understood, and the sentence for what is not.
import { describe, expect, test } from 'vitest';
import { helpText, parseArgv } from '../../src/commands/argv.ts';
import { flags, type Invocation } from '../../src/commands/flags.ts';

const NOTHING: Invocation = {
  door: 'app', format: 'text', renderer: 'own', session: { kind: 'new' }, trust: false, failOnDenied: false,
  settings: { allow: [], deny: [], addDirs: [] },
};
const parse = (argv: string[]) => parseArgv(argv, (path) => path === 'there.yaml');
const settings = (more: Partial<Invocation['settings']>) => ({ settings: { ...NOTHING.settings, ...more } });

test.each<[argv: string[], expected: Partial<Invocation>]>([
  [[], {}],
  [['fix', 'the', 'bug'], { prompt: 'fix the bug' }],
  [['fix the bug'], { prompt: 'fix the bug' }],
  [['there.yaml'], { config: 'there.yaml' }],
  [['there.yaml', 'go'], { config: 'there.yaml', prompt: 'go' }],
  [['gone.yaml'], { prompt: 'gone.yaml' }],
  [['--config', 'x.yml'], { config: 'x.yml' }],
  [['-p', 'hello'], { door: 'print', prompt: 'hello' }],
  [['hello', '--print'], { door: 'print', prompt: 'hello' }],
  [['-p'], { door: 'print' }],
  [['chat'], {}],
  [['chat', 'hello'], { door: 'print', prompt: 'hello' }],
  [['-p', 'chat', 'hello'], { door: 'print', prompt: 'hello' }],
  [['-p', '--', '--not-a-flag', '-x'], { door: 'print', prompt: '--not-a-flag -x' }],
  [['-'], { prompt: '-' }],
  [['--output-format', 'json'], { format: 'json' }],
  [['--output-format=json'], { format: 'json' }],
  [['-c'], { session: { kind: 'continue' } }],
  [['--continue'], { session: { kind: 'continue' } }],
  [['-r', 'abc'], { session: { kind: 'resume', id: 'abc' } }],
  [['--resume=abc'], { session: { kind: 'resume', id: 'abc' } }],
  [['--no-session'], { session: { kind: 'none' } }],
  [['--model', 'm', '--provider', 'p'], settings({ model: 'm', provider: 'p' })],
  [['--demo'], settings({ provider: 'demo' })],
  [['--mode', 'plan'], settings({ mode: 'plan' })],
  [['--permission-mode', 'plan'], settings({ mode: 'plan' })],
  [['--yolo'], settings({ mode: 'bypassPermissions' })],
  [['--dangerously-bypass-permissions'], settings({ mode: 'bypassPermissions' })],
  [['--dangerously-skip-permissions'], settings({ mode: 'bypassPermissions' })],
  [['--allow', 'Bash(echo (a) b, c)', '--allow', 'Edit'], settings({ allow: ['Bash(echo (a) b, c)', 'Edit'] })],
  [['--allowedTools', 'Bash(git log:*),Edit Read'], settings({ allow: ['Bash(git log:*)', 'Edit', 'Read'] })],
  [['--disallowedTools', 'Bash'], settings({ deny: ['Bash'] })],
  [['--max-rounds', '3'], settings({ maxRounds: 3 })],
  [['--max-turns=3'], settings({ maxRounds: 3 })],
  [['--add-dir', 'a', '--add-dir', 'b', '--cwd', 'c'], { cwd: 'c', ...settings({ addDirs: ['a', 'b'] }) }],
  [['--trust', '--fail-on-denied', '--renderer', 'ink'], { trust: true, failOnDenied: true, renderer: 'ink' }],
  [['doctor'], { door: 'doctor' }],
  [['there.yaml', 'doctor'], { config: 'there.yaml', prompt: 'doctor' }],
  [['doctor', 'who'], { prompt: 'doctor who' }],
  [['-p', 'doctor'], { door: 'print', prompt: 'doctor' }],
  [['permissions', 'explain', 'Bash(ls)'], { door: 'permissions', permissions: { action: 'explain', call: 'Bash(ls)' } }],
  [['permissions', 'explain', '--json', '-', '--rules', 'r.yaml', '--mode=plan'], { door: 'permissions', json: true, rules: 'r.yaml', permissions: { action: 'explain', call: '-' }, ...settings({ mode: 'plan' }) }],
  [['permissions', '--help'], { door: 'permissions', permissions: { action: 'help', of: undefined } }],
  [['permissions', 'explain', '-h'], { door: 'permissions', permissions: { action: 'help', of: 'explain' } }],
  [['permissions', 'help', 'explain'], { door: 'permissions', permissions: { action: 'help', of: 'explain' } }],
  [['permissions'], { door: 'permissions', permissions: { action: 'list' } }],
  [['permissions', 'lint'], { door: 'permissions', permissions: { action: 'lint' } }],
  [['permissions', 'test', 'a.yaml', 'b.yaml'], { door: 'permissions', permissions: { action: 'test', files: ['a.yaml', 'b.yaml'] } }],
  [['permissions', 'what-if', 'Bash(ls)'], { door: 'permissions', permissions: { action: 'what-if', verdict: 'allow', rule: 'Bash(ls)' } }],
  [['permissions', 'what-if', 'deny', 'Bash(ls', 'x)'], { door: 'permissions', permissions: { action: 'what-if', verdict: 'deny', rule: 'Bash(ls x)' } }],
  [['permissions', 'are', 'hard'], { prompt: 'permissions are hard' }],
  [['-p', 'permissions', 'explain', 'x'], { door: 'print', prompt: 'permissions explain x' }],
  [['--debug'], settings({ debug: true })],
  [['--paths'], { door: 'paths' }],
  [['--print-tools'], { door: 'tools' }],
  [['--check-config'], { door: 'config' }],
  [['-v'], { door: 'version' }],
  [['chat', '--help'], { door: 'help' }],
  [['--help', '-p'], { door: 'help' }],
  [['--trust', 'mcp', 'serve', '--mode', 'plan', '--debug'], { door: 'mcp', mcp: { action: 'serve' }, trust: true, ...settings({ mode: 'plan', debug: true }) }],
  [['mcp', 'serve', '--debug', '--help'], { door: 'mcp', mcp: { action: 'help', of: 'serve' }, ...settings({ debug: true }) }],
])('%j', (argv, expected) => {
  expect(parse(argv)).toEqual({ ...NOTHING, ...expected });
});

test.each([
  [['--modle', 'x'], 'There is no flag --modle. Did you mean --model?'],
  [['--outputformat=json'], 'There is no flag --outputformat. Did you mean --output-format?'],
  [['--xyzzy'], 'There is no flag --xyzzy. See mewcode --help. A prompt that begins with a dash goes after --.'],
  [['--model'], '--model needs a value: --model MODEL.'],
  [['--model', '--print'], '--model needs a value: --model MODEL.'],
  [['--model='], '--model needs a value: --model MODEL.'],
  [['--resume'], '--resume needs a value: --resume ID.'],
  [['--trust=yes'], '--trust takes no value, but was given "yes".'],
  [['--output-format', 'xml'], '--output-format can\'t be "xml". It is text or json.'],
  [['--max-rounds', '-1'], '--max-rounds can\'t be "-1". It is a whole number from 1 up.'],
  [['mcp', 'serve', '--xyzzy'], 'There is no flag --xyzzy. See mewcode --help. A prompt that begins with a dash goes after --.'],
  [['mcp', 'serve', '--trust', 'now'], 'mewcode mcp serve takes no "now". See mewcode mcp serve --help.'],
  [['--max-rounds', '1.5'], '--max-rounds can\'t be "1.5". It is a whole number from 1 up.'],
])('%j is refused with a sentence', (argv, text) => {
  expect(() => parse(argv)).toThrow(expect.objectContaining({ text }));
});

describe('the table of flags', () => {
  test('no spelling is used twice', () => {
    const names = flags.flatMap((flag) => flag.names);
    expect(new Set(names).size).toBe(names.length);
  });

  test('--help names every flag, in lines that fit', () => {
    expect(flags.filter((flag) => flag.summary && !helpText().includes(`  ${flag.names[0]}`)).map((flag) => flag.names[0])).toEqual([]);
    expect(helpText().split('\n').filter((line) => line.length > 140)).toEqual([]);
  });
});
