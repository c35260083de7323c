// mewcode permissions lint, test, what-if, list: what the rules are worth.
import { shortPath } from '../config/paths.ts';
import { RANK } from '../config/permission-files.ts';
import { readExpectations, type Expectation } from '../config/permission-tests.ts';
import { reveal } from '../lib/clean.ts';
import { plural } from '../lib/plural.ts';
import { lintRules } from '../permissions/lint.ts';
import { spellRule } from '../permissions/match.ts';
import { parseRule } from '../permissions/rules.ts';
import { readDecisions } from '../session/decisions.ts';
import type { Rule, Verdict } from '../types/permission.ts';
import { sentenceOf, UserError } from '../types/user-error.ts';
import { createJudge, type Judge, type JudgeStart } from './judge.ts';
import { byStrength } from './policy.ts';

/** How many sessions are looked at, the newest first. */
const SESSIONS = 20;

export type ChecksOptions = { rules?: string | undefined; json: boolean; out(text: string): void; err(text: string): void };

/** Prints a line for each rule that is not what it seems. Gives 1 where there is one. */
export async function lint(start: JudgeStart, { rules, json, out, err }: ChecksOptions): Promise<number> {
  const { policy, tools, loaded } = await createJudge(start, { rules, warn: err });
  const { serverPrefixes } = await import('../mcp/names.ts');
  const { sessions, decided } = readDecisions(start.paths.sessions, SESSIONS);
  const inFiles = policy.rules.toSorted((a, b) => a.rank - b.rank || a.from.localeCompare(b.from, 'en', { numeric: true }));
  const findings = await lintRules(inFiles, {
    policy, tools, cwd: start.paths.root, home: start.paths.home,
    // Of a folder that is not trusted the servers are not known.
    ...(loaded.trusted && { servers: [...serverPrefixes(loaded.mcp.map(({ name }) => name)).values()] }),
    ...(decided.length > 0 && { used: { sessions, decisions: decided.map(({ decision }) => decision) } }),
  });
  if (json) out(`${JSON.stringify(findings.map(({ kind, rule, why, todo }) => ({ kind, rule: spellRule(rule), verdict: rule.verdict, from: rule.from, why, todo })))}\n`);
  else {
    for (const { kind, rule, why, todo } of findings) out(reveal(`${rule.from}  ${KINDS[kind]}: ${rule.verdict} ${spellRule(rule)}: ${why}. ${todo}\n`));
    const count = plural(policy.rules.length, 'rule');
    out(`${count}, ${findings.length === 0 ? 'nothing to find fault with' : `${findings.length} to look at`}.${decided.length === 0 ? ' No stored session tells which are used.' : ''}\n`);
  }
  return findings.length > 0 ? 1 : 0;
}

const KINDS = { dead: 'dead', shadowed: 'shadowed', broad: 'too broad', unused: 'never used' } as const;

/** Checks what files expect; prints what is otherwise. Gives 1 where something is. */
export async function test(files: readonly string[], start: JudgeStart, { rules, json, out, err }: ChecksOptions): Promise<number> {
  const results: { where: string; call: string; problems: string[] }[] = [];
  for (const file of files) {
    const { rules: named, expectations } = readExpectations(file, shortPath(file, start.paths));
    const judge = await createJudge(start, { rules: rules ?? named, warn: err });
    for (const one of expectations) results.push({ where: one.where, call: one.call, problems: await problemsOf(one, judge) });
  }
  const failed = results.filter(({ problems }) => problems.length > 0);
  if (json) out(`${JSON.stringify(results.map(({ where, call, problems }) => ({ where, call, ok: problems.length === 0, problems })))}\n`);
  else {
    for (const { where, call, problems } of failed) out(reveal(`✗ ${where}  ${call}\n${problems.map((line) => `    ${line}\n`).join('')}`));
    out(`${results.length - failed.length} passed, ${failed.length} failed.\n`);
  }
  return failed.length > 0 ? 1 : 0;
}

