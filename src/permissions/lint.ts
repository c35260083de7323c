// Finds rules that do nothing, or more than they seem to: dead, shadowed, too broad, never used.
import { nearest } from '../lib/nearest.ts';
import type { Access, Decision, Policy, Rule, ShellFacts } from '../types/permission.ts';
import type { Tool } from '../types/tool.ts';
import { UserError } from '../types/user-error.ts';
import { decide } from './decide.ts';
import { readCall } from './explain.ts';
import { gatherFacts } from './facts.ts';
import { isShell, matchesGlob, matchesText, spellRule } from './match.ts';

export type Finding = { kind: 'dead' | 'shadowed' | 'broad' | 'unused'; rule: Rule; why: string; todo: string };

export type LintWorld = {
  tools: readonly Tool[];
  policy: Policy;
  cwd: string;
  home: string;
  /** Beginnings of the names of MCP tools, one a server; absent where not all servers are known. */
  servers?: readonly string[];
  /** What decided in the last sessions; absent where there were none. */
  used?: { sessions: number; decisions: readonly Decision[] };
};

/** What is wrong with the rules, in their order; of each rule the worst only. */
export async function lintRules(rules: readonly Rule[], world: LintWorld): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const rule of rules) {
    const found = whyDeadByName(rule, world) ?? whyBroad(rule) ?? (await whyDead(rule, world)) ?? whyShadowed(rule, rules) ?? whyUnused(rule, world);
    if (found) findings.push({ rule, ...found });
  }
  return findings;
}

type Found = Omit<Finding, 'rule'> | undefined;

const dead = (why: string, todo: string): Found => ({ kind: 'dead', why, todo });
const broad = (why: string, todo: string): Found => ({ kind: 'broad', why, todo });

function whyDeadByName({ tool }: Rule, { tools, servers }: LintWorld): Found {
  if (tool.startsWith('mcp_')) {
    const [literal = ''] = tool.split('*');
    const fits = servers?.some((prefix) => literal.startsWith(`${prefix}_`) || (literal !== tool && `${prefix}_`.startsWith(literal))) ?? true;
    return fits ? undefined : dead('no MCP server is configured that has such a tool', `Servers: ${servers?.join(', ') || 'none'}.`);
  }
  if (tools.some(({ name }) => name === tool || (tool.includes('*') && matchesText(tool, name)))) return undefined;
  const near = nearest(tool, tools.map(({ name }) => name));
  return { kind: 'dead', why: `there is no tool ${tool}`, todo: near === undefined ? 'Remove it.' : `Did you mean ${near}?` };
}

/* Programs that run what they are told: as a whole they are every program. */
const RUNS_ANYTHING = /^(\S*\/)?((ba|z|da|k|fi|c|tc)?sh|python[\d.]*|pypy3?|node|deno|bun|ruby|perl|php|lua|tclsh|osascript|pwsh|powershell|tsx|ts-node|env|sudo|doas|su|xargs|npx|bunx|uvx|pnpx|npm|pnpm|yarn|git|nohup|timeout|nice|watch|command|exec|eval|ssh|docker|podman|kubectl)( (-\w*[ceE]|--eval|exec|dlx|run|x))?( ?\*)+$/;

function whyBroad({ tool, glob, verdict }: Rule): Found {
  if (verdict !== 'allow') return undefined;
  if (tool === '*' || tool === 'mcp_*') return broad(tool === '*' ? 'it allows every tool' : 'it allows every tool of every MCP server', 'Name the tools that are to run unasked.');
  if (!isShell(tool)) return undefined;
  if (/^\*+$/.test(glob)) return broad('it allows every command', 'Name the commands: program and subcommand, like Bash(npm test *).');
  if (glob.startsWith('*')) return broad('it begins with *, so any program fits', 'Begin with the name of the program.');
  const program = RUNS_ANYTHING.exec(glob)?.[2];
  return program === undefined ? undefined : broad(`${program} can run or change anything`, `Name what it is to do, like Bash(${program === 'git' ? 'git status' : `${program} …`} *).`);
}

