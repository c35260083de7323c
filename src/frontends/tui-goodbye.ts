// What stands in the normal screen after the app has gone: the last answer, and one line about the session.
import type { SessionState } from '../types/state.ts';
import { formatCount, formatSeconds, formatUsd } from '../ui/format.ts';
import { createHighlighter } from '../ui/highlight.ts';
import { markdownRows } from '../ui/markdown.ts';
import type { Theme } from '../ui/themes.ts';
import { finalText } from './print-report.ts';

/** Painted lines for the terminal; empty when nothing was said. `stored`: the session can be gone on with. */
export function goodbye(state: SessionState, options: { now: number; stored: boolean; width: number; theme: Theme }): string {
  if (state.messages.length === 0) return '';
  const { input, cacheRead, cacheWrite, output } = state.meter.session;
  const { costUsd } = state.meter;
  const summary = [
    `↑${formatCount(input + cacheRead + cacheWrite)} ↓${formatCount(output)} tokens`,
    ...(costUsd === 0 ? [] : [costUsd === null ? '$?' : formatUsd(costUsd)]),
    formatSeconds(options.now - state.startedAt),
    ...(options.stored ? ['go on with: mewcode --continue'] : []),
  ].join(' · ');
  const answer = markdownRows(finalText(state.messages), { ...options, highlighter: createHighlighter(() => {}) });
  return [...answer, ...(answer.length > 0 ? [''] : []), summary, ''].join('\n');
}
