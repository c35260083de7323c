// Sizes in tokens as people write them: 128K, 1M, 128000.

export const SIZE = 'a number of tokens such as 128000, 128K or 1M';

/** The number meant (K is a thousand, M a million), or `undefined`. */
export function parseSize(value: unknown): number | undefined {
  const match = /^([\d_]+(?:\.\d+)?)\s*([km]?)$/i.exec(String(value).trim());
  if (!match) return undefined;
  const unit = { '': 1, k: 1_000, m: 1_000_000 }[match[2]?.toLowerCase() ?? ''] ?? 1;
  const size = Math.round(Number(match[1]?.replaceAll('_', '')) * unit);
  return Number.isSafeInteger(size) && size > 0 ? size : undefined;
}
