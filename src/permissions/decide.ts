// The decision on one call: each access goes down the layers by itself, the strictest verdict is the call's. Pure.
import type { Access, Call, Category, Decision, Effect, Facts, Policy, Rule, ShellCommand, TraceStep, Verdict } from '../types/permission.ts';
import { looksForbidden, whyForbidden } from './blacklist.ts';
import { isHidden, isInside, whyGuarded } from './guards.ts';
import { findRule, namesFile, spellRule, type Subject } from './match.ts';
import { modeVerdict } from './modes.ts';

/** A call with what it touches, and what hooks said of it. */
export type JudgedCall = Call & { access: readonly Access[]; hooks?: Verdict };

type Where = { facts: Facts; policy: Policy; hidden(path: string): boolean };
/** What the hard floor says. An `ask` of it holds against rules, modes and hooks; they may only be stricter. */
type Floor = { verdict: 'deny' | 'ask'; layer: string; because: string } | undefined;
type Judged = Omit<Decision, 'trace'> & { trace: readonly TraceStep[] };

const STRICTNESS: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 };
const LONGEST = 120;

/** Judges a call. `facts` must come from `gatherFacts` for the same accesses: what is not in them is refused. */
export function decide(call: JudgedCall, facts: Facts, policy: Policy): Decision {
  const where = { facts, policy, hidden: isHidden(policy.ignorePatterns, policy.roots) };
  const access = call.access.length > 0 ? call.access : [{ kind: 'none' as const, target: '' }];
  const judged = access.flatMap((one) => judgeAccess(call, one, where));
  const strictest = judged.reduce((a, b) => (weight(b) > weight(a) ? b : a));
  return { ...strictest, trace: judged.flatMap(({ trace }) => trace) };
}

/** Of several denies the one that nothing can lift is told. */
function weight({ verdict, layer }: Judged): number {
  return STRICTNESS[verdict] * 3 + (layer === 'blacklist' ? 2 : layer === 'sandbox' ? 1 : 0);
}

function judgeAccess(call: JudgedCall, access: Access, where: Where): Judged[] {
  switch (access.kind) {
    case 'none': case 'agent': return [goDown(call, { subject: { kind: 'text', name: call.name, text: access.target }, about: access.target }, where)];
    case 'read': case 'write': return [goDown(call, { subject: { kind: 'path', name: call.name, access, shell: false }, category: access.kind, about: access.target, floor: pathFloor(access, where, { name: call.name, shell: false }) }, where)];
    case 'mcp': return [goDown(call, { subject: { kind: 'text', name: call.name, text: access.target }, about: access.target, ...(access.readOnly && !isChanged(call, where) ? { category: 'read' as const, note: 'a trusted server marks this tool read-only' } : { category: 'mcp' as const }) }, where)];
    case 'net': return [goDown(call, { subject: { kind: 'text', name: call.name, text: access.target }, category: 'net', about: access.target }, where)];
    case 'run': return judgeShell(call, access.target, where);
  }
}

function judgeShell(call: JudgedCall, text: string, where: Where): Judged[] {
  const shell = Object.hasOwn(where.facts.shell, text) ? where.facts.shell[text] : undefined;
  const whole: Step = { subject: { kind: 'text', name: call.name, text }, category: 'run', about: text };
  if (!shell?.ok) {
    const problem = shell ? `this shell text can't be read (${shell.problem})` : 'this shell text was not read';
    const floor: Floor = where.policy.mode === 'bypassPermissions' && looksForbidden(text)
      ? { verdict: 'deny', layer: 'blacklist', because: `${problem}, and it looks like something that is never allowed` }
      : { verdict: 'ask', layer: 'blacklist', because: `${problem}, so nothing can allow it by itself` };
    return [goDown(call, { ...whole, floor }, where)];
  }
  const judged = shell.commands.flatMap((command) => judgeCommand(call, command, where));
  return judged.length > 0 ? judged : [goDown(call, whole, where)];
}

