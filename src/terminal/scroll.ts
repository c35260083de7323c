// Finds rows that have moved together, so that the terminal moves them itself.

/** Rows `top` to `bottom` move up by `by` lines, or down where that is negative. */
export type Scroll = { top: number; bottom: number; by: number };

/** Fewer rows are written as quickly. */
const FEWEST = 4;
const FURTHEST = 12;

/** The move after which the fewest rows of `shown` differ from `wanted`; undefined where none is worth it. */
export function findScroll(shown: readonly (string | undefined)[], wanted: readonly string[], rows: number): Scroll | undefined {
  let changed = 0;
  for (let y = 0; y < rows; y += 1) if (shown[y] !== (wanted[y] ?? '')) changed += 1;
  if (changed < FEWEST) return undefined;
  let best: Scroll | undefined;
  let most = FEWEST - 1;
  const furthest = Math.min(FURTHEST, rows - FEWEST);
  for (let by = -furthest; by <= furthest; by += 1) {
    if (by === 0) continue;
    let sum = 0;
    let from = 0;
    const end = rows - Math.max(0, by);
    for (let y = Math.max(0, -by); y < end; y += 1) {
      if (sum <= 0) [sum, from] = [0, y];
      const row = wanted[y] ?? '';
      const [stays, comes] = [shown[y] === row, shown[y + by] === row];
      if (stays !== comes) sum += comes ? 1 : -1;
      // The lines that come in empty are written anew.
      if (sum - Math.abs(by) > most) {
        most = sum - Math.abs(by);
        best = { top: Math.min(from, from + by), bottom: Math.max(y, y + by), by };
      }
    }
  }
  return best;
}

/** The bytes for a move; styles must be off. The cursor is anywhere then. */
export function scrollLines({ top, bottom, by }: Scroll): string {
  return `\x1b[${top + 1};${bottom + 1}r\x1b[${Math.abs(by)}${by > 0 ? 'S' : 'T'}\x1b[r`;
}

/** `rows` after the move, `empty` where lines have come in. */
export function scrolled<T>(rows: readonly (T | undefined)[], { top, bottom, by }: Scroll, empty: T): (T | undefined)[] {
  return rows.map((row, y) => {
    if (y < top || y > bottom) return row;
    const from = y + by;
    return from < top || from > bottom ? empty : rows[from];
  });
}
