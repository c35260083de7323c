// What the dialog of a form shows: who asks, a line for each field with what is wrong with it, and the buttons.
import { clean, cleanLine } from '../lib/clean.ts';
import type { Body, DialogKind } from './dialog-kind.ts';
import { fieldWindow } from './field.ts';
import type { FormField } from './form.ts';
import { fieldsOf, linesOf, problemsOf, settledForm, type FormLine } from './form-state.ts';
import { fit, widthOf, wrap, type Span } from './lines.ts';
import type { Style, Theme } from './themes.ts';

export const formDialog: DialogKind<'form'> = {
  title: (question) => `${cleanLine(question.from)} asks`,

  body(question, dialog, width, theme) {
    const form = settledForm(dialog, question);
    const rows = wrap([{ text: clean(question.title), sgr: theme.sgr.strong }], width);
    const items = new Map<number, number>();
    let caret: Body['caret'];
    if (!form) return { rows };
    const fields = fieldsOf(question);
    const note = (style: Style, text: string) => wrap([{ text, sgr: theme.sgr[style] }], width, { first: [{ text: '  ' }] });
    const problems = form.tried ? problemsOf(question, form) : [];
    for (const [at, line] of linesOf(question).entries()) {
      const on = at === form.at;
      const field = 'field' in line ? fields[line.field] : undefined;
      const input = 'field' in line ? (form.inputs[line.field] ?? '') : '';
      if (!field || !('field' in line) || (line.choice ?? 0) === 0) rows.push(...headOf(line, field, { width, theme }));
      items.set(rows.length, at);
      if (on) caret = { x: 1, y: rows.length };
      const mark: Span = { text: on ? '› ' : '  ', sgr: theme.sgr.accent };
      const look = on ? theme.sgr.selected : '';
      if (!field || 'button' in line) {
        rows.push(fit([mark, { text: 'button' in line ? BUTTONS[line.button] : '', sgr: look }], width));
        continue;
      }
      const label: Span = { text: `${field.label}${field.required ? '*' : ''}: `, sgr: theme.sgr.dim };
      if (field.kind === 'text') {
        const start = Math.min(widthOf([mark, label]), Math.max(0, width - 10));
        const shown = dialog.field?.for === 'form' && on ? fieldWindow(dialog.field.editor, width - start) : { text: typeof input === 'string' ? cleanLine(input) : '', x: 0 };
        if (on) caret = { x: start + shown.x, y: rows.length };
        rows.push(fit([mark, label], start) + fit([{ text: shown.text, sgr: look }], width - start));
      } else rows.push(fit([mark, ...(field.kind === 'one' ? [label] : []), { text: choiceOf(field, line.choice, input), sgr: look }], width));
      const last = line.choice === undefined || (field.kind !== 'text' && line.choice === field.choices.length - 1);
      if (last && on && field.detail !== '' && field.kind !== 'several') rows.push(...note('dim', field.detail));
      const problem = problems[line.field];
      if (last && problem !== undefined) rows.push(...note('danger', `${field.label} ${problem}.`));
      if (last && field.secret) rows.push(...note('warning', `This looks like a secret. What you type goes to ${cleanLine(question.from)} and stands in the session's file.`));
    }
    return { rows, items, ...(caret && { caret }) };
  },

  why: () => [],
  hint: () => 'Tab next · Space chooses · Enter on Send sends it · Esc cancels',
};

const BUTTONS = { send: '[ Send ]', decline: '[ Decline ]' } as const;

/** What stands above a line: air before the buttons, the name of a field whose choices have a line each. */
function headOf(line: FormLine, field: FormField | undefined, { width, theme }: { width: number; theme: Theme }): string[] {
  if ('button' in line) return line.button === 'send' ? [''] : [];
  if (field?.kind !== 'several') return [];
  return [fit([{ text: `  ${field.label}${field.required ? '*' : ''}: `, sgr: theme.sgr.dim }, { text: field.detail, sgr: theme.sgr.dim }], width)];
}

function choiceOf(field: FormField, choice: number | undefined, input: string | readonly number[]): string {
  const chosen = typeof input === 'string' ? [] : input;
  const labelOf = (at: number | undefined) => (field.kind === 'text' || at === undefined ? undefined : field.choices[at]?.label) ?? '–';
  return choice === undefined ? `‹ ${labelOf(chosen[0])} ›` : `  ${chosen.includes(choice) ? '[x]' : '[ ]'} ${labelOf(choice)}`;
}
