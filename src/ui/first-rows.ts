// Whole rows of the screen without React: the first paint, and the prompt's rows for an echo that does not wait for a frame.
import { insert } from './editor/editor.ts';
import type { SessionState } from '../types/state.ts';
import { paintedWidth } from './box.ts';
import { frameOf, type Frame } from './frame.ts';
import { promptPicture } from './prompt-picture.ts';
import type { ScreenState } from './state.ts';
import { headerRow, statusRow, type HeaderInfo } from './status.ts';
import { paint, type Theme } from './themes.ts';

/** Rows from line `y` on, over the whole width of the screen, and where the cursor stands. */
export type Patch = { y: number; rows: string[]; cursor: { x: number; y: number } };

/** All rows of the screen before anything has happened but that `typed` was typed. The components' first frame changes nothing of the prompt. */
export function firstRows(start: ScreenState, session: SessionState, info: HeaderInfo, theme: Theme, typed = ''): Patch {
  const screen = { ...start, editor: insert(start.editor, typed) };
  const frame = frameOf(screen, session);
  const { layout } = frame;
  const { columns, rows: height } = screen.size;
  const prompt = promptPatch(screen, session, frame, theme);
  const place = placing(frame, columns, theme);
  const rows = Array.from({ length: height }, (_, y) => {
    const { divider } = layout;
    return divider && y >= divider.y && y < divider.y + divider.height ? place(paint(theme, 'border', '│'), divider.x) : place('', 0);
  });
  rows[layout.header.y] = headerRow(info, session, { width: layout.header.width, theme, frame: layout.frame });
  for (const { y, text } of layout.rules) rows[y] = paint(theme, 'border', text);
  for (const [index, row] of prompt.rows.entries()) rows[prompt.y + index] = row;
  rows[layout.status.y] = place(statusRow(session, { width: layout.status.width, theme }), layout.status.x);
  return { y: 0, rows: rows.slice(0, height), cursor: prompt.cursor };
}

/** The rows that the prompt takes, as a frame of the components has them while nothing lies over them. */
export function promptPatch(screen: ScreenState, session: Pick<SessionState, 'queue' | 'turn' | 'doing'>, frame: Frame, theme: Theme): Patch {
  const { prompt } = frame.layout;
  const { rows, cursor } = promptPicture(screen, session, frame, theme);
  const place = placing(frame, screen.size.columns, theme);
  return { y: prompt.y, rows: Array.from({ length: prompt.height }, (_, index) => place(rows[index] ?? '', prompt.x)), cursor };
}

/** Puts a painted row at column `x` between the sides of the frame. */
function placing({ layout }: Frame, columns: number, theme: Theme): (row: string, x: number) => string {
  const side = layout.frame ? paint(theme, 'border', '│') : '';
  return (row, x) => {
    const left = side + ' '.repeat(Math.max(0, x - (side ? 1 : 0))) + row;
    return side ? left + ' '.repeat(Math.max(0, columns - 1 - paintedWidth(left))) + side : left;
  };
}
