// Editing what a permission is asked for: the one argument that matters as plain text, or all of them as JSON.
import { clean } from '../lib/clean.ts';
import type { Question } from '../types/question.ts';
import { createEditor } from './editor/editor.ts';
import { step, type ScreenState, type Step } from './state.ts';

type Permission = Extract<Question, { kind: 'permission' }>;

/** A longer text is no work for a dialog: it goes to the editor of the user's choice at once. */
const MOST_CHARS = 10_000;

/** Opens the text of the call for editing. Characters that can't be seen are taken out of it, so that what is seen is what will run. */
export function openEdit(screen: ScreenState, question: Question | undefined): Step {
  const { dialog } = screen;
  if (question?.kind !== 'permission' || !dialog) return step(screen);
  const text = dialog.edited?.text ?? clean(textOf(question));
  if (text.length > MOST_CHARS) return step(screen, { do: 'edit', text, dialog: dialog.id });
  return step({ ...screen, dialog: { ...dialog, trace: false, top: 0, field: { for: 'edit', editor: createEditor(text) } } });
}

/** Takes over what was edited: the answers then are about that, after a new pause. What is no JSON stays open, with the reason. */
export function edited(screen: ScreenState, question: Question | undefined, text: string): Step {
  const { dialog } = screen;
  if (question?.kind !== 'permission' || !dialog) return step(screen);
  const read = inputOf(question, text);
  if (!read.ok) return step({ ...screen, dialog: { ...dialog, field: { for: 'edit', editor: createEditor(text), problem: read.problem } } });
  const same = text === textOf(question);
  return step({ ...screen, dialog: { ...dialog, armed: false, selected: 0, top: 0, field: null, edited: same ? null : { text, input: read.input } } });
}

/** What of the call is edited. */
function textOf({ call, editable }: Permission): string {
  const value = editable === undefined ? undefined : argumentsOf(call.input)[editable];
  return typeof value === 'string' ? value : JSON.stringify(call.input, null, 2);
}

function inputOf({ call, editable }: Permission, text: string): { ok: true; input: unknown } | { ok: false; problem: string } {
  const given = argumentsOf(call.input);
  if (editable !== undefined && typeof given[editable] === 'string') return { ok: true, input: { ...given, [editable]: text } };
  try {
    return { ok: true, input: JSON.parse(text) };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}

function argumentsOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
}
