// What the permission dialog shows: the whole command or diff, the folder, which layer asks and why, and what would make it silent.
import { reveal, cleanLine } from '../lib/clean.ts';
import type { Question } from '../types/question.ts';
import { textRows } from './box.ts';
import type { Body, DialogKind } from './dialog-kind.ts';
import { fit, wrap } from './lines.ts';
import { promptRows } from './prompt-rows.ts';
import { showBlanks } from './show-blanks.ts';
import { sgr, type Theme } from './themes.ts';
import { viewRows } from './views.ts';

type Permission = Extract<Question, { kind: 'permission' }>;

const MOST_COMMANDS = 6;
const MOST_BECAUSE = 3;
/* Lines that the screen would cut. */
const LONGEST_LINE = 10_000;
const LONG_LINE = /[^\n]{10000}/gu;

export const permissionDialog: DialogKind<'permission'> = {
  title: (question) => `Allow ${cleanLine(question.call.name)}?`,

  body(question, dialog, width, theme) {
    if (dialog.field?.for === 'edit') {
      const { problem, editor } = dialog.field;
      const faults = problem === undefined ? [] : textRows(theme, 'danger', `This can't be read: ${reveal(problem)}`, width);
      const { rows, cursor } = promptRows(editor, width, { maxRows: Infinity, mark: (text) => sgr(theme.sgr.accent, text) });
      return { rows: [...faults, ...rows], caret: { x: cursor.x, y: faults.length + cursor.y } };
    }
    if (dialog.trace) return { rows: traceRows(question, width, theme) };
    if (dialog.edited) return { rows: wrap([{ text: shownText(dialog.edited.text), sgr: theme.sgr.strong }], width, { how: 'hard' }) };
    return askedAbout(question, width, theme);
  },

  why(question, { edited, field, trace }, width, theme) {
    const { cwd, decision } = question;
    const where = fit([{ text: 'in ', sgr: theme.sgr.dim }, { text: reveal(cwd) }], width);
    if (field?.for === 'edit' || trace) return [where];
    const several = edited || (question.commands?.length ?? 0) < 2 ? [] : (question.commands ?? []);
    // The ones that need the answer must be in sight.
    const listed = several.toSorted((a, b) => Number(b.asks) - Number(a.asks)).slice(0, MOST_COMMANDS);
    return [
      ...several.filter((command) => listed.includes(command)).map(({ source, asks }) => fit([
        { text: asks ? '▶ ' : '  ', sgr: theme.sgr.warning }, { text: showBlanks(reveal(source), 'text'), sgr: asks ? theme.sgr.warning : theme.sgr.dim },
      ], width)),
      ...(several.length > MOST_COMMANDS ? textRows(theme, 'dim', `  and ${several.length - MOST_COMMANDS} more commands`, width) : []),
      where,
      ...wrap([{ text: `${decision.layer}: `, sgr: theme.sgr.dim }, { text: reveal(decision.because) }], width).slice(0, MOST_BECAUSE),
      ...(edited ? [] : textRows(theme, 'dim', reveal(silence(question)), width).slice(0, 2)),
    ];
  },

  hint: (_question, { field }) => (field?.for === 'edit' ? 'Enter takes it over · Ctrl-J new line · Ctrl-G $EDITOR · Esc back' : 'Tab note to the model · e edit first · ? why it asks'),
};

/** What would keep this question from being asked again. */
function silence({ always, session, decision }: Permission): string {
  if (always !== undefined) return `not asked again with the rule ${always}`;
  if (session !== undefined) return 'not asked again in this session with a';
  return decision.layer === 'sandbox' || decision.layer === 'blacklist' ? 'asked for in every mode: no rule changes that' : 'no rule would cover just this';
}

function traceRows({ decision }: Permission, width: number, theme: Theme): string[] {
  return decision.trace.flatMap(({ layer, verdict, because, about }) => wrap([
    { text: `${layer}: `, sgr: theme.sgr.accent }, { text: `${verdict}, ${reveal(because)}` },
    ...(about === undefined ? [] : [{ text: `  ${reveal(about).replace(/\s+/g, ' ')}`, sgr: theme.sgr.dim }]),
  ], width));
}

const kept = new WeakMap<Permission, { width: number; theme: Theme; body: Body }>();

/** The whole of it, with nothing hidden. A diff may be long, and the rows are asked for with every key: the last ones are kept. */
function askedAbout(question: Permission, width: number, theme: Theme): Body {
  const last = kept.get(question);
  if (last?.width === width && last.theme === theme) return last.body;
  const body = { rows: rowsOf(question, width, theme) };
  kept.set(question, { width, theme, body });
  return body;
}

function rowsOf({ view, title, call }: Permission, width: number, theme: Theme): string[] {
  const strong = (text: string) => (text === '' ? [] : wrap([{ text: shownText(text), sgr: theme.sgr.strong }], width, { how: 'hard' }));
  switch (view?.type) {
    case 'terminal': return strong(view.command.replace(/\n+$/, ''));
    case 'diff':
      // Of a longer line the screen would leave out the end.
      if (view.patch.split('\n').some(({ length }) => length > LONGEST_LINE)) return [...strong(title), ...wrap([{ text: shownText(view.patch) }], width, { how: 'hard' })];
      return [...strong(title), ...viewRows({ ...view, patch: showBlanks(reveal(view.patch), 'diff') }, { width, theme, maxRows: Infinity })];
    case 'text': case 'todos': case 'table': return [...strong(title), ...viewRows(view, { width, theme, maxRows: Infinity })];
    case undefined: return [...strong(title), ...argumentRows(call.input, width, theme)];
  }
}

/** All of a text, nothing hidden in it or behind it. */
function shownText(text: string): string {
  return showBlanks(reveal(text), 'text').replace(LONG_LINE, '$&\n');
}

/** Every argument, for a call that shows nothing else of itself. */
function argumentRows(input: unknown, width: number, theme: Theme): string[] {
  const all = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  return all.flatMap(([name, value]) => wrap([
    { text: `${reveal(name)}: `, sgr: theme.sgr.dim },
    { text: shownText(typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'null')) },
  ], width, { how: 'hard' }));
}
