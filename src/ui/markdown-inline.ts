// Inline Markdown (emphasis, code, links) as styled spans.
import type { MarkedToken, Token } from 'marked';
import type { Span } from './lines.ts';
import { join } from './table.ts';
import type { Style, Theme } from './themes.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ' };

/** The tokens as spans on top of the SGR parameters `base`. Their texts come from cleaned source. */
export function inlineSpans(tokens: readonly Token[] | undefined, theme: Theme, base = ''): Span[] {
  return (tokens ?? []).flatMap((token) => spansOf(token as MarkedToken, theme, base));
}

function spansOf(token: MarkedToken, theme: Theme, base: string): Span[] {
  const nested = (style: Style) => inlineSpans('tokens' in token ? token.tokens : [], theme, join(base, theme.sgr[style]));
  switch (token.type) {
    case 'strong':
      return nested('strong');
    case 'em':
      return nested('emphasis');
    case 'del':
      return nested('strike');
    case 'codespan':
      return [{ text: token.text, sgr: join(base, theme.sgr.code) }];
    case 'br':
      return [{ text: '\n' }];
    case 'link': {
      const label = nested('link');
      const address = token.href.replace(/^mailto:/, '');
      const same = token.text === token.href || token.text === address;
      return same ? label : [...label, { text: ` (${token.href})`, sgr: join(base, theme.sgr.dim) }];
    }
    case 'image':
      return [{ text: `[${token.text || 'image'}]`, sgr: join(base, theme.sgr.link) }, { text: ` (${token.href})`, sgr: join(base, theme.sgr.dim) }];
    case 'checkbox':
      return [{ text: token.checked ? '[x] ' : '[ ] ', sgr: base }];
    case 'escape':
      return [{ text: token.text, sgr: base }];
    case 'text':
      if ('tokens' in token && token.tokens) return inlineSpans(token.tokens, theme, base);
      return [{ text: token.text.replace(/&(?:lt|gt|amp|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity), sgr: base }];
    default:
      return [{ text: token.raw, sgr: base }];
  }
}
