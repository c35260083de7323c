// A decorator that gives tools to models without any: calls are found in the streamed text, whatever the wire.
import { randomBytes } from 'node:crypto';
import type { Message } from '../types/message.ts';
import type { ProviderEvent } from '../types/provider.ts';
import { TEXT_TOOLS, toText, type NativeTextCall } from './text-tools-request.ts';
import { createScanner, type Found } from './text-tools-scan.ts';
import type { Stream } from './wire.ts';

/** How often a call that can't be read is asked for again. */
const RETRIES = 2;
/** Stands for the name of a call that has none. */
const UNNAMED = 'tool_call';
/** Longest piece of what the model wrote that is quoted. */
const QUOTED = 120;

const randomId = (): string => `call_${randomBytes(6).toString('hex')}`;

/**
 * `stream` with the text tool protocol around it. A call that can't be read becomes one with a `problem`, which the
 * loop answers; at the third answer in a row with such a call the stream fails instead.
 */
export function textTools(stream: Stream, options: { newId?(): string } = {}): Stream {
  return async function* (request, signal) {
    const split = createSplitter({ newId: options.newId ?? randomId, spoiled: spoiledAnswers(request.messages) });
    for await (const event of stream(toText(request), signal)) yield* split(event);
  };
}

/** How many answers just before had a call that could not be read. */
function spoiledAnswers(messages: readonly Message[]): number {
  let count = 0;
  for (const { role, source, parts } of messages.toReversed()) {
    if (role === 'user' && source === undefined) break;
    if (role !== 'assistant') continue;
    if (!parts.some((part) => part.type === 'tool_call' && part.problem !== undefined && part.native?.wire === TEXT_TOOLS)) break;
    count += 1;
  }
  return count;
}

/** What the parts of one answer share. */
type Answer = { newId(): string; next: number; called: boolean; cut: boolean; problem: string | undefined };

function createSplitter({ newId, spoiled }: { newId(): string; spoiled: number }): (event: ProviderEvent) => ProviderEvent[] {
  const answer: Answer = { newId, next: 0, called: false, cut: false, problem: undefined };
  /* Parts by the index that they came with. */
  const texts = new Map<number, ReturnType<typeof splitText>>();
  const others = new Map<number, number>();

  return (event) => {
    switch (event.type) {
      case 'part_start':
        if (event.part === 'text') {
          texts.set(event.index, splitText(answer));
          return [];
        }
        others.set(event.index, answer.next);
        return [{ ...event, index: answer.next++ }];
      case 'part_delta':
      case 'part_end': {
        const text = texts.get(event.index);
        if (text) return event.type === 'part_delta' ? text.add(event.delta) : text.end(event);
        return [{ ...event, index: others.get(event.index) ?? event.index }];
      }
      case 'end': {
        if (answer.problem !== undefined && spoiled >= RETRIES) {
          return [{ type: 'error', error: { kind: 'invalid_request', message: `The model wrote a tool call that can't be read ${RETRIES + 1} times in a row. The last time: ${answer.problem} Ask again in other words, or choose a model that calls tools by itself.` } }];
        }
        // What was cut off behind whole calls is text, and the calls are all the same meant.
        const calls = answer.called && (event.stop === 'end' || (event.stop === 'max_tokens' && !answer.cut));
        return [calls ? { ...event, stop: 'tools' } : event];
      }
      default:
        return [event];
    }
  };
}

