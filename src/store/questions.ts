// What waits for the user's decision, the oldest first.
import type { AgentEvent } from '../types/event.ts';
import type { Asked } from '../types/state.ts';

export function reduceQuestions(questions: readonly Asked[], event: AgentEvent): readonly Asked[] {
  switch (event.type) {
    case 'asked':
      return [...questions, { id: event.id, agent: event.agent, question: event.question, at: event.at }];
    case 'answered': {
      const at = questions.findIndex(({ id, agent }) => id === event.id && agent === event.agent);
      return at < 0 ? questions : questions.toSpliced(at, 1);
    }
    case 'session_resumed':
      return questions.length === 0 ? questions : [];
    default:
      return questions;
  }
}
