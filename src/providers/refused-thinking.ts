// Goes on when a service no longer takes its own thinking back: bound to a prompt that has changed since, or sealed for another account.
import type { Part } from '../types/message.ts';
import type { ModelRequest } from '../types/provider.ts';
import type { Connection } from './wire.ts';

type Send<T> = (request: ModelRequest, connection: Connection) => Promise<T>;

/**
 * `send`, which must reject before anything is streamed. Where `refusal` matches its error, it is asked once more
 * without the thinking of all messages so far, and from then on without theirs in every request of the session.
 */
export function withoutRefused<T>(refusal: RegExp, send: Send<T>): Send<T> {
  /** By session: the last message whose thinking is left out. */
  const until = new Map<string, string>();
  return async (request, connection) => {
    try {
      return await send(strip(request, until.get(request.sessionId)), connection);
    } catch (error) {
      const last = request.messages.at(-1)?.id;
      if (last === undefined || until.get(request.sessionId) === last || !refusal.test(textOf(error))) throw error;
      until.set(request.sessionId, last);
      return send(strip(request, last), connection);
    }
  };
}

function textOf(error: unknown): string {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as { code?: unknown; message?: unknown };
  return `${String(code)} ${String(message)}`;
}

function strip(request: ModelRequest, last: string | undefined): ModelRequest {
  const end = request.messages.findIndex((message) => message.id === last);
  if (end < 0) return request;
  return { ...request, messages: request.messages.map((message, index) => (index > end ? message : { ...message, parts: message.parts.flatMap(plain) })) };
}

function plain(part: Part): Part[] {
  if (part.type === 'thinking') return [];
  return 'native' in part ? [{ ...part, native: undefined }] : [part];
}
