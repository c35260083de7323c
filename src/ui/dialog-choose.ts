// What the dialog of a choice shows: the question, and what is said of the answer that is highlighted.
import { clean, cleanLine, reveal } from '../lib/clean.ts';
import { columnsOf } from '../lib/width.ts';
import { textRows } from './box.ts';
import type { DialogKind } from './dialog-kind.ts';
import { isFiltered, optionsOf } from './dialog-options.ts';
import { wrap } from './lines.ts';

const MOST_DETAIL = 4;
/** Columns of a row that are neither label nor detail. */
const BESIDE = 12;

export const chooseDialog: DialogKind<'choose'> = {
  title: (question) => cleanLine(question.title),
  body: (question, _dialog, width) => ({ rows: question.text ? wrap([{ text: clean(question.text) }], width) : [] }),

  /** What has no room beside its answer; as many rows for every answer, so that nothing jumps. */
  why(question, dialog, width, theme) {
    const rows = question.options.map(({ label, detail = '' }) => (columnsOf(`${label}${detail}`) + BESIDE <= width ? [] : textRows(theme, 'dim', reveal(detail), width).slice(0, MOST_DETAIL)));
    const most = Math.max(0, ...rows.map(({ length }) => length));
    const does = optionsOf(question, dialog)[dialog.selected]?.does;
    const shown = typeof does === 'object' ? (rows[does.index] ?? []) : [];
    return [...shown, ...Array.from({ length: most - shown.length }, () => '')];
  },

  hint: (question) => [
    question.many ? 'Space marks · Enter takes what is marked' : 'Enter takes the highlighted answer',
    ...(isFiltered(question) ? ['letters filter'] : []),
    'Esc none of them',
  ].join(' · '),
};
