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
      const at = messages.findLastIndex(({ id }) => id === event.messageId);
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
  const at = messages.findLastIndex(({ id }) => id === message.id);
  if (message.parts.length === 0) return at < 0 ? messages : messages.toSpliced(at, 1);
  return at < 0 ? [...messages, message] : messages.with(at, message);
}
