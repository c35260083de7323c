// The pipeline of one call: known? arguments fit? allowed? run. It never throws and gives exactly one result.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cleanLine } from '../lib/clean.ts';
import { nearest } from '../lib/nearest.ts';
import { findTool } from '../lib/tool-name.ts';
import { decide } from '../permissions/decide.ts';
import { gatherFacts } from '../permissions/facts.ts';
import { proposeRules } from '../permissions/rules.ts';
import type { ToolCallPart, ToolResultPart } from '../types/message.ts';
import type { Access, Call, Decision, Facts } from '../types/permission.ts';
import type { Answer } from '../types/question.ts';
import type { Tool, ToolContext, ToolResult } from '../types/tool.ts';
import { sentenceOf } from '../types/user-error.ts';
import { letContained, settleAppeared } from './contained.ts';
import type { Conversation } from './conversation.ts';
import type { Report } from './verify.ts';

/** A call that was looked at but not judged: with its tool, or with why it can't be run. */
export type Prepared =
  | { ok: true; call: Call; title: string; tool: Tool; input: unknown; access: readonly Access[] }
  | { ok: false; call: Call; title: string; problem: string };

type Runnable = Extract<Prepared, { ok: true }>;

const nobody = ({ because }: Decision): string => `Not allowed: this needs the user's permission, and nobody could be asked. ${because} When MewCode runs without a screen, --allow RULE or --mode say beforehand what may be done.`;
const CANCELLED = 'cancelled by user';
/** How long a cancelled tool may take to hand over its output: a cancel must be over in 200 ms. */
const LAST_WORDS_MS = 120;

/** Finds the tool, parses the arguments, asks what would be touched. Touches nothing. */
export function prepareCall(c: Conversation, part: ToolCallPart): Prepared {
  const call: Call = { id: part.id, name: part.name, input: part.input };
  if (part.problem !== undefined) return { ok: false, call, title: '', problem: `${part.problem} The call was not run; make it again with complete, valid arguments.` };
  const tools = c.tools();
  const tool = findTool(tools, call.name);
  if (!tool && findTool(c.disabled(), call.name)) return { ok: false, call, title: '', problem: `${call.name} is disabled by configuration (tools.enabled, tools.disabled).` };
  if (!tool) {
    const near = nearest(call.name, tools.map(({ name }) => name));
    return { ok: false, call, title: '', problem: `There is no tool named ${call.name}.${near === undefined ? '' : ` Did you mean ${near}?`}` };
  }
  // From here on it has one spelling, the one that rules and the log know.
  call.name = tool.name;
  const parsed = tool.parse(call.input);
  if (!parsed.ok) return { ok: false, call, title: '', problem: `The arguments of ${call.name} do not fit: ${parsed.problem}` };
  try {
    const instead = tool.unwrap?.(parsed.value);
    if (instead) return prepareCall(c, { type: 'tool_call', id: call.id, ...instead });
    return { ok: true, call, tool, input: parsed.value, title: cleanLine(tool.title(parsed.value)), access: tool.access(parsed.value, c.cwd) };
  } catch (error) {
    return { ok: false, call, title: '', problem: sentenceOf(error) };
  }
}

/** Judges, asks, runs. */
export async function callTool(c: Conversation, prepared: Prepared, signal: AbortSignal): Promise<ToolResultPart> {
  const { call } = prepared;
  if (signal.aborted) return failed(c, call, CANCELLED, 'cancelled');
  if (!prepared.ok) return failed(c, call, prepared.problem, 'failed');
  try {
    return await judge(c, prepared, { signal, approved: false });
  } catch (error) {
    return signal.aborted ? failed(c, call, CANCELLED, 'cancelled') : failed(c, call, sentenceOf(error), 'failed');
  }
}

/** `approved`: the user has just written this input, so an ask is answered; a deny still holds. */
async function judge(c: Conversation, prepared: Runnable, { signal, approved }: { signal: AbortSignal; approved: boolean }): Promise<ToolResultPart> {
  const { call, access, tool } = prepared;
  const facts = await gatherFacts(access, { cwd: tool.cwd?.() ?? c.cwd, roots: c.policy().roots, home: c.home });
  const decision = await letContained(c, decide({ ...call, access }, facts, c.policy()), facts);
  c.voice.emit({ type: 'decided', callId: call.id, decision });
  if (decision.verdict === 'deny') return failed(c, call, `Not allowed: ${decision.because}`, 'denied');
  // Whatever changes something may have children: checkers are some too.
  const refusal = access.every(isHarmless) ? null : await c.sandbox?.ready();
  if (refusal && access.some(({ kind }) => kind === 'run')) return failed(c, call, refusal, 'denied');
  const ctx = contextOf(c, call, facts, signal);
  const edits = access.flatMap(({ kind, target }) => (kind === 'write' ? [facts.real[target]?.path ?? target] : []));
  if (decision.verdict === 'allow' || approved) return run(c, prepared, { ctx, facts, edits });

  const answer = await askPermission(c, prepared, { ctx, facts, decision });
  if (signal.aborted) return failed(c, call, CANCELLED, 'cancelled');
  if (answer.kind === 'dismissed') return failed(c, call, nobody(decision), 'denied');
  if (answer.kind !== 'allow') return failed(c, call, `The user denied this call. ${noteOf(answer)}`.trimEnd(), 'denied');
  if (answer.keep !== undefined && answer.rules !== undefined) {
    // This call is allowed all the same.
    for (const rule of answer.rules) await c.allow(rule, answer.keep).catch((error: unknown) => c.voice.emit({ type: 'notice', level: 'warn', text: `The rule was not kept: ${sentenceOf(error)}` }));
  }
  if (answer.input === undefined) return annotate(await run(c, prepared, { ctx, facts, edits }), { after: noteOf(answer) });
  const edited = prepareCall(c, { type: 'tool_call', id: call.id, name: call.name, input: answer.input });
  if (!edited.ok) return failed(c, call, edited.problem, 'failed');
  const result = await judge(c, edited, { signal, approved: true });
  return annotate(result, { before: `The user changed the arguments to ${JSON.stringify(answer.input)}.`, after: noteOf(answer) });
}

