// The themes as data, and how a style becomes terminal colours at what the terminal can show.

/** Everything that the screen paints has one of these styles. */
export type Style =
  | 'text' | 'dim' | 'border' | 'accent' | 'user' | 'thinking' | 'selected'
  | 'success' | 'warning' | 'danger' | 'running'
  | 'heading' | 'strong' | 'emphasis' | 'strike' | 'code' | 'link' | 'quote' | 'bullet'
  | 'added' | 'removed' | 'addedWord' | 'removedWord' | 'hunk' | 'lineNumber'
  | 'keyword' | 'string' | 'number' | 'comment' | 'type' | 'function' | 'variable' | 'meta';

/** A colour is `#rrggbb`, or one of the terminal's own sixteen by number. */
type Colour = `#${string}` | number;
type Look = { fg?: Colour; bg?: Colour; bold?: true; dim?: true; italic?: true; underline?: true; inverse?: true; strike?: true };
type Palette = Readonly<Record<Style, Look>>;

/** `none`: not even bold. `mono`: bold, dim, underline, inverse, but no colour. */
export type ColourLevel = 'none' | 'mono' | 'ansi16' | 'ansi256' | 'truecolor';

export type ThemeName = 'dark' | 'light' | 'contrast' | 'ansi16' | 'colourblind';

/** A theme ready to paint with: the SGR parameters of each style, empty where it changes nothing. */
export type Theme = { name: ThemeName; level: ColourLevel; sgr: Readonly<Record<Style, string>> };

const SHAPE = {
  text: {}, heading: { bold: true }, strong: { bold: true }, emphasis: { italic: true }, strike: { strike: true }, selected: { inverse: true },
} as const satisfies Partial<Palette>;

const dark: Palette = {
  ...SHAPE,
  dim: { fg: '#808890' }, border: { fg: '#4a525c' }, accent: { fg: '#7aa2f7' }, user: { fg: '#7dcfff', bold: true }, thinking: { fg: '#767e88', italic: true },
  selected: { bg: '#2c3a55' },
  success: { fg: '#7fc97f' }, warning: { fg: '#e0af68' }, danger: { fg: '#f7768e' }, running: { fg: '#7aa2f7' },
  heading: { fg: '#7aa2f7', bold: true }, code: { fg: '#d9a86c' }, link: { fg: '#73b8ff', underline: true }, quote: { fg: '#9aa5b1', italic: true }, bullet: { fg: '#7aa2f7' },
  added: { bg: '#12351f' }, removed: { bg: '#42161d' }, addedWord: { bg: '#1f6b3a' }, removedWord: { bg: '#8a2a38' }, hunk: { fg: '#7dcfff' }, lineNumber: { fg: '#5c6570' },
  keyword: { fg: '#bb9af7' }, string: { fg: '#9ece6a' }, number: { fg: '#ff9e64' }, comment: { fg: '#6b7480', italic: true }, type: { fg: '#2ac3de' },
  function: { fg: '#7aa2f7' }, variable: { fg: '#c0caf5' }, meta: { fg: '#89929c' },
};

const light: Palette = {
  ...SHAPE,
  dim: { fg: '#68707a' }, border: { fg: '#b4bcc6' }, accent: { fg: '#1f5fbf' }, user: { fg: '#0b6e99', bold: true }, thinking: { fg: '#737b86', italic: true },
  selected: { bg: '#d6e4fb' },
  success: { fg: '#1a7f37' }, warning: { fg: '#8a5a00' }, danger: { fg: '#c0232c' }, running: { fg: '#1f5fbf' },
  heading: { fg: '#1f5fbf', bold: true }, code: { fg: '#94480b' }, link: { fg: '#0b5cad', underline: true }, quote: { fg: '#5b6672', italic: true }, bullet: { fg: '#1f5fbf' },
  added: { bg: '#dff5e3' }, removed: { bg: '#fde2e4' }, addedWord: { bg: '#a5e3b4' }, removedWord: { bg: '#f7b0b6' }, hunk: { fg: '#0b6e99' }, lineNumber: { fg: '#949ca6' },
  keyword: { fg: '#7c3aad' }, string: { fg: '#2f6f1f' }, number: { fg: '#b04a00' }, comment: { fg: '#7a828c', italic: true }, type: { fg: '#0f6e84' },
  function: { fg: '#1f5fbf' }, variable: { fg: '#24292f' }, meta: { fg: '#68707a' },
};

const contrast: Palette = {
  ...SHAPE,
  dim: { fg: '#d0d0d0' }, border: { fg: '#ffffff' }, accent: { fg: '#00ffff', bold: true }, user: { fg: '#ffff00', bold: true }, thinking: { fg: '#d0d0d0', italic: true },
  success: { fg: '#00ff00', bold: true }, warning: { fg: '#ffff00', bold: true }, danger: { fg: '#ff6060', bold: true }, running: { fg: '#00ffff', bold: true },
  code: { fg: '#ffff00' }, link: { fg: '#00ffff', underline: true }, quote: { italic: true }, bullet: { fg: '#00ffff' },
  added: { fg: '#00ff00' }, removed: { fg: '#ff6060' }, addedWord: { fg: '#000000', bg: '#00ff00' }, removedWord: { fg: '#000000', bg: '#ff6060' }, hunk: { fg: '#00ffff' }, lineNumber: { fg: '#d0d0d0' },
  keyword: { fg: '#00ffff' }, string: { fg: '#00ff00' }, number: { fg: '#ffff00' }, comment: { fg: '#d0d0d0' }, type: { fg: '#ff80ff' }, function: { bold: true }, variable: {}, meta: { fg: '#d0d0d0' },
};

