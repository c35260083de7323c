// What leaves the app for screens and output: the same state, events and questions with every secret masked. The agent works with them as they are.
import { createDeepMask, createMask, maskDeep, maskEnd, maskPieces, maskSecret, rememberSecrets } from '../lib/mask.ts';
import type { AgentEvent, Frontend } from '../types/event.ts';
import type { Answer, Question } from '../types/question.ts';
import type { Readable, SessionState } from '../types/state.ts';

export type Secrecy = {
  /** Hides more from now on. */
  hide(secrets: readonly string[]): void;
  mask(text: string): string;
  /** The same object for the same state. */
  state(state: Readable<SessionState>): Readable<SessionState>;
  frontend(frontend: Frontend): Frontend;
};

export function holdSecrets(): Secrecy {
  let secrets: readonly string[] = [];
  let mask = createMask([]);
  let deep = createDeepMask(mask);
  /** By message and part, or by call: text that comes in pieces. */
  let pieces = new Map<string, ReturnType<typeof maskPieces>>();
  const of = (key: string) => {
    const known = pieces.get(key) ?? maskPieces(mask, secrets);
    pieces.set(key, known);
    return known;
  };

  /** Events to show for one: text that may be the beginning of a secret waits for the next. */
  function masked(event: AgentEvent): AgentEvent[] {
    if (event.type === 'tool_output') {
      const text = of(`tool ${event.callId}`).push(event.text);
      return text === '' ? [] : [{ ...event, text }];
    }
    if (event.type === 'task_output') {
      const text = of(`task ${event.id}`).push(event.text);
      return text === '' ? [] : [{ ...event, text }];
    }
    if (event.type === 'task') pieces.delete(`task ${event.task.id}`);
    if (event.type === 'tool_ended') {
      const text = of(`tool ${event.callId}`).end();
      pieces.delete(`tool ${event.callId}`);
      return [...(text === '' ? [] : [{ type: 'tool_output' as const, callId: event.callId, text, agent: event.agent, at: event.at }]), deep(event)];
    }
    if (event.type !== 'stream') return [deep(event)];
    const inner = event.event;
    if (inner.type === 'retrying' || inner.type === 'end' || inner.type === 'error') pieces = new Map([...pieces].filter(([key]) => !key.startsWith(`${event.messageId} `)));
    if (inner.type !== 'part_delta' && inner.type !== 'part_end') return [deep(event)];
    const key = `${event.messageId} ${inner.index}`;
    const delta = inner.type === 'part_delta' ? of(key).push(inner.delta) : of(key).end();
    const shown: AgentEvent[] = delta === '' ? [] : [{ ...event, event: { type: 'part_delta', index: inner.index, delta } }];
    return inner.type === 'part_end' ? [...shown, deep(event)] : shown;
  }

  return {
    hide(more) {
      secrets = [...new Set([...secrets, ...more])];
      rememberSecrets(more);
      mask = createMask(secrets);
      deep = createDeepMask(mask);
    },
    mask: (text) => mask(text),
    state(source) {
      let from: SessionState | undefined;
      let by: typeof deep | undefined;
      let shown: SessionState | undefined;
      return {
        subscribe: (listener) => source.subscribe(listener),
        get() {
          const state = source.get();
          if (shown === undefined || state !== from || by !== deep) {
            [from, by] = [state, deep];
            // What is queued goes back to the app when it is edited.
            shown = { ...deep(state), queue: state.queue, ...(state.live && { live: { ...state.live, parts: deep(state.live.parts).map((part) => (part.done ? part : { ...part, raw: maskEnd(part.raw, secrets) })) } }) };
          }
          return shown;
        },
      };
    },
    frontend: (frontend) => ({
      emit: (event) => { for (const one of masked(event)) frontend.emit(one); },
      ask: async (question, signal) => restore(question, await frontend.ask(deep(question), signal), secrets),
    }),
  };
}

/** Arguments that the user edited in the dialog get back what was hidden in it, and rules for the session; one that is written down does not. */
function restore(question: Question, answer: Answer, secrets: readonly string[]): Answer {
  if (question.kind !== 'permission' || answer.kind !== 'allow') return answer;
  const before = JSON.stringify(question.call.input);
  const hidden = secrets.filter((secret) => before.includes(JSON.stringify(secret).slice(1, -1)));
  if (hidden.length === 0) return answer;
  const show = (text: string) => hidden.reduce((shown, secret) => shown.replaceAll(maskSecret(secret), secret), text);
  return { ...answer, ...(answer.input !== undefined && { input: maskDeep(answer.input, show) }), ...(answer.rules && answer.keep === 'session' && { rules: answer.rules.map(show) }) };
}
