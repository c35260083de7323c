// The transcript: the rows of the chat pane for a window of it, at a cost that does not grow with the session.
import type { SessionState } from '../types/state.ts';
import type { Theme } from './themes.ts';
import { createBlocks, isShown, type Block } from './transcript-blocks.ts';
import { orderOf, type Entry, type Order } from './transcript-order.ts';

/** Where the window stands: at the end and following it, or with `line` of an entry as its first row. */
export type Anchor = 'end' | { entry: string; line: number };

/** What is unfolded: everything, or the named entries and calls. */
export type Unfolded = 'all' | ReadonlySet<string>;

/** The window: its size in columns and rows, where it stands and how it is drawn. */
export type TranscriptView = { width: number; height: number; anchor: Anchor; theme: Theme; unfolded: Unfolded; showThinking: boolean };

export type TranscriptWindow = {
  /** At most `height` painted rows, none wider than `width`; fewer only when there are no more. */
  rows: readonly string[];
  /** Of each row: the entry or the call that it belongs to, as `unfolded` names it. */
  owners: readonly string[];
  /** The anchor as it stands now: `end` once nothing is below, moved where its entry has gone. Keep this one. */
  anchor: Anchor;
  /** Hidden rows below; exact near the end, an estimate further away. */
  below: number;
  /** Whether anything is above. */
  above: boolean;
};

/** The part of the session that the transcript shows. */
export type TranscriptState = Pick<SessionState, 'messages' | 'live' | 'notices' | 'tools'>;

export type Jump = 'top' | 'end' | 'previousMessage' | 'nextMessage';

export type Transcript = {
  window(state: TranscriptState, view: TranscriptView): TranscriptWindow;
  /** The anchor after scrolling by `lines`, up when negative. */
  scroll(state: TranscriptState, view: TranscriptView, lines: number): Anchor;
  jump(state: TranscriptState, view: TranscriptView, to: Jump): Anchor;
  /** How many blocks have been rendered (not taken from the cache) so far; for tests and benches. */
  rendered(): number;
};

/** A row: of the entry at `position`, its `line`. */
type Place = { position: number; line: number };

/** Entries below the window that are drawn to be counted, and those that are estimated one by one. */
const COUNTED = 8;
const ESTIMATED = 100;

/**
 * Makes a transcript with a line cache of its own. One for each chat pane, kept as long as the pane. `changed` is called
 * when rows look different although the state has not changed (colours of a language have arrived).
 */
