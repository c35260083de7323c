// The live figures: tokens as the provider reports them, an estimate for what came since, cost and speed.
import type { AgentEvent } from '../types/event.ts';
import type { Part } from '../types/message.ts';
import type { ProviderEvent, Usage } from '../types/provider.ts';
import type { Meter } from '../types/state.ts';
import { MAIN } from './agents.ts';

const NOTHING: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** A speed over less time than this is noise. */
const SHORTEST_MS = 250;

export function emptyMeter(window: number): Meter {
  return { window, context: 0, pending: 0, turn: NOTHING, session: NOTHING, costUsd: 0, speed: 0, answer: null };
}

export function reduceMeter(meter: Meter, event: AgentEvent): Meter {
  switch (event.type) {
    case 'session_resumed':
      return { ...meter, window: event.window, answer: null };
    case 'model':
      return event.agent === MAIN ? { ...meter, window: event.window } : meter;
    case 'usage':
      return addUsage(meter, event);
    default:
      return event.agent === MAIN ? ofMain(meter, event) : meter;
  }
}

function ofMain(meter: Meter, event: AgentEvent): Meter {
  switch (event.type) {
    case 'turn_started':
      return { ...meter, turn: NOTHING, turnUsd: 0, answer: null };
    case 'turn_ended':
      return meter.answer === null ? meter : { ...meter, answer: null };
    case 'message':
      // Whole results only come in place of parts that were counted.
      if (event.message.role === 'tool') return meter;
      return addPending(meter, event.message.parts);
    case 'part':
      // The parts of an answer were counted while they were streamed.
      return event.role === 'assistant' ? meter : addPending(meter, [event.part]);
    case 'stream':
      return follow(meter, event.event, event.at);
    default:
      return meter;
  }
}

function addUsage(meter: Meter, event: Extract<AgentEvent, { type: 'usage' }>): Meter {
  const { usage } = event;
  const before = meter.models?.[event.model] ?? { usage: NOTHING, costUsd: 0 };
  const total = {
    ...meter,
    turn: sum(meter.turn, usage),
    session: sum(meter.session, usage),
    costUsd: addCost(meter.costUsd, event.costUsd),
    turnUsd: addCost(meter.turnUsd ?? 0, event.costUsd),
    models: { ...meter.models, [event.model]: { usage: sum(before.usage, usage), costUsd: addCost(before.costUsd, event.costUsd) } },
  };
  if (event.agent !== MAIN) return total;
  const context = usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
  return { ...total, context, pending: 0, speed: speedOf(meter, usage.output, event.at), answer: null };
}

const addCost = (sofar: number | null, more: number | undefined): number | null => (sofar === null || more === undefined ? null : sofar + more);

function follow(meter: Meter, event: ProviderEvent, at: number): Meter {
  switch (event.type) {
    case 'part_delta': {
      const tokens = estimate(event.delta);
      const answer = { at: meter.answer?.at ?? at, tokens: (meter.answer?.tokens ?? 0) + tokens };
      return { ...meter, pending: meter.pending + tokens, speed: speedOf({ ...meter, answer }, answer.tokens, at), answer };
    }
    case 'retrying':
      return takeBack(meter);
    case 'error':
      // What was streamed before an abort is kept.
      return event.error.kind === 'aborted' ? meter : takeBack(meter);
    default:
      return meter;
  }
}

function takeBack(meter: Meter): Meter {
  return meter.answer === null ? meter : { ...meter, pending: Math.max(0, meter.pending - meter.answer.tokens), answer: null };
}

function speedOf(meter: Meter, tokens: number, at: number): number {
  const ms = meter.answer === null ? 0 : at - meter.answer.at;
  return ms < SHORTEST_MS ? meter.speed : (tokens * 1000) / ms;
}

function addPending(meter: Meter, parts: readonly Part[]): Meter {
  const tokens = parts.reduce((total, part) => total + ('text' in part ? estimate(part.text) : 0), 0);
  return tokens === 0 ? meter : { ...meter, pending: meter.pending + tokens };
}

/** Tokens of a text, roughly: a quarter of its bytes. */
function estimate(text: string): number {
  return Buffer.byteLength(text) / 4;
}

function sum(a: Usage, b: Usage): Usage {
  const reasoning = (a.reasoning ?? 0) + (b.reasoning ?? 0);
  return {
    input: a.input + b.input, cacheRead: a.cacheRead + b.cacheRead, cacheWrite: a.cacheWrite + b.cacheWrite, output: a.output + b.output,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
