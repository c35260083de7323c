// /permissions and /permission: which rules hold and where they stand, and this session's answers.
import { cleanLine } from '../lib/clean.ts';
import { nearest } from '../lib/nearest.ts';
import { plural } from '../lib/plural.ts';
import type { App, Command, Done } from '../types/command.ts';
import type { Rule, Verdict } from '../types/permission.ts';
import { UserError } from '../types/user-error.ts';

const HOW = 'It is /permission allow RULE, deny RULE or ask RULE (with --always: written down), remove NUMBER, or clear.';

export const permissions: Command = {
  name: 'permissions',
  summary: 'List the permission rules by strength, with where each stands',
  where: 'chat',
  whileBusy: true,
  async run(app) {
    // Before it is ready no rule is known, and what is shown is gone when the session begins.
    await app.ready;
    return tableOf(app);
  },
};

export const permission: Command = {
  name: 'permission',
  summary: 'Allow or deny for this session or always, take a rule away, take the answers of this session back',
  usage: '[allow|deny|ask RULE [--always] | remove NUMBER | clear]',
  where: 'chat',
  whileBusy: true,
  async run(app, [action, ...words]) {
    await app.ready;
    switch (action) {
      case undefined: return tableOf(app);
      case 'allow': case 'deny': case 'ask': return add(app, action, words);
      case 'remove': return remove(app, words);
      case 'clear': {
        if (words.length > 0) throw new UserError('/permission clear takes back all answers of this session.', 'To take away one rule: /permission remove NUMBER');
        const count = app.rules().clear();
        return said(count === 0 ? 'There are no answers of this session.' : `Took back ${plural(count, 'answer')} of this session. Rules of files and flags hold.`);
      }
      default: {
        const near = nearest(action, ['allow', 'deny', 'ask', 'remove', 'clear']);
        throw new UserError(`/permission does not know "${cleanLine(action)}".`, near === undefined ? HOW : `Did you mean ${near}?`);
      }
    }
  },
};

const said = (text: string): Done => ({ view: { type: 'text', text } });

function tableOf(app: App): Done {
  const { mode } = app.state.get();
  const rules = app.rules().list();
  const rows = rules.map((rule, index) => [String(index + 1), rule.final ? 'always_deny' : rule.verdict, spell(rule), rule.from]);
  const summary = app.modes().find(({ name }) => name === mode)?.summary;
  return { view: { type: 'table', head: ['', 'verdict', 'rule', 'from'], rows: [...rows, ['', 'else', `mode ${mode}${summary === undefined ? '' : `: ${summary}`}`, '/mode']] } };
}

async function add(app: App, verdict: Verdict, words: readonly string[]): Promise<Done> {
  const always = words.includes('--always');
  const text = words.filter((word) => word !== '--always').join(' ');
  if (text === '') throw new UserError(`/permission ${verdict} needs a tool or a rule.`, `For example: /permission ${verdict} Bash(npm test *)`);
  checkTool(app, text);
  await app.rules().add({ text, verdict }, always ? 'always' : 'session');
  return said(`${VERBS[verdict]} ${text} ${always ? 'from now on' : 'for this session'}.`);
}

const VERBS: Readonly<Record<Verdict, string>> = { allow: 'Allowed:', deny: 'Denied:', ask: 'Asked for:' };

/** A rule for a tool that is not there would silently do nothing. */
function checkTool(app: App, text: string): void {
  const name = /^[\w.-]+/.exec(text)?.[0];
  const names = app.tools().map((tool) => tool.name);
  if (name === undefined || name.startsWith('mcp') || SHORT.test(name) || names.some((known) => known.toLowerCase() === name.toLowerCase())) return;
  const near = nearest(name, names);
  throw new UserError(`There is no tool ${cleanLine(name)}.`, near === undefined ? `Tools: ${names.join(', ')}.` : `Did you mean ${near}?`);
}

/* Rules may use them instead of the whole names. */
const SHORT = /^(read|write|edit)$/i;

async function remove(app: App, [number, ...more]: readonly string[]): Promise<Done> {
  const rules = app.rules();
  const rule = number !== undefined && /^\d+$/.test(number) && more.length === 0 ? rules.list()[Number(number) - 1] : undefined;
  if (!rule) throw new UserError(number === undefined ? '/permission remove needs the number of a rule.' : `There is no rule number ${cleanLine([number, ...more].join(' '))}.`, '/permissions lists them.');
  await rules.remove(rule);
  return said(`Removed: ${rule.verdict} ${spell(rule)} (${rule.from}).`);
}

const spell = ({ tool, glob }: Rule): string => (glob === '*' ? tool : `${tool}(${glob})`);
