// Where everything stands: rectangles of the panes for a screen of any size.

export type Rect = { x: number; y: number; width: number; height: number };

/** A full-width line of the frame, joints included. */
export type Rule = { y: number; text: string };

export type Layout = {
  /** Whether there is room for borders. Without them `rules` is empty and the rectangles touch. */
  frame: boolean;
  header: Rect;
  chat: Rect;
  /** `null` when hidden, or when the log is a tab and the chat is shown. With the tab open, `chat` has height 0. */
  tools: Rect | null;
  /** One row while working, height 0 else. */
  spinner: Rect;
  prompt: Rect;
  status: Rect;
  /** Lines of the frame below the header (the header row is its top line). */
  rules: readonly Rule[];
  /** The column of `│` between chat and log, if they stand side by side. */
  divider: Rect | null;
};

export type LayoutOptions = {
  /** Rows that the prompt would like. */
  prompt: number;
  spinner: boolean;
  /** Where the log goes (`ui.layout`); beside the chat it needs 100 columns, and becomes a tab on fewer. */
  log: 'side' | 'bottom' | 'hidden';
  /** Which tab is open where the log is one. */
  tab: 'chat' | 'tools';
};

/** The layout for a screen of `columns` × `rows`; every number is 0 or more, and nothing overlaps from 20×6 up. */
export function layout(size: { columns: number; rows: number }, options: LayoutOptions): Layout {
  const rect = { x: 0, y: 0, width: size.columns, height: 0 };
  void options;
  return { frame: false, header: rect, chat: rect, tools: null, spinner: rect, prompt: rect, status: rect, rules: [], divider: null };
}
