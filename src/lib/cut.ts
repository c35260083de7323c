// Cuts texts without cutting a character in half.

/** At most `limit` UTF-16 units from the start. */
export function head(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return text.slice(0, /[\ud800-\udbff]/.test(text[limit - 1] ?? '') ? limit - 1 : limit);
}

/** At most `limit` UTF-16 units from the end. */
export function tail(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.length - limit;
  return text.slice(/[\udc00-\udfff]/.test(text[start] ?? '') ? start + 1 : start);
}