/* Stands for what a star may stand for; no name that anybody has. */
const ANY = 'qzx';

/** Judges an example of what the rule says, with the rule alone: whether it can decide at all. */
async function whyDead(rule: Rule, { tools, policy, cwd, home }: LintWorld): Promise<Found> {
  if (rule.glob === '*' || rule.glob === '**' || rule.tool.includes('*')) return undefined;
  const example = exampleOf(rule).replace(/^~(?=\/)/, home);
  const access = accessOf(rule.tool, example, { tools, cwd });
  if (access === undefined) return undefined;
  const kind = access[0]?.kind;
  if (kind === 'net' && !URL.canParse(example)) return dead('no address looks like that', `Write ${spellRule({ tool: rule.tool, glob: `domain:${rule.glob}` })}.`);
  if ((kind === 'read' || kind === 'write') && /(^|\/)\.\.(\/|$)/.test(rule.glob)) return dead(...whyNothingMatches(rule, kind, undefined));
  const facts = await gatherFacts(access, { cwd, roots: policy.roots, home });
  const decision = decide({ id: '', name: rule.tool, input: {}, access }, facts, { ...policy, mode: 'default', rules: [rule] });
  const at = decision.trace.findIndex((step) => step.layer === 'rules' && step.verdict !== 'pass');
  const said = decision.trace[at];
  const byFloor = decision.layer === 'blacklist' || decision.layer === 'sandbox';
  if (!said && !byFloor) return dead(...whyNothingMatches(rule, kind, Object.values(facts.shell)[0]));
  if (rule.verdict !== 'allow') return undefined;
  if (byFloor && decision.verdict === 'deny') return dead(`what it allows is refused all the same: ${lower(decision.because)}`, 'Remove it.');
  if (said?.verdict === 'ask') return dead(`what it allows is asked for all the same: ${lower(said.because.replace(/^.*? does not cover it: /, ''))}`, 'Remove it, or name what needs no question.');
  const floor = decision.trace[at - 1];
  return floor?.verdict === 'ask' ? dead(`what it allows is asked for all the same: ${lower(floor.because)}`, 'Remove it.') : undefined;
}

function whyNothingMatches(rule: Rule, kind: Access['kind'] | undefined, shell: ShellFacts | undefined): [why: string, todo: string] {
  const spell = (glob: string) => spellRule({ tool: rule.tool, glob });
  if (shell?.ok && shell.commands.length > 0) {
    const texts = shell.commands.map(({ text }) => spell(text.replaceAll(ANY, '*')));
    return [`rules meet each simple command by itself, with quotes, variables and wrappers resolved, and none looks like that`, `Write ${texts.join(' and ')}.`];
  }
  if (kind === 'read' || kind === 'write') {
    if (rule.glob.endsWith('/')) return ['no file has a name that ends in /', `Write ${spell(`${rule.glob}**`)}.`];
    return ['no path in the project looks like that: paths are relative to its root', 'Write it as src/** or with its whole path.'];
  }
  return ['nothing can match it', 'Remove it.'];
}

/** Something that the glob should match. */
function exampleOf({ tool, glob }: Rule): string {
  if (isShell(tool)) return commandOf(glob.replace(/(?<!\\)\*/g, ANY).replaceAll(String.raw`\*`, '*'));
  if (glob.startsWith('domain:')) return `https://${glob.slice(7).replace('*', ANY)}/`;
  return glob.replace(/\*+/g, ANY).replaceAll('?', 'q').replace(/\{([^,}]*)[^}]*\}/g, '$1').replace(/\[([^\]!^])[^\]]*\]/g, '$1');
}

