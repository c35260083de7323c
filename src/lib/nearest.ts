// The name that a mistyped one was meant to be.

/** The one of `names` that is the fewest edits away from `name` (a swap of neighbours counts one); `undefined` when none is near enough to offer. Case counts little. */
export function nearest(name: string, names: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  // A third of the name may be wrong, and one letter always.
  let fewest = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of names) {
    const count = distance(wanted, candidate.toLowerCase());
    // A beginning is what people type when they do not know the rest.
    const edits = wanted.length >= 3 && candidate.toLowerCase().startsWith(wanted) ? Math.min(count, 1) : count;
    if (edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, at(before, j - 2) + 1);
      row.push(cost);
    }
    before = last;
    last = row;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;
