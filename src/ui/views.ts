// Rows of a view: what a result, a preview or a notice shows.
import type { View } from '../types/message.ts';
import type { Theme } from './themes.ts';

/** The view as painted rows of at most `width` columns; over `maxRows` the rest is counted in the last row. */
export function viewRows(view: View, options: { width: number; theme: Theme; maxRows?: number }): string[] {
  void view; void options;
  return [];
}
