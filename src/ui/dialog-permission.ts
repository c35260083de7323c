// What the permission dialog shows: the whole command or diff, the folder, and which layer asks and why.
import { reveal, cleanLine } from '../lib/clean.ts';
import { textRows } from './box.ts';
import type { DialogKind } from './dialog-kind.ts';
import { fit, wrap } from './lines.ts';
import { viewRows } from './views.ts';

const MOST_COMMANDS = 6;
const MOST_BECAUSE = 3;

export const permissionDialog: DialogKind<'permission'> = {
  title: (question) => `Allow ${cleanLine(question.call.name)}?`,

  body(question, dialog, width, theme) {
    const { view, title, decision } = question;
    if (dialog.trace) {
      return decision.trace.flatMap((step) => wrap([{ text: `${step.layer}: `, sgr: theme.sgr.accent }, { text: `${step.verdict}, ${reveal(step.because)}` }], width));
    }
    if (view && view.type !== 'terminal') return [...textRows(theme, 'strong', reveal(title), width), ...viewRows(view, { width, theme })];
    return wrap([{ text: showBlanks(reveal(view?.command ?? title)), sgr: theme.sgr.strong }], width, { how: 'hard' });
  },

  why({ commands = [], cwd, decision }, width, theme) {
    const several = commands.length > 1 ? commands : [];
    // The ones that need the answer must be in sight.
    const listed = several.toSorted((a, b) => Number(b.asks) - Number(a.asks)).slice(0, MOST_COMMANDS);
    return [
      ...several.filter((command) => listed.includes(command)).map(({ source, asks }) => fit([
        { text: asks ? '▶ ' : '  ', sgr: theme.sgr.warning }, { text: reveal(source), sgr: asks ? theme.sgr.warning : theme.sgr.dim },
      ], width)),
      ...(several.length > MOST_COMMANDS ? textRows(theme, 'dim', `  and ${several.length - MOST_COMMANDS} more commands`, width) : []),
      fit([{ text: 'in ', sgr: theme.sgr.dim }, { text: reveal(cwd) }], width),
      ...wrap([{ text: `${decision.layer}: `, sgr: theme.sgr.dim }, { text: reveal(decision.because) }], width).slice(0, MOST_BECAUSE),
    ];
  },

  hint: 'Tab note to the model · ? why it asks',
};

/** Runs of blanks inside a line made visible: nothing may be pushed out of sight in what is approved. */
function showBlanks(text: string): string {
  return text.replace(/(?<=\S) {3,}/g, (run) => '·'.repeat(run.length));
}
