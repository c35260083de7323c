// What must hold for every command: wrapping never widens, joining takes the stricter, what can't be read is never allowed.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as grammar from 'unbash';
import { readShell } from '../../src/permissions/shell.ts';
import type { Verdict } from '../../src/types/permission.ts';
import { judgeShell, testPlace } from './judge.ts';

const MORE = process.env.MEWCODE_LONG ? 20 : 1;
const place = testPlace();
const STRICTNESS: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };
const SETUPS = [
  { mode: 'default', allow: ['Bash(npm test *)', 'Bash(echo *)', 'Bash(find *)', 'Bash(timeout *)', 'Bash(cat *)', 'Bash(true)'], deny: ['Bash(curl *)'], ask: ['Bash(git push *)'] },
  { mode: 'bypassPermissions', deny: ['Bash(curl *)'] },
  { mode: 'acceptEdits', allow: ['Bash(echo *)', 'Bash(true)'] },
];

const word = fc.constantFrom('a', 'src/b.ts', '-rf', '"x y"', "'$HOME'", '/', '~', '$HOME', '$X', '*', '.', '..', '/etc', '.env', '$(echo /)', '{a,b}', 'build', '-exec', '-delete');
const program = fc.constantFrom('npm test', 'echo', 'rm', 'find', 'cat', 'curl', 'git push', 'git status', 'cp', 'chmod -R', 'true', 'kill', 'sed -i');
const redirect = fc.constantFrom('', '', '', ' > out', ' >> ~/.bashrc', ' 2>&1', ' < .env', ' > /dev/sda', ' > /dev/null');
const simple = fc.tuple(program, fc.array(word, { maxLength: 4 }), redirect).map(([name, args, end]) => [name, ...args].join(' ') + end);
const command = fc.oneof(simple, fc.tuple(simple, fc.constantFrom(' && ', ' || ', '; ', ' | '), simple).map((parts) => parts.join('')), simple.map((inner) => `(${inner})`), simple.map((inner) => `X=/; ${inner}`));

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const WRAPPERS: [string, (text: string) => string][] = [
  ['subshell', (text) => `( ${text} )`], ['group', (text) => `{ ${text}; }`], ['bash -c', (text) => `bash -c ${quoted(text)}`], ['timeout bash', (text) => `timeout 5 bash -c ${quoted(text)}`], ['env sh', (text) => `env A=b sh -c ${quoted(text)}`],
  ['eval', (text) => `eval ${quoted(text)}`], ['into cat', (text) => `{ ${text}; } | cat`], ['substitution', (text) => `echo "$( ${text} )"`], ['if', (text) => `if true; then ${text}; fi`], ['loop', (text) => `for i in 1; do ${text}; done`],
  ['function', (text) => `f() { ${text}; }; f`], ['here-document', (text) => `bash <<'END'\n${text}\nEND`], ['here-string', (text) => `sh <<< ${quoted(text)}`], ['nested', (text) => `bash -c ${quoted(`bash -c ${quoted(text)}`)}`], ['sudo', (text) => `sudo bash -c ${quoted(text)}`], ['background', (text) => `{ ${text}; } &`],
];

async function strictness(text: string, setup: (typeof SETUPS)[number]): Promise<number> {
  return STRICTNESS[(await judgeShell(text, { ...place, ...setup })).verdict];
}

test.each(WRAPPERS)('wrapping into %s never widens', async (_, wrap) => {
  await fc.assert(fc.asyncProperty(command, fc.constantFrom(...SETUPS), async (text, setup) => {
    expect(await strictness(wrap(text), setup)).toBeGreaterThanOrEqual(await strictness(text, setup));
  }), { numRuns: 40 * MORE });
});

test.each(['timeout 5', 'nohup', 'env A=b', 'nice', 'setsid', 'time', 'command', 'sudo', 'xargs', 'watch', 'strace', 'stdbuf -oL', 'exec', 'busybox'])('putting %s before a simple command never widens', async (wrapper) => {
  await fc.assert(fc.asyncProperty(simple, fc.constantFrom(...SETUPS), async (text, setup) => {
    expect(await strictness(`${wrapper} ${text}`, setup)).toBeGreaterThanOrEqual(await strictness(text, setup));
  }), { numRuns: 30 * MORE });
});

test.each([' && ', '; ', '\n', ' & '])('joined by %j the stricter one counts', async (join) => {
  await fc.assert(fc.asyncProperty(simple, simple, fc.constantFrom(...SETUPS), async (a, b, setup) => {
    expect(await strictness(a + join + b, setup)).toBe(Math.max(await strictness(a, setup), await strictness(b, setup)));
  }), { numRuns: 60 * MORE });
});

test('any text is either read or refused, and what is refused is never allowed', async () => {
  const piece = fc.constantFrom('echo', ' ', '"', "'", '$(', ')', '`', '{', '}', ';', '&&', '|', '<<E\n', '\n', 'E', '\\', '$X', '${', '((', '[[', 'if', 'fi', 'do', 'x', '=', '<(', '#', '~', '*', '\0', '\u202e', 'é', '>', '&');
  await fc.assert(fc.asyncProperty(fc.oneof(fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')), fc.string({ unit: 'binary', maxLength: 60 })), async (text) => {
    const read = readShell(text, { cwd: place.root, home: place.home, grammar });
    const { verdict } = await judgeShell(text, { ...place, mode: 'bypassPermissions', allow: ['Bash'], hooks: 'allow' });
    if (!read.ok) expect(verdict).not.toBe('allow');
  }), { numRuns: 500 * MORE });
});

test.each([
  ['nested loops', `${'for i in a b; do '.repeat(30)}true${'; done'.repeat(30)}`],
  ['functions that call functions', Array.from({ length: 40 }, (_, i) => `f${i + 1}() { f${i}; f${i}; };`).join(' ')],
  ['texts that grow', `X=aaaaaaaa; ${'X="$X$X"; '.repeat(60)} rm $X`],
  ['texts in texts', Array.from({ length: 7 }).reduce<string>((text) => `eval ${quoted(text)} ${quoted('; true')}`, 'true')],
  ['braces', `echo ${'{a,b}'.repeat(40)}`],
  ['numbers', 'echo {1..1000000000}'],
])('%s end soon, and are never allowed by being too much', async (_, text) => {
  expect((await judgeShell(`${text}\nrm -rf /`, { ...place, mode: 'bypassPermissions' })).verdict).not.toBe('allow');
});
