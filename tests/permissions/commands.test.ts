// More than two thousand commands and what is said of each: catastrophes in every disguise, a developer's days, what rules cover.
import { expect, test } from 'vitest';
import { again, coveredAgain, plainAgain } from './commands/again.ts';
import { borderline } from './commands/borderline.ts';
import { code } from './commands/code.ts';
import { covered1 } from './commands/covered-1.ts';
import { covered2 } from './commands/covered-2.ts';
import { disguises } from './commands/disguises.ts';
import { disks } from './commands/disks.ts';
import { downloads } from './commands/downloads.ts';
import { machine } from './commands/machine.ts';
import { ordinary1 } from './commands/ordinary-1.ts';
import { ordinary2 } from './commands/ordinary-2.ts';
import { ordinary3 } from './commands/ordinary-3.ts';
import { removals } from './commands/removals.ts';
import { RULES } from './commands/rules.ts';
import { judgeShell, type Setup, testPlace } from './judge.ts';

const place = testPlace();

/** The commands of which something else is said than what is wanted, with what is said. */
async function wrong<T extends readonly unknown[]>(rows: readonly T[], judged: (row: T) => { command: string; setup: Partial<Setup>; wanted: string }): Promise<string[]> {
  const results = await Promise.all(rows.map(async (row) => {
    const { command, setup, wanted } = judged(row);
    const { verdict, layer, because } = await judgeShell(command, { ...place, ...setup });
    return verdict === wanted.split(' ')[0] && (wanted.includes(' ') ? wanted === `${verdict} ${layer}` : true) ? [] : [`${command}\n  wanted ${wanted}, got ${verdict} by ${layer}: ${because}`];
  }));
  return results.flat();
}

test.each(Object.entries({ removals, code, disguises, downloads, disks, machine, again }))('never allowed, whatever else says: %s', async (_, commands) => {
  expect(await wrong(commands.map((command) => [command]), ([command = '']) => ({ command, setup: { mode: 'bypassPermissions', allow: ['Bash'], hooks: 'allow' }, wanted: 'deny blacklist' }))).toEqual([]);
  expect(await wrong(commands.map((command) => [command]), ([command = '']) => ({ command, setup: {}, wanted: 'deny blacklist' }))).toEqual([]);
});

test.each([['1', ordinary1], ['2', ordinary2], ['3', ordinary3]])('ordinary commands pass where a mode or a rule allows them: %s', async (_, rows) => {
  expect(await wrong(rows, ([, command]) => ({ command, setup: { mode: 'bypassPermissions' }, wanted: 'allow' }))).toEqual([]);
  expect(await wrong(rows, ([verdict, command]) => ({ command, setup: { allow: RULES }, wanted: verdict }))).toEqual([]);
});

test('what is not on the list is for the mode to say', async () => {
  expect(await wrong(plainAgain.map((command) => [command]), ([command = '']) => ({ command, setup: { mode: 'bypassPermissions' }, wanted: 'allow' }))).toEqual([]);
  expect(await wrong(borderline.map((command) => [command]), ([command = '']) => ({ command, setup: { mode: 'bypassPermissions' }, wanted: 'allow' }))).toEqual([]);
  expect(await wrong(borderline.map((command) => [command]), ([command = '']) => ({ command, setup: {}, wanted: 'ask' }))).toEqual([]);
});

test.each([['1', covered1], ['2', covered2], ['again', coveredAgain]])('an allow rule covers its own commands and nothing that rides on them: %s', async (_, rows) => {
  expect(await wrong(rows, ([verdict, allow, command]) => ({ command, setup: { allow: [...allow] }, wanted: verdict }))).toEqual([]);
});

test('there are many, each once', () => {
  const all = [...removals, ...code, ...downloads, ...disks, ...machine, ...disguises, ...again, ...ordinary1.map(([, command]) => command), ...ordinary2.map(([, command]) => command), ...ordinary3.map(([, command]) => command), ...borderline];
  expect(all.length).toBeGreaterThan(2_000);
  expect(all.filter((command, i) => all.indexOf(command) !== i)).toEqual(all.filter((command, i) => all.indexOf(command) !== i && borderline.includes(command)));
});
