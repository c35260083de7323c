// Rules as files, flags and answers spell them, and the ones that the permission dialog proposes.
import { dirname } from 'node:path';
import type { Access, Call, Decision, Facts, Rule, ShellCommand } from '../types/permission.ts';
import type { RuleText } from '../types/settings.ts';
import { UserError } from '../types/user-error.ts';
import { isShell, matchesGlob, matchesText, spellRule } from './match.ts';

/* Short names for tools. */
const ALIASES: Readonly<Record<string, string>> = { Read: 'ReadFile', Write: 'WriteFile', Edit: 'EditFile' };
const ACCEPTED = 'A rule is Tool, Tool(glob) or tool:glob, like Bash(npm test *) or WriteFile(src/**).';

/** Reads one rule and tries its examples. Throws a `UserError` that names the rule and its source. */
export function parseRule(source: RuleText): Rule {
  const text = source.text.trim();
  const [, name = '', glob] = /^([\w*.-]+)(?:\((.*)\)|:(.+))?$/s.exec(text) ?? [];
  if (name === '') throw new UserError(`${source.from}: "${source.text}" is not a rule.`, ACCEPTED);
  const spelled = (text.includes('(') ? /\((.*)\)$/s.exec(text)?.[1] : text.slice(name.length + 1)) ?? glob ?? '';
  const tool = toolName(name);
  const rule: Rule = {
    tool, glob: spelled.trim() === '' ? '*' : isShell(tool) ? shellGlob(spelled.trim()) : spelled.trim(),
    verdict: source.verdict, from: source.from, rank: source.rank, ...(source.final && { final: true }),
  };
  for (const [examples, wanted] of [[source.match ?? [], true], [source.notMatch ?? [], false]] as const) {
    const wrong = examples.find((example) => matchesExample(rule, example) !== wanted);
    if (wrong !== undefined) throw new UserError(`${source.from}: the rule ${text} ${wanted ? 'does not match' : 'matches'} its own example "${wrong}".`, 'Correct the rule or the example.');
  }
  return rule;
}

function toolName(name: string): string {
  const mcp = /^mcp__(.+?)__(.+)$/.exec(name);
  if (mcp) return `mcp_${mcp[1]}_${mcp[2]}`;
  if (/^mcp__[^_]+$/.test(name)) return `mcp_${name.slice(5)}_*`;
  return ALIASES[name] ?? (name === name.toLowerCase() && !name.includes('_') && name !== '*' ? titled(name) : name);
}

/* `bash:npm test` is another spelling of `Bash(npm test)`. */
function titled(name: string): string {
  return name === 'read' || name === 'write' || name === 'edit' ? (ALIASES[name[0]?.toUpperCase() + name.slice(1)] ?? name) : (name[0] ?? '').toUpperCase() + name.slice(1);
}

function shellGlob(glob: string): string {
  return glob.replace(/:\*$/, ' *').replace(/\s+/g, ' ');
}

