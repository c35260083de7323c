// The tool-call log: one row a call with its state, the selected one opened, the todo list below.
import type { SessionState } from '../types/state.ts';
import type { Theme } from './themes.ts';

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

export type ToolLogState = Pick<SessionState, 'tools' | 'todos' | 'messages'>;

export function toolLogWindow(_state: ToolLogState, _view: ToolLogView): ToolLogWindow {
  return { rows: [], owners: [], ticking: false };
}

/** The call `step` places after the selected one; from none the last one; `null` once it leaves the end. */
export function moveSelection(_tools: SessionState['tools'], _selected: string | null, _step: number): string | null {
  return null;
}
