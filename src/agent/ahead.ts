// Calls that only read, begun while the answer still streams in. What they say is held back until the answer stands; of an answer that is taken back nothing is kept.
import type { Happening } from '../types/event.ts';
import type { ToolCallPart, ToolResultPart } from '../types/message.ts';
import { callTool, prepareCall } from './call-tool.ts';
import type { Conversation } from './conversation.ts';

/** What was begun of one answer. */
export type Ahead = {
  /** A call of the answer is complete. Those behind one that does more than read are left alone: they must see what it did. */
  begin(part: ToolCallPart): void;
  /** The result of a call that was begun, its events told from now on; `undefined` where it is still to be run as ever. */
  take(part: ToolCallPart): Promise<ToolResultPart | undefined>;
  /** Ends whatever nobody has taken. Another answer may begin. */
  drop(): void;
};

type Begun = { result: Promise<ToolResultPart>; started: Promise<void>; asked(): boolean; tell(): void };

/** `most` calls are under way at the same time. */
export function startAhead(c: Conversation, signal: AbortSignal, most: number): Ahead {
  let begun = new Map<ToolCallPart, Begun>();
  let dropped = new AbortController();
  let open = c.parallel;
  return {
    begin(part) {
      const prepared = prepareCall(c, part);
      // What can't be run at all is answered at once, and holds up nobody.
      if (!open || !prepared.ok) return;
      open = prepared.access.every(({ kind }) => kind === 'read');
      if (open && begun.size < most) begun.set(part, run(c, part, AbortSignal.any([signal, dropped.signal])));
    },
    async take(part) {
      const call = begun.get(part);
      begun.delete(part);
      await call?.started;
      if (!call || call.asked()) return undefined;
      call.tell();
      return call.result;
    },
    drop() {
      if (begun.size > 0) dropped.abort();
      begun = new Map();
      dropped = new AbortController();
      open = c.parallel;
    },
  };
}

function run(c: Conversation, part: ToolCallPart, signal: AbortSignal): Begun {
  let held: Happening[] | undefined = [];
  let asked = false;
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const voice: Conversation['voice'] = {
    emit(happening) {
      if (held) held.push(happening);
      else c.voice.emit(happening);
      if (happening.type === 'tool_started') start();
    },
    // Nobody is troubled by what may yet be taken back: it is run again when the answer stands.
    ask: async () => {
      asked = true;
      return { kind: 'dismissed' };
    },
  };
  const result = callTool(Object.create(c, { voice: { value: voice } }) as Conversation, prepareCall(c, part), signal);
  void result.then(() => start());
  return {
    result, started, asked: () => asked,
    tell() {
      const told = held ?? [];
      held = undefined;
      for (const happening of told) c.voice.emit(happening);
    },
  };
}
