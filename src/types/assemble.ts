// assemble: folds a provider's events into the message they make. The loop keeps its result, the store shows it live.
import type { Part, ToolCallPart } from './message.ts';
import type { ProviderEvent, StreamPart } from './provider.ts';

/** A part on its way. `raw` is its text so far (of a call: the text of its arguments); `done` is set when it has ended. */
export type LivePart = { index: number; kind: StreamPart; raw: string; id?: string; name?: string; done?: Part };

/** An answer on its way, parts in the order in which they began. */
export type Live = { id: string; parts: readonly LivePart[] };

/** Longest piece of unusable arguments that is told back to the model. */
const QUOTED = 200;

/** The answer after `event`. Events that say nothing of parts give the same object back. */
export function assemble(live: Live, event: ProviderEvent): Live {
  switch (event.type) {
    case 'part_start':
      return { ...live, parts: [...live.parts, { index: event.index, kind: event.part, raw: '', id: event.id, name: event.name }] };
    case 'part_delta':
      return change(live, event.index, (part) => ({ ...part, raw: part.raw + event.delta }));
    case 'part_end':
      return change(live, event.index, (part) => ({ ...part, done: finish(part, event) }));
    case 'retrying':
      return live.parts.length === 0 ? live : { ...live, parts: [] };
    default:
      return live;
  }
}

/**
 * The parts worth keeping: the finished ones, and the text or thinking of an unfinished one (a cancelled answer
 * keeps what was streamed). An unfinished call is left out: nothing may run or answer it.
 */
export function keptParts(live: Live): Part[] {
  return live.parts.flatMap((part) => {
    if (part.done) return [part.done];
    if (part.kind === 'tool_call' || part.raw === '') return [];
    return [{ type: part.kind, text: part.raw }];
  });
}

function change(live: Live, index: number, edit: (part: LivePart) => LivePart): Live {
  return { ...live, parts: live.parts.map((part) => (part.index === index && !part.done ? edit(part) : part)) };
}

function finish(part: LivePart, event: Extract<ProviderEvent, { type: 'part_end' }>): Part {
  const native = event.native && { native: event.native };
  if (part.kind !== 'tool_call') return { type: part.kind, text: part.raw, ...native };
  return { type: 'tool_call', id: part.id ?? '', name: part.name ?? '', ...(event.problem === undefined ? parseArguments(part.raw) : { input: {}, problem: event.problem }), ...native };
}

/** Strict: arguments that are not one JSON object are never repaired, only reported. */
function parseArguments(raw: string): Pick<ToolCallPart, 'input' | 'problem'> {
  if (raw.trim() === '') return { input: {} };
  try {
    const input: unknown = JSON.parse(raw);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { input };
    return { input: {}, problem: `The arguments must be a JSON object, not: ${quote(raw)}` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { input: {}, problem: `The arguments are not valid JSON (${why}). They were: ${quote(raw)}` };
  }
}

const quote = (raw: string): string => (raw.length > QUOTED ? `${raw.slice(0, QUOTED)}…` : raw);
