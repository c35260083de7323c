// Numbers as commands show them.

/** `8,192`, `200K`, `1M`. */
export function tokens(count: number): string {
  if (count >= 1_000_000 && count % 10_000 === 0) return `${count / 1_000_000}M`;
  return count >= 10_000 && count % 1_000 === 0 ? `${count / 1_000}K` : count.toLocaleString('en-US');
}

/** `$0.42`, `$0.0031`: cents, and below them two digits that count. `null`: unknown. */
export function dollars(amount: number | null): string {
  if (amount === null) return '$?';
  if (amount === 0 || amount >= 0.1) return `$${amount.toFixed(2)}`;
  const digits = Math.min(8, 1 - Math.floor(Math.log10(amount)));
  return `$${amount.toFixed(digits).replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}
