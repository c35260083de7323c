// The prompt's rectangle as painted rows, with the cursor's place on the screen: the same in the first paint and in App.
import type { SessionState } from '../types/state.ts';
import { queueRows, type Frame } from './frame.ts';
import { promptRows } from './prompt-rows.ts';
import { isBusy, type ScreenState } from './state.ts';
import { paint, type Theme } from './themes.ts';

/** The prompt's rows, queued prompts first, and where the cursor stands on the screen. */
export function promptPicture(screen: Pick<ScreenState, 'editor' | 'quitArmed' | 'dialog'>, session: Pick<SessionState, 'queue' | 'turn' | 'doing'>, frame: Frame, theme: Theme): { rows: string[]; cursor: { x: number; y: number } } {
  const { prompt } = frame.layout;
  const queued = queueRows(session.queue, frame.queued, prompt.width, theme);
  const { rows, cursor } = promptRows(screen.editor, prompt.width, {
    maxRows: Math.max(1, prompt.height - queued.length),
    placeholder: placeholderOf(screen, session),
    mark: (text) => paint(theme, 'accent', text),
    chip: (text) => paint(theme, 'accent', text),
    faint: (text) => paint(theme, 'dim', text),
  });
  return { rows: [...queued, ...rows], cursor: { x: prompt.x + cursor.x, y: prompt.y + queued.length + cursor.y } };
}

function placeholderOf({ quitArmed, dialog }: Pick<ScreenState, 'quitArmed' | 'dialog'>, session: Pick<SessionState, 'queue' | 'turn' | 'doing'>): string {
  if (quitArmed !== null) return 'press Ctrl-C again to quit';
  if (dialog && !dialog.answered) return 'answer above, or type on for later';
  if (!isBusy(session)) return 'ask for something · / commands · ? keys';
  return session.queue.length > 0 ? 'Esc sends what is queued now · Up takes it back' : 'type on: Enter queues it · Esc stops';
}
