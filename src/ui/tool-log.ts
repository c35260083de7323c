// The tool-call log: one row a call with its state, the selected one opened, the todo list below.
import { clean, cleanLine } from '../lib/clean.ts';
import { MAIN } from '../store/agents.ts';
import type { ToolResultPart } from '../types/message.ts';
import type { SessionState, ToolEntry } from '../types/state.ts';
import { formatCount, formatMs, formatSeconds, toolMarks } from './format.ts';
import { fit, spread, wrap, type Span } from './lines.ts';
import type { Theme } from './themes.ts';
import { textRows, todoRows, viewRows } from './views.ts';

/** `now` is milliseconds since 1970; `selected` the id of a call, drawn open and kept in view, or `null` to follow the end. */
export type ToolLogView = { width: number; height: number; theme: Theme; now: number; selected: string | null };

export type ToolLogWindow = {
  /** At most `height` painted rows. */
  rows: readonly string[];
  /** Of each row: the id of the call it belongs to, or `null`. */
  owners: readonly (string | null)[];
  /** Whether a running call is in sight, so that its seconds must be redrawn. */
  ticking: boolean;
};

export type ToolLogState = Pick<SessionState, 'tools' | 'todos' | 'messages' | 'tasks'>;

type Row = { text: string; owner: string | null };

/** Rows of live output under a running call. */
const TAIL_ROWS = 2;
/** The todo list takes no more than this part of the pane. */
const TODO_SHARE = 0.4;
/** The commands in the background take no more than this part. */
const TASK_SHARE = 0.3;
const ARGUMENT_ROWS = 6;

/** The rows of the pane. Costs what is in sight, not what the log holds. */
export function toolLogWindow(state: ToolLogState, view: ToolLogView): ToolLogWindow {
  const { width, height } = view;
  if (width < 1 || height < 1) return { rows: [], owners: [], ticking: false };
  const background = taskBlock(state.tasks, view);
  const todos = todoBlock(state.todos, view);
  const room = height - todos.length - background.length;
  const { tools } = state;
  const selected = view.selected === null ? -1 : tools.findLastIndex(({ call }) => call.id === view.selected);

  // From the last call up, or from the selected one, which is shown whole as far as there is room.
  let at = selected < 0 ? tools.length - 1 : selected;
  let rows: Row[] = [];
  let ticking = background.length > 0;
  for (; at >= 0 && rows.length < room; at -= 1) {
    const entry = tools[at];
    if (!entry) break;
    ticking ||= entry.status === 'running';
    rows = [...entryRows(entry, state, view, at === selected), ...rows];
  }
  if (selected >= 0) {
    const open = rows.findIndex(({ owner }) => owner === view.selected);
    rows = rows.slice(Math.min(open, Math.max(0, rows.length - room)));
    for (let after = selected + 1; after < tools.length && rows.length < room; after += 1) {
      const entry = tools[after];
      if (entry) rows.push(...entryRows(entry, state, view, false));
    }
    rows = rows.slice(0, room);
  } else rows = rows.slice(Math.max(0, rows.length - room));
  const all = [...rows, ...background, ...todos];
  return { rows: all.map(({ text }) => text), owners: all.map(({ owner }) => owner), ticking };
}

/** The call `step` places after the selected one; from none the last one; `null` once it leaves the end. */
export function moveSelection(tools: SessionState['tools'], selected: string | null, step: number): string | null {
  const at = selected === null ? -1 : tools.findLastIndex(({ call }) => call.id === selected);
  if (at < 0) return step > 0 ? null : (tools.at(-1)?.call.id ?? null);
  return tools[Math.max(0, at + step)]?.call.id ?? null;
}

function entryRows(entry: ToolEntry, state: ToolLogState, view: ToolLogView, open: boolean): Row[] {
  const { theme, width } = view;
  const rows = [lineRow(entry, view, open)];
  if (open) rows.push(...detailRows(entry, resultOf(state, entry), { width: Math.max(1, width - 2), theme }).map((row) => (width > 2 ? `  ${row}` : row)));
  else if (entry.status === 'running' && entry.tail.trim() !== '') {
    const tail = clean(entry.tail).trimEnd().split('\n').slice(-TAIL_ROWS);
    rows.push(...tail.map((line, at) => fit([{ text: at === 0 ? '  └ ' : '    ', sgr: theme.sgr.border }, { text: line, sgr: theme.sgr.dim }], width)));
  }
  return rows.map((text) => ({ text, owner: entry.call.id }));
}

