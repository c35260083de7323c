// The answers that a question offers, as a list in which one is highlighted.
import type { Question } from '../types/question.ts';
import { fuzzyFilter } from './fuzzy.ts';
import type { DialogState } from './state.ts';

/** One answer that can be highlighted. `short` stands where there is no room for the label; `index` is the place among a choice's own options. */
export type Option = { key: string; label: string; short?: string; detail?: string; does: 'once' | 'session' | 'deny' | 'always' | 'free' | { choose: string; index: number } };

/** More options than there are digits are found by typing. */
const MOST_DIGITS = 9;

/** Whether the options of a choice are filtered by what is typed. */
export function isFiltered(question: Question | undefined): boolean {
  return question?.kind === 'choose' && question.options.length + (question.free ? 1 : 0) > MOST_DIGITS;
}

/** The answers that a question offers, in the order in which they are shown. */
export function optionsOf(question: Question, dialog?: Pick<DialogState, 'edited' | 'field'>): Option[] {
  switch (question.kind) {
    case 'permission':
      // What would be kept was proposed for the call as it came.
      if (dialog?.edited) return [{ key: 'y', label: 'Allow once, as you changed it', short: 'once', does: 'once' }, { key: 'n', label: 'Deny', short: 'deny', does: 'deny' }];
      return [
        { key: 'y', label: 'Allow once', short: 'once', does: 'once' },
        ...(question.session === undefined ? [] : [{ key: 'a', label: 'Allow for this session', short: 'session', detail: question.session.join(', '), does: 'session' } as const]),
        { key: 'n', label: 'Deny', short: 'deny', does: 'deny' },
        ...(question.always === undefined ? [] : [{ key: 'A', label: 'Allow always …', short: 'always', detail: question.always, does: 'always' } as const]),
      ];
    case 'choose': {
      const digits = !isFiltered(question);
      const all = question.options.map(({ id, label, detail = '' }, index) => ({ key: digits ? String(index + 1) : '', label, detail, does: { choose: id, index } }));
      const fitting = dialog?.field?.for === 'filter' ? fuzzyFilter(all, dialog.field.editor.text) : all;
      return [
        ...fitting.map(({ detail, ...option }): Option => ({ ...option, ...(detail !== '' && { detail }) })),
        ...(question.free ? [{ key: digits ? String(all.length + 1) : '', label: 'Something else …', does: 'free' } as const] : []),
      ];
    }
    case 'form':
      return [];
  }
}
