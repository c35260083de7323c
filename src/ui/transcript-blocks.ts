// The blocks that an entry of the transcript is drawn as: text, thinking, calls with their results, notices.
import { clean, cleanLine } from '../lib/clean.ts';
import type { LivePart } from '../types/assemble.ts';
import type { Message, Part, ToolResultPart } from '../types/message.ts';
import type { Notice, SessionState, ToolEntry } from '../types/state.ts';
import { MAIN } from '../store/agents.ts';
import { formatCount, toolMarks } from './format.ts';
import { createHighlighter } from './highlight.ts';
import { fit, wrap } from './lines.ts';
import { createMarkdown, markdownRows, type Markdown } from './markdown.ts';
import { createRowCache } from './transcript-cache.ts';
import { callRows } from './transcript-call.ts';
import type { Entry } from './transcript-order.ts';
import { paint, type Style, type Theme } from './themes.ts';
import { viewRows } from './views.ts';

/** Rows that belong together. `owner` is what unfolds them: a call's id, or the entry's. */
export type Block = { owner: string; rows: readonly string[]; kind?: 'call' };

export type BlockOptions = { width: number; theme: Theme; isOpen(id: string): boolean; showThinking: boolean };

export type Blocks = {
  of(state: Pick<SessionState, 'messages' | 'tools'>, entry: Entry, options: BlockOptions): Block[];
  made(): number;
};

/** Whether an entry is drawn at all; tells without drawing it. */
export function isShown(entry: Entry): boolean {
  if (entry.kind === 'notice') return true;
  if (entry.kind === 'live') return entry.live.parts.length > 0;
  return entry.message.role !== 'tool' && entry.message.source !== 'reminder' && entry.message.parts.some((part) => part.type !== 'thinking' || part.text.trim() !== '');
}

/** Makes the drawing of blocks, with its caches. `changed` is called when blocks look different because a language has arrived. */
export function createBlocks(changed: () => void): Blocks {
  const cache = createRowCache();
  const highlighter = createHighlighter(changed);
  const findTool = createToolIndex();
  // Of the answer on its way, by the number of the part.
  let streams = new Map<number, { markdown: Markdown; deps: readonly unknown[] }>();
  let streaming = '';
  let faded: { of: Theme; theme: Theme } | undefined;

  const fadedTheme = (theme: Theme): Theme => {
    if (faded?.of !== theme) faded = { of: theme, theme: fade(theme) };
    return faded.theme;
  };

  const ofPart = (part: Part, id: string, options: BlockOptions, call: (id: string) => { entry: ToolEntry | undefined; result: ToolResultPart | undefined }): Block | undefined => {
    const { width, theme } = options;
    const rows = (deps: readonly unknown[], make: () => string[]) => cache.rows(part, [width, theme, ...deps], make);
    switch (part.type) {
      case 'text':
        return { owner: id, rows: rows([highlighter.revision()], () => markdownRows(part.text, { width, theme, highlighter })) };
      case 'thinking': {
        if (part.text.trim() === '') return undefined;
        const open = options.showThinking || options.isOpen(id);
        return { owner: id, rows: rows([open, highlighter.revision()], () => (open ? thinkingRows(markdownRows(part.text, { width: thinkingWidth(width), theme: fadedTheme(theme), highlighter }), width, theme) : foldedThinking(part.text, width, theme))) };
      }
      case 'image':
        return { owner: id, rows: [fit([{ text: `[image ${cleanLine(part.mime)}]`, sgr: theme.sgr.dim }], width)] };
      case 'tool_call': {
        const { entry, result } = call(part.id);
        const open = options.isOpen(part.id) || options.isOpen(id);
        return { kind: 'call', owner: part.id, rows: rows([entry, result, open], () => callRows(part, entry, result, { width, theme, open })) };
      }
      case 'tool_result':
        return undefined;
    }
  };

  const ofLive = (part: LivePart, id: string, { width, theme }: BlockOptions): Block | undefined => {
    if (part.kind === 'tool_call') {
      const spans = [{ text: `${toolMarks.waiting.glyph} `, sgr: theme.sgr.dim }, { text: cleanLine(part.name ?? ''), sgr: theme.sgr.strong }, { text: ` … ${formatCount(part.raw.length)} characters`, sgr: theme.sgr.dim }];
      return { kind: 'call', owner: id, rows: [fit(spans, width)] };
    }
    if (part.raw.trim() === '') return undefined;
    const thinking = part.kind === 'thinking';
    const deps = [width, theme, highlighter.revision()];
    let stream = streams.get(part.index);
    if (!stream || stream.deps.some((dep, at) => dep !== deps[at])) {
      stream = { deps, markdown: createMarkdown(thinking ? { width: thinkingWidth(width), theme: fadedTheme(theme), highlighter } : { width, theme, highlighter }) };
      streams.set(part.index, stream);
    }
    const rows = stream.markdown.rows(part.raw);
    return { owner: id, rows: thinking ? thinkingRows(rows, width, theme) : rows };
  };

  return {
    made: cache.made,
    of(state, entry, options) {
      const { width, theme } = options;
      if (entry.kind === 'notice') return blocksOf([{ owner: entry.id, rows: cache.rows(entry.notice, [width, theme], () => noticeRows(entry.notice, width, theme)) }]);
      if (!isShown(entry)) return [];
      if (entry.kind === 'message' && entry.message.role === 'user') {
        return [{ owner: entry.id, rows: cache.rows(entry.message, [width, theme], () => promptRows(entry.message, width, theme)) }];
      }
      const call = (callId: string) => ({ entry: findTool(state.tools, callId), result: findResult(state.messages, entry.index, callId) });
      if (entry.kind === 'message') return blocksOf(entry.message.parts.map((part) => ofPart(part, entry.id, options, call)));
      if (streaming !== entry.id) {
        streaming = entry.id;
        streams = new Map();
      }
      const finished = entry.message?.parts ?? [];
      return blocksOf(entry.live.parts.map((part, at) => {
        const done = finished[at] ?? part.done;
        return done ? ofPart(done, entry.id, options, call) : ofLive(part, entry.id, options);
      }));
    },
  };
}