/** `✓ Name argument   2ms 1.2K`; a subagent's calls stand further in. */
function lineRow(entry: ToolEntry, { width, theme, now }: ToolLogView, open: boolean): string {
  const { glyph, style, word } = toolMarks[entry.status];
  const depth = entry.agent === MAIN ? 0 : entry.agent.split('/').length - 1;
  const name: Span[] = [
    { text: `${'  '.repeat(depth)}${glyph} `, sgr: theme.sgr[style] },
    { text: cleanLine(entry.call.name), sgr: open ? theme.sgr.selected : theme.sgr.strong },
    { text: ` ${cleanLine(entry.title)} ` },
  ];
  const size = entry.size === undefined ? '' : ` ${formatCount(entry.size)}`;
  const said = entry.status === 'running' ? formatSeconds(now - (entry.startedAt ?? now))
    : entry.status === 'done' || entry.status === 'failed' ? `${formatMs(entry.ms ?? 0)}${size}`
    : word;
  return spread(name, [{ text: said, sgr: entry.status === 'asking' ? theme.sgr.warning : theme.sgr.dim }], width);
}

/** Arguments, decision and output of the opened call. */
function detailRows(entry: ToolEntry, result: ToolResultPart | undefined, options: { width: number; theme: Theme }): string[] {
  const { width, theme } = options;
  const { decision, call } = entry;
  const decided = decision === undefined ? [] : wrap([{ text: `${decision.verdict} by ${decision.layer}: ${cleanLine(decision.because)}${decision.rule === undefined ? '' : ` (${cleanLine(decision.rule)})`}`, sgr: theme.sgr.dim }], width);
  const output = result?.view ? viewRows(result.view, options)
    : result ? textRows(result.text, { ...options, style: result.ok ? 'text' : 'danger' })
    : entry.tail === '' ? [] : viewRows({ type: 'terminal', command: '', output: entry.tail }, options);
  return [...argumentRows(call.input, options), ...decided, ...output];
}

function argumentRows(input: unknown, { width, theme }: { width: number; theme: Theme }): string[] {
  const values = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  return values.flatMap(([name, value]) => {
    const text = clean(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
    const rows = wrap([{ text: `${cleanLine(name)}: `, sgr: theme.sgr.variable }, { text: text.split('\n').slice(0, ARGUMENT_ROWS).join('\n') }], width);
    return rows.length > ARGUMENT_ROWS || text.split('\n').length > ARGUMENT_ROWS ? [...rows.slice(0, ARGUMENT_ROWS), fit([{ text: '…', sgr: theme.sgr.dim }], width)] : rows;
  });
}

function resultOf({ messages }: ToolLogState, { call, agent }: ToolEntry): ToolResultPart | undefined {
  if (agent !== MAIN) return undefined;
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    for (const part of messages[at]?.parts ?? []) if (part.type === 'tool_result' && part.callId === call.id) return part;
  }
  return undefined;
}

/** `● bg_1 npm run dev   12s` with the last line of each, the newest where not all fit. */
function taskBlock(tasks: SessionState['tasks'], { width, height, theme, now }: ToolLogView): Row[] {
  const rows = tasks.filter(({ status }) => status === 'running').flatMap(({ id, title, startedAt, tail }) => {
    const name: Span[] = [{ text: `${toolMarks.running.glyph} `, sgr: theme.sgr.running }, { text: cleanLine(id), sgr: theme.sgr.strong }, { text: ` ${cleanLine(title)} ` }];
    const last = clean(tail).trimEnd().split('\n').at(-1) ?? '';
    return [
      spread(name, [{ text: formatSeconds(now - startedAt), sgr: theme.sgr.dim }], width),
      ...(last === '' ? [] : [fit([{ text: '  └ ', sgr: theme.sgr.border }, { text: last, sgr: theme.sgr.dim }], width)]),
    ];
  });
  const room = Math.floor(height * TASK_SHARE);
  return rows.slice(Math.max(0, rows.length - room)).map((text) => ({ text, owner: null }));
}

/** `todo 2/5` and the list, what is at work and what comes next before what is done. */
function todoBlock(todos: SessionState['todos'], { width, height, theme }: ToolLogView): Row[] {
  if (todos.length === 0) return [];
  const done = todos.filter(({ status }) => status === 'completed').length;
  const title = fit([{ text: `todo ${done}/${todos.length}`, sgr: theme.sgr.heading }], width);
  const room = Math.max(0, Math.floor(height * TODO_SHARE) - 1);
  const rows = todos.map((todo) => todoRows(todo, width, theme));
  // Where not all fit, the finished ones at the top go first.
  let first = 0;
  const length = () => rows.slice(first).reduce((total, { length: own }) => total + own, 0);
  while (first < todos.length && todos[first]?.status === 'completed' && length() > room) first += 1;
  return [title, ...rows.slice(first).flat().slice(0, room)].map((text) => ({ text, owner: null }));
}