/** An example of a shell rule is one command line; anything that joins commands, redirects or substitutes is more than the rule covers. */
function matchesExample(rule: Rule, example: string): boolean {
  if (isShell(rule.tool)) return !(rule.verdict === 'allow' && /[;&|<>`\n]|\$\(/.test(example)) && matchesText(rule.glob, example);
  return matchesGlob(rule.glob, example);
}

/* Programs whose first word after them says what they do. `npm run build` takes two. */
const WITH_SUBCOMMAND = /^(git|npm|pnpm|yarn|bun|deno|cargo|go|dotnet|mvn|gradle|make|just|task|docker|podman|kubectl|helm|terraform|gh|brew|apt|pip3?|uv|poetry|pipenv|bundle|rails|rake|composer|mix|swift|flutter|dart|conda|nx|turbo|lerna|ng|vue|next|vite|prisma)$/;
const WITH_TWO = /^(npm|pnpm|yarn|bun|uv|poetry|docker|gh|deno) (run|run-script|compose|pr|issue|task)$/;
/* Subcommands that run what they are given, or change what git or a package manager runs. */
const TOO_MUCH = /^(git (config|submodule|bisect|filter-branch|rebase|push|reset|clean|checkout|restore|remote|clone)|\S+ (exec|dlx|x|eval|login|publish)|npm (explore|set|config)|(docker|podman|kubectl) (run|exec|rm|delete|apply|cp|system)|(terraform|helm) (apply|destroy|install)|gh (api|secret|auth|extension)|(apt|brew) .*)$/;
/* Programs that only look, so that any argument is fine; what their flags can do raises doubts. */
const LOOKING = /^(ls|cat|head|tail|wc|pwd|grep|rg|find|fd|tree|stat|file|du|df|which|whoami|date|uname|diff|cmp|sort|uniq|cut|tr|jq|basename|dirname|realpath|echo|printf|test|true|ps|sed|awk|nl|tac|column|id|hostname|cd|tsc|eslint|oxlint|prettier|vitest|jest|mocha|pytest|ruff|mypy|black|rustc|gcc|clang|cmake|ctest)$/;
const SCRIPTED = /^(python[\d.]*|node|ruby|perl|php|deno|bun|tsx|ts-node)$/;

/** What the dialog offers: rules for the rest of the session and for always (absent where none is sensible), and for shell text which commands need the answer. */
export function proposeRules(call: Call, access: readonly Access[], facts: Facts, decision: Decision): { session?: string[]; always?: string; commands?: { source: string; asks: boolean }[] } {
  const run = access.find(({ kind }) => kind === 'run');
  // No rule lifts what the floor asks.
  const floor = decision.layer === 'sandbox' || decision.layer === 'blacklist';
  if (!run) {
    const always = floor ? undefined : alwaysFor(call, access, facts);
    // `WebFetch` alone would also open the net to all commands.
    const session = access.some(({ kind }) => kind === 'net') ? spellRule({ tool: call.name, glob: 'domain:*' }) : call.name;
    return { ...(!floor && { session: [session] }), ...(always !== undefined && { always }) };
  }
  const shell = facts.shell[run.target];
  if (!shell?.ok) return {};
  const asking = new Set(decision.trace.flatMap((step) => (step.layer === 'ask' && step.about !== undefined ? [step.about] : [])));
  const asks = (command: ShellCommand) => asking.has(command.source) || command.effects.some(({ target }) => asking.has(target));
  const commands = shell.commands.filter(({ apart }) => apart === undefined).map((command) => ({ source: command.source, asks: asks(command) }));
  if (floor) return { commands };
  const asked = shell.commands.filter((command) => command.apart === undefined && asking.has(command.source) && command.words.length > 0);
  const redirected = shell.commands.flatMap(({ effects }) => effects).filter((effect) => effect.redirect && effect.kind === 'write' && asking.has(effect.target));
  // A rule with a text does not cover a command that raises doubts or is another one next time, and none lifts what asks for writing elsewhere.
  const session = asked.some(({ doubts, words }) => doubts.length > 0 || words.includes(null)) || redirected.some(({ target }) => relativeTo(target, facts).startsWith('/')) ? [] : [
    ...asked.map(({ text }) => spellRule({ tool: call.name, glob: literal(text) })),
    ...redirected.map(({ target }) => spellRule({ tool: 'WriteFile', glob: relativeTo(target, facts) })),
  ];
  const [only, ...others] = asked;
  const always = only && others.length === 0 && redirected.length === 0 ? narrowest(only) : undefined;
  return { ...(session.length > 0 && { session: [...new Set(session)] }), ...(always !== undefined && { always: spellRule({ tool: call.name, glob: always }) }), commands };
}

/** Program and subcommand with anything behind them; `undefined` for what must not run unseen. */
function narrowest(command: ShellCommand): string | undefined {
  if (command.doubts.length > 0) return undefined;
  const [program, ...rest] = command.words;
  if (!program || program.includes('/')) return undefined;
  const operand = rest[0];
  if (WITH_SUBCOMMAND.test(program)) {
    if (!operand || operand.startsWith('-')) return undefined;
    const two = `${program} ${operand}`;
    if (TOO_MUCH.test(two)) return undefined;
    if (!WITH_TWO.test(two)) return `${literal(two)} *`;
    return rest[1] && !rest[1].startsWith('-') ? `${literal(`${two} ${rest[1]}`)} *` : undefined;
  }
  // A script by its name, never the whole interpreter.
  if (SCRIPTED.test(program)) return operand && /^[\w./-]*[\w]\.\w+$/.test(operand) && !operand.startsWith('-') ? `${literal(`${program} ${operand}`)} *` : undefined;
  return LOOKING.test(program) ? `${program} *` : undefined;
}

function alwaysFor(call: Call, access: readonly Access[], facts: Facts): string | undefined {
  const [one, ...more] = access;
  if (!one || more.length > 0) return undefined;
  switch (one.kind) {
    case 'net': return URL.canParse(one.target) ? spellRule({ tool: call.name, glob: `domain:${new URL(one.target).hostname}` }) : undefined;
    case 'read': case 'write': {
      const path = relativeTo(one.target, facts);
      if (path.startsWith('/')) return undefined;
      const folder = dirname(path);
      return spellRule({ tool: call.name, glob: folder === '.' ? path : `${folder}/**` });
    }
    case 'mcp': return call.name;
    case 'run': case 'agent': case 'none': return undefined;
  }
}

/** A real path relative to the folder of the call, which is the project where it can be. */
function relativeTo(target: string, facts: Facts): string {
  const path = facts.real[target]?.path ?? target;
  const root = facts.root;
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

/** Text as a glob that means just it. */
function literal(text: string): string {
  return text.replaceAll('*', String.raw`\*`);
}