/* Only the terminal's own colours: they fit whatever background the user has chosen for them. */
const ansi16: Palette = {
  ...SHAPE,
  dim: { dim: true }, border: { dim: true }, accent: { fg: 6 }, user: { fg: 6, bold: true }, thinking: { dim: true, italic: true },
  success: { fg: 2 }, warning: { fg: 3 }, danger: { fg: 1 }, running: { fg: 6 },
  code: { fg: 3 }, link: { fg: 4, underline: true }, quote: { dim: true, italic: true }, bullet: { fg: 6 },
  added: { fg: 2 }, removed: { fg: 1 }, addedWord: { fg: 2, inverse: true }, removedWord: { fg: 1, inverse: true }, hunk: { fg: 6 }, lineNumber: { dim: true },
  keyword: { fg: 5 }, string: { fg: 2 }, number: { fg: 3 }, comment: { dim: true }, type: { fg: 6 }, function: { fg: 4 }, variable: {}, meta: { dim: true },
};

/* Blue and orange in place of green and red: told apart with any of the common kinds of colour blindness. */
const colourblind: Palette = {
  ...dark,
  success: { fg: '#56b4e9' }, warning: { fg: '#f0e442' }, danger: { fg: '#e69f00', bold: true }, running: { fg: '#cc79a7' },
  added: { bg: '#0b2f4a' }, removed: { bg: '#4a3000' }, addedWord: { bg: '#0072b2' }, removedWord: { bg: '#a86800' },
  string: { fg: '#56b4e9' }, number: { fg: '#e69f00' },
};

const PALETTES: Readonly<Record<ThemeName, Palette>> = { dark, light, contrast, ansi16, colourblind };

export const themeNames = Object.keys(PALETTES) as readonly ThemeName[];

/** The named theme for a terminal of that level. */
export function createTheme(name: ThemeName, level: ColourLevel): Theme {
  const entries = Object.entries(PALETTES[name]).map(([style, look]) => [style, parametersOf(look, level)] as const);
  return { name, level, sgr: Object.fromEntries(entries) as Record<Style, string> };
}

/** `text` in a style, closed behind it. The text must be clean already. */
export function paint(theme: Theme, style: Style, text: string): string {
  return sgr(theme.sgr[style], text);
}

/** `text` under SGR parameters, closed behind it. */
export function sgr(parameters: string, text: string): string {
  return parameters === '' || text === '' ? text : `\x1b[${parameters}m${text}\x1b[0m`;
}

/** What the environment says of colour: NO_COLOR, FORCE_COLOR, TERM and COLORTERM, in the order in which they count. */
export function colourLevel(env: NodeJS.ProcessEnv): ColourLevel {
  const forced = env['FORCE_COLOR'];
  if (forced === '0' || forced === 'false') return 'mono';
  if (forced === '1' || forced === 'true' || forced === '') return 'ansi16';
  if (forced === '2') return 'ansi256';
  if (forced === '3') return 'truecolor';
  if (env['TERM'] === 'dumb') return 'none';
  if (env['NO_COLOR']) return 'mono';
  if (/^(truecolor|24bit)$/.test(env['COLORTERM'] ?? '') || /-direct$|^xterm-(kitty|ghostty)$/.test(env['TERM'] ?? '')) return 'truecolor';
  return /256(color)?$/.test(env['TERM'] ?? '') ? 'ansi256' : 'ansi16';
}

function parametersOf(look: Look, level: ColourLevel): string {
  if (level === 'none') return '';
  const marks = [look.bold && 1, look.dim && 2, look.italic && 3, look.underline && 4, look.inverse && 7, look.strike && 9].filter((code) => code !== undefined);
  if (level === 'mono') return marks.join(';');
  const fg = look.fg === undefined ? [] : [colourOf(look.fg, level, 0)];
  const bg = look.bg === undefined ? [] : [colourOf(look.bg, level, 10)];
  return [...marks, ...fg, ...bg].join(';');
}

/** `shift` is 0 for the foreground, 10 for the background. */
function colourOf(colour: Colour, level: ColourLevel, shift: 0 | 10): string {
  if (typeof colour === 'number') return String(colour < 8 ? 30 + shift + colour : 82 + shift + colour);
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  if (level === 'truecolor') return `${38 + shift};2;${r};${g};${b}`;
  if (level === 'ansi256') return `${38 + shift};5;${nearest256(r, g, b)}`;
  return colourOf(nearest16(r, g, b), level, shift);
}

/** The cube of 6×6×6, or the ramp of greys for what has no hue. */
function nearest256(r: number, g: number, b: number): number {
  if (Math.max(r, g, b) - Math.min(r, g, b) < 12) return r < 8 ? 16 : r > 246 ? 231 : 232 + Math.round(((r - 8) / 238) * 23);
  return 16 + 36 * cubeStep(r) + 6 * cubeStep(g) + cubeStep(b);
}

function cubeStep(value: number): number {
  return value < 48 ? 0 : value < 115 ? 1 : Math.floor((value - 35) / 40);
}

/** By which channels are strong compared with the strongest, bright when that is bright. */
function nearest16(r: number, g: number, b: number): number {
  const most = Math.max(r, g, b);
  const grey = most - Math.min(r, g, b) < 24;
  if (grey) return most < 64 ? 0 : most < 160 ? 8 : most < 230 ? 7 : 15;
  const bit = (value: number) => (value > most * 0.7 ? 1 : 0);
  return bit(r) + 2 * bit(g) + 4 * bit(b) + (most > 200 ? 8 : 0);
}
