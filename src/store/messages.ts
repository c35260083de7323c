// The main agent's conversation: whole messages, and finished parts appended to theirs.
import type { AgentEvent } from '../types/event.ts';
import type { Message } from '../types/message.ts';
import { MAIN } from './agents.ts';

type Messages = readonly Message[];

export function reduceMessages(messages: Messages, event: AgentEvent): Messages {
  if (event.agent !== MAIN) return messages;
  switch (event.type) {
    case 'message':
      return upsert(messages, event.message);
    case 'part': {
      const at = findRecent(messages, event.messageId);
      const old = messages[at];
      if (!old) return [...messages, { id: event.messageId, role: event.role, parts: [event.part], at: event.at }];
      return messages.with(at, { ...old, parts: [...old.parts, event.part] });
    }
    case 'rewound': {
      const at = messages.findIndex(({ id }) => id === event.toMessage);
      return at < 0 ? messages : messages.slice(0, at);
    }
    default:
      return messages;
  }
}

function upsert(messages: Messages, message: Message): Messages {
  const at = findRecent(messages, message.id);
  if (message.parts.length === 0) return at < 0 ? messages : messages.toSpliced(at, 1);
  return at < 0 ? [...messages, message] : messages.with(at, message);
}

/** How far back a message can be that something is still said of: it belongs to the turn under way. */
const RECENT = 64;

/** Index of the message, -1 when it is not among the latest: a look through all for each new one would make a resume quadratic. */
function findRecent(messages: Messages, id: string): number {
  for (let at = messages.length - 1; at >= Math.max(0, messages.length - RECENT); at -= 1) if (messages[at]?.id === id) return at;
  return -1;
}