async function askPermission(c: Conversation, prepared: Runnable, seen: { ctx: ToolContext; facts: Facts; decision: Decision }): Promise<Answer> {
  const { call, tool, input, title, access } = prepared;
  const run = access.find(({ kind }) => kind === 'run');
  // A preview that fails says what the run would say: the call fails without troubling the user.
  const view = (await tool.preview?.(input, seen.ctx)) ?? (run && ({ type: 'terminal', command: run.target, output: '' } as const));
  const rules = proposeRules(call, access, seen.facts, seen.decision);
  return c.voice.ask({ kind: 'permission', call, title, decision: seen.decision, cwd: seen.facts.cwd, ...(view && { view }), ...(tool.editable !== undefined && { editable: tool.editable }), ...rules }, seen.ctx.signal);
}

async function run(c: Conversation, { call, tool, input, access }: Runnable, { ctx, facts, edits }: { ctx: ToolContext; facts: Facts; edits: readonly string[] }): Promise<ToolResultPart> {
  if (edits.length > 0) await c.verify?.before(edits, ctx.signal);
  if (ctx.signal.aborted) return failed(c, call, CANCELLED, 'cancelled');
  c.voice.emit({ type: 'tool_started', callId: call.id, acts: !access.every(isHarmless) });
  const started = c.clock();
  const appeared = access.some(({ kind }) => kind === 'run') ? c.sandbox?.watch(facts) : undefined;
  const result = await untilAbandoned(tool.run(input, ctx).catch((error: unknown): ToolResult => ({ ok: false, text: sentenceOf(error) })), ctx.signal);
  const checked = result.ok && edits.length > 0 ? await c.verify?.after(edits, ctx.signal) : null;
  const cancelled = ctx.signal.aborted && !result.ok;
  c.voice.emit({ type: 'tool_ended', callId: call.id, outcome: cancelled ? 'cancelled' : result.ok && !checked?.failed ? 'done' : 'failed', ms: c.clock() - started });
  const part: ToolResultPart = { type: 'tool_result', callId: call.id, name: call.name, ...result };
  if (cancelled) return annotate(part, { before: CANCELLED });
  return annotate(withReport(part, checked), { after: await settleAppeared(c, ctx, appeared?.() ?? []) });
}

/** A result with what the checkers found behind its text, and new errors below its diff. */
export function withReport(part: ToolResultPart, report: Report | null | undefined): ToolResultPart {
  if (!report) return part;
  const { view } = part;
  return { ...annotate(part, { after: report.text }), ok: part.ok && !report.failed, ...(view?.type === 'diff' && report.failed && { view: { ...view, found: report.text } }) };
}

/** After a cancel a tool has a moment to give what it has; then the turn ends without it (its children are being ended all the same). */
async function untilAbandoned(result: Promise<ToolResult>, signal: AbortSignal): Promise<ToolResult> {
  const done = new AbortController();
  const abandoned = new Promise<ToolResult>((resolve) => {
    const wait = () => setTimeout(() => resolve({ ok: false, text: '' }), LAST_WORDS_MS);
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([result, abandoned]);
  } finally {
    done.abort();
  }
}

/** Whether an access changes nothing outside of MewCode. */
export const isHarmless = ({ kind }: Access): boolean => kind === 'read' || kind === 'agent' || kind === 'none';

/** A result with lines of ours around its text. */
function annotate(part: ToolResultPart, { before = '', after = '' }: { before?: string; after?: string }): ToolResultPart {
  const text = [before, part.text, after].filter((line) => line !== '').join('\n');
  return text === part.text ? part : { ...part, text };
}

function contextOf(c: Conversation, call: Call, facts: Facts, signal: AbortSignal): ToolContext {
  const confined = c.sandbox?.confined(facts);
  return {
    callId: call.id, cwd: facts.cwd, roots: c.policy().roots, signal, files: c.files(facts), env: c.env,
    wrap: (argv, { network } = {}) => c.wrap(argv, { network, facts }), ...(confined && { confined }),
    spillFile: spillFile(c, call.id), mask: c.mask,
    progress: (text) => c.voice.emit({ type: 'tool_output', callId: call.id, text }),
    ask: (question) => c.voice.ask(question, signal),
  };
}

/** A file that is not there yet for the result of a call; `null` where nothing is kept. */
export function spillFile({ spillDir }: Conversation, callId: string): string | null {
  if (spillDir === null) return null;
  const path = join(spillDir, callId.replace(/[^\w-]/g, '_').slice(0, 100));
  // Some services number their calls anew with each answer.
  for (let nth = 1; ; nth += 1) {
    const file = `${path}${nth === 1 ? '' : `-${nth}`}.txt`;
    if (!existsSync(file)) return file;
  }
}

/** The result of a call that did not run. */
export function failed(c: Conversation, call: Call, text: string, outcome: 'failed' | 'denied' | 'cancelled'): ToolResultPart {
  c.voice.emit({ type: 'tool_ended', callId: call.id, outcome, ms: 0 });
  return { type: 'tool_result', callId: call.id, name: call.name, ok: false, text };
}

function noteOf(answer: Answer): string {
  return 'note' in answer && answer.note ? `The user says: ${answer.note}` : '';
}
