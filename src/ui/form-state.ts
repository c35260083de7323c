// What has been filled into a form, and how the keys walk through its lines.
import { clean } from '../lib/clean.ts';
import type { Json } from '../types/json.ts';
import type { Answer, Question } from '../types/question.ts';
import { createEditor, expand } from './editor/editor.ts';
import { formFields, readField, type FormField } from './form.ts';
import type { DialogState, FormState } from './state.ts';

type FormQuestion = Extract<Question, { kind: 'form' }>;

/** A line that can have the focus: a field, one box of a field of which several can be chosen, or a button. */
export type FormLine = { field: number; choice?: number } | { button: 'send' | 'decline' };

const known = new WeakMap<FormQuestion, FormField[]>();

/** The question's fields, read once. */
export function fieldsOf(question: FormQuestion): FormField[] {
  const fields = known.get(question) ?? formFields(question.schema);
  known.set(question, fields);
  return fields;
}

/** The lines in the order of the keys. */
export function linesOf(question: FormQuestion): FormLine[] {
  return [
    ...fieldsOf(question).flatMap((field, at): FormLine[] => (field.kind === 'several' ? field.choices.map((_, choice) => ({ field: at, choice })) : [{ field: at }])),
    { button: 'send' }, { button: 'decline' },
  ];
}

export function isButton(question: FormQuestion, at: number): boolean {
  const line = linesOf(question)[at];
  return line !== undefined && 'button' in line;
}

export function createForm(question: FormQuestion): FormState {
  return { inputs: fieldsOf(question).map(({ preset }) => preset), at: 0, tried: false };
}

/** The line with the focus, when it is one of a field, with that field. */
function lineHere({ form }: Pick<DialogState, 'form'>, question: FormQuestion): { field: number; choice?: number } | undefined {
  const line = form ? linesOf(question)[form.at] : undefined;
  return line && 'field' in line ? line : undefined;
}

/** The line being typed where the focus is on a text; else null. */
export function fieldOf(question: FormQuestion, form: FormState): DialogState['field'] {
  const line = lineHere({ form }, question);
  const input = line && form.inputs[line.field];
  return typeof input === 'string' ? { for: 'form', editor: createEditor(clean(input)) } : null;
}

/** The form with what is being typed put into its place. */
export function settledForm(dialog: Pick<DialogState, 'form' | 'field'>, question: FormQuestion): FormState | null {
  const { form, field } = dialog;
  const line = lineHere(dialog, question);
  if (!form || !line || field?.for !== 'form') return form;
  return { ...form, inputs: form.inputs.with(line.field, expand(field.editor)) };
}

/** What is wrong with the fields, a sentence each where something is. */
export function problemsOf(question: FormQuestion, form: FormState): (string | undefined)[] {
  return fieldsOf(question).map((field, at) => {
    const read = readField(field, form.inputs[at] ?? '');
    return read.ok ? undefined : read.problem;
  });
}

/** The focus `by` lines further, round and round. */
export function moveForm(dialog: DialogState, question: FormQuestion, by: number): DialogState {
  const form = settledForm(dialog, question);
  if (!form) return dialog;
  const { length } = linesOf(question);
  return focused(dialog, question, { ...form, at: (form.at + by + length) % length });
}

/** Another choice of the field with the focus, or its box ticked. */
export function toggleForm(dialog: DialogState, question: FormQuestion, by: number): DialogState {
  const { form } = dialog;
  const line = lineHere(dialog, question);
  const field = line && fieldsOf(question)[line.field];
  const input = line && form?.inputs[line.field];
  if (!form || !line || !field || field.kind === 'text' || typeof input !== 'object') return dialog;
  const { choice } = line;
  if (choice !== undefined) return { ...dialog, form: { ...form, inputs: form.inputs.with(line.field, input.includes(choice) ? input.filter((at) => at !== choice) : [...input, choice].sort((a, b) => a - b)) } };
  // A field that may be left out has "none" as one of its choices.
  const [first, places] = field.required ? [0, field.choices.length] : [-1, field.choices.length + 1];
  const now = input[0] ?? -1;
  const next = now === -1 && field.required ? (by > 0 ? 0 : places - 1) : ((now - first + by + places) % places) + first;
  return { ...dialog, form: { ...form, inputs: form.inputs.with(line.field, next === -1 ? [] : [next]) } };
}

/** What Enter does: the next line, or on a button the answer. A form with faults is not sent: the focus goes to the first. */
export function answerForm(dialog: DialogState, question: FormQuestion): Answer | DialogState {
  const form = settledForm(dialog, question);
  const line = form ? linesOf(question)[form.at] : undefined;
  if (!form || !line) return dialog;
  if (!('button' in line)) return moveForm(dialog, question, 1);
  if (line.button === 'decline') return { kind: 'deny' };
  const faulty = problemsOf(question, form).findIndex((problem) => problem !== undefined);
  if (faulty >= 0) return focused(dialog, question, { ...form, tried: true, at: linesOf(question).findIndex((other) => 'field' in other && other.field === faulty) });
  const values = fieldsOf(question).flatMap((field, at): [string, Json][] => {
    const read = readField(field, form.inputs[at] ?? '');
    return read.ok && read.value !== undefined ? [[field.name, read.value]] : [];
  });
  return { kind: 'filled', values: Object.fromEntries(values) };
}

function focused(dialog: DialogState, question: FormQuestion, form: FormState): DialogState {
  return { ...dialog, form, field: fieldOf(question, form) };
}
