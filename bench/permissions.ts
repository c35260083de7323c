// What a decision costs, facts from the disk included, against reading the same text with the bare grammar. Run: npx node bench/permissions.ts
import * as grammar from 'unbash';
import { code } from '../tests/permissions/commands/code.ts';
import { ordinary1 } from '../tests/permissions/commands/ordinary-1.ts';
import { ordinary2 } from '../tests/permissions/commands/ordinary-2.ts';
import { removals } from '../tests/permissions/commands/removals.ts';
import { RULES } from '../tests/permissions/commands/rules.ts';
import { testPlace, testPolicy } from '../tests/permissions/judge.ts';
import { decide } from '../src/permissions/decide.ts';
import { gatherFacts } from '../src/permissions/facts.ts';

const place = testPlace();
const quantile = (values: readonly number[], q: number) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? NaN;
const many = [...RULES, ...Array.from({ length: 900 }, (_, i) => (i % 3 === 0 ? `WriteFile(src/area-${i}/**/*.ts)` : `Bash(tool-${i} sub*)`))];
const table = [...ordinary1.map(([, command]) => command), ...ordinary2.map(([, command]) => command), ...removals, ...code];
const long = [
  Array.from({ length: 500 }, (_, i) => `npm test -- file-${i}.ts && echo "done ${i}" > out/${i}.txt`).join('\n'),
  `cat > notes.md <<'END'\n${'Never run rm -rf / again.\n'.repeat(400)}END`,
  Array.from({ length: 200 }, (_, i) => `if [ -f a${i} ]; then X=${i}; rm -rf "build/$X"; else cp a b; fi`).join('\n'),
];
const wild: Record<string, string> = {
  'deep substitutions': `echo ${'$(echo '.repeat(200)}x${')'.repeat(200)}`, 'deep groups': `${'( '.repeat(200)}true${' )'.repeat(200)}`, 'nested loops': `${'for i in a b; do '.repeat(30)}true${'; done'.repeat(30)}`,
  braces: `echo ${'{a,b}'.repeat(60)}`, 'a megabyte of words': `echo ${'word '.repeat(200_000)}`, 'a megabyte in one word': `echo ${'x'.repeat(1_000_000)}`, 'a megabyte of quotes': `echo ${`'"'`.repeat(300_000)}`,
  'texts that grow': `X=aaaaaaaa; ${'X="$X$X"; '.repeat(60)} rm $X`, stars: `rm ${'*/'.repeat(20)}*`, 'many stars in a cut': `X=${'a'.repeat(200)}; echo "\${X%${'*a'.repeat(40)}b}"`, 'functions that call functions': Array.from({ length: 40 }, (_, i) => `f${i + 1}() { f${i}; f${i}; };`).join(' '),
  'code in code': `python3 -c "${'import os; os.system(x); '.repeat(4_000)}"`, comments: `python3 -c "${'/*'.repeat(40_000)}"`, 'many small commands': 'true; '.repeat(20_000),
};

async function time(commands: readonly string[], allow: readonly string[]): Promise<number[]> {
  const policy = testPolicy({ ...place, allow: [...allow] });
  const times: number[] = [];
  for (const command of commands) {
    const access = [{ kind: 'run' as const, target: command }];
    const start = performance.now();
    const facts = await gatherFacts(access, { cwd: place.root, roots: policy.roots, home: place.home });
    decide({ id: 'c', name: 'Bash', input: {}, access }, facts, policy);
    times.push(performance.now() - start);
  }
  return times;
}

function floorOf(commands: readonly string[]): number[] {
  return commands.map((command) => {
    const start = performance.now();
    grammar.parse(command);
    return performance.now() - start;
  });
}

const show = (name: string, times: readonly number[], floor: readonly number[]) => {
  const [p50, p99, base] = [quantile(times, 0.5), quantile(times, 0.99), quantile(floor, 0.5)];
  console.log(`${name.padEnd(44)} p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${(p50 / base).toFixed(1)} times the bare grammar (${base.toFixed(3)} ms)`);
};

const [first] = await time(['git status'], many);
console.log(`the very first decision, grammar loaded with it: ${first?.toFixed(1)} ms`);
show(`${table.length} commands, ${RULES.length} rules, first time`, await time(table, RULES), floorOf(table));
show(`${table.length} commands, ${RULES.length} rules, again`, await time(table, RULES), floorOf(table));
show(`${table.length} commands, ${many.length} rules`, await time(table, many), floorOf(table));
for (const command of long) show(`${command.length} characters, ${many.length} rules`, await time(Array.from({ length: 20 }, () => command), many), floorOf(Array.from({ length: 20 }, () => command)));
for (const [name, command] of Object.entries(wild)) console.log(`${name.padEnd(44)} ${(await time([command], RULES))[0]?.toFixed(0)} ms`);
process.exit();
