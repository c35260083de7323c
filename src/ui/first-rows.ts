// The first paint: the whole screen as rows, without React. The first frame of the components changes nothing of the prompt.
import type { SessionState } from '../types/state.ts';
import { paintedWidth } from './box.ts';
import { frameOf } from './frame.ts';
import { promptPicture } from './prompt-picture.ts';
import type { ScreenState } from './state.ts';
import { headerRow, statusRow, type HeaderInfo } from './status.ts';
import { paint, type Theme } from './themes.ts';

/** All rows of the screen before anything has happened, and where the cursor stands. */
export function firstRows(screen: ScreenState, session: SessionState, info: HeaderInfo, theme: Theme): { rows: string[]; cursor: { x: number; y: number } } {
  const frame = frameOf(screen, session);
  const { layout } = frame;
  const { columns, rows: height } = screen.size;
  const prompt = promptPicture(screen, session, frame, theme);
  const side = layout.frame ? paint(theme, 'border', '│') : '';
  const place = (row: string, x: number) => {
    const left = side + ' '.repeat(Math.max(0, x - (side ? 1 : 0))) + row;
    return side ? left + ' '.repeat(Math.max(0, columns - 1 - paintedWidth(left))) + side : left;
  };
  const rows = Array.from({ length: height }, (_, y) => {
    const { divider } = layout;
    return divider && y >= divider.y && y < divider.y + divider.height ? place(paint(theme, 'border', '│'), divider.x) : place('', 0);
  });
  rows[layout.header.y] = headerRow(info, session, { width: layout.header.width, theme, frame: layout.frame });
  for (const { y, text } of layout.rules) rows[y] = paint(theme, 'border', text);
  for (const [index, row] of prompt.rows.entries()) rows[layout.prompt.y + index] = place(row, layout.prompt.x);
  rows[layout.status.y] = place(statusRow(session, { width: layout.status.width, theme }), layout.status.x);
  return { rows: rows.slice(0, height), cursor: prompt.cursor };
}
