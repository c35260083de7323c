// Layer 4: whether a rule speaks of what is judged, and which rule wins.
import picomatch from 'picomatch';
import type { Access, Facts, Policy, Rule, ShellCommand, Verdict } from '../types/permission.ts';
import { isInside, seenFrom } from './guards.ts';

/* The tools whose rules hold for what a shell does to files. Names of rules are data. */
const FILE_TOOLS: Readonly<Partial<Record<Access['kind'], readonly string[]>>> = { read: ['ReadFile'], write: ['WriteFile', 'EditFile'], net: ['WebFetch'] };
/* Tools that do what another one does, to several files at once: its rules hold for them too. */
const ALSO: Readonly<Record<string, readonly string[]>> = { ApplyPatch: ['EditFile'] };

/** A tool that runs shell text; its globs know one wildcard only. */
export function isShell(tool: string): boolean {
  return tool === 'Bash';
}

/** `*` stands for anything, `\*` for itself; a last ` *` for nothing too, so that `npm test *` covers `npm test`. */
export function matchesText(glob: string, text: string): boolean {
  return textPattern(glob).test(text);
}

function textPattern(glob: string): RegExp {
  const body = glob.endsWith(' *') ? glob.slice(0, -2) : glob;
  const pattern = body.split(/(?<!\\)\*/).map((piece) => piece.replaceAll(String.raw`\*`, '*').replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('[^]*');
  return new RegExp(`^${pattern}${glob.endsWith(' *') ? '( [^]*)?' : ''}$`);
}

const GLOB_OPTIONS = { dot: true, nonegate: true } as const;

type Patterns = { text: RegExp; path(text: string): boolean };
/* What rules compile to. A policy may hold hundreds, and each call meets them all. */
const compiled = new WeakMap<Rule, Patterns>();

function patternsOf(rule: Rule): Patterns {
  const known = compiled.get(rule);
  if (known) return known;
  let path: ((text: string) => boolean) | undefined;
  const patterns: Patterns = { text: textPattern(rule.glob), path: (text) => rule.glob === text || (path ??= picomatch(rule.glob.replace(/^\.\//, ''), GLOB_OPTIONS))(text) };
  compiled.set(rule, patterns);
  return patterns;
}

export function matchesGlob(glob: string, text: string): boolean {
  return glob === '*' || glob === '**' || glob === text || picomatch.isMatch(text, glob, GLOB_OPTIONS);
}

const named = (rule: Rule, name: string) => rule.tool === name || (rule.tool.includes('*') && matchesText(rule.tool, name));

/** What is judged: one access of a call, or one simple command of its shell text, or one effect of that. */
export type Subject =
  | { kind: 'command'; name: string; command: ShellCommand }
  | { kind: 'text'; name: string; text: string }
  | { kind: 'path'; name: string; access: Access; /** Made by a shell: the file tools' rules hold for it. */ shell: boolean };

/** Whether a rule speaks of the subject. An allow must cover what really happens; a deny or ask catches every name of it. */
function ruleMatches(rule: Rule, subject: Subject, { facts, policy }: { facts: Facts; policy: Policy }): boolean {
  switch (subject.kind) {
    case 'command': {
      if (!named(rule, subject.name)) return false;
      const { command } = subject;
      if (rule.glob === '*') return true;
      if (rule.verdict === 'allow') return patternsOf(rule).text.test(command.text);
      const plain = command.words.map((word) => word ?? '').join(' ');
      return [command.text, command.wrapped, plain, plain.replace(/^\S*\//, ''), command.text.replace(/^\S*\//, '')].some((text) => text !== undefined && patternsOf(rule).text.test(text));
    }
    case 'text': return named(rule, subject.name) && (matchesGlob(rule.glob, subject.text) || matchesDomain(rule.glob, subject.text));
    case 'path': {
      const names = subject.shell ? (FILE_TOOLS[subject.access.kind] ?? []) : [subject.name, ...(ALSO[subject.name] ?? [])];
      if (!names.some((name) => named(rule, name))) return false;
      if (rule.glob === '*' || rule.glob === '**') return true;
      if (subject.access.kind === 'net') return matchesDomain(rule.glob, subject.access.target);
      const real = facts.real[subject.access.target]?.path;
      if (real === undefined) return rule.verdict !== 'allow';
      const home = rule.glob.startsWith('~/') ? facts.home + rule.glob.slice(1) : undefined;
      const paths = rule.verdict === 'allow' ? [real] : [real, absolute(subject.access.target, facts, policy)];
      if (home !== undefined) return paths.some((path) => matchesGlob(home, path));
      if (rule.glob.startsWith('/')) return paths.some((path) => patternsOf(rule).path(path));
      return paths.some((path) => policy.roots.some((root) => isInside(path, root)) && patternsOf(rule).path(seenFrom(path, policy.roots.slice(0, 1))));
    }
  }
}

function absolute(target: string, facts: Facts, policy: Policy): string {
  return target.startsWith('/') ? target : `${policy.roots[0] ?? facts.cwd}/${target.replace(/^\.\//, '')}`;
}

/** `domain:example.com` is that host; `domain:*.example.com` its subdomains. */
function matchesDomain(glob: string, url: string): boolean {
  if (!glob.startsWith('domain:')) return false;
  const wanted = glob.slice(7).toLowerCase();
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase() : '';
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted;
}

/** The rule that decides: a final deny, else of the highest rank that speaks the strictest. */
export function findRule(subject: Subject, where: { facts: Facts; policy: Policy }): Rule | undefined {
  const order: readonly Verdict[] = ['deny', 'ask', 'allow'];
  const speaking = where.policy.rules.filter((rule) => ruleMatches(rule, subject, where));
  return speaking.find((rule) => rule.final) ?? speaking.toSorted((a, b) => b.rank - a.rank || order.indexOf(a.verdict) - order.indexOf(b.verdict))[0];
}

/** Whether an allow rule names this very file, not just a pattern that happens to cover it. */
export function namesFile(rule: Rule): boolean {
  return rule.verdict === 'allow' && !picomatch.scan(rule.glob.replace(/^\*\*\//, '')).isGlob;
}

/** How a rule is shown and written. */
export function spellRule(rule: Pick<Rule, 'tool' | 'glob'>): string {
  return rule.glob === '*' ? rule.tool : `${rule.tool}(${rule.glob})`;
}
