// The shell grammar against bash itself: a program and the normal form that bash prints of it must read the same.
import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import * as grammar from 'unbash';
import { expect, test } from 'vitest';
import { readShell } from '../../src/permissions/shell.ts';

const PROGRAMS = process.env.MEWCODE_LONG ? 5_000 : 400;

const word = fc.constantFrom('a', 'b.txt', '-n', '"x y"', "'q $X'", '$X', '"$X"', '${X:-d}', '"${X%.*}"', '$(ls a)', '"$(cat b | wc)"', '`id`', '~', '~/c', '*.ts', '[ab]?', '{a,b}', '{1..3}', String.raw`\;`, String.raw`e\ f`, "$'t\\tb'", '$((1 + 2))', '<(ls)', '/etc', '""', 'x"y"z', 'é', '$1', '"$@"', 'no#');
const program = fc.constantFrom('ls', 'echo', 'rm', 'cat', 'git', 'npm test', 'X=1 env', 'timeout 5 cp', 'sudo mv', 'find . -name', 'cd', 'bash -c', 'eval', 'xargs', ':', 'export Y=2;  true');
const redirect = fc.constantFrom('', '', '', ' > out', ' 2>> err', ' < in', ' 2>&1', ' &> all', ' <<< "$X"', ' > "$X"');
const simple = fc.tuple(program, fc.array(word, { maxLength: 3 }), redirect).map(([name, words, end]) => [name, ...words].join(' ') + end);

const { list } = fc.letrec<{ list: string; command: string }>((tie) => ({
  command: fc.oneof({ maxDepth: 3, withCrossShrink: true }, simple, simple,
    tie('list').map((body) => `( ${body} )`), tie('list').map((body) => `{ ${body}; }`), tie('list').map((body) => `{ ${body}; } > group`),
    fc.tuple(tie('list'), tie('list')).map(([test, body]) => `if ${test}; then ${body}; fi`), fc.tuple(tie('list'), tie('list')).map(([body, other]) => `if true; then ${body}; else ${other}; fi`),
    fc.tuple(word, tie('list')).map(([item, body]) => `for i in ${item} z; do ${body}; done`), tie('list').map((body) => `while false; do ${body}; done`),
    fc.tuple(word, tie('list')).map(([item, body]) => `case ${item} in a | b) ${body} ;; *) : ;; esac`), simple.map((body) => `! ${body}`), simple.map((body) => `cat <<E1 | sh\n${body}\nE1\n:`), simple.map((body) => `[[ -f a && -n $(${body}) ]]`),
  ),
  list: fc.array(fc.tuple(tie('command'), fc.constantFrom(' && ', ' || ', '; ', ' | ', '\n')), { minLength: 1, maxLength: 3 }).map((parts) => parts.map(([command, join], i) => command + (i < parts.length - 1 ? (command.includes('<<E1') ? '\n' : join) : '')).join('')),
}));

test(`${PROGRAMS} programs read the same as what bash makes of them`, () => {
  const programs = fc.sample(list, { numRuns: PROGRAMS, seed: 20_261_121 });
  // One bash for all; each is defined apart, so that one that bash refuses takes no other with it.
  const script = programs.map((text, i) => `eval ${quote(`f${i}() {\n${text}\n}`)} 2>/dev/null && { printf '\\001${i}\\n'; declare -f f${i}; }`).join('\n');
  const { stdout, status } = spawnSync('bash', ['--norc', '--noprofile', '-s'], { input: `${script}\ntrue\n`, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }, maxBuffer: 1 << 28, encoding: 'utf8' });
  expect(status).toBe(0);
  const printed = new Map(stdout.split('\u0001').slice(1).map((part) => [Number(part.slice(0, part.indexOf('\n'))), part.slice(part.indexOf('\n') + 1)]));
  expect(printed.size).toBeGreaterThan(PROGRAMS * 0.9);
  expect([...printed.keys()].filter((i) => read(programs[i] ?? '').startsWith('refused')).length).toBeLessThan(PROGRAMS * 0.1);
  const different = [...printed].flatMap(([i, normal]) => {
    const [mine, bashs] = [read(programs[i] ?? ''), read(normal.replace(/^f\d+ \(\) *\n\{ *\n([\s\S]*)\n\}\n*$/, '$1'))];
    return mine === bashs ? [] : [{ program: programs[i], normal, mine, bashs }];
  });
  expect(different.slice(0, 2)).toEqual([]);
});

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What of a reading does not hang on how the source was spelled. */
function read(text: string): string {
  const facts = readShell(text, { cwd: '/work', home: '/home/u', grammar });
  return facts.ok ? facts.commands.map(({ words, cwd, effects, inputs }) => JSON.stringify({ words, cwd, effects, inputs })).filter((line, i, all) => all.indexOf(line) === i).join('\n') : `refused: ${facts.problem}`;
}
