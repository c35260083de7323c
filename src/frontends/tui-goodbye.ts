// What stands in the normal screen after the app has gone: the last answer, and one line about the session.
import { clean } from '../lib/clean.ts';
import type { SessionState } from '../types/state.ts';
import { formatCount, formatSeconds, formatUsd } from '../ui/format.ts';
import { finalText } from './print-report.ts';

/** Lines for the terminal, cleaned; empty when nothing was said. `stored`: the session can be gone on with. */
export function goodbye(state: SessionState, options: { now: number; stored: boolean }): string {
  if (state.messages.length === 0) return '';
  const { input, cacheRead, cacheWrite, output } = state.meter.session;
  const { costUsd } = state.meter;
  const summary = [
    `↑${formatCount(input + cacheRead + cacheWrite)} ↓${formatCount(output)} tokens`,
    ...(costUsd === null || costUsd === 0 ? [] : [formatUsd(costUsd)]),
    formatSeconds(options.now - state.startedAt),
    ...(options.stored ? ['go on with: mewcode --continue'] : []),
  ].join(' · ');
  const answer = clean(finalText(state.messages));
  return `${answer === '' ? '' : `${answer}\n\n`}${summary}\n`;
}
