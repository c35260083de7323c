// What sessions there are, and the name of a new one.
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { cleanLine } from '../lib/clean.ts';
import type { Message } from '../types/message.ts';
import { EVENTS } from './log.ts';
import { readRecord } from './record.ts';

export type SessionInfo = {
  id: string;
  /** Milliseconds since 1970: when it began and when it was last written. */
  startedAt: number;
  changedAt: number;
  /** Bytes of its events. */
  size: number;
  /** Its first prompt on one line; empty when that stands too far in. */
  title: string;
};

/** A name for a session: its start in UTC, so that names sort by time, and three random bytes. */
export function newSessionId(clock: () => number = Date.now, random: (count: number) => Uint8Array = randomBytes): string {
  const time = new Date(clock()).toISOString().slice(0, 19).replaceAll('-', '').replaceAll(':', '').replace('T', '-');
  return `${time}-${Buffer.from(random(3)).toString('hex')}`;
}

/** The sessions in the folder `dir`, the one used last first. What is no session is passed over. */
export function listSessions(dir: string): SessionInfo[] {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch {
    return [];
  }
  const sessions = names.flatMap((id) => {
    try {
      const path = join(dir, id, EVENTS);
      const { size, mtimeMs } = statSync(path);
      return [{ id, changedAt: mtimeMs, size, ...readHead(path, mtimeMs) }];
    } catch {
      return [];
    }
  });
  return sessions.sort((a, b) => b.changedAt - a.changedAt || (a.id < b.id ? 1 : -1));
}

/** The id of the session used last; `undefined` when there is none. */
export function newestSession(dir: string): string | undefined {
  return listSessions(dir)[0]?.id;
}

/** The first prompt is looked for in as many bytes. */
const HEAD = 64 * 1024;
const TITLE = 100;

function readHead(path: string, mtimeMs: number): { startedAt: number; title: string } {
  const bytes = Buffer.alloc(HEAD);
  const file = openSync(path, 'r');
  let length: number;
  try {
    length = readSync(file, bytes, 0, HEAD, 0);
  } finally {
    closeSync(file);
  }
  let startedAt: number | undefined;
  for (const line of bytes.toString('utf8', 0, length).split('\n')) {
    const event = readLine(line);
    if (!event) continue;
    startedAt ??= event.at;
    if (event.type === 'message' && isPrompt(event.message)) return { startedAt, title: titleOf(event.message) };
  }
  return { startedAt: startedAt ?? mtimeMs, title: '' };
}

function readLine(line: string) {
  try {
    return readRecord(JSON.parse(line))?.event;
  } catch {
    return undefined;
  }
}

const isPrompt = (message: Message) => message.role === 'user' && message.source === undefined && message.parts.length > 0;

function titleOf(message: Message): string {
  const text = cleanLine(message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(' '));
  return text.length > TITLE ? `${text.slice(0, TITLE - 1)}…` : text;
}
