// The policy of one run: rules from files, flags and this session's answers, and the mode.
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appendRule } from '../config/permission-files.ts';
import type { Loaded } from '../config/load.ts';
import type { Paths } from '../config/paths.ts';
import { parseRule } from '../permissions/rules.ts';
import type { Mode, Policy, Rule } from '../types/permission.ts';
import type { RuleText } from '../types/settings.ts';
import { UserError } from '../types/user-error.ts';
import type { Start } from './start.ts';

/** Answers given in this session override every file and flag. */
const SESSION_RANK = 100;

export type PolicyHolder = {
  policy(): Policy;
  /** Allows for this session at once; `always` writes the rule down as well and rejects where it can't. */
  allow(rule: string, keep: 'session' | 'always'): Promise<void>;
};

/** Holds the rules of one session; `mode` is read at each look, since it lives in the session's state. Throws a `UserError` on a rule that can't be read. */
export function holdPolicy({ loaded, paths, roots, mode }: { loaded: Loaded; paths: Paths; roots: readonly string[]; mode: () => Mode }): PolicyHolder {
  let rules: readonly Rule[] = parseAll(loaded.rules);
  const fixed = { roots, custom: loaded.custom, ignorePatterns: loaded.ignorePatterns, ownFiles: ownFiles(loaded, paths) };
  return {
    policy: () => ({ ...fixed, mode: mode(), rules }),
    async allow(text, keep) {
      rules = [...rules, parseRule({ text, verdict: 'allow', from: 'session', rank: SESSION_RANK })];
      if (keep === 'always') await appendRule(paths, { verdict: 'allow', text });
    },
  };
}

/** Rules in the order in which they win. */
export function byStrength(rules: readonly Rule[]): Rule[] {
  const order = ['deny', 'ask', 'allow'];
  return rules.toSorted((a, b) => Number(b.final ?? false) - Number(a.final ?? false) || b.rank - a.rank || order.indexOf(a.verdict) - order.indexOf(b.verdict));
}

/** All rules, or one `UserError` for all that can't be read. */
function parseAll(texts: readonly RuleText[]): Rule[] {
  const wrong: string[] = [];
  const rules = texts.flatMap((text) => {
    try {
      return [parseRule(text)];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      wrong.push(error.text);
      return [];
    }
  });
  if (wrong.length > 0) throw new UserError(wrong.join('\n'));
  return rules;
}

/** Resolved folders that tools may reach, the project first; a session adds its own. */
export function reachableRoots({ paths, addDirs = [] }: Pick<Start, 'paths' | 'addDirs'>): string[] {
  return [paths.root, ...addDirs, tmpdir()].map((path) => realpathSync(path));
}

/** What steers MewCode itself: a write to it asks in every mode. */
function ownFiles(loaded: Loaded, paths: Paths): string[] {
  const inBoth = ['mcp.json', 'hooks', 'config.yaml', 'permissions.yaml', 'permissions.local.yaml'].flatMap((name) => [join(paths.userDir, name), join(paths.projectDir, name)]);
  return [...new Set([...inBoth, paths.trustFile, paths.credentials, ...loaded.files])];
}

/** The mode `name`, or a `UserError` that lists them. */
export function checkMode(name: string, known: readonly { name: string }[]): Mode {
  if (known.some((mode) => mode.name === name)) return name;
  throw new UserError(`There is no mode "${name}".`, `Modes: ${known.map((mode) => mode.name).join(', ')}.`);
}
