// Markdown as painted rows, made block by block: a finished block is never made again while the text streams in.
import { getDefaults, Lexer, Tokenizer, type MarkedToken, type Token, type Tokens } from 'marked';
import { clean } from '../lib/clean.ts';
import type { Highlighter } from './highlight.ts';
import { wrap } from './lines.ts';
import { inlineSpans } from './markdown-inline.ts';
import { join, tableRows } from './table.ts';
import { paint, type Theme } from './themes.ts';

export type MarkdownOptions = { width: number; theme: Theme; highlighter: Highlighter };

export type Markdown = {
  /** Rows of the text so far. Quick when it begins with the text of the call before; else everything is made anew. */
  rows(text: string): string[];
};

/** The whole text at once. */
export function markdownRows(text: string, options: MarkdownOptions): string[] {
  return createMarkdown(options).rows(text);
}

/** A code block that has not been closed yet, its finished lines painted once. */
type OpenFence = { close: RegExp; indent: RegExp; language: string; rows: string[]; upTo: number };

/** Makes a renderer for one text that grows. */
export function createMarkdown(options: MarkdownOptions): Markdown {
  const { width } = options;
  let source = '';
  // The cleaned text up to the last whole line, and how much of the source that was.
  let cleaned = '';
  let cleanedTo = 0;
  // Rows of the finished blocks, and where the others begin.
  let frozen: string[] = [];
  let frozenTo = 0;
  let fence: OpenFence | undefined;

  const lex = (text: string): string[] => {
    const tokens = lexBlocks(text);
    const last = tokens.findLastIndex(({ type }) => type !== 'space');
    const done = tokens.slice(0, Math.max(0, last));
    const length = done.reduce((total, { raw }) => total + raw.length, 0);
    const open = tokens[last];
    if (!open) return [...frozen];
    // Only where the lexer's own account of the text is exact is the cut safe.
    if (length > 0 && text.startsWith(open.raw, length) && isApart(done.findLast(({ type }) => type !== 'space'), open, text.slice(0, length))) {
      for (const token of done) frozen.push(...spaced(frozen, blockRows(token, options)));
      frozenTo += length;
      fence = openFence(open);
      if (fence) return [...frozen, ...spaced(frozen, fenceRows(fence, text.slice(length), options))];
      return [...frozen, ...spaced(frozen, blockRows(open, options))];
    }
    fence = length === 0 && text.startsWith(open.raw) ? openFence(open) : undefined;
    if (fence) return [...frozen, ...spaced(frozen, fenceRows(fence, text, options))];
    const rows = [...frozen];
    for (const token of tokens.slice(0, last + 1)) rows.push(...spaced(rows, blockRows(token, options)));
    return rows;
  };

  return {
    rows(text) {
      if (!text.startsWith(source)) {
        [cleaned, cleanedTo, frozen, frozenTo, fence] = ['', 0, [], 0, undefined];
      }
      source = text;
      const lineEnd = text.lastIndexOf('\n') + 1;
      if (lineEnd > cleanedTo) {
        cleaned += clean(text.slice(cleanedTo, lineEnd));
        cleanedTo = lineEnd;
      }
      const rest = cleaned.slice(frozenTo) + clean(text.slice(cleanedTo));
      if (width < 1) return [];
      if (fence && !fence.close.test(rest.slice(fence.upTo))) return [...frozen, ...spaced(frozen, fenceRows(fence, rest, options))];
      return lex(rest);
    },
  };
}

function lexBlocks(text: string): Token[] {
  const tokenizer = new Tokenizer();
  // A definition at the end would change links of blocks that are finished.
  tokenizer.def = () => undefined;
  try {
    return new Lexer({ ...getDefaults(), tokenizer }).lex(text);
  } catch (error) {
    // Nesting too deep for the lexer's recursion: shown as it is.
    if (error instanceof RangeError) return [{ type: 'html', raw: text, text }];
    throw error;
  }
}

/** Whether no more text can join `open` with the block before it. Its first line may still turn out to be another thing, and a table is known by its second. */
function isApart(before: Token | undefined, open: Token, textBefore: string): boolean {
  const lines = open.raw.split('\n').length - 1;
  if (lines >= 2 || (lines === 1 && open.type === 'code')) return true;
  return (lines === 1 || before?.type !== 'list') && /\n[ \t]*\n$/.test(textBefore);
}

