// The policy of one run: rules from files, flags and this session's answers, and the mode.
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { appendRule, RANK, readRuleFiles, removeRule } from '../config/permission-files.ts';
import type { Loaded } from '../config/load.ts';
import type { Paths } from '../config/paths.ts';
import { spellRule } from '../permissions/match.ts';
import { parseRule } from '../permissions/rules.ts';
import { nearest } from '../lib/nearest.ts';
import type { RuleDesk } from '../types/command.ts';
import type { Mode, Policy, Rule } from '../types/permission.ts';
import type { RuleText } from '../types/settings.ts';
import { UserError } from '../types/user-error.ts';
import { ownFiles } from './own-files.ts';
import type { Start } from './start.ts';

/** A sentence for each rule of a flag that is for no tool: it would silently do nothing. Tools of servers may not be there yet. */
export function checkFlagRules(rules: readonly Rule[], names: readonly string[]): string[] {
  const strange = rules.filter(({ rank, tool }) => rank === RANK.flag && !/^mcp|[*]/i.test(tool) && !names.includes(tool));
  return strange.map(({ from, tool }) => {
    const near = nearest(tool, names);
    return `${from}: there is no tool ${tool}.${near === undefined ? '' : ` Did you mean ${near}?`}`;
  });
}

/** Answers given in this session override every file and flag. */
const SESSION_RANK = 100;

/** Holds the rules of one run: those that were read, and the answers of its session. Throws a `UserError` on rules that can't be read. */
export function openRules(loaded: Pick<Loaded, 'rules'>, paths: Paths): RuleDesk {
  let written: readonly Rule[] = parseRules(loaded.rules);
  let answers: readonly Rule[] = [];
  let sorted = byStrength(written);
  const change = (next: { written?: readonly Rule[]; answers?: readonly Rule[] }) => {
    ({ written = written, answers = answers } = next);
    sorted = byStrength([...written, ...answers]);
  };
  const others = (rule: Rule) => answers.filter((one) => spellRule(one) !== spellRule(rule));
  return {
    list: () => sorted,
    async add({ text, verdict }, keep) {
      const answer = parseRule({ text, verdict, from: 'session', rank: SESSION_RANK });
      // The last word on the same counts.
      change({ answers: [...others(answer), answer] });
      if (keep === 'session') return;
      const from = await appendRule(paths, { text, verdict });
      const rule = parseRule({ text, verdict, from, rank: paths.hasProject ? RANK.local : RANK.user });
      change({ written: await inPlace(written.some((one) => isSame(one, rule)) ? written : [...written, rule], paths) });
    },
    clear() {
      const { length } = answers;
      change({ answers: [] });
      return length;
    },
    async remove(rule) {
      if (answers.includes(rule)) return change({ answers: answers.filter((one) => one !== rule) });
      const spelled = spellRule(rule);
      await removeRule(paths, rule, (text) => spellOf(text) === spelled);
      change({ written: await inPlace(written.filter((one) => one !== rule), paths) });
    },
  };
}

const isSame = (a: Rule, b: Rule): boolean => a.rank === b.rank && a.verdict === b.verdict && a.final === b.final && spellRule(a) === spellRule(b);

const fileOf = ({ from }: Rule): string => from.replace(/:\d+$/, '');

/** The rules with the lines on which they stand now that a file has changed. */
async function inPlace(rules: readonly Rule[], paths: Paths): Promise<Rule[]> {
  const now = (await readRuleFiles(paths, [])).flatMap((file) => file.rules).flatMap((text) => (spellOf(text.text) === undefined ? [] : [parseRule({ ...text, match: [], notMatch: [] })]));
  return rules.map((rule) => {
    const there = now.filter((one) => isSame(one, rule) && fileOf(one) === fileOf(rule));
    const from = there.find((one) => one.from === rule.from)?.from ?? there[0]?.from ?? rule.from;
    return from === rule.from ? rule : { ...rule, from };
  });
}

/** How a rule is spelled that a file spells as `text`; `undefined` where that is none. */
function spellOf(text: string): string | undefined {
  try {
    return spellRule(parseRule({ text, verdict: 'allow', from: '', rank: 0 }));
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The policy over some rules; `mode` is read at each look, since it lives in the session's state. */
export function holdPolicy({ loaded, paths, roots, mode, rules, unconfirmed }: { loaded: Loaded; paths: Paths; roots: readonly string[]; mode: () => Mode; rules: RuleDesk; unconfirmed?: () => readonly string[] }): () => Policy {
  const fixed = { roots, custom: loaded.custom, ignorePatterns: loaded.ignorePatterns, ownFiles: ownFiles(loaded, paths) };
  return () => ({ ...fixed, mode: mode(), rules: rules.list(), unconfirmed: unconfirmed?.() ?? [] });
}

/** Rules in the order in which they win. */
export function byStrength(rules: readonly Rule[]): Rule[] {
  const order = ['deny', 'ask', 'allow'];
  return rules.toSorted((a, b) => Number(b.final ?? false) - Number(a.final ?? false) || b.rank - a.rank || order.indexOf(a.verdict) - order.indexOf(b.verdict));
}

/** All rules, or one `UserError` for all that can't be read. */
export function parseRules(texts: readonly RuleText[]): Rule[] {
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

/** The mode `name`, or a `UserError` that lists them. */
export function checkMode(name: string, known: readonly { name: string }[]): Mode {
  if (known.some((mode) => mode.name === name)) return name;
  throw new UserError(`There is no mode "${name}".`, `Modes: ${known.map((mode) => mode.name).join(', ')}.`);
}
