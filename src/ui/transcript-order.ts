// The order of the transcript: messages, notices between them, and the answer on its way, by position without a list of them all.
import type { Live } from '../types/assemble.ts';
import type { Message } from '../types/message.ts';
import type { Notice, SessionState } from '../types/state.ts';

export type Entry =
  | { kind: 'message'; id: string; message: Message; index: number }
  /** `message` holds the parts of the answer that are finished. */
  | { kind: 'live'; id: string; live: Live; message: Message | undefined; index: number }
  | { kind: 'notice'; id: string; notice: Notice };

export type Order = {
  count: number;
  at(position: number): Entry | undefined;
  /** Position of an entry, -1 when it is gone. Looks at `hint` first. */
  find(id: string, hint: number): number;
};

/** The streamed answer's finished parts stand in one of the last messages: results of calls may follow. */
const NEAR_END = 8;

/** The order for a state. Costs nothing to make; `at` costs the logarithm of the number of notices. */
export function orderOf({ messages, notices, live }: Pick<SessionState, 'messages' | 'notices' | 'live'>): Order {
  const near = live ? messages.slice(-NEAR_END).findIndex(({ id }) => id === live.id) : -1;
  const liveIndex = !live ? -1 : near < 0 ? messages.length : Math.max(0, messages.length - NEAR_END) + near;
  const count = messages.length + notices.length + (liveIndex === messages.length ? 1 : 0);
  /** How many notices stand before message `index`. */
  const noticesBefore = (index: number) => lowest(notices.length, (at) => (notices[at]?.after ?? 0) > index);

  const at = (position: number): Entry | undefined => {
    if (position < 0 || position >= count) return undefined;
    const before = lowest(notices.length, (nth) => nth + Math.min(notices[nth]?.after ?? 0, messages.length) >= position);
    const notice = notices[before];
    if (notice && before + Math.min(notice.after, messages.length) === position) return { kind: 'notice', id: notice.id, notice };
    const index = position - before;
    const message = messages[index];
    if (live && index === liveIndex) return { kind: 'live', id: live.id, live, message, index };
    return message && { kind: 'message', id: message.id, message, index };
  };
  return {
    count,
    at,
    find(id, hint) {
      if (at(hint)?.id === id) return hint;
      const index = live?.id === id ? liveIndex : messages.findLastIndex((message) => message.id === id);
      if (index >= 0) return index + noticesBefore(index);
      const nth = notices.findIndex((notice) => notice.id === id);
      return nth < 0 ? -1 : nth + Math.min(notices[nth]?.after ?? 0, messages.length);
    },
  };
}

/** The lowest number below `count` that passes, or `count`; once one passes, all above do. */
function lowest(count: number, passes: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