export function createTranscript(changed: () => void = () => {}): Transcript {
  const blocks = createBlocks(changed);
  // Where the anchor's entry was last time: it moves only when messages are taken away.
  let hint = 0;

  /** What one call needs to know, made once. */
  const look = (state: TranscriptState, view: TranscriptView) => {
    const order = orderOf(state);
    const { unfolded } = view;
    const options = { width: view.width, theme: view.theme, showThinking: view.showThinking, isOpen: (id: string) => unfolded === 'all' || unfolded.has(id) };
    const drawn = new Map<number, Block[]>();
    const blocksAt = (position: number): Block[] => {
      let made = drawn.get(position);
      if (!made) {
        const entry = order.at(position);
        made = entry ? blocks.of(state, entry, options) : [];
        // An empty row before each entry but the first.
        if (entry && made.length > 0 && shownFrom(order, position - 1, -1) >= 0) made = [{ owner: entry.id, rows: [''] }, ...made];
        drawn.set(position, made);
      }
      return made;
    };
    const heightAt = (position: number) => blocksAt(position).reduce((total, { rows }) => total + rows.length, 0);
    return { order, blocksAt, heightAt, state, view };
  };
  type Look = ReturnType<typeof look>;

  /** `lines` rows further up, stopping at the first row there is. */
  const up = ({ order, heightAt }: Look, from: Place, lines: number): Place => {
    let { position, line } = from;
    let left = lines;
    while (left > line) {
      const above = shownFrom(order, position - 1, -1);
      if (above < 0) return { position, line: 0 };
      left -= line;
      position = above;
      line = heightAt(above);
    }
    return { position, line: line - left };
  };

  const end = (seen: Look): Place => up(seen, { position: seen.order.count, line: 0 }, seen.view.height);

  /** `lines` rows further down, or `undefined` when the window would reach the end. */
  const down = (seen: Look, from: Place, lines: number): Place | undefined => {
    const { order, heightAt } = seen;
    let { position, line } = from;
    for (let left = lines; ;) {
      const rest = heightAt(position) - line;
      if (left < rest) { line += left; break; }
      left -= rest;
      position = shownFrom(order, position + 1, 1);
      line = 0;
      if (position < 0) return undefined;
    }
    let shown = heightAt(position) - line;
    for (let next = shownFrom(order, position + 1, 1); shown <= seen.view.height; next = shownFrom(order, next + 1, 1)) {
      if (next < 0) return undefined;
      shown += heightAt(next);
    }
    return { position, line };
  };

  /** The place of the window's first row, and whether the window follows the end. */
  const top = (seen: Look): { place: Place; follows: boolean } => {
    const { anchor } = seen.view;
    if (anchor === 'end') return { place: end(seen), follows: true };
    const position = seen.order.find(anchor.entry, hint);
    const height = position < 0 ? 0 : seen.heightAt(position);
    const kept = height > 0 ? down(seen, { position, line: Math.max(0, Math.min(anchor.line, height - 1)) }, 0) : undefined;
    if (!kept) return { place: end(seen), follows: true };
    hint = position;
    return { place: kept, follows: false };
  };

  const anchorAt = ({ order }: Look, { position, line }: Place): Anchor => {
    const entry = order.at(position);
    if (!entry) return 'end';
    hint = position;
    return { entry: entry.id, line };
  };

  const below = (seen: Look, last: Place): number => {
    let lines = seen.heightAt(last.position) - last.line;
    let { position } = last;
    for (let nth = 0; nth < ESTIMATED; nth += 1) {
      position = shownFrom(seen.order, position + 1, 1);
      if (position < 0) return lines;
      lines += nth < COUNTED ? seen.heightAt(position) : guessHeight(seen.order.at(position), seen.view.width);
    }
    // Of the rest only the number is known.
    const walked = Math.max(1, position - last.position);
    return lines + Math.round((lines / walked) * (seen.order.count - 1 - position));
  };

  return {
    window(state, view) {
      if (view.height < 1 || view.width < 1) return { rows: [], owners: [], anchor: view.anchor, below: 0, above: false };
      const seen = look(state, view);
      const { place, follows } = top(seen);
      const rows: string[] = [];
      const owners: string[] = [];
      let last = place;
      for (let { position, line } = place; position >= 0 && rows.length < view.height; position = shownFrom(seen.order, position + 1, 1)) {
        let skip = position === place.position ? line : 0;
        last = { position, line: skip };
        for (const block of seen.blocksAt(position)) {
          const part = block.rows.slice(skip, skip + view.height - rows.length);
          skip = Math.max(0, skip - block.rows.length);
          for (const row of part) { rows.push(row); owners.push(block.owner); }
          last.line += part.length;
        }
      }
      return {
        rows,
        owners,
        anchor: follows ? 'end' : anchorAt(seen, place),
        below: follows ? 0 : below(seen, last),
        above: place.line > 0 || shownFrom(seen.order, place.position - 1, -1) >= 0,
      };
    },
    scroll(state, view, lines) {
      const seen = look(state, view);
      const { place, follows } = top(seen);
      if (lines >= 0) {
        const further = follows ? undefined : down(seen, place, lines);
        return further ? anchorAt(seen, further) : 'end';
      }
      const higher = up(seen, place, -lines);
      const stays = higher.position === place.position && higher.line === place.line;
      return stays && follows ? 'end' : anchorAt(seen, higher);
    },
    jump(state, view, to) {
      if (to === 'end') return 'end';
      const seen = look(state, view);
      const { place, follows } = top(seen);
      const settle = (position: number): Anchor => {
        const found = position < 0 ? undefined : down(seen, { position, line: 0 }, 0);
        return found ? anchorAt(seen, found) : 'end';
      };
      if (to === 'top') return settle(shownFrom(seen.order, 0, 1));
      if (to === 'nextMessage') return follows ? 'end' : settle(messageFrom(seen.order, place.position + 1, 1));
      const above = place.line > 0 ? messageFrom(seen.order, place.position, -1) : messageFrom(seen.order, place.position - 1, -1);
      return above < 0 ? settle(shownFrom(seen.order, 0, 1)) : settle(above);
    },
    rendered: blocks.made,
  };
}

/** The next entry that is drawn, from `position` on; -1 when there is none. */
function shownFrom(order: Order, position: number, step: 1 | -1): number {
  return seek(order, position, step, isShown);
}

function messageFrom(order: Order, position: number, step: 1 | -1): number {
  return seek(order, position, step, (entry) => entry.kind !== 'notice' && isShown(entry));
}

function seek(order: Order, position: number, step: 1 | -1, fits: (entry: Entry) => boolean): number {
  for (let at = position; at >= 0 && at < order.count; at += step) {
    const entry = order.at(at);
    if (entry && fits(entry)) return at;
  }
  return -1;
}

/** Rows of an entry that nobody has drawn yet, from the length of its texts. */
function guessHeight(entry: Entry | undefined, width: number): number {
  if (entry?.kind !== 'message') return 2;
  return entry.message.parts.reduce((total, part) => total + 1 + (part.type === 'text' ? Math.ceil(part.text.length / width) : 0), 0);
}
