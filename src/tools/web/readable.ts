// HTML as readable Markdown: what a reader would see, links absolute, tables as tables.
import TurndownService from 'turndown';
import { stripTags, tidy } from './strip-tags.ts';

const UNSEEN = ['script', 'style', 'noscript', 'template', 'nav', 'iframe', 'object', 'embed', 'canvas', 'dialog', 'button', 'select', 'textarea', 'input'] as const;
/** Less than this in the part that calls itself the main one: then it is not. */
const LEAST_MAIN = 200;

/** Title and text of a page whose address was `url`. May throw where the page is nested too deep. */
export function readable(html: string, url: string): { title: string; text: string } {
  const base = new URL(/<base\b[^>]*\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(html)?.[1] ?? '', url);
  const service = serviceFor((link) => (URL.canParse(link, base) ? new URL(link, base).href : link));
  const title = /<title\b[^>]*>([^<]*)</i.exec(html)?.[1] ?? '';
  return { title: stripTags(title).replace(/\s+/g, ' '), text: tidy(service.turndown(mainOf(html))) };
}

/** The part between `<main>` and `</main>`, where there is one that says something. */
function mainOf(html: string): string {
  const from = html.search(/<main\b/i);
  const to = html.toLowerCase().lastIndexOf('</main');
  const main = from >= 0 && to > from ? html.slice(from, to) : '';
  return main.length > LEAST_MAIN ? main : html;
}

function serviceFor(absolute: (link: string) => string): TurndownService {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', emDelimiter: '*', hr: '---' });
  service.remove([...UNSEEN, 'title']);
  service.addRule('hidden', {
    filter: (node) => node.hasAttribute('hidden') || node.getAttribute('aria-hidden') === 'true' || /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(node.getAttribute('style') ?? '') || node.nodeName.toLowerCase() === 'svg',
    replacement: () => '',
  });
  service.addRule('link', {
    filter: (node) => node.nodeName === 'A',
    replacement(content, node) {
      const href = (node as Element).getAttribute('href') ?? '';
      const text = content.trim().replace(/\s*\n\s*/g, ' ');
      return text === '' || href === '' || /^(?:#|javascript:)/i.test(href.trim()) ? content : `[${text}](${absolute(href.trim()).replaceAll(/[()\s]/g, encodeURIComponent)})`;
    },
  });
  service.addRule('image', {
    filter: (node) => node.nodeName === 'IMG',
    replacement(_content, node) {
      const [alt, src] = ['alt', 'src'].map((name) => (node as Element).getAttribute(name)?.trim() ?? '');
      return !alt || !src || src.startsWith('data:') ? (alt ?? '') : `![${alt.replace(/\s+/g, ' ')}](${absolute(src)})`;
    },
  });
  service.addRule('item', {
    filter: 'li',
    replacement(content, node) {
      const list = node.parentNode as Element | null;
      const place = list?.nodeName === 'OL' ? `${Number(list.getAttribute('start') ?? 1) + Array.from(list.children).indexOf(node as Element)}.` : '-';
      return `${place} ${content.trim().replaceAll('\n', `\n${' '.repeat(place.length + 1)}`)}\n`;
    },
  });
  service.addRule('cell', { filter: ['th', 'td'], replacement: (content) => ` ${content.trim().replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')} |` });
  service.addRule('row', {
    filter: 'tr',
    replacement(content, node) {
      const table = node.parentNode?.nodeName === 'TABLE' ? node.parentNode : node.parentNode?.parentNode;
      const first = table?.nodeName === 'TABLE' && (table as Element).getElementsByTagName('tr')[0] === node;
      const columns = content.split(/(?<!\\)\|/).length - 1;
      return `\n|${content.replaceAll('\n', ' ')}${first ? `\n|${' --- |'.repeat(columns)}` : ''}`;
    },
  });
  return service;
}
