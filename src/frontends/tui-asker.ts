// The screen as a Frontend: questions wait here for the dialog's answer.
import type { Answer, Question } from '../types/question.ts';
import type { Frontend } from '../types/event.ts';

export type Asker = Frontend & {
  /** Gives the answer to a question; false when nobody waits for it any more. */
  answer(question: Question, answer: Answer): boolean;
};

/** Nothing needs to be done with events: the screen reads the App's state. */
export function createAsker(): Asker {
  const waiting = new Map<Question, (answer: Answer) => void>();
  return {
    emit() {},
    ask: (question, signal) => new Promise((resolve) => {
      const give = (answer: Answer) => {
        waiting.delete(question);
        signal.removeEventListener('abort', refuse);
        resolve(answer);
      };
      const refuse = () => give({ kind: question.kind === 'permission' ? 'deny' : 'dismissed' });
      if (signal.aborted) return refuse();
      signal.addEventListener('abort', refuse, { once: true });
      waiting.set(question, give);
    }),
    answer(question, answer) {
      const give = waiting.get(question);
      give?.(answer);
      return give !== undefined;
    },
  };
}
