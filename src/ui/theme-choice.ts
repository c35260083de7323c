// Which theme a start has: the one that was asked for, or by the background that the terminal tells.
import { themeNames, type ThemeName } from './themes.ts';

/** Asks a terminal for its background colour. */
export const BACKGROUND_QUERY = '\x1b]11;?\x07';

/** `wanted` is `ui.theme`; `reply` what the terminal answered to the query, if it did. Unknown names count as `auto`. */
export function chooseTheme(wanted: string, env: NodeJS.ProcessEnv, reply?: string): ThemeName {
  const named = themeNames.find((name) => name === wanted);
  if (named) return named;
  const light = reply === undefined ? undefined : isLight(reply);
  return (light ?? /;(7|15)$/.test(env['COLORFGBG'] ?? '')) ? 'light' : 'dark';
}

/** From `OSC 11 ; rgb:RRRR/GGGG/BBBB`, one to four digits each. https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h3-Operating-System-Commands */
function isLight(reply: string): boolean | undefined {
  const match = /\]11;rgba?:([\da-f]+)\/([\da-f]+)\/([\da-f]+)/i.exec(reply);
  if (!match) return undefined;
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((digits) => Number.parseInt(digits, 16) / (16 ** digits.length - 1));
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5;
}
