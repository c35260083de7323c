// The request and response log of `debug: true`: who was asked what and what came, whole, with every secret masked.
import { existsSync, renameSync, statSync } from 'node:fs';
import { openJsonl, type JsonlWriter } from '../lib/jsonl.ts';
import { maskDeep } from '../lib/mask.ts';
import { maskStream } from './mask-stream.ts';

export type DebugLogOptions = {
  /** The file; what was in it before moves to `FILE.1` when it has grown too long. */
  path: string;
  mask(text: string): string;
  /** Before the first write: makes the folders above. */
  prepare?(): void;
  now?(): number;
  /** Bytes after which a new file is begun; two are kept. */
  most?: number;
};

const MOST_BYTES = 20_000_000;
/** Never written, not even masked. */
const HIDDEN = /^(?:authorization|proxy-authorization|cookie|set-cookie|x-api-key|api-key|x-csrf-token)$/i;

/** `plain`, with each exchange as two lines of JSON in a file of mode 0600. A disk that refuses ends the log, never a request. */
export function loggedFetch(plain: typeof fetch, { path, mask, prepare, now = Date.now, most = MOST_BYTES }: DebugLogOptions): typeof fetch {
  let count = 0;
  let writer: JsonlWriter | undefined;
  let size = 0;
  let broken = false;

  const write = (line: object): void => {
    if (broken) return;
    try {
      if (!writer) {
        prepare?.();
        size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      }
      if (size > most) {
        writer?.close();
        writer = undefined;
        if (existsSync(path)) renameSync(path, `${path}.1`);
        size = 0;
      }
      writer ??= openJsonl(path);
      const masked = maskDeep({ at: new Date(now()).toISOString(), ...line }, mask);
      writer.append(masked);
      size += JSON.stringify(masked).length;
    } catch {
      broken = true;
    }
  };

  return async (input, init) => {
    const request = (count += 1);
    const began = now();
    const url = input instanceof Request ? input.url : String(input);
    write({ request, method: init?.method ?? 'GET', url, headers: shown(new Headers(init?.headers)), body: parsed(init?.body) });
    const ended = (rest: object) => write({ response: request, ms: now() - began, ...rest });
    let response: Response;
    try {
      response = await plain(input, init);
    } catch (error) {
      ended({ failed: error instanceof Error ? `${error.message} ${String(error.cause ?? '')}`.trim() : String(error) });
      throw error;
    }
    const head = { status: response.status, headers: shown(response.headers) };
    if (response.body === null) {
      ended(head);
      return response;
    }
    return new Response(watch(response.body, (body, failed) => ended({ ...head, body: maskStream(body, mask), ...(failed === undefined ? {} : { failed }) })), { status: response.status, statusText: response.statusText, headers: [...response.headers] });
  };
}

/** The same bytes; `done` gets all that came, once it is over, broken off or no longer wanted. */
function watch(body: ReadableStream<Uint8Array>, done: (text: string, failed?: string) => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let over = false;
  const end = (rest: string, failed?: string) => {
    if (!over) done(text + rest, failed);
    over = true;
  };
  return new ReadableStream<Uint8Array>({
    async pull(out) {
      try {
        const { done: last, value } = await reader.read();
        if (over) return;
        if (last) {
          end(decoder.decode());
          out.close();
        } else {
          text += decoder.decode(value, { stream: true });
          out.enqueue(value);
        }
      } catch (error) {
        end('', error instanceof Error ? error.message : String(error));
        throw error;
      }
    },
    async cancel(reason) {
      end('', 'no longer wanted');
      await reader.cancel(reason);
    },
  });
}

const shown = (headers: Headers): Record<string, string> => Object.fromEntries([...headers].filter(([name]) => !HIDDEN.test(name)));

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return body === undefined || body === null ? undefined : String(body);
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
