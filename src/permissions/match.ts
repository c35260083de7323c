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
  const glob = rule.glob.replace(/^\.\//, '');
  const start = /^[^*?[\]{}()!+@\\]*/.exec(glob)?.[0] ?? '';
  const patterns: Patterns = { text: textPattern(rule.glob), path: (text) => rule.glob === text || (text.startsWith(start) && (path ??= picomatch(glob, GLOB_OPTIONS))(text)) };
  compiled.set(rule, patterns);
  return patterns;
}

/* Rules by tool, those for shell text by their first word too; `''` holds what may match any. */
type Shelves = ReadonlyMap<string, ReadonlyMap<string, readonly Rule[]>>;
const sorted = new WeakMap<readonly Rule[], Shelves>();

function shelvesOf(rules: readonly Rule[]): Shelves {
  const known = sorted.get(rules);
  if (known) return known;
  const shelves = new Map<string, Map<string, Rule[]>>();
  for (const rule of rules) {
    const tool = rule.tool.includes('*') ? '' : rule.tool;
    const word = (isShell(rule.tool) ? /^[^\s*\\]+(?=\s)/.exec(rule.glob)?.[0] : undefined) ?? '';
    const shelf = shelves.get(tool) ?? new Map<string, Rule[]>();
    shelves.set(tool, shelf);
    shelf.set(word, [...(shelf.get(word) ?? []), rule]);
  }
  sorted.set(rules, shelves);
  return shelves;
}

/** The rules that may speak of a subject; the others can't. */
function likely(subject: Subject, rules: readonly Rule[]): readonly Rule[] {
  const shelves = shelvesOf(rules);
  const tools = ['', ...namesOf(subject)];
  const words = subject.kind === 'command' ? ['', ...new Set(spellings(subject.command).map((text) => text.split(' ', 1)[0] ?? ''))] : undefined;
  return tools.flatMap((tool) => {
    const shelf = shelves.get(tool);
    return shelf === undefined ? [] : words === undefined ? [...shelf.values()].flat() : words.flatMap((word) => shelf.get(word) ?? []);
  });
}

/** The tools whose rules hold for a subject. */
function namesOf(subject: Subject): readonly string[] {
  if (subject.kind !== 'path') return [subject.name];
  return subject.shell ? (FILE_TOOLS[subject.access.kind] ?? []) : [subject.name, ...(ALSO[subject.name] ?? [])];
}

/** Every way that a deny or ask knows a command by: with its wrappers, without quotes, without its folder, without options before the subcommand. */
function spellings(command: ShellCommand): string[] {
  const words = command.words.map((word) => word ?? '');
  const [program = '', ...rest] = words;
  const first = rest.findIndex((word) => !word.startsWith('-'));
  // `git -C x push` is a push as `git --no-pager push` is one.
  const verbs = first > 0 ? [rest.slice(first), rest.slice(rest.findIndex((word, i) => !word.startsWith('-') && !(rest[i - 1] ?? '').startsWith('-')))] : [];
  const plain = [words, ...verbs.map((own) => [program, ...own])].map((own) => own.join(' '));
  return [...new Set([command.text, ...(command.wrapped === undefined ? [] : [command.wrapped]), ...plain].flatMap((text) => [text, text.replace(/^\S*\//, '')]))];
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

type Where = { facts: Facts; policy: Policy };
/* Where a subject's file really is and is said to be, and both as rules with relative globs see them. */
type Places = { real: string | undefined; said: string; inside: { real: string | undefined; said: string | undefined } };

function placesOf(subject: Subject, { facts, policy }: Where): Places | undefined {
  if (subject.kind !== 'path') return undefined;
  const real = facts.real[subject.access.target]?.path;
  const said = absolute(subject.access.target, facts, policy);
  const seen = (path: string | undefined): string | undefined => (path !== undefined && policy.roots.some((root) => isInside(path, root)) ? seenFrom(path, policy.roots.slice(0, 1)) : undefined);
  return { real, said, inside: { real: seen(real), said: seen(said) } };
}

/** Whether a rule speaks of the subject. An allow must cover what really happens; a deny or ask catches every name of it. */
function ruleMatches(rule: Rule, subject: Subject, { facts, places }: { facts: Facts; places: Places | undefined }): boolean {
  if (!namesOf(subject).some((name) => named(rule, name))) return false;
  const strict = rule.verdict === 'allow';
  switch (subject.kind) {
    case 'command':
      if (rule.glob === '*') return true;
      // `scripts/*` is what lies below that folder, however the way out of it is spelled.
      if (strict && /\S\/\S*\*/.test(rule.glob) && /\/\.\.(\/|\s|$)/.test(subject.command.text)) return false;
      return strict ? patternsOf(rule).text.test(subject.command.text) : spellings(subject.command).some((text) => patternsOf(rule).text.test(text));
    case 'text': return matchesGlob(rule.glob, subject.text) || matchesDomain(rule.glob, subject.text);
    case 'path': {
      if (rule.glob === '*' || rule.glob === '**') return true;
      if (subject.access.kind === 'net') return matchesDomain(rule.glob, subject.access.target);
      if (places?.real === undefined) return !strict;
      const paths = strict ? [places.real] : [places.real, places.said];
      if (rule.glob.startsWith('~/')) return paths.some((path) => matchesGlob(facts.home + rule.glob.slice(1), path));
      if (rule.glob.startsWith('/')) return paths.some((path) => patternsOf(rule).path(path));
      return (strict ? [places.inside.real] : [places.inside.real, places.inside.said]).some((path) => path !== undefined && patternsOf(rule).path(path));
    }
  }
}

function absolute(target: string, facts: Facts, policy: Policy): string {
  return target.startsWith('/') ? target : `${policy.roots[0] ?? facts.cwd}/${target.replace(/^\.\//, '')}`;
}

/** `domain:example.com` is that host; `domain:*.example.com` its subdomains; `domain:*` every host. */
function matchesDomain(glob: string, url: string): boolean {
  if (!glob.startsWith('domain:')) return false;
  const wanted = glob.slice(7).toLowerCase();
  const host = URL.canParse(url) ? new URL(url).hostname.toLowerCase().replace(/\.$/, '') : '';
  if (wanted === '*') return host !== '';
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted;
}

/** The rule that decides: a final deny, else of the highest rank that speaks the strictest. */
export function findRule(subject: Subject, where: Where): Rule | undefined {
  const order: readonly Verdict[] = ['deny', 'ask', 'allow'];
  const places = placesOf(subject, where);
  const speaking = likely(subject, where.policy.rules).filter((rule) => ruleMatches(rule, subject, { facts: where.facts, places }));
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
