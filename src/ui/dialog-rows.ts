// The dialogs as painted rows: what is asked about, why, and the answers. One row in a table for each kind of question.
import { clean, cleanLine, reveal } from '../lib/clean.ts';
import type { Question } from '../types/question.ts';
import { boxRows, FRAME, listRows } from './box.ts';
import { chooseDialog, formDialog } from './dialog-choose.ts';
import type { DialogKind } from './dialog-kind.ts';
import { permissionDialog } from './dialog-permission.ts';
import { optionsOf } from './dialog.ts';
import { fit } from './lines.ts';
import type { DialogState } from './state.ts';
import type { Theme } from './themes.ts';

const kinds: { readonly [K in Question['kind']]: DialogKind<K> } = { permission: permissionDialog, choose: chooseDialog, form: formDialog };

export type DialogView = { width: number; height: number; theme: Theme };

/** `field` is where the line that is being typed stands, from the box's top left. `body` counts what PageUp and PageDown scroll. */
export type DialogPicture = { rows: string[]; field: { x: number; y: number; width: number } | null; body: { rows: number; height: number } };

const FIELD_LABEL = { note: 'note to the model: ', rule: 'rule to keep: ', free: 'answer: ' } as const;

/** The whole dialog in at most `height` rows, each exactly `width` columns. The answers are always in sight, what is asked about scrolls. */
export function dialogPicture(question: Question, dialog: DialogState, view: DialogView): DialogPicture {
  const { theme } = view;
  const kind = kinds[question.kind] as DialogKind<Question['kind']>;
  const width = view.width - FRAME;
  const room = view.height - 2;
  // A line of what is asked about and one of hints stay in sight on the smallest screen; the answers then scroll.
  const answers = [...optionRows(question, dialog, { width, height: Math.max(1, room - 2), theme }), lastRow(dialog, kind.hint, width, theme)];
  const all = kind.body(question, dialog, width, theme);
  const reasons = kind.why(question, width, theme);
  // What is asked about needs the room more than the air around the reasons.
  const airy = all.length + reasons.length + 2 + answers.length <= room;
  const why = (airy ? ['', ...reasons, ''] : reasons).slice(0, Math.max(0, room - answers.length - 2));
  const free = Math.max(1, room - answers.length - why.length);
  const counts = all.length > free && free > 1;
  const height = counts ? free - 1 : Math.min(all.length, free);
  const top = Math.max(0, Math.min(dialog.top, all.length - height));
  const count = counts ? [fit([{ text: `lines ${top + 1}–${top + height} of ${all.length} · PageUp, PageDown`, sgr: theme.sgr.dim }], width)] : [];
  const rows = [...all.slice(top, top + height), ...count, ...why, ...answers].slice(0, Math.max(1, room));
  const label = dialog.field ? FIELD_LABEL[dialog.field.for] : null;
  return {
    rows: boxRows(rows, kind.title(question), view.width, theme),
    field: label === null ? null : { x: FRAME / 2 + label.length, y: rows.length, width: Math.max(1, width - label.length) },
    body: { rows: all.length, height },
  };
}

function optionRows(question: Question, dialog: DialogState, { width, height, theme }: DialogView): string[] {
  const many = question.kind === 'choose' && question.many === true;
  const items = optionsOf(question).map((option, index) => ({
    label: [
      ...(many && typeof option.does === 'object' ? [{ text: dialog.marked.includes(index) ? '[x] ' : '[ ] ' }] : []),
      { text: `${option.key} `, sgr: theme.sgr.accent }, { text: cleanLine(option.label) },
      ...(option.detail === undefined ? [] : [{ text: `  ${reveal(option.detail)}`, sgr: theme.sgr.dim }]),
    ],
  }));
  return listRows(items, { selected: dialog.selected, width, height: Math.min(height, items.length), theme });
}

/** The line being typed, or the note that goes along, or what else can be done. */
function lastRow(dialog: DialogState, hint: string, width: number, theme: Theme): string {
  if (dialog.field) return fit([{ text: FIELD_LABEL[dialog.field.for], sgr: theme.sgr.accent }], width);
  if (dialog.note) return fit([{ text: FIELD_LABEL.note, sgr: theme.sgr.dim }, { text: clean(dialog.note) }], width);
  return fit([{ text: hint, sgr: theme.sgr.dim }], width);
}
