// What the agent speaks through: stamps its events, keeps them, and turns a question into asked, answer, answered.
import type { AgentEvent, Frontend, Happening } from '../types/event.ts';
import type { Answer, Question } from '../types/question.ts';

/** The agent's side of a frontend: it says what happened, and asks. */
export type Voice = {
  emit(happening: Happening): void;
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
};

export type VoiceOptions = {
  /** `main`, or `main/2`. */
  agent: string;
  /** Kept before anyone sees the event: the log, then the state. */
  keep: readonly ((event: AgentEvent) => void)[];
  frontend: Frontend;
  clock: () => number;
  newId: () => string;
};

/** Makes the voice of one agent. */
export function createVoice({ agent, keep, frontend, clock, newId }: VoiceOptions): Voice {
  const emit = (happening: Happening) => {
    const event: AgentEvent = { agent, at: clock(), ...happening };
    for (const take of keep) take(event);
    frontend.emit(event);
  };
  return {
    emit,
    async ask(question, signal) {
      const id = newId();
      emit({ type: 'asked', id, question });
      const answer = signal.aborted ? refusal(question) : await frontend.ask(question, signal).catch(() => refusal(question));
      emit({ type: 'answered', id, answer });
      return answer;
    },
  };
}

/** The answer to a question that nobody answers. */
export function refusal(question: Question): Answer {
  return question.kind === 'permission' ? { kind: 'deny' } : { kind: 'dismissed' };
}
