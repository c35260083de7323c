// What a command that may run was seen to need: the sandbox opens just that.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Facts, ShellCommand } from '../types/permission.ts';
import { KEYS } from './places.ts';
import { needOf } from './programs.ts';

export type Needs = {
  network: boolean;
  /** `configures`: nothing but git and what can do no harm beside it. */
  git: 'no' | 'writes' | 'configures';
  /** It is git's alone, without the network: what git has already is not hidden from it, or it would take it for changed. */
  gitOnly: boolean;
  /** Programs that may see the keys made for them: nothing beside them in the same text could take these. */
  programs: readonly string[];
  /** Resolved paths that the command's own words read and write. */
  reads: readonly string[];
  writes: readonly string[];
  /** Those that it may take away with all that is in them. */
  removes: readonly string[];
  /** Folders in which it runs git. */
  gitFolders: readonly string[];
};

export const NOTHING: Needs = { network: false, git: 'no', gitOnly: false, programs: [], reads: [], writes: [], removes: [], gitFolders: [] };

const REMOVES = /^(rm|rmdir|mv|rimraf|shred)$/;

/** The needs of all commands together: they run in one sandbox. Of a text that can't be read nothing is known, so it gets nothing. */
export function needsOf(facts: Facts | undefined): Needs {
  if (!facts) return NOTHING;
  const commands = Object.values(facts.shell).flatMap((text) => (text.ok ? text.commands : []));
  const hasLocal = (program: string) => [facts.cwd, facts.root].some((folder) => existsSync(join(folder, 'node_modules/.bin', program)));
  const needs = commands.map((command) => ({ ...needOf(command, hasLocal), cwd: command.cwd, words: command.words }));
  const real = (kind: 'read' | 'write', from: readonly ShellCommand[]) => [...new Set(from.flatMap(({ effects }) => effects.filter((effect) => effect.kind === kind).flatMap(({ target }) => facts.real[target]?.path ?? [])))];
  const git = needs.filter((need) => need.git !== 'no');
  const network = needs.some((need) => need.network);
  const calm = needs.every((need) => need.calm);
  // Whatever stands beside a program sees the keys that are shown to it, and may have the network that it has.
  const keyed = needs.filter(({ program, keys }) => program !== undefined && keys && KEYS.some(({ of }) => of?.test(program)));
  const trusted = keyed.filter(({ program }) => needs.every((other) => other.calm || other.program === program || keyed.includes(other)));
  return {
    network,
    git: git.length === 0 ? 'no' : calm && git.some((need) => need.git === 'configures') ? 'configures' : 'writes',
    gitOnly: !network && calm && needs.some(({ program }) => program === 'git'),
    programs: [...new Set(trusted.flatMap(({ program }) => program ?? []))],
    reads: real('read', commands),
    writes: real('write', commands),
    removes: real('write', commands.filter(({ words }) => REMOVES.test(words[0] ?? ''))),
    gitFolders: [...new Set(git.flatMap(({ cwd, words }) => folderOf(words, cwd ?? facts.root)))],
  };
}

/** `git -C DIR` works in another folder. */
function folderOf(words: readonly (string | null)[], cwd: string): string {
  const at = words.indexOf('-C');
  return at < 0 ? cwd : resolve(cwd, words[at + 1] ?? '.');
}
