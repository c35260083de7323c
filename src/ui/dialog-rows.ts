// The dialogs as painted rows: what is asked about, why, and the answers. One row in a table for each kind of question.
import { clean, cleanLine, reveal } from '../lib/clean.ts';
import type { Question } from '../types/question.ts';
import { boxRows, FRAME, listRows } from './box.ts';
import { chooseDialog } from './dialog-choose.ts';
import { formDialog } from './dialog-form.ts';
import type { DialogKind } from './dialog-kind.ts';
import { optionsOf, type Option } from './dialog-options.ts';
import { permissionDialog } from './dialog-permission.ts';
import { fit, wrap } from './lines.ts';
import type { DialogState } from './state.ts';
import type { Theme } from './themes.ts';

const kinds: { readonly [K in Question['kind']]: DialogKind<K> } = { permission: permissionDialog, choose: chooseDialog, form: formDialog };

/** `agent` asks, and `waiting` more questions come after this one. */
export type DialogView = { width: number; height: number; theme: Theme; agent?: string; waiting?: number };

export type DialogPicture = {
  rows: string[];
  /** Where the line that is being typed stands, from the box's top left. */
  field: { x: number; y: number; width: number } | null;
  /** Where the next letter goes in a text that is drawn with the rows. */
  caret: { x: number; y: number } | null;
  /** What PageUp and PageDown scroll, and the columns of a text that is edited. */
  body: { rows: number; height: number; width: number };
  /** The answer or line that a click on a row of the box means. */
  items: ReadonlyMap<number, number>;
};

const FIELD_LABEL = { note: 'note to the model: ', rule: 'rule to keep: ', free: 'answer: ', filter: 'filter: ' } as const;
const FIELD_HINT = { note: 'Enter keeps it for your answer · Esc back', rule: 'Enter keeps the rule and allows · Esc back', free: 'Enter answers · Esc back' } as const;

/** Rows of what is asked about that must stay in sight, before the reasons and the answers get their room. */
const LEAST_BODY = 3;

/** The whole dialog in at most `height` rows, each exactly `width` columns. The answers are always in sight, what is asked about scrolls. */
export function dialogPicture(question: Question, dialog: DialogState, view: DialogView): DialogPicture {
  const { theme } = view;
  const kind = kinds[question.kind] as DialogKind<Question['kind']>;
  const width = view.width - FRAME;
  const room = view.height - 2;
  const editing = dialog.field?.for === 'edit';
  const made = kind.body(question, dialog, width, theme);
  const reasons = kind.why(question, dialog, width, theme);
  const options = editing ? [] : optionsOf(question, dialog);
  const last = lastRow(dialog, kind.hint(question, dialog), width, theme);
  const needed = Math.min(made.rows.length, LEAST_BODY) + last.length;
  // On a small screen first the answers move together on one row, then the reasons go below what scrolls.
  const compact = question.kind === 'permission' && needed + reasons.length + options.length > room;
  const answers = compact ? answersInOneRow(options, dialog.selected, width, theme) : optionRows(question, dialog, options, { width, height: Math.max(1, room - 1 - last.length), theme });
  const below = needed + reasons.length + answers.rows.length <= room;
  const all = below ? made.rows : [...made.rows, ...reasons];
  const airy = below && reasons.length > 0 && all.length + reasons.length + answers.rows.length + last.length + 2 <= room;
  const why = !below ? [] : airy ? ['', ...reasons, ''] : reasons;

  const free = Math.max(1, room - answers.rows.length - last.length - why.length);
  const counts = all.length > free && free > 1;
  const height = counts ? free - 1 : Math.min(all.length, free);
  const wanted = made.caret ? made.caret.y - Math.floor(height / 2) : dialog.top;
  const top = Math.max(0, Math.min(wanted, all.length - height));
  const count = counts ? [fit([{ text: `lines ${top + 1}–${top + height} of ${all.length}${made.caret ? '' : ' · PageUp, PageDown'}`, sgr: theme.sgr.dim }], width)] : [];
  const rows = [...all.slice(top, top + height), ...count, ...why, ...answers.rows, ...last].slice(0, Math.max(1, room));

  const field = dialog.field && dialog.field.for in FIELD_LABEL ? FIELD_LABEL[dialog.field.for as keyof typeof FIELD_LABEL].length : null;
  const firstAnswer = 1 + height + count.length + why.length;
  const items = new Map<number, number>([
    ...answers.items.map((item, at): [number, number] => [firstAnswer + at, item]),
    ...[...(made.items ?? [])].flatMap(([row, item]): [number, number][] => (row >= top && row < top + height ? [[1 + row - top, item]] : [])),
  ]);
  return {
    rows: boxRows(rows, titleOf(kind.title(question), view), view.width, theme),
    field: field === null ? null : { x: FRAME / 2 + field, y: rows.length - last.length + 1, width: Math.max(1, width - field) },
    caret: made.caret ? { x: FRAME / 2 + Math.min(made.caret.x, width), y: 1 + made.caret.y - top } : null,
    body: { rows: all.length, height, width: Math.max(2, width - 2) },
    items,
  };
}

