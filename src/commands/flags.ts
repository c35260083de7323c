// The flags of the command line as data: how each is spelled, what it says in --help, and what it sets.
import type { AuthAction } from './auth.ts';
import type { McpOrder } from './mcp-shell.ts';
import type { PermissionsOrder } from './permissions.ts';
import { UserError } from '../types/user-error.ts';

/** What was ordered on the command line. Paths and names are as typed. */
export type Invocation = {
  door: 'app' | 'print' | 'version' | 'help' | 'paths' | 'tools' | 'config' | 'doctor' | 'auth' | 'permissions' | 'mcp';
  /** With door `auth`. */
  auth?: AuthAction;
  /** With door `mcp`. */
  mcp?: McpOrder;
  /** With door `permissions`. */
  permissions?: PermissionsOrder;
  /** A file of rules in place of the permission files, and output for programs: for doors that know them. */
  rules?: string;
  json?: boolean;
  prompt?: string;
  format: 'text' | 'json';
  renderer: 'own' | 'ink';
  cwd?: string;
  /** A configuration file that the user named. */
  config?: string;
  session: { kind: 'new' } | { kind: 'continue' } | { kind: 'resume'; id: string } | { kind: 'none' };
  trust: boolean;
  /** Exit with 3 when a call was denied. */
  failOnDenied: boolean;
  /** The highest layer of the configuration. */
  settings: { provider?: string; model?: string; mode?: string; allow: string[]; deny: string[]; addDirs: string[]; mcpConfig?: string; maxRounds?: number; maxCostUsd?: number; debug?: boolean };
};

export type Flag = {
  /** The first is shown; all are accepted. */
  names: readonly [string, ...string[]];
  /** What its value is called; absent: it takes none. */
  value?: string;
  /** Absent: a spelling of another tool, accepted and not shown. */
  summary?: string;
  /** Throws a `UserError` on a value that does not fit. */
  set(invocation: Invocation, value: string): void;
};

export const flags: readonly Flag[] = [
  { names: ['--print', '-p'], summary: 'answer once without the screen: the answer on stdout, progress on stderr', set: (to) => { if (to.door === 'app') to.door = 'print'; } },
  { names: ['--output-format'], value: 'text|json', summary: 'what -p prints', set: (to, value) => { to.format = oneOf('--output-format', value, ['text', 'json']); } },
  { names: ['--continue', '-c'], summary: "go on with this project's newest session", set: (to) => { to.session = { kind: 'continue' }; } },
  { names: ['--resume', '-r'], value: 'ID', summary: 'go on with that session', set: (to, id) => { to.session = { kind: 'resume', id }; } },
  { names: ['--no-session', '--no-session-persistence'], summary: 'keep nothing of this session on disk', set: (to) => { to.session = { kind: 'none' }; } },
  { names: ['--provider'], value: 'NAME', summary: 'a protocol, or a name under providers: in the configuration', set: (to, value) => { to.settings.provider = value; } },
  { names: ['--model'], value: 'MODEL', summary: 'the model to talk to', set: (to, value) => { to.settings.model = value; } },
  { names: ['--demo'], summary: 'the built-in demo model: no key, no network', set: (to) => { to.settings.provider = 'demo'; } },
  { names: ['--mode', '--permission-mode'], value: 'MODE', summary: 'what runs without asking: default, acceptEdits, plan, dontAsk, custom, bypassPermissions', set: (to, value) => { to.settings.mode = value; } },
  { names: ['--dangerously-bypass-permissions', '--dangerously-skip-permissions', '--yolo'], summary: 'the same as --mode bypassPermissions', set: (to) => { to.settings.mode = 'bypassPermissions'; } },
  { names: ['--allow'], value: 'RULE', summary: 'allow what the rule matches: "Bash(npm test*)"; again for more', set: (to, value) => { to.settings.allow.push(value); } },
  { names: ['--deny'], value: 'RULE', summary: 'deny what the rule matches; again for more', set: (to, value) => { to.settings.deny.push(value); } },
  { names: ['--allowedTools', '--allowed-tools'], value: 'RULES', set: (to, value) => { to.settings.allow.push(...splitRules(value)); } },
  { names: ['--disallowedTools', '--disallowed-tools'], value: 'RULES', set: (to, value) => { to.settings.deny.push(...splitRules(value)); } },
  { names: ['--fail-on-denied'], summary: 'with -p: exit with 3 when a call was denied', set: (to) => { to.failOnDenied = true; } },
  { names: ['--max-cost', '--max-budget-usd'], value: 'USD', summary: 'send no more requests once the session has cost so much', set: (to, value) => { to.settings.maxCostUsd = dollars('--max-cost', value); } },
  { names: ['--max-rounds', '--max-turns'], value: 'N', summary: 'stop a turn after so many model requests', set: (to, value) => { to.settings.maxRounds = positive('--max-rounds', value); } },
  { names: ['--cwd'], value: 'DIR', summary: 'work in that folder', set: (to, value) => { to.cwd = value; } },
  { names: ['--add-dir'], value: 'DIR', summary: 'one more folder that tools may reach; again for more', set: (to, value) => { to.settings.addDirs.push(value); } },
  { names: ['--config'], value: 'FILE', summary: 'a configuration file over all others', set: (to, value) => { to.config = value; } },
  { names: ['--mcp-config'], value: 'FILE', summary: 'a JSON file of MCP servers ("mcpServers") besides the configured ones', set: (to, value) => { to.settings.mcpConfig = value; } },
  { names: ['--trust'], summary: "trust this folder's configuration without a question", set: (to) => { to.trust = true; } },
  { names: ['--renderer'], value: 'own|ink', summary: 'what writes the screen', set: (to, value) => { to.renderer = oneOf('--renderer', value, ['own', 'ink']); } },
  { names: ['--debug'], summary: 'log every request and response under .mewcode/logs, keys masked', set: (to) => { to.settings.debug = true; } },
  { names: ['--check-config'], summary: 'print the merged configuration with the origin of each value', set: (to) => { to.door = 'config'; } },
  { names: ['--paths'], summary: 'print where everything lies and whether it is there', set: (to) => { to.door = 'paths'; } },
  { names: ['--print-tools'], summary: 'print the tools that the model may call', set: (to) => { to.door = 'tools'; } },
  { names: ['--rules'], value: 'FILE', set: (to, value) => { to.rules = value; } },
  { names: ['--json'], set: (to) => { to.json = true; } },
  { names: ['--version', '-v', '-V'], summary: 'print the version', set: (to) => { to.door = 'version'; } },
  { names: ['--help', '-h'], summary: 'print this', set: (to) => { to.door = 'help'; } },
];

function oneOf<T extends string>(flag: string, value: string, known: readonly T[]): T {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new UserError(`${flag} can't be "${value}".`, `It is ${known.join(' or ')}.`);
  return found;
}

function positive(flag: string, value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new UserError(`${flag} can't be "${value}".`, 'It is a whole number from 1 up.');
  return Number(value);
}

function dollars(flag: string, value: string): number {
  if (!/^\d+(\.\d+)?$/.test(value)) throw new UserError(`${flag} can't be "${value}".`, 'It is an amount in dollars, such as 0.50.');
  return Number(value);
}

/** Other tools take several rules in one value: `Edit Bash(git *),Read`. Commas and blanks part them, but not inside brackets. */
function splitRules(text: string): string[] {
  return text.match(/(?:\([^)]*\)|[^\s,(])+/g) ?? [];
}
