// Counts in words.

/** `1 line`, `14 lines`, `1,200 lines`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