/** One text part: its text without the calls, and the calls. */
function splitText(answer: Answer) {
  const scanner = createScanner();
  let text: number | undefined;
  let call: { index: number; name: string } | undefined;
  let called = false;
  /** White space next to a call belongs to nothing. */
  let blank = '';

  const write = (piece: string): ProviderEvent[] => {
    const all = blank + (called && text === undefined ? piece.trimStart() : piece);
    const body = all.trimEnd();
    blank = all.slice(body.length);
    if (body === '') {
      if (called && text === undefined) blank = '';
      return [];
    }
    const events: ProviderEvent[] = [];
    if (text === undefined) {
      text = answer.next++;
      events.push({ type: 'part_start', index: text, part: 'text' });
    }
    return [...events, { type: 'part_delta', index: text, delta: body }];
  };
  const begin = (name: string): ProviderEvent[] => {
    const events: ProviderEvent[] = text === undefined ? [] : [{ type: 'part_end', index: text }];
    text = undefined;
    blank = '';
    called = true;
    answer.called = true;
    call = { index: answer.next++, name };
    return [...events, { type: 'part_start', index: call.index, part: 'tool_call', id: answer.newId(), name }];
  };
  const finish = ({ raw, closed }: Extract<Found, { kind: 'call' }>): ProviderEvent[] => {
    const { name, args, problem } = parseCall(raw, { closed, begun: call?.name });
    const events = call ? [] : begin(name);
    const index = call?.index ?? 0;
    call = undefined;
    if (!closed) answer.cut = true;
    if (problem !== undefined) answer.problem ??= problem;
    const data: NativeTextCall = { raw };
    return [...events, { type: 'part_delta', index, delta: args }, { type: 'part_end', index, native: { wire: TEXT_TOOLS, data }, ...(problem !== undefined && { problem }) }];
  };
  const told = (found: Found): ProviderEvent[] => {
    switch (found.kind) {
      case 'text': return write(found.text);
      case 'name': return begin(found.name);
      case 'call': return finish(found);
    }
  };

  return {
    add: (delta: string): ProviderEvent[] => scanner.add(delta).flatMap(told),
    end(event: Extract<ProviderEvent, { type: 'part_end' }>): ProviderEvent[] {
      const events = scanner.end().flatMap(told);
      if (text === undefined) {
        if (called || blank === '') return events;
        text = answer.next++;
        events.push({ type: 'part_start', index: text, part: 'text' });
      }
      if (!called && blank !== '') events.push({ type: 'part_delta', index: text, delta: blank });
      // What the service wants back is the whole text; where calls were taken out of it, it is told anew.
      return [...events, { type: 'part_end', index: text, ...(!called && event.native && { native: event.native }) }];
    },
  };
}

type Read = { name: string; /** Text of the arguments. */ args: string; problem?: string };

const KEYS = ['type', 'tool', 'arguments', 'id'];

/** Strict: what is not exactly a call is never repaired, only told. `begun` is the name that was told already. */
function parseCall(raw: string, { closed, begun }: { closed: boolean; begun: string | undefined }): Read {
  const bad = (problem: string): Read => ({ name: begun ?? (/"(?:tool|name)"\s*:\s*"([\w.:-]+)"/.exec(raw)?.[1] ?? UNNAMED), args: raw, problem });
  if (!closed) return bad(`The closing tag </tool_call> is missing behind ${quote(raw)}`);
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    return bad(`What stands between the tags is not valid JSON (${error instanceof Error ? error.message : String(error)}). It was: ${quote(raw)}`);
  }
  if (!isObject(value)) return bad(`Between the tags must stand one JSON object, not ${quote(raw)}`);
  const { type = 'tool_call', tool, arguments: args = {} } = value;
  if (type !== 'tool_call') return bad(`"type" must be "tool_call", not ${quote(JSON.stringify(type))}`);
  if (typeof tool !== 'string' || tool === '') return bad(`"tool" must be the name of a tool${tool === undefined ? ', and is missing' : `, not ${quote(JSON.stringify(tool)).slice(0, -1)}`}.`);
  if (begun !== undefined && tool !== begun) return bad(`"tool" is there twice: ${begun} and ${tool}.`);
  const stray = Object.keys(value).find((key) => !KEYS.includes(key));
  if (stray !== undefined) return bad(`"${stray}" is no key of a call: there are "type", "tool" and "arguments", and what the tool takes belongs into "arguments".`);
  if (!isObject(args)) return bad(`"arguments" must be a JSON object, not ${quote(JSON.stringify(args))}`);
  return { name: tool, args: JSON.stringify(args) };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

const quote = (text: string): string => (text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : `${text}.`);
