// The calls of one answer: neighbours that only read run side by side, everything else one at a time and in order.
import { dirname } from 'node:path';
import { describeSpilled, spillLargest, spillResult } from '../context/spill.ts';
import type { ToolCallPart, ToolResultPart } from '../types/message.ts';
import type { Ahead } from './ahead.ts';
import { callTool, failed, prepareCall, spillFile, withReport, type Prepared } from './call-tool.ts';
import type { Conversation } from './conversation.ts';

/** How many calls run at the same time. */
export const SIDE_BY_SIDE = 8;

/** Answers every call with exactly one result, in the calls' order. `refuse` says why one must not run, `ahead` has those that are running already. Never throws. */
export async function answerCalls(c: Conversation, calls: readonly ToolCallPart[], refuse: (call: ToolCallPart) => string | undefined, signal: AbortSignal, ahead?: Pick<Ahead, 'take'>): Promise<void> {
  if (calls.length === 0) return;
  const messageId = c.newId();
  const prepared = calls.map((call) => ({ part: call, prepared: prepareCall(c, call) }));
  for (const { prepared: { call, title } } of prepared) c.voice.emit({ type: 'tool_called', call, title });
  const lastEdit = prepared.findLast(({ prepared: ready }) => ready.ok && ready.access.some(({ kind }) => kind === 'write'));
  const answer = async (one: (typeof prepared)[number]): Promise<ToolResultPart> => {
    const refusal = refuse(one.part);
    if (refusal !== undefined) return failed(c, one.prepared.call, refusal, signal.aborted ? 'cancelled' : 'denied');
    const result = (await ahead?.take(one.part)) ?? await callTool(c, one.prepared, signal);
    // Checks that were put off are made up with the last call that could have changed a file.
    return withinLimit(c, one.prepared, one === lastEdit ? withReport(result, await c.verify?.settle(signal)) : result);
  };
  const results: ToolResultPart[] = [];
  for (const group of groupCalls(prepared, ({ prepared: ready }) => c.parallel && onlyReads(ready))) {
    // Started in order, told in order: the log and the request do not depend on which was quicker.
    for (const result of await Promise.all(group.map(answer))) {
      c.voice.emit({ type: 'part', messageId, role: 'tool', part: result });
      results.push(result);
    }
  }
  const rereads = new Set(prepared.flatMap(({ prepared: ready }) => (rereadsSpilled(c, ready) ? [ready.call.id] : [])));
  const parts = await spillLargest(results, { limit: c.spillOver.message, mask: c.mask, fileFor: ({ callId }) => spillFile(c, callId), spared: ({ callId }) => rereads.has(callId) });
  if (parts !== results) c.voice.emit({ type: 'message', message: { id: messageId, role: 'tool', parts, at: c.clock() } });
  const spilled = await describeSpilled(parts);
  if (spilled !== undefined) c.voice.emit({ type: 'notice', level: 'info', text: spilled });
}

/** A call's result as it is sent: what is too long stands in a file. */
export async function withinLimit(c: Conversation, prepared: Prepared, result: ToolResultPart): Promise<ToolResultPart> {
  const limit = rereadsSpilled(c, prepared) ? Infinity : c.spillOver.result;
  return spillResult(result, { file: spillFile(c, prepared.call.id), limit, mask: c.mask });
}

/** Whether a call reads what was spilled before, which is never spilled again. */
function rereadsSpilled({ spillDir }: Conversation, prepared: Prepared): boolean {
  return spillDir !== null && prepared.ok && prepared.access.every(({ kind, target }) => kind === 'read' && dirname(target) === spillDir);
}

/** Cuts a list into runs that may go side by side (at most eight long) and single items. */
export function groupCalls<T>(items: readonly T[], together: (item: T) => boolean): T[][] {
  const groups: T[][] = [];
  let open = false;
  for (const item of items) {
    const joins = together(item);
    const last = groups.at(-1);
    if (open && joins && last && last.length < SIDE_BY_SIDE) last.push(item);
    else groups.push([item]);
    open = joins;
  }
  return groups;
}

/** Whether a call changes nothing. What can't be run at all is answered at once, and so joins anything. */
function onlyReads(prepared: Prepared): boolean {
  return !prepared.ok || prepared.access.every(({ kind }) => kind === 'read' || kind === 'agent');
}
