// mewcode permissions …: what it understands and what --help says of it. The work is the composition root's.
import { nearest } from '../lib/nearest.ts';
import type { Verdict } from '../types/permission.ts';
import { UserError } from '../types/user-error.ts';

/** What `mewcode permissions` may do. `call` is `-` for calls on stdin. */
export type PermissionsOrder =
  | { action: 'explain'; call: string }
  | { action: 'lint' | 'list' }
  | { action: 'test'; files: readonly string[] }
  | { action: 'what-if'; verdict: Verdict; rule: string }
  | { action: 'help'; of: string | undefined };

type Action = Exclude<PermissionsOrder['action'], 'help'>;

const STAGE = `  --mode MODE     judge in that mode
  --rules FILE    these rules (as in permissions.yaml) in place of the permission files
  --cwd DIR       judge as in that folder
  --add-dir DIR   one more folder that tools may reach
  --trust         judge as in a trusted folder
  --allow RULE, --deny RULE   one more rule`;

const HELP: Readonly<Record<Action, { usage: string; summary: string; more: string }>> = {
  explain: {
    usage: 'explain [--json] CALL',
    summary: 'say what would become of a call, and why; runs nothing',
    more: `A call is Tool(text), like "Bash(npm test)" or "ReadFile(src/a.ts)", or {"tool": …, "input": …}.
With - as the call, one call a line is read from stdin. With --json each decision is one object on one line:
{"verdict", "layer", "rule", "because", "trace"}, or {"error"} for a line that is no call.

${STAGE}

Exit codes: 0 judged, whatever the verdict; 1 some line of stdin was no call; 2 no such call, tool, rule or folder.`,
  },
  list: {
    usage: 'list [--json]',
    summary: 'the rules that hold here, the strongest first, and where each stands',
    more: STAGE,
  },
  lint: {
    usage: 'lint [--json]',
    summary: 'find rules that are dead, shadowed, too broad or never used',
    more: `Dead: nothing can match it, or what it allows is refused or asked for all the same. Shadowed: another rule always
wins. Too broad: it allows whatever a program can be told to do. Never used: it decided nothing in the last 20 sessions.

${STAGE}

Exit codes: 0 nothing found; 1 something found; 2 a file that can't be read.`,
  },
  test: {
    usage: 'test [--json] FILE...',
    summary: 'check that calls are decided as a file expects, for CI',
    more: `The file is a list, or a block with rules (a file of rules, counted from this one), mode and tests:

  - {call: "Bash(npm test)", expect: allow}
  - {call: "Bash(rm -rf /)", mode: bypassPermissions, expect: deny, layer: blacklist}
  - {call: {tool: WriteFile, input: {path: a, content: b}}, expect: ask, rule: "WriteFile(a)"}

${STAGE}

Exit codes: 0 all as expected; 1 something is not; 2 a file that can't be read.`,
  },
  'what-if': {
    usage: 'what-if [--json] [allow|ask|deny] RULE',
    summary: 'which calls of the last sessions a rule would decide otherwise',
    more: `The calls of the last 20 sessions of this project are judged again, in the mode of then, without the rule and with
it, as if it stood in permissions.local.yaml. Without a word before it the rule is an allow.

${STAGE}`,
  },
};

const VERDICTS = ['allow', 'ask', 'deny'] as const;

const actions = Object.keys(HELP) as Action[];

/** What `permissions …` orders; `undefined` where the words are a prompt that begins so. Throws a `UserError` that says what is missing or meant. */
export function parsePermissions(words: readonly string[], { help }: { help: boolean }): PermissionsOrder | undefined {
  const [first, action, ...rest] = words;
  if (first !== 'permissions') return undefined;
  const known = actions.find((one) => one === action);
  if (help || action === 'help') return { action: 'help', of: known ?? actions.find((one) => one === rest[0]) };
  if (known === undefined) {
    if (action === undefined) return { action: 'list' };
    if (words.length > 2) return undefined;
    const near = nearest(action, actions);
    throw new UserError(`There is no mewcode permissions ${action}.`, `${near === undefined ? '' : `Did you mean ${near}? `}There are: ${actions.join(', ')}. See mewcode permissions --help.`);
  }
  switch (known) {
    case 'explain': {
      const call = rest.join(' ');
      if (call.trim() === '') throw new UserError('mewcode permissions explain needs a call.', 'For example: mewcode permissions explain "Bash(npm test)"');
      return { action: 'explain', call };
    }
    case 'test':
      if (rest.length === 0) throw new UserError('mewcode permissions test needs a file.', 'See mewcode permissions test --help.');
      return { action: 'test', files: rest };
    case 'what-if': {
      const verdict = VERDICTS.find((one) => one === rest[0]);
      const rule = rest.slice(verdict === undefined ? 0 : 1).join(' ');
      if (rule.trim() === '') throw new UserError('mewcode permissions what-if needs a rule.', 'For example: mewcode permissions what-if allow "Bash(npm test *)"');
      return { action: 'what-if', verdict: verdict ?? 'allow', rule };
    }
    case 'lint': case 'list':
      if (rest.length > 0) throw new UserError(`mewcode permissions ${known} takes no "${rest.join(' ')}".`, `See mewcode permissions ${known} --help.`);
      return { action: known };
  }
}

/** What `mewcode permissions --help` and `mewcode permissions ACTION --help` print. */
export function permissionsHelp(of: string | undefined): string {
  const one = actions.find((action) => action === of);
  if (one !== undefined) return `mewcode permissions ${HELP[one].usage}\n\n${HELP[one].summary}.\n\n${HELP[one].more}\n`;
  const width = Math.max(...actions.map((action) => HELP[action].usage.length));
  return `What may run, and why. Nothing here runs a tool or reaches a model.\n\n${actions.map((action) => `  mewcode permissions ${HELP[action].usage.padEnd(width)}  ${HELP[action].summary}`).join('\n')}\n\nEach answers --help. In the app: /permissions. Rules, files and modes: docs/permissions.md.\n`;
}
