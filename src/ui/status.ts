// The header row, the status bar and the spinner line as painted rows.
import type { ModeInfo } from '../types/permission.ts';
import type { SessionState } from '../types/state.ts';
import type { Theme } from './themes.ts';

export type HeaderInfo = { project: string; branch: string | null };

export type StatusState = Pick<SessionState, 'mode' | 'model' | 'meter' | 'queue' | 'mcp'>;

/** `MewCode ── project ── branch ── … model · mode`, exactly `width` columns. With `frame` its ends are the frame's corners. */
export function headerRow(info: HeaderInfo, state: Pick<SessionState, 'model' | 'mode'>, view: { width: number; theme: Theme; frame: boolean }): string {
  void info; void state; void view;
  return '';
}

/** The status bar, at most `width` columns: what matters least is left out first, the mode and `ctx ` never from 40 columns up. */
export function statusRow(state: StatusState, view: { width: number; theme: Theme; tone?: ModeInfo['tone'] }): string {
  void state; void view;
  return '';
}

/** What goes on, behind the spinner's own glyph: `answering · 12s · ↓ 1.2K tokens · esc to interrupt`, or the countdown of a retry; `null` when idle. */
export function spinnerRow(state: Pick<SessionState, 'doing' | 'turn' | 'meter' | 'tools'>, view: { width: number; theme: Theme; now: number }): string | null {
  void state; void view;
  return null;
}
