// A real HTTP server on loopback that plays a model service: scripted answers as SSE, cut as small as asked, with faults.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { sseBytes, type Answer, type Api } from './sse-bytes.ts';
import type { ChatVendor } from './strict-chat.ts';
import { refusalOf, strictFor } from './strict-for.ts';

/**
 * What becomes of the connection in mid-answer: `cut` ends it as if all were said, `reset` breaks it, `stall` keeps
 * it open in silence. It happens before the first place where `before` stands in the bytes, or after that share of them
 (0 to 1), else after all of them.
 */
export type Fault = { kind: 'cut' | 'reset' | 'stall'; before?: string | number };

/** One reply: a scripted answer, bytes as they were recorded, or a plain status with a body. */
export type Reply = (Answer | { bytes: string } | { status: number; body?: unknown; headers?: Record<string, string> }) & {
  fault?: Fault;
  /** Bytes of one write; absent: as the server was started. */
  chunk?: number;
  /** Milliseconds between events, for a stream that can be watched. */
  paceMs?: number;
};

export type Recorded = {
  method: string;
  path: string;
  /** By the path's end. */
  api: Api | undefined;
  headers: Record<string, string | string[] | undefined>;
  /** The parsed JSON body; the text where it is not JSON. */
  body: unknown;
  /** The client's end of the connection: the same for requests that shared one. */
  port: number;
  /** When its head had come, and when the last byte of its answer was handed to the socket: milliseconds on this process's clock. */
  at: number;
  answeredAt?: number;
  /** Resolves when the connection's answer is over: `true` when the client hung up before its end. */
  hungUp: Promise<boolean>;
};

export type SseServer = {
  /** `http://127.0.0.1:port`, no slash at its end. */
  url: string;
  requests: Recorded[];
  /** GET requests (lists of models): they take no reply of the script. */
  asked: Recorded[];
  /** What a strict server refused, in order. */
  faults: string[];
  /** Resolves with the request of that number (from 0) once it has come. */
  request(index: number): Promise<Recorded>;
  /** Ends every connection. */
  close(): Promise<void>;
};

export type SseServerOptions = {
  /** Replies in order, or a function of the request and its number. A request past the script's end gets a 500 that says so. */
  replies: readonly Reply[] | ((request: Recorded, index: number) => Reply | Promise<Reply>);
  /** Bytes of one write; 4096 when absent. */
  chunk?: number;
  /** Judges each request as the real service would: what that refuses gets a 400 and no reply of the script. `sealed` binds thinking to its conversation. */
  strict?: boolean | { vendor?: ChatVendor; sealed?: boolean };
  /** Answers GET requests; a 404 when absent. */
  get?(request: Recorded): Reply;
};

/** Starts the server on a free port. Ask it for `/v1/messages`, `/v1/responses` or `/v1/chat/completions`, with any prefix. */
export async function startSseServer(options: SseServerOptions): Promise<SseServer> {
  const requests: Recorded[] = [];
  const asked: Recorded[] = [];
  const faults: string[] = [];
  const judges = new Map<Api, ReturnType<typeof strictFor>>();
  const strict = options.strict === true ? { sealed: true } : options.strict || undefined;
  const judgeOf = (api: Api) => {
    const judge = judges.get(api) ?? strictFor(api, strict?.vendor);
    judges.set(api, judge);
    return judge;
  };
  let replied = 0;
  const waiting: { index: number; resolve(request: Recorded): void }[] = [];
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const request = await record(incoming, outgoing);
      if (request.method === 'GET') {
        asked.push(request);
        await send(outgoing, request, options.get?.(request) ?? { status: 404, body: { error: { message: 'not found' } } }, { index: -1, chunk: 4096 });
        return;
      }
      const index = requests.push(request) - 1;
      for (const waiter of waiting) if (waiter.index === index) waiter.resolve(request);
      const found = strict && request.api ? judgeOf(request.api).check(request.body) : [];
      faults.push(...found);
      if (request.api && found.length > 0) return send(outgoing, request, refusalOf(request.api, found), { index, chunk: 4096 });
      const script = options.replies;
      const next = typeof script === 'function' ? await script(request, index) : script[replied++];
      const reply = next && 'say' in next && strict?.sealed && request.api ? { ...next, ...judgeOf(request.api).seal(request.body, next, index) } : next;
      await send(outgoing, request, reply ?? { status: 500, body: { error: { type: 'script_end', message: `the script has no reply ${index}` } } }, { index, chunk: options.chunk ?? 4096 });
    })();
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    asked,
    faults,
    request: (index) => new Promise((resolve) => {
      const there = requests[index];
      if (there) resolve(there);
      else waiting.push({ index, resolve });
    }),
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

async function record(incoming: IncomingMessage, outgoing: ServerResponse): Promise<Recorded> {
  const at = performance.now();
  const hungUp = new Promise<boolean>((resolve) => { outgoing.on('close', () => resolve(!outgoing.writableFinished)); });
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const path = incoming.url ?? '';
  return { method: incoming.method ?? '', path, api: apiOf(path), headers: incoming.headers, body: parsed(text), port: incoming.socket.remotePort ?? 0, at, hungUp };
}

function apiOf(path: string): Api | undefined {
  const bare = path.replace(/\?.*$/, '');
  if (bare.endsWith('/messages')) return 'messages';
  if (bare.endsWith('/responses')) return 'responses';
  return bare.endsWith('/chat/completions') ? 'chat' : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function send(outgoing: ServerResponse, request: Recorded, reply: Reply, options: { index: number; chunk: number }): Promise<void> {
  if ('status' in reply) {
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {});
    outgoing.writeHead(reply.status, { 'content-type': typeof reply.body === 'string' ? 'text/plain' : 'application/json', ...reply.headers });
    if (reply.fault?.kind === 'stall') outgoing.write(text);
    else outgoing.end(text);
    return;
  }
  const bytes = Buffer.from(planned(request, reply, options.index));
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  outgoing.flushHeaders();
  outgoing.socket?.setNoDelay(true);
  const size = reply.chunk ?? options.chunk;
  for (const event of reply.paceMs === undefined ? [bytes] : events(bytes)) {
    if (reply.paceMs !== undefined) await sleep(reply.paceMs);
    for (let at = 0; at < event.length && !outgoing.destroyed; at += size) {
      outgoing.write(event.subarray(at, at + size));
      // A turn of the event loop keeps the writes apart.
      await nextTick();
    }
  }
  request.answeredAt = performance.now();
  switch (reply.fault?.kind) {
    case 'stall': return;
    case 'reset': outgoing.socket?.resetAndDestroy(); return;
    default: outgoing.end();
  }
}

function planned(request: Recorded, reply: Exclude<Reply, { status: number }>, index: number): string {
  const { model } = (typeof request.body === 'object' ? request.body : {}) as { model?: string };
  const bytes = 'bytes' in reply ? reply.bytes : sseBytes(request.api ?? 'chat', reply, { serial: index, model: model ?? 'test-model' });
  const before = reply.fault?.before;
  if (before === undefined) return bytes;
  if (typeof before === 'number') return bytes.slice(0, Math.floor(bytes.length * before));
  const at = bytes.indexOf(before);
  if (at < 0) throw new Error(`The reply has no ${before} to break off at`);
  return bytes.slice(0, at);
}

function events(bytes: Buffer): Buffer[] {
  return bytes.toString('utf8').split(/(?<=\n\n)/).map((event) => Buffer.from(event));
}
