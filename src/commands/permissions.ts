// mewcode permissions …: what it understands and what --help says of it. The work is the composition root's.
import { nearest } from '../lib/nearest.ts';
import { UserError } from '../types/user-error.ts';

/** What `mewcode permissions` may do. `call` is `-` for calls on stdin. */
export type PermissionsOrder =
  | { action: 'explain'; call: string }
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
};

const actions = Object.keys(HELP) as Action[];

/** What `permissions …` orders; `undefined` where the words are a prompt that begins so. Throws a `UserError` that says what is missing or meant. */
export function parsePermissions(words: readonly string[], { help }: { help: boolean }): PermissionsOrder | undefined {
  const [first, action, ...rest] = words;
  if (first !== 'permissions') return undefined;
  const known = actions.find((one) => one === action);
  if (help || action === 'help') return { action: 'help', of: known ?? actions.find((one) => one === rest[0]) };
  if (known === undefined) {
    if (words.length > 2) return undefined;
    const near = action === undefined ? undefined : nearest(action, actions);
    throw new UserError(action === undefined ? 'mewcode permissions needs a word more.' : `There is no mewcode permissions ${action}.`, `${near === undefined ? '' : `Did you mean ${near}? `}There are: ${actions.join(', ')}. See mewcode permissions --help.`);
  }
  switch (known) {
    case 'explain': {
      const call = rest.join(' ');
      if (call.trim() === '') throw new UserError('mewcode permissions explain needs a call.', 'For example: mewcode permissions explain "Bash(npm test)"');
      return { action: 'explain', call };
    }
  }
}

/** What `mewcode permissions --help` and `mewcode permissions ACTION --help` print. */
export function permissionsHelp(of: string | undefined): string {
  const one = actions.find((action) => action === of);
  if (one !== undefined) return `mewcode permissions ${HELP[one].usage}\n\n${HELP[one].summary}.\n\n${HELP[one].more}\n`;
  const width = Math.max(...actions.map((action) => HELP[action].usage.length));
  return `What may run, and why. Nothing here runs a tool or reaches a model.\n\n${actions.map((action) => `  mewcode permissions ${HELP[action].usage.padEnd(width)}  ${HELP[action].summary}`).join('\n')}\n\nEach answers --help. In the app: /permissions. Rules, files and modes: docs/permissions.md.\n`;
}