function titleOf(title: string, { agent = 'main', waiting = 0 }: DialogView): string {
  return [title, ...(agent === 'main' ? [] : [`asked by ${cleanLine(agent)}`]), ...(waiting > 0 ? [`${waiting} more`] : [])].join(' · ');
}

type Answers = { rows: string[]; items: number[] };

function optionRows(question: Question, dialog: DialogState, options: readonly Option[], { width, height, theme }: DialogView): Answers {
  const many = question.kind === 'choose' && question.many === true;
  const items = options.map(({ key, label, detail, does }) => ({
    label: [
      ...(many && typeof does === 'object' ? [{ text: dialog.marked.includes(does.index) ? '[x] ' : '[ ] ' }] : []),
      ...(key === '' ? [] : [{ text: `${key} `, sgr: theme.sgr.accent }]), { text: cleanLine(label) },
      ...(detail === undefined ? [] : [{ text: `  ${reveal(detail).replace(/\s+/g, ' ')}`, sgr: theme.sgr.dim }]),
    ],
  }));
  if (options.length === 0 && question.kind === 'choose') return { rows: [fit([{ text: '  nothing fits', sgr: theme.sgr.dim }], width)], items: [] };
  const shown = Math.min(height, items.length);
  const first = Math.max(0, Math.min(dialog.selected - Math.floor(shown / 2), items.length - shown));
  return { rows: listRows(items, { selected: dialog.selected, width, height: shown, theme }), items: Array.from({ length: shown }, (_, at) => first + at) };
}

function answersInOneRow(options: readonly Option[], selected: number, width: number, theme: Theme): Answers {
  const spans = options.flatMap(({ key, short = '' }, at) => [
    { text: at === selected ? '›' : ' ', sgr: theme.sgr.accent }, { text: `${key} `, sgr: theme.sgr.accent }, { text: short, ...(at === selected && { sgr: theme.sgr.selected }) }, { text: ' ' },
  ]);
  return { rows: options.length === 0 ? [] : [fit(spans, width)], items: [] };
}

/** The line being typed and what its keys do, or the note that goes along, or what else can be done. */
function lastRow({ field, note }: DialogState, hint: string, width: number, theme: Theme): string[] {
  const dim = (text: string) => wrap([{ text, sgr: theme.sgr.dim }], width).slice(0, 1);
  const typed = field && field.for in FIELD_LABEL ? [fit([{ text: FIELD_LABEL[field.for as keyof typeof FIELD_LABEL], sgr: theme.sgr.accent }], width)] : [];
  if (field && field.for in FIELD_HINT) return [...typed, ...dim(FIELD_HINT[field.for as keyof typeof FIELD_HINT])];
  if (note) return [fit([{ text: FIELD_LABEL.note, sgr: theme.sgr.dim }, { text: clean(note) }], width)];
  return [...typed, ...dim(hint)];
}
