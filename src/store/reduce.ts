// The state of a session after an event: each slice from its own reducer, untouched ones with their identity kept.
import type { AgentEvent } from '../types/event.ts';
import type { SessionState } from '../types/state.ts';
import { IDLE, reduceDoing } from './doing.ts';
import { reduceLive } from './live.ts';
import { reduceMessages } from './messages.ts';
import { emptyMeter, reduceMeter } from './meter.ts';
import { reduceNotices } from './notices.ts';
import { reduceQuestions } from './questions.ts';
import { reduceTasks } from './tasks.ts';
import { reduceTodos } from './todos.ts';
import { reduceTools } from './tools.ts';
import { reduceTurn } from './turn.ts';
import { MAIN } from './agents.ts';

/** The state before the first event. */
export function initialState(): SessionState {
  return {
    id: '', cwd: '', startedAt: 0, provider: '', model: '', mode: 'default',
    messages: [], live: null, notices: [], tools: [], questions: [], queue: [], todos: [],
    turn: { running: false, startedAt: 0, rounds: 0 }, doing: IDLE, meter: emptyMeter(0), mcp: [], tasks: [],
  };
}

/** Pure; never throws. Gives the same object back when the event changes nothing. */
export function reduce(state: SessionState, event: AgentEvent): SessionState {
  if (event.type === 'session_started' && event.agent === MAIN) {
    const { id, cwd, provider, model, mode, window, at, configured = { provider, model } } = event;
    return { ...initialState(), ...(state.sandbox && { sandbox: state.sandbox }), id, cwd, provider, model, configured, mode, startedAt: at, meter: emptyMeter(window) };
  }
  const messages = reduceMessages(state.messages, event);
  const tools = reduceTools(state.tools, event, state.questions);
  const next: Partial<SessionState> = {
    ...ofSession(event, state),
    messages,
    tools,
    live: reduceLive(state.live, event),
    notices: reduceNotices(state.notices, event, messages),
    questions: reduceQuestions(state.questions, event),
    todos: reduceTodos(state.todos, event, messages),
    turn: reduceTurn(state.turn, event, state.live),
    doing: reduceDoing(state.doing, event, tools),
    meter: reduceMeter(state.meter, event),
    tasks: reduceTasks(state.tasks, event),
  };
  const changed = Object.entries(next).some(([name, value]) => state[name as keyof SessionState] !== value);
  return changed ? { ...state, ...next } : state;
}

/** The fields that one event sets as a whole. */
function ofSession(event: AgentEvent, state: SessionState): Partial<SessionState> {
  if (event.type === 'session_resumed') {
    const { provider, model, configured = { provider, model } } = event;
    // Servers belong to the process, which is another one.
    return { provider, model, configured, ...(state.mcp.length > 0 && { mcp: [] }) };
  }
  if (event.type === 'mcp') return { mcp: event.servers };
  if (event.type === 'sandbox') return { sandbox: { kind: event.kind, ...(event.because !== undefined && { because: event.because }) } };
  if (event.agent !== MAIN) return {};
  switch (event.type) {
    case 'model':
      return { provider: event.provider, model: event.model };
    case 'mode':
      return event.mode === state.mode ? {} : { mode: event.mode, modeBefore: state.mode };
    case 'queued':
      return { queue: event.prompts };
    default:
      return {};
  }
}

/** Whether listeners must hear of it at once: only what a person waits for or has just done. A round of tools is a dozen events; a frame for each would cost more than the tools. */
export function isUrgent(event: AgentEvent): boolean {
  return event.type === 'asked' || event.type === 'answered' || event.type === 'mode' || event.type === 'queued';
}
