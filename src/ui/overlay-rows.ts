// The lists over the screen as painted rows: command palette, keys, completion.
import { boxRows, FRAME, listRows } from './box.ts';
import { argumentHint, completions } from './completion.ts';
import { keyHelp } from './keymap.ts';
import { fit, spread, type Span } from './lines.ts';
import { paletteItems, usageOf, type PaletteContext } from './palette.ts';
import type { Context, Overlay, ScreenState } from './state.ts';
import type { Theme } from './themes.ts';

type View = { width: number; height: number; theme: Theme };

/** `field` is where the filter stands, from the box's top left. */
export type OverlayPicture = { rows: string[]; field: { x: number; y: number; width: number } | null };

/** The open overlay in at most `height` rows of exactly `width` columns. */
export function overlayPicture(overlay: Overlay, context: PaletteContext, view: View): OverlayPicture {
  const { theme } = view;
  const width = view.width - FRAME;
  const height = Math.max(1, view.height - 2);
  switch (overlay.kind) {
    case 'keys': {
      const help = keyHelp();
      const column = Math.max(...help.map(({ keys }) => keys.length)) + 2;
      const rows = help.slice(overlay.top, overlay.top + height).map(({ keys, says }) => fit([{ text: keys.padEnd(column), sgr: theme.sgr.accent }, { text: says }], width));
      return { rows: boxRows(rows, `Keys ${overlay.top + 1}–${overlay.top + rows.length} of ${help.length}`, view.width, theme), field: null };
    }
    case 'palette': {
      const items = paletteItems(context, overlay.filter.text);
      const list = listRows(items.map((item) => ({
        label: [{ text: item.label }, { text: `  ${item.detail}`, sgr: theme.sgr.dim }], ...(item.key === undefined ? {} : { right: item.key }),
      })), { selected: overlay.selected, width, height: height - 1, theme });
      const rows = [fit([{ text: '> ', sgr: theme.sgr.accent }], width), ...(items.length > 0 ? list : [fit([{ text: '  nothing fits', sgr: theme.sgr.dim }], width)])];
      // The box keeps its height while the list shrinks under the filter.
      while (rows.length < height) rows.push('');
      return { rows: boxRows(rows, 'Commands', view.width, theme), field: { x: 4, y: 1, width: width - 2 } };
    }
  }
}

/** Rows for above the prompt: commands that fit what is typed, or the arguments of the one that is. */
export function completionRows(screen: Pick<ScreenState, 'editor' | 'completion'>, commands: Context['commands'], view: View): string[] {
  const { theme, width, height } = view;
  const list = completions(screen, commands);
  if (list.length > 0) {
    const column = Math.min(Math.max(...list.map(({ name, command }) => usageOf({ ...command, name }).length)) + 2, Math.floor(width / 2));
    return listRows(list.map(({ name, command }) => ({ label: [{ text: usageOf({ ...command, name }).padEnd(column) }, { text: command.summary, sgr: theme.sgr.dim }] })), { selected: screen.completion.selected, width, height, theme });
  }
  const command = argumentHint(screen.editor.text, commands);
  if (!command?.usage || screen.completion.closed) return [];
  const spans: Span[] = [{ text: `  ${usageOf(command)}  `, sgr: theme.sgr.accent }, { text: command.summary, sgr: theme.sgr.dim }];
  return [spread(spans, [], width)];
}
