// HTML as bare text, when nothing better can be had of it.

/** What stands between the tags. One pass over the page, whatever is in it. */
export function stripTags(html: string): string {
  const bare = html.replace(/<(script|style|noscript|template)\b[^<>]*>[^]*?(?:<\/\1\s*>|$)/gi, ' ').replace(/<!--[^]*?(?:-->|$)/g, ' ').replace(/<\/(?:p|div|li|tr|h[1-6]|section|article|pre)\s*>|<br\b[^<>]*>/gi, '\n').replace(/<[^<>]*>/g, ' ');
  return tidy(bare.replace(/&(?:amp|lt|gt|quot|nbsp|#39|apos);/g, (entity) => ENTITIES[entity] ?? entity).replace(/[ \t]+/g, ' '));
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&nbsp;': ' ', '&#39;': "'", '&apos;': "'" };

/** Text without blanks at the ends of lines and without more than one empty line in a row. */
export function tidy(text: string): string {
  return text.replace(/[ \t]+$/gm, '').replace(/\n{3,}/g, '\n\n').trim();
}