function judgeCommand(call: JudgedCall, command: ShellCommand, where: Where): Judged[] {
  const why = whyForbidden(command, where);
  const floor: Floor = why === undefined ? undefined : { verdict: 'deny', layer: 'blacklist', because: `"${brief(command.source)}" is never allowed: ${why}` };
  const apart = command.apart === true && floor === undefined;
  const rule = apart ? findRule({ kind: 'command', name: call.name, command }, where) : undefined;
  if (apart && (rule === undefined || rule.verdict === 'allow')) return command.effects.filter(({ kind }) => kind !== 'net').flatMap((effect) => floorOnly(call, effect, where));
  const effects = command.effects.flatMap((effect): Judged[] => {
    if (effect.kind === 'net') return [goDown(call, { subject: { kind: 'path', name: call.name, access: effect, shell: true }, category: 'net', about: effect.target }, where)];
    // What a program does to files by itself is covered by its command's rule; the floor and denies hold all the same.
    if (!effect.redirect) return floorOnly(call, effect, where);
    const floor = pathFloor(effect, where, { name: call.name, shell: true });
    const subject: Subject = { kind: 'path', name: call.name, access: effect, shell: true };
    return [goDown(call, { subject, category: effect.kind === 'write' ? 'write' : 'read', about: effect.target, floor }, where)];
  });
  // A redirection of a whole group is no command of its own.
  if (command.words.length === 0 && command.doubts.length === 0 && effects.length > 0 && floor === undefined) return effects;
  return [goDown(call, { subject: { kind: 'command', name: call.name, command }, ...(!(floor === undefined && isHarmless(command, where)) && { category: 'run' as const }), about: command.source, floor, doubt: command.doubts[0] }, where), ...effects];
}

/* They end or pass time and touch nothing. */
const IDLE = /^(:|true|false|exit|return|break|continue|wait)$/;

/** Needs no permission: does nothing, or goes to another folder of the project. */
function isHarmless({ words, effects, doubts }: ShellCommand, { facts, policy }: Where): boolean {
  const [name, to] = words;
  if (doubts.length > 0 || typeof name !== 'string' || effects.some(({ redirect }) => redirect)) return false;
  if (IDLE.test(name)) return true;
  const [folder] = effects;
  return name === 'cd' && typeof to === 'string' && words.length === 2 && folder !== undefined && isInside(facts.real[folder.target]?.path ?? '/', policy.roots[0] ?? facts.cwd);
}

/** Layer 2 for one path. */
function pathFloor(access: Access, { facts, policy, hidden }: Where, by: { name: string; shell: boolean }): Floor {
  const real = facts.real[access.target];
  if (real === undefined) return { verdict: 'deny', layer: 'sandbox', because: `${access.target} was not looked up, so it can't be judged` };
  const inside = policy.roots.some((root) => isInside(real.path, root));
  const shown = real.path === access.target ? access.target : `${access.target} (${real.path})`;
  if (!inside && !by.shell) return { verdict: 'deny', layer: 'sandbox', because: `${shown} is outside the project; add its folder with --add-dir to reach it` };
  if (real.kind === 'other' && !by.shell) return { verdict: 'deny', layer: 'sandbox', because: `${shown} can't be opened as a file: it is a pipe, a socket or a device, links lead in a circle, or the system refuses the name` };
  if (access.kind === 'write') {
    const guarded = whyGuarded(real.path, policy) ?? whyGuarded(access.target, policy);
    if (guarded !== undefined) return { verdict: 'ask', layer: 'sandbox', because: `${shown}: ${guarded}` };
    if (!inside && policy.mode !== 'bypassPermissions') return { verdict: 'ask', layer: 'sandbox', because: `${shown} is outside the project` };
    return undefined;
  }
  const twin = real.twins?.find((path) => hidden(path));
  if (!hidden(real.path) && !(access.target.startsWith('/') && hidden(access.target)) && twin === undefined) return undefined;
  const rule = findRule({ kind: 'path', name: by.name, access, shell: by.shell }, { facts, policy });
  if (rule && namesFile(rule)) return undefined;
  return { verdict: 'deny', layer: 'sandbox', because: `${twin === undefined ? shown : `${shown}, the same file as ${twin},`} may hold secrets (security.ignore_patterns); a rule that names this very file allows reading it` };
}

type Step = { subject: Subject; about: string; category?: Category; floor?: Floor; doubt?: string | undefined; /** Why it is in this category. */ note?: string };

/** Whether the tool is another than the one that the user has allowed. */
function isChanged(call: JudgedCall, { policy }: Where): boolean {
  return policy.unconfirmed?.includes(call.name) === true;
}

