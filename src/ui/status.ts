// The header row, the status bar and the spinner line as painted rows.
import { cleanLine } from '../lib/clean.ts';
import { plural } from '../lib/plural.ts';
import type { ModeInfo } from '../types/permission.ts';
import type { Usage } from '../types/provider.ts';
import type { Doing, Meter, SessionState } from '../types/state.ts';
import { formatCount, formatShort, formatSeconds, formatUsd } from './format.ts';
import { fit, spread, widthOf, type Span } from './lines.ts';
import type { Style, Theme } from './themes.ts';

export type HeaderInfo = { project: string; branch: string | null };

export type StatusState = Pick<SessionState, 'mode' | 'meter' | 'queue' | 'mcp' | 'tasks' | 'sandbox'>;

const TONES: Readonly<Record<ModeInfo['tone'], Style>> = { normal: 'accent', safe: 'success', danger: 'danger' };

/** `MewCode ── project ── branch ── … model · mode`, exactly `width` columns. With `frame` its ends are the frame's corners. */
export function headerRow(info: HeaderInfo, state: Pick<SessionState, 'model' | 'mode'>, view: { width: number; theme: Theme; frame: boolean }): string {
  const { width, theme, frame } = view;
  const border = theme.sgr.border;
  const left: Span[] = [{ text: frame ? '┌ ' : '', sgr: border }, { text: 'MewCode', sgr: theme.sgr.heading }];
  for (const text of [info.project, info.branch]) if (text) left.push({ text: ' ── ', sgr: border }, { text: cleanLine(text) });
  left.push({ text: ' ' });
  const right: Span[] = [
    { text: [state.model, state.mode].filter((text) => text !== '').map(cleanLine).join(' · ').replace(/^(?=.)/, ' '), sgr: theme.sgr.dim },
    { text: frame ? ' ┐' : '', sgr: border },
  ];
  return spread(left, right, width, { text: '─', sgr: border });
}

/** The status bar, at most `width` columns: what matters least is left out first, the mode and `ctx ` never from 40 columns up. */
export function statusRow(state: StatusState, view: { width: number; theme: Theme; tone?: ModeInfo['tone'] }): string {
  const { width, theme, tone = 'normal' } = view;
  const { meter } = state;
  const dim = (text: string): Span[] => [{ text, sgr: theme.sgr.dim }];
  const mode: Span[] = [{ text: `${cleanLine(state.mode).slice(0, 18)} ⏵ `, sgr: theme.sgr[TONES[tone]] }];
  const hit = cacheHit(meter.turn);
  const inBackground = state.tasks.filter(({ status }) => status === 'running').length;
  const ready = state.mcp.filter((server) => server.state === 'ready').length;
  const failed = state.mcp.filter((server) => server.state === 'failed').length;
  /* In the order on the screen; the higher the rank, the sooner it goes. */
  const parts: { rank: number; before?: string; spans: Span[] }[] = [
    { rank: 3, spans: dim(`↑${formatShort(inputOf(meter.turn))} ↓${formatShort(outputSoFar(meter))}`) },
    { rank: 4, before: ' ', spans: meter.speed > 0 ? dim(`${Math.round(meter.speed)} tok/s`) : [] },
    { rank: 5, spans: hit === undefined ? [] : dim(`cache ${hit}%`) },
    { rank: 2, spans: meter.costUsd === 0 ? [] : dim(meter.costUsd === null ? '$?' : formatUsd(meter.costUsd)) },
    { rank: 1, spans: state.queue.length === 0 ? [] : [{ text: `${state.queue.length} queued`, sgr: theme.sgr.warning }] },
    { rank: 1, spans: inBackground === 0 ? [] : [{ text: `${inBackground} in background`, sgr: theme.sgr.running }] },
    { rank: 6, spans: state.mcp.length === 0 ? [] : failed > 0 ? [{ text: `${ready}/${state.mcp.length} MCP`, sgr: theme.sgr.warning }] : dim(`${ready} MCP`) },
    { rank: 7, spans: !state.sandbox ? [] : state.sandbox.kind === 'none' ? [{ text: 'no sandbox', sgr: theme.sgr.warning }] : dim(state.sandbox.kind) },
  ].filter(({ spans }) => spans.length > 0);

  for (const context of [contextSpans(meter, theme, { bar: true }), contextSpans(meter, theme, { bar: false })]) {
    for (let shown = parts; ; shown = shown.filter(({ rank }) => rank < Math.max(...shown.map((part) => part.rank)))) {
      const row = [...mode, ...context, ...shown.flatMap(({ before = ' · ', spans }) => [...dim(before), ...spans])];
      if (widthOf(row) <= width) return fit(row, width);
      if (shown.length === 0) break;
    }
  }
  return fit([...mode, ...contextSpans(meter, theme, { bar: false })], width);
}

