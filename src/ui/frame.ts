// frameOf: one picture of the screen's geometry from its two states, the same for the components and for the reducer.
import type { SessionState } from '../types/state.ts';
import { wrapText } from './editor/wrap.ts';
import { layout, type Layout } from './layout.ts';
import { fit } from './lines.ts';
import { clean } from '../lib/clean.ts';
import { MARK_WIDTH } from './prompt-rows.ts';
import { isBusy, type ScreenState } from './state.ts';
import type { Theme } from './themes.ts';
import type { Anchor, TranscriptView } from './transcript.ts';

export type Box = { x: number; y: number; width: number; height: number };

export type Frame = {
  layout: Layout;
  /** How many rows of the prompt's rectangle show queued prompts; the draft has the rest. */
  queued: number;
  /** Most room for a dialog, the palette or the keys: between the header and the prompt. */
  overlay: Box;
};

const MOST_QUEUED = 3;

/** Where everything stands. */
export function frameOf(screen: Pick<ScreenState, 'size' | 'editor' | 'log'>, session: Pick<SessionState, 'queue' | 'turn' | 'doing'>): Frame {
  const { size, editor, log } = screen;
  const wanted = wrapText(editor.text, editor.pastes, promptWidth(size)).length;
  const most = Math.max(1, Math.floor(size.rows / 3));
  const queued = Math.min(session.queue.length, MOST_QUEUED, Math.max(0, most - 1));
  const drawn = layout(size, { prompt: Math.min(wanted, most) + queued, spinner: isBusy(session), log: log.place, tab: log.focused ? 'tools' : 'chat' });
  const width = Math.min(size.columns, Math.max(40, Math.min(size.columns - 4, 110)));
  const top = drawn.header.y + drawn.header.height;
  return {
    layout: drawn,
    queued: Math.min(queued, Math.max(0, drawn.prompt.height - 1)),
    overlay: { x: Math.floor((size.columns - width) / 2), y: top, width, height: Math.max(3, drawn.prompt.y - top - (drawn.frame ? 1 : 0)) },
  };
}

/** Columns in which the prompt's text wraps; the frame's sides and the mark are taken off. */
export function promptWidth(size: ScreenState['size']): number {
  const { prompt } = layout(size, { prompt: 1, spinner: false, log: 'hidden', tab: 'chat' });
  return Math.max(2, prompt.width - MARK_WIDTH);
}

/** The queued prompts that are shown, the newest last. */
export function queueRows(queue: readonly string[], shown: number, width: number, theme: Theme): string[] {
  if (shown === 0) return [];
  const rest = queue.length - shown;
  return queue.slice(0, shown).map((text, index) => fit([
    { text: '⋯ ', sgr: theme.sgr.accent }, { text: clean(text).replace(/\s+/g, ' '), sgr: theme.sgr.dim },
    ...(index === shown - 1 && rest > 0 ? [{ text: `  and ${rest} more`, sgr: theme.sgr.dim }] : []),
  ], width));
}

/** How the chat is looked at. */
export function chatView(screen: Pick<ScreenState, 'anchor' | 'unfolded'>, chat: Box, { theme, showThinking }: Pick<TranscriptView, 'theme' | 'showThinking'>): TranscriptView {
  return { width: chat.width, height: chat.height, anchor: screen.anchor, theme, unfolded: screen.unfolded, showThinking };
}

/** Whether two anchors name the same place. */
export function sameAnchor(a: Anchor, b: Anchor): boolean {
  return a === b || (a !== 'end' && b !== 'end' && a.entry === b.entry && a.line === b.line);
}