/** Layers 3 to 6 for one subject that the floor has looked at. */
function goDown(call: JudgedCall, { subject, about, category, floor, doubt, note }: Step, where: Where): Judged {
  const trace: TraceStep[] = [];
  const say = (layer: string, verdict: Verdict | 'pass', because: string) => { trace.push({ layer, verdict, because, ...(about !== '' && { about }) }); };
  const end = (verdict: Verdict, layer: string, because: string, rule?: Rule): Judged => ({ verdict, layer, because: sentence(because), ...(rule && { rule: spellRule(rule) }), trace });

  if (floor) say(floor.layer, floor.verdict, floor.because);
  else if (category !== undefined) say(subject.kind === 'path' ? 'sandbox' : 'blacklist', 'pass', subject.kind === 'path' ? 'the path may be reached' : 'nothing forbids it outright');
  if (floor?.verdict === 'deny') return end('deny', floor.layer, floor.because);

  if (call.hooks !== undefined) say('hooks', call.hooks, `a hook says ${call.hooks}`);
  if (call.hooks === 'deny') return end('deny', 'hooks', 'a hook denied it');

  const changed = isChanged(call, where);
  const rule = findRule(subject, changed ? { ...where, policy: { ...where.policy, rules: where.policy.rules.filter(({ verdict }) => verdict !== 'allow') } } : where);
  const doubted = rule?.verdict === 'allow' && doubt !== undefined && rule.glob !== '*' ? doubt : undefined;
  let result: { verdict: Verdict; layer: string; because: string; rule?: Rule | undefined };
  if (rule) {
    const because = doubted === undefined ? `the rule ${spellRule(rule)} (${rule.from}) says ${rule.verdict}${rule.verdict === 'allow' && category !== undefined && modeVerdict(category, where.policy) === 'deny' ? `, and rules come before mode ${where.policy.mode}` : ''}` : `the rule ${spellRule(rule)} (${rule.from}) does not cover it: ${doubted}`;
    result = { verdict: doubted === undefined ? rule.verdict : 'ask', layer: 'rules', because, rule };
    say('rules', result.verdict, because);
  } else {
    say('rules', 'pass', changed ? 'this tool has changed since it was allowed, so that allow rules wait until you confirm it' : 'no rule speaks of it');
    const verdict = category === undefined ? 'allow' : modeVerdict(category, where.policy);
    const because = category === undefined ? 'it touches nothing that needs a permission' : `mode ${where.policy.mode} ${VERDICTS[verdict]} ${CATEGORIES[category]}${note === undefined ? '' : ` (${note})`}`;
    result = { verdict, layer: 'mode', because };
    say('mode', verdict, because);
  }
  if (result.verdict === 'ask' && call.hooks === 'allow') result = { verdict: 'allow', layer: 'hooks', because: 'a hook allowed it' };
  if (result.verdict === 'allow' && call.hooks === 'ask') result = { verdict: 'ask', layer: 'hooks', because: 'a hook wants it asked for' };
  if (result.verdict !== 'deny' && floor?.verdict === 'ask') result = { ...floor };
  if (result.verdict === 'ask' && where.policy.mode === 'dontAsk') {
    result = { ...result, verdict: 'deny', because: `mode dontAsk denies what would be asked: ${result.because}` };
    say('mode', 'deny', result.because);
  } else if (result.verdict === 'ask') say('ask', 'ask', result.because);
  return end(result.verdict, result.layer, result.because, result.rule);
}

/** For what a program does to a file: only a floor verdict, a deny rule or an ask rule adds to what its command gets. */
function floorOnly(call: JudgedCall, effect: Effect, where: Where): Judged[] {
  const floor = pathFloor(effect, where, { name: call.name, shell: true });
  const subject: Subject = { kind: 'path', name: call.name, access: effect, shell: true };
  const rule = findRule(subject, where);
  return floor || (rule && rule.verdict !== 'allow') ? [goDown(call, { subject, about: effect.target, floor }, where)] : [];
}

const VERDICTS: Readonly<Record<Verdict, string>> = { allow: 'allows', ask: 'asks before', deny: 'denies' };
const CATEGORIES: Readonly<Record<Category, string>> = { read: 'reading', write: 'changing files', run: 'running commands', net: 'reaching the net', mcp: 'calling MCP tools' };

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

function sentence(text: string): string {
  // A path keeps its own first letter.
  const first = /^(mode|the|this|a hook|it|nothing) /.test(text) ? text.charAt(0).toUpperCase() : text.charAt(0);
  return `${first}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
