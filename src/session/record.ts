// One line of a session file: an event with its place in the order, its time and the hash that chains it to the line before.
import { createHash } from 'node:crypto';
import type { AgentEvent } from '../types/event.ts';

/** Version of the line format. */
const VERSION = 1;

/** `t` is the event's `at`. `h` is made of the hash before and of the line without `h`. */
export type SessionRecord = { v: number; seq: number; t: number; agent: string; type: string; h: string; [key: string]: unknown };

/** Bytes of a hash as kept: 64 bits are enough to notice a change, which is all that it is for. */
const HEX = 16;

export function makeRecord(event: AgentEvent, seq: number, before: string): SessionRecord {
  const { at, ...rest } = event;
  const body = { v: VERSION, seq, t: at, ...rest };
  return { ...body, h: chain(before, body) };
}

/** The event of a line, or `undefined` when the line is not one of ours. */
export function readRecord(value: unknown): { seq: number; h: string; event: AgentEvent } | undefined {
  if (!isRecord(value)) return undefined;
  const { v: _v, seq, t, h, ...rest } = value;
  return { seq, h, event: { at: t, ...rest } as unknown as AgentEvent };
}

/** Whether the line follows the one with the hash `before`. */
export function follows(value: unknown, before: string): boolean {
  if (!isRecord(value)) return false;
  const { h, ...body } = value;
  return h === chain(before, body);
}

function isRecord(value: unknown): value is SessionRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { v, seq, t, agent, type, h } = value as Record<string, unknown>;
  return v === VERSION && typeof seq === 'number' && typeof t === 'number' && typeof agent === 'string' && typeof type === 'string' && typeof h === 'string';
}

function chain(before: string, body: object): string {
  return createHash('sha256').update(before).update(JSON.stringify(body)).digest('hex').slice(0, HEX);
}