/** With an empty row between them; calls of one row each stand together. */
function blocksOf(made: readonly (Block | undefined)[]): Block[] {
  const blocks = made.filter((block) => block !== undefined).filter(({ rows }) => rows.length > 0);
  const isCallLine = (block: Block | undefined) => block?.kind === 'call' && block.rows.length === 1;
  return blocks.flatMap((block, at) => (at === 0 || (isCallLine(block) && isCallLine(blocks[at - 1])) ? [block] : [{ owner: block.owner, rows: [''] }, block]));
}

/** Results stand in the messages right behind the answer. */
function findResult(messages: readonly Message[], index: number, callId: string): ToolResultPart | undefined {
  for (let at = index + 1; messages[at]?.role === 'tool'; at += 1) {
    for (const part of messages[at]?.parts ?? []) if (part.type === 'tool_result' && part.callId === callId) return part;
  }
  return undefined;
}

/** Finds calls of the main agent by id. The log only grows at its end, so places are remembered. */
function createToolIndex(): (tools: readonly ToolEntry[], callId: string) => ToolEntry | undefined {
  let places = new Map<string, number>();
  let seen = 0;
  let first: string | undefined;
  return (tools, callId) => {
    if (tools.length < seen || tools[0]?.call.id !== first) [places, seen, first] = [new Map(), 0, tools[0]?.call.id];
    for (; seen < tools.length; seen += 1) {
      const entry = tools[seen];
      if (entry?.agent === MAIN) places.set(entry.call.id, seen);
    }
    const entry = tools[places.get(callId) ?? -1];
    return entry?.call.id === callId ? entry : undefined;
  };
}

function promptRows(message: Message, width: number, theme: Theme): string[] {
  const from = message.source === undefined ? '' : `[${cleanLine(message.source)}] `;
  const texts = message.parts.map((part) => (part.type === 'text' ? clean(part.text).trimEnd() : part.type === 'image' ? `[image ${cleanLine(part.mime)}]` : ''));
  return wrap([{ text: from, sgr: theme.sgr.dim }, { text: texts.filter((text) => text !== '').join('\n'), sgr: theme.sgr.text }], width, { first: [{ text: '> ', sgr: theme.sgr.user }] });
}

const NOTICE_MARKS: Readonly<Record<Notice['level'], { glyph: string; style: Style; text: Style }>> = {
  info: { glyph: '◇', style: 'accent', text: 'dim' },
  warn: { glyph: '!', style: 'warning', text: 'warning' },
  error: { glyph: '✗', style: 'danger', text: 'danger' },
};

function noticeRows({ level, text, view }: Notice, width: number, theme: Theme): string[] {
  const mark = NOTICE_MARKS[level];
  const said = clean(text).trimEnd();
  // Most of MewCode's own notices bring this mark along.
  const words = said.replace(/^◇ ?/, '');
  return [
    ...(said === '' ? [] : wrap([{ text: words, sgr: theme.sgr[mark.text] }], width, { first: [{ text: `${mark.glyph} `, sgr: theme.sgr[mark.style] }] })),
    ...(view ? viewRows(view, { width, theme }) : []),
  ];
}

function thinkingWidth(width: number): number {
  return width < 4 ? width : width - 2;
}

function thinkingRows(rows: readonly string[], width: number, theme: Theme): string[] {
  return width < 4 ? [...rows] : rows.map((row, at) => paint(theme, 'thinking', at === 0 ? '∴ ' : '  ') + row);
}

function foldedThinking(text: string, width: number, theme: Theme): string[] {
  const lines = clean(text).trim().split('\n');
  const line = cleanLine(lines[0] ?? '').replace(/^#+ |\*\*/g, '');
  return [fit([{ text: `∴ ${line}${lines.length > 1 ? ' …' : ''}`, sgr: theme.sgr.thinking }], width)];
}

/** Every style as the one of thinking: structure stays, colours go. */
function fade(theme: Theme): Theme {
  const entries = Object.keys(theme.sgr).map((style) => [style, theme.sgr.thinking]);
  return { ...theme, sgr: Object.fromEntries(entries) as Theme['sgr'] };
}