/** `ctx 65.0K/200K ███░░░░░░░ 33%`, in the colour of how full it is. An unknown window has no bar. */
function contextSpans(meter: Meter, theme: Theme, { bar }: { bar: boolean }): Span[] {
  const used = meter.context + meter.pending;
  if (meter.window <= 0) return [{ text: `ctx ${formatCount(used)}`, sgr: theme.sgr.dim }];
  const percent = Math.round((used / meter.window) * 100);
  const cells = Math.min(10, Math.round((used / meter.window) * 10));
  const sgr = theme.sgr[percent < 60 ? 'success' : percent <= 85 ? 'warning' : 'danger'];
  return [
    { text: `ctx ${formatCount(used)}/${formatShort(meter.window)} `, sgr: theme.sgr.dim },
    ...(bar ? [{ text: `${'█'.repeat(cells)}${'░'.repeat(10 - cells)} `, sgr }] : []),
    { text: `${percent}%`, sgr },
  ];
}

/**
 * What goes on, behind the spinner's own glyph: `answering · 12s · ↓ 1.2K tokens · esc to interrupt`, or the countdown
 * of a retry; `null` when idle. `now` is milliseconds since 1970.
 */
export function spinnerRow(state: Pick<SessionState, 'doing' | 'turn' | 'meter' | 'tools'>, view: { width: number; theme: Theme; now: number }): string | null {
  const { width, theme, now } = view;
  const { doing, turn, meter } = state;
  if (doing.what === 'idle') return null;
  const spent = outputSoFar(meter);
  const rest = [formatSeconds(now - (turn.running ? turn.startedAt : doing.at)), ...(spent >= 1 ? [`↓ ${formatCount(spent)} tokens`] : []), 'esc to interrupt'];
  // The end of the row says how to get out of it: a long reason makes room.
  const room = width - rest.reduce((total, text) => total + text.length + 3, 0);
  const said = saying(doing, state.tools, { now, room });
  const full: Span[] = [{ text: said, sgr: theme.sgr[doing.what === 'retrying' ? 'warning' : 'accent'] }, ...rest.map((text) => ({ text: ` · ${text}`, sgr: theme.sgr.dim }))];
  return fit(full, width);
}

function saying(doing: Exclude<Doing, { what: 'idle' }>, tools: SessionState['tools'], { now, room }: { now: number; room: number }): string {
  switch (doing.what) {
    case 'requesting':
      return 'waiting for the model';
    case 'thinking':
      return 'thinking';
    case 'answering':
      return 'answering';
    case 'tools': {
      const title = tools.findLast(({ status }) => status === 'running')?.title;
      if (title) return `running ${cleanLine(title).slice(0, 40)}`;
      return tools.some(({ status }) => status === 'asking') ? 'waiting for your answer' : 'running tools';
    }
    case 'retrying': {
      const seconds = Math.ceil((doing.until - now) / 1_000);
      if (seconds <= 0) return `trying again (${doing.attempt + 1})`;
      const wait = `try ${doing.attempt + 1} in ${plural(seconds, 'second')}`;
      const why = cleanLine(doing.failure.message);
      const most = Math.max(0, room - wait.length - 3);
      return most < 12 ? wait : `${why.length > most ? `${why.slice(0, most - 1)}…` : why} · ${wait}`;
    }
  }
}

function inputOf(usage: Usage): number {
  return usage.input + usage.cacheRead + usage.cacheWrite;
}

/** Output tokens of the turn, the answer on its way included. */
function outputSoFar(meter: Meter): number {
  return meter.turn.output + (meter.answer?.tokens ?? 0);
}

/** Percent of the turn's prompt tokens that came from the cache; `undefined` where none could. */
function cacheHit(usage: Usage): number | undefined {
  const total = inputOf(usage);
  return total === 0 || usage.cacheRead + usage.cacheWrite === 0 ? undefined : Math.round((usage.cacheRead / total) * 100);
}