async function problemsOf({ call, expect, mode, layer, rule }: Expectation, { judge }: Judge): Promise<string[]> {
  try {
    const { decision } = await judge(call, { ...(mode && { mode }) });
    const wanted = rule === undefined ? undefined : spellRule(parseRule({ text: rule, verdict: 'allow', from: 'test', rank: 0 }));
    const differs = [['verdict', expect, decision.verdict], ['layer', layer, decision.layer], ['rule', wanted, decision.rule ?? 'none']] as const;
    const problems = differs.flatMap(([what, expected, found]) => (expected === undefined || expected === found ? [] : [`${what}: expected ${expected}, found ${found}`]));
    return problems.length === 0 ? [] : [...problems, `because: ${decision.because}`];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [error.text];
  }
}

/** Says which calls of the last sessions would be decided otherwise with one rule more. */
export async function whatIf({ verdict, rule: text }: { verdict: Verdict; rule: string }, start: JudgeStart, { rules, json, out, err }: ChecksOptions): Promise<number> {
  const rule = parseRule({ text, verdict, from: 'what-if', rank: RANK.local });
  const { judge } = await createJudge(start, { rules, warn: err });
  const { sessions, decided } = readDecisions(start.paths.sessions, SESSIONS);
  const changed: { session: string; call: string; before: Verdict; after: Verdict; because: string }[] = [];
  let unreadable = 0;
  for (const { call, mode, session } of decided) {
    try {
      const text = JSON.stringify({ tool: call.name, input: call.input });
      const [before, after] = [(await judge(text, { mode })).decision, (await judge(text, { mode, more: [rule] })).decision];
      if (before.verdict !== after.verdict) changed.push({ session, call: callText(call), before: before.verdict, after: after.verdict, because: after.because });
    } catch (error) {
      // A tool of that time may be gone.
      if (!(error instanceof UserError)) err(`${sentenceOf(error)}\n`);
      unreadable += 1;
    }
  }
  if (json) {
    out(`${JSON.stringify({ rule: spellRule(rule), verdict, sessions, calls: decided.length, changed })}\n`);
    return 0;
  }
  const times = new Map<string, number>();
  for (const { call, before, after } of changed) {
    const line = `${before} → ${after}  ${call}`;
    times.set(line, (times.get(line) ?? 0) + 1);
  }
  for (const [line, count] of times) out(reveal(`${line}${count > 1 ? `  (${count} times)` : ''}\n`));
  out(`With ${verdict} ${spellRule(rule)}, ${changed.length} of ${plural(decided.length, 'call')} in ${plural(sessions, 'session')} would be decided otherwise.${unreadable > 0 ? ` ${unreadable} could not be judged any more.` : ''}\n`);
  return 0;
}

const LONGEST = 120;

/** A stored call on one line: its tool and its first text. */
function callText({ name, input }: { name: string; input: unknown }): string {
  const first = Object.values(input as object).find((value) => typeof value === 'string') ?? '';
  const line = `${name}(${first})`.replace(/\s+/g, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** Prints the rules, the strongest first. */
export async function list(start: JudgeStart, { rules, json, out, err }: ChecksOptions): Promise<number> {
  const { policy } = await createJudge(start, { rules, warn: err });
  const rows = byStrength(policy.rules);
  if (json) out(`${JSON.stringify(rows.map((rule) => ({ verdict: verdictOf(rule), rule: spellRule(rule), from: rule.from })))}\n`);
  else {
    const width = Math.max(0, ...rows.map((rule) => spellRule(rule).length));
    for (const rule of rows) out(reveal(`${verdictOf(rule).padEnd(11)}  ${spellRule(rule).padEnd(width)}  ${rule.from}\n`));
    out(`Mode ${policy.mode}; ${plural(rows.length, 'rule')}, the strongest first.\n`);
  }
  return 0;
}

const verdictOf = (rule: Rule) => (rule.final ? 'always_deny' : rule.verdict);
