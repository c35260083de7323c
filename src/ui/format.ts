// Numbers, times and states as the screen spells them, and the glyphs that are one column wide on every terminal.
import type { ToolStatus } from '../types/state.ts';
import type { Style } from './themes.ts';

/** `950`, `1.2K`, `65.0K`, `200K`, `1.5M`: at most five characters. */
export function formatCount(value: number): string {
  const count = Math.max(0, Math.round(value));
  if (count < 1_000) return String(count);
  const [scaled, unit] = count < 999_500 ? [count / 1_000, 'K'] : [count / 1_000_000, 'M'];
  return scaled < 99.95 ? `${scaled.toFixed(1)}${unit}` : `${Math.round(scaled)}${unit}`;
}

/** The same without needless decimals: `200K`, `8.2K`, `1M`. */
export function formatShort(value: number): string {
  return formatCount(value).replace('.0', '');
}

/** `2ms`, `1.4s`, `12s`, `3m 05s`, `1h 02m`. */
export function formatMs(ms: number): string {
  const spent = Math.max(0, ms);
  if (spent < 1_000) return `${Math.round(spent)}ms`;
  return spent < 9_950 ? `${(spent / 1_000).toFixed(1)}s` : formatSeconds(spent);
}

/** Whole seconds, for what is still counting: `0s`, `12s`, `3m 05s`, `1h 02m`. */
export function formatSeconds(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  return `${Math.floor(seconds / 3_600)}h ${two(Math.floor((seconds % 3_600) / 60))}m`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** `$0.42`, `$0.0012` where cents would say nothing. */
export function formatUsd(usd: number): string {
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

export const toolMarks: Readonly<Record<ToolStatus, { glyph: string; style: Style; word: string }>> = {
  waiting: { glyph: '○', style: 'dim', word: 'waiting' },
  asking: { glyph: '?', style: 'warning', word: 'asking' },
  running: { glyph: '●', style: 'running', word: 'running' },
  done: { glyph: '✓', style: 'success', word: 'done' },
  failed: { glyph: '✗', style: 'danger', word: 'failed' },
  denied: { glyph: '⊘', style: 'danger', word: 'denied' },
  cancelled: { glyph: '×', style: 'dim', word: 'cancelled' },
};
