// What lies over the screen: completion, palette, keys, the dialog. Each as filled rows at a place.
import type { SessionState } from '../types/state.ts';
import { dialogPicture, type DialogView } from './dialog-rows.ts';
import type { Editor } from './editor/editor.ts';
import type { Box, Frame } from './frame.ts';
import { completionRows, overlayPicture } from './overlay-rows.ts';
import type { Context, ScreenState } from './state.ts';
import type { Theme } from './themes.ts';

type Asked = Pick<SessionState, 'questions' | 'mode'>;

/** A box over the screen; `field` is the line in it that is typed into, `caret` the place of the next letter where the rows themselves show the text. */
export type Layer = { rows: readonly string[]; x: number; y: number; width: number; field?: { x: number; y: number; width: number; editor: Editor }; caret?: { x: number; y: number } };

/** What lies over the screen, the lowest first. `dims` says that what is behind rests. */
export function layersOf(screen: ScreenState, context: Pick<Context, 'modes' | 'commands'> & { session: Asked }, frame: Frame, theme: Theme): { layers: Layer[]; dims: boolean } {
  const layers: Layer[] = [];
  const { overlay, dialog } = screen;
  const { prompt } = frame.layout;
  const list = completionRows(screen, context.commands, { width: prompt.width, height: Math.max(1, Math.min(8, prompt.y - 2)), theme });
  if (list.length > 0) layers.push({ rows: list, x: prompt.x, y: Math.max(0, prompt.y - list.length - (frame.layout.frame ? 1 : 0)), width: prompt.width });
  if (overlay) {
    const { rows, field } = overlayPicture(overlay, context, { width: frame.overlay.width, height: Math.min(frame.overlay.height, 24), theme });
    layers.push({ ...above(frame.overlay, rows), ...(field && overlay.kind === 'palette' ? { field: { ...field, editor: overlay.filter } } : {}) });
  }
  const question = context.session.questions[0];
  const asks = dialog && !dialog.answered && question?.id === dialog.id;
  if (asks) {
    const { rows, field, caret } = dialogPicture(question.question, dialog, dialogView(context.session, frame, theme));
    layers.push({ ...above(frame.overlay, rows), ...(field && dialog.field ? { field: { ...field, editor: dialog.field.editor } } : {}), ...(caret && { caret }) });
  }
  return { layers, dims: overlay !== null || Boolean(asks) };
}

/** How the dialog is looked at. */
export function dialogView({ questions }: Pick<SessionState, 'questions'>, { overlay }: Frame, theme: Theme): DialogView {
  return { width: overlay.width, height: overlay.height, theme, waiting: questions.length - 1, ...(questions[0] && { agent: questions[0].agent }) };
}

/** At the lower end of the room, next to the prompt. */
export function above(room: Box, rows: readonly string[]): Layer {
  return { rows, x: room.x, y: room.y + Math.max(0, room.height - rows.length), width: room.width };
}
