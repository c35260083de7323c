// Keeps rendered rows by the object they were made of, the least recently used dropped.

export type RowCache = {
  /** The rows made for `key` with the very same `deps`, or those that `make` gives. */
  rows(key: object, deps: readonly unknown[], make: () => string[]): readonly string[];
  /** How often `make` was called so far. */
  made(): number;
};

/** Makes a cache of at most `limit` blocks. */
export function createRowCache(limit = 2_000): RowCache {
  const kept = new Map<object, { deps: readonly unknown[]; rows: readonly string[] }>();
  let made = 0;
  return {
    rows(key, deps, make) {
      const found = kept.get(key);
      const fits = found?.deps.length === deps.length && found.deps.every((dep, at) => dep === deps[at]);
      const entry = found && fits ? found : { deps, rows: make() };
      if (entry !== found) made += 1;
      // A Map keeps the order of insertion: the last used goes to the end.
      kept.delete(key);
      kept.set(key, entry);
      for (const oldest of kept.keys()) {
        if (kept.size <= limit) break;
        kept.delete(oldest);
      }
      return entry.rows;
    },
    made: () => made,
  };
}
