// Colours for code. highlight.js and each language are loaded when code first asks for them; until then code is plain.
import type { HLJSApi, LanguageFn } from 'highlight.js';
import type { Span } from './lines.ts';
import type { Style, Theme } from './themes.ts';

export type Highlighter = {
  /** The code in colours; plain while its language is on its way, unknown, or the code too long. `code` must be clean. */
  spans(code: string, language: string, theme: Theme): Span[];
  /** Counts up whenever a language has arrived: what was plain may be rendered again. */
  revision(): number;
  /** Resolves once the language is there; false when there is none of that name. */
  load(language: string): Promise<boolean>;
};

/** Longer code, and code with a longer line, is shown plain. */
const CODE_CHARS = 100_000;
const LINE_CHARS = 2_000;

type Load = () => Promise<{ default: LanguageFn }>;

/* One import() a language, spelled out: a bundler makes a chunk of each. */
const LANGUAGES: readonly (readonly [names: string, load: Load])[] = [
  ['bash sh shell zsh console shellsession', () => import('highlight.js/lib/languages/bash')],
  ['c h', () => import('highlight.js/lib/languages/c')],
  ['cpp c++ cc cxx hpp', () => import('highlight.js/lib/languages/cpp')],
  ['csharp cs c#', () => import('highlight.js/lib/languages/csharp')],
  ['css', () => import('highlight.js/lib/languages/css')],
  ['dart', () => import('highlight.js/lib/languages/dart')],
  ['diff patch', () => import('highlight.js/lib/languages/diff')],
  ['dockerfile docker', () => import('highlight.js/lib/languages/dockerfile')],
  ['elixir ex exs', () => import('highlight.js/lib/languages/elixir')],
  ['go golang', () => import('highlight.js/lib/languages/go')],
  ['graphql gql', () => import('highlight.js/lib/languages/graphql')],
  ['haskell hs', () => import('highlight.js/lib/languages/haskell')],
  ['ini toml', () => import('highlight.js/lib/languages/ini')],
  ['java', () => import('highlight.js/lib/languages/java')],
  ['javascript js jsx mjs cjs', () => import('highlight.js/lib/languages/javascript')],
  ['json jsonc json5 jsonl', () => import('highlight.js/lib/languages/json')],
  ['kotlin kt kts', () => import('highlight.js/lib/languages/kotlin')],
  ['lua', () => import('highlight.js/lib/languages/lua')],
  ['makefile make mk', () => import('highlight.js/lib/languages/makefile')],
  ['markdown md', () => import('highlight.js/lib/languages/markdown')],
  ['perl pl', () => import('highlight.js/lib/languages/perl')],
  ['php', () => import('highlight.js/lib/languages/php')],
  ['powershell ps1 pwsh', () => import('highlight.js/lib/languages/powershell')],
  ['python py', () => import('highlight.js/lib/languages/python')],
  ['r', () => import('highlight.js/lib/languages/r')],
  ['ruby rb', () => import('highlight.js/lib/languages/ruby')],
  ['rust rs', () => import('highlight.js/lib/languages/rust')],
  ['scala', () => import('highlight.js/lib/languages/scala')],
  ['scss sass less', () => import('highlight.js/lib/languages/scss')],
  ['sql', () => import('highlight.js/lib/languages/sql')],
  ['swift', () => import('highlight.js/lib/languages/swift')],
  ['typescript ts tsx mts cts', () => import('highlight.js/lib/languages/typescript')],
  ['xml html svg vue svelte', () => import('highlight.js/lib/languages/xml')],
  ['yaml yml', () => import('highlight.js/lib/languages/yaml')],
];

/* The scopes of highlight.js (its "CSS classes reference"), by their first word. */
const STYLES: Readonly<Record<string, Style>> = {
  keyword: 'keyword', built_in: 'type', type: 'type', literal: 'number', number: 'number', string: 'string', regexp: 'string', symbol: 'string', char: 'string',
  comment: 'comment', doctag: 'comment', quote: 'comment', title: 'function', class: 'type', function: 'function', params: 'variable', variable: 'variable',
  attr: 'variable', attribute: 'variable', property: 'variable', name: 'keyword', tag: 'meta', meta: 'meta', section: 'heading', bullet: 'bullet', link: 'link',
  code: 'code', strong: 'strong', emphasis: 'emphasis', addition: 'success', deletion: 'danger',
};

/** Makes a highlighter that knows no language yet. `changed` is called when one has arrived. */
export function createHighlighter(changed: () => void = () => {}): Highlighter {
  let core: HLJSApi | undefined;
  let revision = 0;
  const loading = new Map<Load, Promise<boolean>>();

  const register = async (name: string, language: Load): Promise<boolean> => {
    const [{ default: hljs }, { default: grammar }] = await Promise.all([import('highlight.js/lib/core'), language()]);
    // An instance of our own: the module's is shared.
    core ??= hljs.newInstance();
    core.registerLanguage(name, grammar);
    revision += 1;
    changed();
    return true;
  };
  const load = (language: string): Promise<boolean> => {
    const row = rowOf(language);
    if (!row) return Promise.resolve(false);
    const running = loading.get(row.load) ?? register(row.name, row.load);
    loading.set(row.load, running);
    return running;
  };

  return {
    spans(code, language, theme) {
      const plain = [{ text: code }];
      const name = rowOf(language)?.name;
      if (name === undefined || code.length > CODE_CHARS || theme.level === 'none') return plain;
      if (!core?.getLanguage(name)) {
        // Without the colours the code is still all there.
        load(language).catch(() => false);
        return plain;
      }
      if (code.length > LINE_CHARS && code.split('\n').some((line) => line.length > LINE_CHARS)) return plain;
      return spansOf(core.highlight(code, { language: name, ignoreIllegals: true }).value, theme);
    },
    revision: () => revision,
    load,
  };
}

function rowOf(language: string): { name: string; load: Load } | undefined {
  const wanted = language.toLowerCase();
  for (const [names, load] of LANGUAGES) {
    const all = names.split(' ');
    if (all.includes(wanted)) return { name: all[0] ?? wanted, load };
  }
  return undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };

/** The HTML of highlight.js (nested spans with classes, five entities) as spans. */
function spansOf(html: string, theme: Theme): Span[] {
  const spans: Span[] = [];
  const open: string[] = [];
  for (const [piece, scope] of html.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (scope !== undefined) open.push(sgrOf(scope, theme) ?? open.at(-1) ?? '');
    else if (piece === '</span>') open.pop();
    else spans.push({ text: piece.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => ENTITIES[entity] ?? entity), sgr: open.at(-1) ?? '' });
  }
  return spans;
}

/** `hljs-title class_` counts as a class, `language-css` as nothing. */
function sgrOf(scope: string, theme: Theme): string | undefined {
  const words = scope.replace(/^hljs-/, '').split(/[ _.-]+/).filter((word) => word !== '');
  const name = scope.includes('built_in') ? 'built_in' : scope.includes('class_') ? 'class' : (words[0] ?? '');
  const style = STYLES[name];
  return style && theme.sgr[style];
}
