// A decorator that splits `<think>…</think>` in streamed text off as thinking, wherever a tag is cut.
import type { ProviderEvent, StreamPart } from '../types/provider.ts';
import type { Stream } from './wire.ts';

const OPEN = '<think>';
const CLOSE = '</think>';

/** `stream` with its text parts split. Parts get new indices; everything else passes unchanged. */
export function thinkTags(stream: Stream): Stream {
  return async function* (request, signal) {
    const split = createSplitter();
    for await (const event of stream(request, signal)) yield* split(event);
  };
}

/** The state of one stream: gives for each event those that take its place. */
function createSplitter(): (event: ProviderEvent) => ProviderEvent[] {
  let next = 0;
  /* Parts by the index that they came with. */
  const texts = new Map<number, ReturnType<typeof splitText>>();
  const others = new Map<number, number>();
  const start = (part: StreamPart): { index: number; event: ProviderEvent } => ({ index: next, event: { type: 'part_start', index: next++, part } });

  return (event) => {
    switch (event.type) {
      case 'part_start': {
        if (event.part === 'text') {
          texts.set(event.index, splitText(start));
          return [];
        }
        others.set(event.index, next);
        return [{ ...event, index: next++ }];
      }
      case 'part_delta':
      case 'part_end': {
        const text = texts.get(event.index);
        if (text) return event.type === 'part_delta' ? text.add(event.delta) : text.end(event);
        return [{ ...event, index: others.get(event.index) ?? event.index }];
      }
      default:
        return [event];
    }
  };
}

/** One text part: holds back what may be the beginning of a tag. */
function splitText(start: (part: StreamPart) => { index: number; event: ProviderEvent }) {
  let held = '';
  let thinking = false;
  let open: number | undefined;
  /** White space between a tag and the text belongs to neither. */
  let trim = false;

  const write = (text: string): ProviderEvent[] => {
    const delta = trim ? text.trimStart() : text;
    if (delta === '') return [];
    trim = false;
    const events: ProviderEvent[] = [];
    if (open === undefined) {
      const begun = start(thinking ? 'thinking' : 'text');
      events.push(begun.event);
      open = begun.index;
    }
    return [...events, { type: 'part_delta', index: open, delta }];
  };
  const close = (): ProviderEvent[] => {
    const events: ProviderEvent[] = open === undefined ? [] : [{ type: 'part_end', index: open }];
    open = undefined;
    return events;
  };

  return {
    add(delta: string): ProviderEvent[] {
      held += delta;
      const events: ProviderEvent[] = [];
      for (;;) {
        const tag = thinking ? CLOSE : OPEN;
        const at = held.indexOf(tag);
        if (at < 0) {
          const keep = beginning(held, tag);
          events.push(...write(held.slice(0, held.length - keep)));
          held = held.slice(held.length - keep);
          return events;
        }
        events.push(...write(held.slice(0, at)), ...close());
        held = held.slice(at + tag.length);
        thinking = !thinking;
        trim = true;
      }
    },
    end(event: Extract<ProviderEvent, { type: 'part_end' }>): ProviderEvent[] {
      const events = write(held);
      return open === undefined ? events : [...events, { ...event, index: open }];
    },
  };
}

/** How many characters at the end of `text` may begin `tag`. */
function beginning(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}