function openFence(token: Token): OpenFence | undefined {
  if (token.type !== 'code') return undefined;
  const [opening = '', indent = '', mark = ''] = /^( {0,3})(`{3,}|~{3,})[^\n]*(?:\n|$)/.exec(token.raw) ?? [];
  if (opening === '' || !opening.endsWith('\n')) return undefined;
  const close = closing(mark);
  if (close.test(token.raw.slice(opening.length))) return undefined;
  return { close, indent: new RegExp(`^ {0,${indent.length}}`), language: languageOf(token as Tokens.Code), rows: [], upTo: opening.length };
}

/** As marked has it: the same mark again, at the start of a line, with nothing behind. */
function closing(mark: string): RegExp {
  return new RegExp(`(?:^|\\n) {0,3}${mark}[~\`]* *(?=\\n|$)`);
}

/** An empty row between blocks. */
function spaced(before: readonly string[], rows: string[]): string[] {
  return before.length > 0 && rows.length > 0 ? ['', ...rows] : rows;
}

function blockRows(token: Token, options: MarkdownOptions): string[] {
  const { width, theme } = options;
  const block = token as MarkedToken;
  switch (block.type) {
    case 'space':
      return [];
    case 'heading':
      return wrap(inlineSpans(block.tokens, theme, block.depth < 4 ? theme.sgr.heading : theme.sgr.strong), width);
    case 'code':
      return fencedRows(block, options);
    case 'blockquote':
      return prefixed(blocksRows(block.tokens, { ...options, width: inner(width, 2), theme: quoted(theme) }), '│ ', '│ ', width, theme);
    case 'list':
      return listRows(block, options);
    case 'table':
      return tableRows(block.header.map((cell) => inlineSpans(cell.tokens, theme)), block.rows.map((row) => row.map((cell) => inlineSpans(cell.tokens, theme))), { width, theme, align: block.align });
    case 'hr':
      return [paint(theme, 'border', '─'.repeat(width))];
    case 'html':
      return wrap([{ text: block.raw.trimEnd(), sgr: theme.sgr.dim }], width);
    case 'paragraph':
    case 'text':
      return wrap(inlineSpans(block.tokens ?? [{ type: 'text', raw: block.raw, text: block.text }], theme, theme.sgr.text), width);
    default:
      return wrap([{ text: token.raw.trimEnd() }], width);
  }
}

function blocksRows(tokens: readonly Token[], options: MarkdownOptions, tight = false): string[] {
  const rows: string[] = [];
  for (const token of tokens) rows.push(...(tight ? blockRows(token, options) : spaced(rows, blockRows(token, options))));
  return rows;
}

function listRows(list: Tokens.List, options: MarkdownOptions): string[] {
  const { width, theme } = options;
  const start = list.start === '' ? 1 : list.start;
  const marks = list.items.map((_, at) => (list.ordered ? `${start + at}. ` : '• '));
  const indent = Math.max(...marks.map((mark) => mark.length));
  const rows: string[] = [];
  for (const [at, item] of list.items.entries()) {
    const body = blocksRows(withCheckbox(item.tokens), { ...options, width: inner(width, indent) }, !list.loose);
    const made = prefixed(body.length > 0 ? body : [''], (marks[at] ?? '').padStart(indent), ' '.repeat(indent), width, theme);
    rows.push(...(list.loose ? spaced(rows, made) : made));
  }
  return rows;
}

/** A tight list has the box of a task beside its text; it belongs on the same line. */
function withCheckbox([box, text, ...rest]: readonly Token[]): readonly Token[] {
  if (box?.type !== 'checkbox' || !text) return [box, text, ...rest].filter((token) => token !== undefined);
  return [{ ...text, tokens: [box, ...('tokens' in text && text.tokens ? text.tokens : [])] } as Token, ...rest];
}

/** Room inside a prefix; a prefix that leaves less than two columns is left out by `prefixed`. */
function inner(width: number, prefix: number): number {
  return width - prefix < 2 ? width : width - prefix;
}

function prefixed(rows: readonly string[], first: string, rest: string, width: number, theme: Theme): string[] {
  if (width - first.length < 2) return [...rows];
  return rows.map((row, at) => paint(theme, 'bullet', at === 0 ? first : rest) + row);
}

/** The theme inside a quote: text that has no look of its own takes the quote's. */
function quoted(theme: Theme): Theme {
  const { quote } = theme.sgr;
  return { ...theme, sgr: { ...theme.sgr, text: quote, strong: join(quote, theme.sgr.strong), emphasis: join(quote, theme.sgr.emphasis) } };
}

function languageOf(code: Tokens.Code): string {
  return /^[^\s{,:]*/.exec(code.lang ?? '')?.[0] ?? '';
}

/** A closed block is coloured as a whole; an open one line by line, as its lines come. */
function fencedRows(code: Tokens.Code, options: MarkdownOptions): string[] {
  const open = openFence(code);
  return open ? fenceRows(open, code.raw, options) : codeRows(code.text, languageOf(code), options);
}

/** Rows of an open block; `text` begins with its first line. Lines that are whole are kept with the fence. */
function fenceRows(open: OpenFence, text: string, options: MarkdownOptions): string[] {
  const lineRows = (line: string) => codeRows(line.replace(open.indent, ''), open.language, options);
  const end = text.lastIndexOf('\n') + 1;
  if (end > open.upTo) {
    for (const line of text.slice(open.upTo, end - 1).split('\n')) open.rows.push(...lineRows(line));
    open.upTo = end;
  }
  const partial = text.slice(open.upTo);
  if (partial !== '') return [...open.rows, ...lineRows(partial)];
  return open.rows.length > 0 ? open.rows : [''];
}

function codeRows(code: string, language: string, { width, theme, highlighter }: MarkdownOptions): string[] {
  return wrap(highlighter.spans(code, language, theme), width, { how: 'hard', first: [{ text: '  ' }] });
}
