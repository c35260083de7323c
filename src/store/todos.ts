// The todo list: whatever the last result with a view of todos says.
import type { AgentEvent } from '../types/event.ts';
import type { Message, Part, Todo } from '../types/message.ts';
import { MAIN } from './agents.ts';

const NONE: readonly Todo[] = [];

/** `messages` are those after the event: a rewind brings back an older list. */
export function reduceTodos(todos: readonly Todo[], event: AgentEvent, messages: readonly Message[]): readonly Todo[] {
  if (event.agent !== MAIN) return todos;
  if (event.type === 'part') return listIn(event.part) ?? todos;
  if (event.type !== 'rewound') return todos;
  return messages.flatMap(({ parts }) => parts).map(listIn).findLast((list) => list !== undefined) ?? NONE;
}

function listIn(part: Part): readonly Todo[] | undefined {
  return part.type === 'tool_result' && part.view?.type === 'todos' ? part.view.items : undefined;
}