/* What somebody writes who takes a rule for shell text: quotes, variables, joined commands, redirections, `~` and braces. */
const AS_SHELL = /['"`]|\$[\w{(]|(^|\s)(&&|\|\|?|;|>>?|<)(\s|$)|;(\s|$)|(^|\s)~|\{.*,.*\}/;

/** A command whose words are those of a rule: what is special in a word was quoted. */
function commandOf(text: string): string {
  if (AS_SHELL.test(text)) return text;
  return text.split(' ').map((word) => (/[^\w@%+=:,./-]/.test(word) ? `'${word}'` : word)).join(' ');
}

/** What a call of the tool would touch, with `target` in the place of what the rules look at; `undefined` where that can't be said. */
function accessOf(name: string, target: string, { tools, cwd }: Pick<LintWorld, 'tools' | 'cwd'>): Access[] | undefined {
  if (!tools.some((tool) => tool.name === name)) return undefined;
  try {
    const { access } = readCall(`${name}(${ANY})`, { tools, cwd });
    const judged = access.filter(({ kind }) => kind === 'read' || kind === 'write' || kind === 'run' || kind === 'net');
    return judged.length === 0 ? undefined : judged.map((one) => ({ ...one, target }));
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

const STRICT = { deny: 2, ask: 1, allow: 0 } as const;

/** A rule that wins wherever this one would speak. */
function whyShadowed(rule: Rule, rules: readonly Rule[]): Found {
  const index = rules.indexOf(rule);
  const winner = rules.find((other, at) => other !== rule && covers(other, rule) && wins(other, rule, at < index));
  if (!winner) return undefined;
  const name = `${winner.verdict} ${spellRule(winner)} (${winner.from})`;
  if (winner.verdict === rule.verdict) return { kind: 'shadowed', why: `${name} says the same already`, todo: 'Remove it.' };
  return { kind: 'shadowed', why: `${name} always wins over it`, todo: rule.final || winner.final ? 'Remove it.' : 'Remove one of the two.' };
}

/** Whether `other` decides where both speak; of two that say the same in one file the wider or the first counts. */
function wins(other: Rule, rule: Rule, isFirst: boolean): boolean {
  if (rule.final || other.final) return other.final === true && (!rule.final || isFirst || !covers(rule, other));
  if (other.verdict === rule.verdict) return other.rank === rule.rank && (isFirst || !covers(rule, other));
  return other.rank > rule.rank || (other.rank === rule.rank && STRICT[other.verdict] > STRICT[rule.verdict]);
}

/** Whether all that `narrow` can match is matched by `wide`: it must take stars that stand for what only a star can. */
function covers(wide: Rule, narrow: Rule): boolean {
  if (wide.tool !== narrow.tool && !(wide.tool.includes('*') && matchesText(wide.tool, narrow.tool.replaceAll('*', '\uE000')))) return false;
  if (wide.glob === '*' || wide.glob === '**' || wide.glob === narrow.glob) return true;
  if (isShell(wide.tool)) {
    const example = narrow.glob.replace(/(?<!\\)\*/g, '\uE000').replaceAll(String.raw`\*`, '*');
    return matchesText(wide.glob, example) && (!example.endsWith(' \uE000') || matchesText(wide.glob, example.slice(0, -2)));
  }
  if (narrow.glob.includes('domain:') || /[{[!(?]/.test(narrow.glob)) return false;
  return ['qzx/qzy', 'qzw'].every((deep) => matchesGlob(wide.glob, narrow.glob.replaceAll('**', '\uE000').replaceAll('*', 'qzv').replaceAll('\uE000', deep)));
}

/** Allow and ask rules that decided nothing; a deny that was never needed is a good one. */
function whyUnused(rule: Rule, { used }: LintWorld): Found {
  if (!used || rule.verdict === 'deny') return undefined;
  const said = `the rule ${spellRule(rule)} (`;
  if (used.decisions.some(({ trace }) => trace.some((step) => step.layer === 'rules' && step.because.startsWith(said)))) return undefined;
  return { kind: 'unused', why: `it decided nothing in the last ${used.sessions === 1 ? 'session' : `${used.sessions} sessions`}`, todo: 'Remove it if it is not needed any more.' };
}

const lower = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`;
