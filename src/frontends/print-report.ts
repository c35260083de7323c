// What headless output says of a run: the final text, the JSON object, the exit code, the progress lines. All pure.
import { clean, cleanLine } from '../lib/clean.ts';
import { initialState } from '../store/reduce.ts';
import type { Happening, TurnEnd } from '../types/event.ts';
import type { Message, View } from '../types/message.ts';
import type { SessionState } from '../types/state.ts';

/** The one object of `--output-format json`. Names of tokens and denials are those that wrappers of other agents read. */
export type Report = {
  /** The final text, or the sentence of what went wrong. */
  result: string;
  session_id: string | null;
  /** How the turn ended; `null` when there was none. */
  stop_reason: string | null;
  rounds: number;
  usage: { input_tokens: number; output_tokens: number; cache_creation_input_tokens: number; cache_read_input_tokens: number };
  /** Dollars of this run; `null` when a price is unknown. */
  cost_usd: number | null;
  duration_ms: number;
  permission_denials: { tool_name: string; tool_use_id: string; tool_input: unknown }[];
  is_error: boolean;
};

/** How the turn ended, as its event said; absent when none was run. */
export type Ended = { why: TurnEnd; failure?: string };

/** What a run came to. `failure` is the sentence for the user, `text` the answer. */
export type Outcome = { code: number; text: string; failure?: string };

/** The report of the run that began in state `before` and ended in `after`. */
export function reportOf(run: { before: SessionState; after: SessionState; ended: Ended | undefined; outcome: Outcome; ms: number }): Report {
  const { before, after, ended, outcome } = run;
  const usage = ended && after.meter.turn;
  const [from, to] = [before.meter.costUsd, after.meter.costUsd];
  return {
    result: outcome.failure ?? outcome.text,
    session_id: after.id || null,
    stop_reason: ended?.why ?? null,
    rounds: ended ? after.turn.rounds : 0,
    usage: { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0, cache_creation_input_tokens: usage?.cacheWrite ?? 0, cache_read_input_tokens: usage?.cacheRead ?? 0 },
    cost_usd: from === null || to === null ? null : to - from,
    duration_ms: run.ms,
    permission_denials: deniedIn(before, after).map(({ call }) => ({ tool_name: call.name, tool_use_id: call.id, tool_input: call.input })),
    is_error: outcome.code !== 0,
  };
}

/** The report of a run that never began. */
export function reportOfNothing(failure: string): Report {
  const state = initialState();
  return reportOf({ before: state, after: state, ended: undefined, outcome: { code: 2, text: '', failure }, ms: 0 });
}

/** What an ended turn comes to: exit code 1 failed, 4 limit, 3 denied where that counts, else 0. */
export function outcomeOf(run: { before: SessionState; after: SessionState; ended: Ended; failOnDenied: boolean }): Outcome {
  const { why, failure } = run.ended;
  switch (why) {
    case 'end':
      return { code: run.failOnDenied && deniedIn(run.before, run.after).length > 0 ? 3 : 0, text: finalText(run.after.messages) };
    case 'limit':
      return { code: 4, text: finalText(run.after.messages) };
    // A part of an answer is not the answer.
    case 'cancelled':
      return { code: 130, text: '', failure: 'The turn was cancelled.' };
    case 'error':
      return { code: 1, text: '', failure: failure ?? 'The turn failed.' };
    case 'max_tokens':
    case 'refusal':
    case 'filter':
    case 'pause':
    case 'window':
    case 'tools':
      return { code: 1, text: finalText(run.after.messages) };
  }
}

/** The exit code of a command that may have called a tool for the user. */
export function codeOfCalls(run: { before: SessionState; after: SessionState; failOnDenied: boolean }): number {
  if (run.failOnDenied && deniedIn(run.before, run.after).length > 0) return 3;
  return run.after.tools.slice(run.before.tools.length).every(({ status }) => status === 'done') ? 0 : 1;
}

/** Calls that the permission check stopped; one that was refused for another reason was never judged. */
const deniedIn = (before: SessionState, after: SessionState) => after.tools.slice(before.tools.length).filter((entry) => entry.status === 'denied' && entry.decision);

/** The text that the model ended with: all it said since the last result or prompt. A continued answer is one text. */
export function finalText(messages: readonly Message[]): string {
  const end = messages.findLastIndex((message) => message.role === 'tool' || (message.role === 'user' && message.source !== 'reminder'));
  const said = messages.slice(end + 1).filter((message) => message.role === 'assistant');
  return said.map((message) => message.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n\n')).join('').trim();
}

/** A line of progress for stderr; `undefined` for what is not worth one. `titles` names the calls by id. */
export function progressLine(event: Happening, titles: ReadonlyMap<string, string>): string | undefined {
  switch (event.type) {
    case 'tool_started':
      return `● ${titles.get(event.callId) ?? ''}`;
    case 'tool_ended':
      return event.outcome === 'done' ? undefined : `✗ ${titles.get(event.callId) ?? ''}: ${event.outcome}`;
    case 'stream':
      return event.event.type === 'retrying'
        ? `… ${cleanLine(event.event.failure.message)} Trying again in ${Math.ceil(event.event.waitMs / 1_000)} s.`
        : undefined;
    case 'notice':
      return event.view ? undefined : `mewcode: ${clean(event.text)}`;
    default:
      return undefined;
  }
}

/** A view as plain text. */
export function viewText(view: View): string {
  switch (view.type) {
    case 'text':
      return view.text;
    case 'diff':
      return view.patch;
    case 'terminal':
      return `$ ${view.command}\n${view.output}`;
    case 'todos':
      return view.items.map((item) => `${{ pending: '☐', in_progress: '◐', completed: '☑' }[item.status]} ${item.content}`).join('\n');
    case 'table':
      return tableText([view.head, ...view.rows]);
  }
}

function tableText(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ').trimEnd()).join('\n');
}
