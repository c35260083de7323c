// The transcript: the rows of the chat pane for a window of it, at a cost that does not grow with the session.
import type { SessionState } from '../types/state.ts';
import type { Theme } from './themes.ts';

/** Where the window stands: at the end and following it, or with `line` of an entry as its first row. */
export type Anchor = 'end' | { entry: string; line: number };

/** What is unfolded: everything, or the named entries and calls. */
export type Unfolded = 'all' | ReadonlySet<string>;

/** The window: its size in columns and rows, where it stands and how it is drawn. */
export type TranscriptView = { width: number; height: number; anchor: Anchor; theme: Theme; unfolded: Unfolded; showThinking: boolean };

export type TranscriptWindow = {
  /** At most `height` painted rows, none wider than `width`. */
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

/** Makes a transcript with a line cache of its own. One for each chat pane, kept as long as the pane. */
export function createTranscript(): Transcript {
  return {
    window: (_state, view) => ({ rows: [], owners: [], anchor: view.anchor, below: 0, above: false }),
    scroll: (_state, view) => view.anchor,
    jump: (_state, view) => view.anchor,
    rendered: () => 0,
  };
}
