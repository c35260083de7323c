// What MewCode itself has to say, each with its place between the messages.
import type { AgentEvent } from '../types/event.ts';
import type { Message } from '../types/message.ts';
import type { Notice } from '../types/state.ts';

/** `messages` are those after the event. */
export function reduceNotices(notices: readonly Notice[], event: AgentEvent, messages: readonly Message[]): readonly Notice[] {
  if (event.type === 'notice') {
    const { level, text, view, at } = event;
    return [...notices, { id: `notice-${at}-${notices.length}`, level, text, ...(view === undefined ? {} : { view }), at, after: messages.length }];
  }
  // Places never decrease along the list; what stood behind the place rewound to goes with it.
  const gone = event.type === 'rewound' || event.type === 'message' ? notices.findIndex(({ after }) => after > messages.length) : -1;
  if (gone < 0) return notices;
  if (event.type === 'rewound') return notices.slice(0, gone);
  return notices.map((notice, at) => (at < gone ? notice : { ...notice, after: messages.length }));
}
