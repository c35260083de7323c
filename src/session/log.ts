// The session's file: every event appended as a line at once, chained by hash, flushed where it matters.
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openJsonl, readJsonl, type JsonlWriter, type Sync } from '../lib/jsonl.ts';
import { maskDeep } from '../lib/mask.ts';
import type { AgentEvent } from '../types/event.ts';
import { UserError } from '../types/user-error.ts';
import { lockSession } from './lock.ts';
import { follows, makeRecord, readRecord, type SessionRecord } from './record.ts';

/** File of a session's events in its folder. */
export const EVENTS = 'events.jsonl';

export type SessionLog = {
  /** Writes the event; never throws. What the disk refuses waits in memory until it takes it. */
  append(event: AgentEvent): void;
  /** Writes what waits and lets the session go. */
  close(): void;
  /** Why events are not being written at the moment. */
  readonly problem: string | undefined;
};

export type LogOptions = {
  mask?: (text: string) => string;
  /** Before the first write: makes the folders above. */
  prepare?: () => void;
  /** Told once when writing begins to fail, and with `undefined` when all that waited is written. */
  onProblem?: (problem: string | undefined) => void;
  /** Milliseconds between tries while the disk refuses. */
  retryMs?: number;
};

/** Characters that may wait in memory; what comes when more are waiting is lost, and that is said. */
const MOST_WAITING = 32 * 1024 * 1024;

/**
 * Opens the log of the session in `dir` and locks it. Nothing is created before the first prompt, so that a session
 * in which nothing was said leaves no trace. Throws a `UserError` when another process has the session.
 */
export function openLog(dir: string, options: LogOptions = {}): SessionLog {
  const path = join(dir, EVENTS);
  const waiting: { record: SessionRecord; sync: Sync | undefined; size: number }[] = [];
  let size = 0;
  let problem: string | undefined;
  let writer: JsonlWriter | undefined;
  let timer: NodeJS.Timeout | undefined;
  let begun = false;
  let closed = false;
  let lost = false;
  let unlock = existsSync(dir) ? lockIfPossible(dir) : undefined;
  let { seq, h } = lastOf(path);

  function write(): void {
    try {
      if (!writer) {
        options.prepare?.();
        unlock ??= lockSession(dir);
        writer = openJsonl(path);
      }
      for (let next = waiting[0]; next; next = waiting[0]) {
        writer.append(next.record, next.sync === undefined ? {} : { sync: next.sync });
        waiting.shift();
        size -= next.size;
      }
      lost = false;
      report(undefined);
    } catch (error) {
      report(`The session can't be recorded (${error instanceof Error ? error.message : String(error)}). It goes on in memory; recording resumes when the disk takes it.`);
    }
  }

  function report(now: string | undefined): void {
    clearInterval(timer);
    timer = now === undefined ? undefined : setInterval(write, options.retryMs ?? 1_000).unref();
    const changed = (now === undefined) !== (problem === undefined);
    problem = now;
    if (changed) options.onProblem?.(now);
  }

  return {
    append(event) {
      if (event.type === 'stream' || event.type === 'tool_output' || event.type === 'task_output') return;
      if (closed || lost) return;
      if (size > MOST_WAITING) {
        lost = true;
        options.onProblem?.('Too much of the session is waiting to be recorded: what comes from now on is lost.');
        return;
      }
      const record = makeRecord(options.mask ? maskDeep(event, options.mask) : event, seq + 1, h);
      seq += 1;
      h = record.h;
      const length = problem === undefined ? 0 : JSON.stringify(record).length;
      waiting.push({ record, sync: syncOf(event), size: length });
      size += length;
      begun ||= BEGINS.has(event.type) || (event.type === 'tool_started' && event.acts);
      if (begun) write();
    },
    close() {
      if (closed) return;
      closed = true;
      if (waiting.length > 0 && begun) write();
      clearInterval(timer);
      writer?.close();
      unlock?.();
    },
    get problem() { return problem; },
  };
}

/** Only another process's lock stands in the way; what the disk refuses is tried again with the first write. */
function lockIfPossible(dir: string): (() => void) | undefined {
  try {
    return lockSession(dir);
  } catch (error) {
    if (error instanceof UserError) throw error;
    return undefined;
  }
}

/** With one of these a session holds something worth keeping; so it does with a tool that acts, called by the user. */
const BEGINS = new Set<AgentEvent['type']>(['message', 'part', 'turn_started', 'queued']);

/**
 * What must survive a power cut: that a tool is about to act is on disk before it does; what the user said, what a
 * tool gave and that a turn is over get there while the work goes on. A flush takes some ms: nothing waits for one without need.
 */
function syncOf(event: AgentEvent): Sync | undefined {
  switch (event.type) {
    case 'tool_started': return event.acts ? 'now' : undefined;
    case 'message': return event.message.role === 'user' ? 'soon' : undefined;
    case 'part': return event.part.type === 'tool_result' ? 'soon' : undefined;
    case 'answered': case 'turn_ended': return 'soon';
    default: return undefined;
  }
}

/** Number and hash of the last intact line, to go on from. */
function lastOf(path: string): { seq: number; h: string } {
  if (!existsSync(path)) return { seq: 0, h: '' };
  for (const value of readTail(path).toReversed()) {
    const record = readRecord(value);
    if (record) return { seq: record.seq, h: record.h };
  }
  return { seq: 0, h: '' };
}

/** Enough of a file's end to hold a whole line as a rule. */
const TAIL = 1024 * 1024;

function readTail(path: string): unknown[] {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size <= TAIL) return readJsonl(path).values;
    const bytes = Buffer.alloc(TAIL);
    readSync(file, bytes, 0, TAIL, size - TAIL);
    const values = bytes.toString('utf8').split('\n').slice(1).flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as unknown];
      } catch {
        return [];
      }
    });
    return values.some((value) => readRecord(value)) ? values : readJsonl(path).values;
  } finally {
    closeSync(file);
  }
}

/** Checks the chain: `broken` are the numbers (from 1) of intact lines that do not follow the intact line before, `damaged` counts the others. */
export function verifyLog(dir: string): { lines: number; damaged: number; broken: number[] } {
  const { values, damaged } = readJsonl(join(dir, EVENTS));
  let before = '';
  const broken: number[] = [];
  let foreign = 0;
  values.forEach((value, index) => {
    const record = readRecord(value);
    if (!record) { foreign += 1; return; }
    if (!follows(value, before)) broken.push(index + 1);
    before = record.h;
  });
  return { lines: values.length - foreign, damaged: damaged + foreign, broken };
}
