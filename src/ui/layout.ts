// Where everything stands: rectangles of the panes for a screen of any size.

export type Rect = { x: number; y: number; width: number; height: number };

/** A full-width line of the frame, joints included. */
export type Rule = { y: number; text: string };

export type Layout = {
  /** Whether there is room for borders: `│` at both edges of every row that is not a rule. Without them `rules` is empty and the rectangles touch. */
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

const SIDE_COLUMNS = 100;
const FRAME = { columns: 60, rows: 14 };
/** The chat keeps at least this many rows beside the prompt. */
const CHAT_ROWS = 3;

/** The layout for a screen of `columns` × `rows`; every number is 0 or more, and nothing overlaps from 20×6 up. */
export function layout(size: { columns: number; rows: number }, options: LayoutOptions): Layout {
  const columns = Math.max(0, size.columns);
  const rows = Math.max(0, size.rows);
  const frame = columns >= FRAME.columns && rows >= FRAME.rows;
  const edge = frame ? 1 : 0;
  // One blank column between the edge and the text.
  const inner = { x: 2 * edge, width: columns - 4 * edge };

  // From the bottom up; each takes what is left.
  let bottom = rows;
  const take = (height: number): number => {
    const taken = Math.min(Math.max(0, height), bottom);
    bottom -= taken;
    return taken;
  };
  const rect = (height: number): Rect => ({ ...inner, height, y: bottom });
  take(edge);
  const lastRule = bottom;
  const status = rect(take(1));
  take(edge);
  const promptRule = bottom;
  const head = rows > 3 ? 1 : 0;
  const prompt = rect(take(Math.max(1, Math.min(options.prompt, bottom - edge - head - CHAT_ROWS - (options.spinner ? 1 : 0)))));
  take(edge);
  const bodyRule = bottom;
  const spinner = rect(bottom > head + 1 && options.spinner ? take(1) : 0);
  const header = { x: 0, y: 0, width: columns, height: Math.min(head, bottom) };
  const body = { ...inner, y: header.height, height: bottom - header.height };
  const { chat, tools, divider, across } = panes(body, columns, options);

  const rules: Rule[] = !frame ? [] : [
    // A spinner line stands between the panes and the rule: then the divider does not reach it.
    ...(across === undefined ? [] : [{ y: across, text: ruleText(columns, '├', '┤', undefined) }]),
    { y: bodyRule, text: ruleText(columns, '├', '┤', spinner.height === 0 ? divider?.x : undefined) },
    { y: promptRule, text: ruleText(columns, '├', '┤', undefined) },
    { y: lastRule, text: ruleText(columns, '└', '┘', undefined) },
  ];
  return { frame, header, chat, tools, spinner, prompt, status, rules, divider };
}

type Panes = Pick<Layout, 'chat' | 'tools' | 'divider'> & { /** The row of the rule between two panes on top of each other. */ across?: number };

function panes(body: Rect, columns: number, { log, tab }: LayoutOptions): Panes {
  const whole = { chat: body, tools: null, divider: null };
  if (log === 'hidden') return whole;
  if (log === 'side' && columns >= SIDE_COLUMNS) {
    const width = Math.min(60, Math.floor(body.width * 0.34));
    const x = body.x + body.width - width;
    return {
      chat: { ...body, width: body.width - width - 3 },
      divider: { ...body, x: x - 2, width: 1 },
      tools: { ...body, x, width },
    };
  }
  if (log === 'bottom' && body.height >= 10) {
    const height = Math.floor(body.height / 3);
    const y = body.y + body.height - height;
    return { chat: { ...body, height: body.height - height - 1 }, divider: null, tools: { ...body, y, height }, across: y - 1 };
  }
  return tab === 'chat' ? whole : { chat: { ...body, height: 0 }, tools: body, divider: null };
}

function ruleText(columns: number, left: string, right: string, joint: number | undefined): string {
  const line = '─'.repeat(Math.max(0, columns - 2));
  return left + (joint === undefined ? line : `${line.slice(0, joint - 1)}┴${line.slice(joint)}`) + right;
}
