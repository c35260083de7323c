// Plays the prompt caches of the services over recorded requests: what was read from them, and what a client that only appends could read.
import { createHash } from 'node:crypto';
import type { Answer, Api, Piece } from './sse-bytes.ts';
import { asList, asObject } from './strict-schema.ts';
import { configFor, makePlace, startApp, type APIS } from './sse-app.ts';
import { startSseServer, type Recorded } from './sse-server.ts';

/** A piece of a prompt, in the order in which the cache reads it. */
type Segment = { text: string; marked: boolean };

const bare = (value: unknown): string => JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)) ?? '';

const segment = (value: unknown): Segment => ({ text: bare(value), marked: asObject(value).cache_control !== undefined });
const plain = (text: string): Segment => ({ text, marked: false });

/** The prompt of a request, piece by piece. Neighbours of one role run on into each other, as they do for the model. */
export function segmentsOf(api: Api, body: unknown): Segment[] {
  const { tools, system, instructions, messages, input } = asObject(body);
  const head = [...asList(tools), ...(typeof system === 'string' ? [system] : asList(system)), ...(instructions === undefined ? [] : [instructions])].map(segment);
  if (api === 'responses') return [...head, ...asList(input).map(segment)];
  let before: unknown;
  return [...head, ...asList(messages).map(asObject).flatMap(({ role, content, reasoning_content: reasoning = '', ...rest }): Segment[] => {
    const begin = role === before ? '' : `<${String(role)}>`;
    before = role;
    // A block is the cache's unit here.
    if (api === 'messages') return asList(content).map((block, index) => ({ ...segment(block), text: (index === 0 ? begin : '') + bare(block) }));
    const text = typeof content === 'string' ? content : bare(content);
    return [begin === '' ? '\n\n' : begin, String(reasoning), text, bare(rest)].map(plain);
  })];
}

/** Characters of a token, roughly; only ratios are made of it. */
const CHARS = 4;

export type CacheFigures = { requests: number; prompt: number; read: number; best: number };

/** What a service of this kind would have read from its cache over these requests, in tokens. `best`: all that the request before held. */
export function playCache(api: Api, bodies: readonly unknown[]): CacheFigures {
  const figures: CacheFigures = { requests: bodies.length, prompt: 0, read: 0, best: 0 };
  const written = new Set<string>();
  let before = '';
  for (const body of bodies) {
    const segments = segmentsOf(api, body);
    const text = segments.map((segment) => segment.text).join('');
    figures.prompt += text.length / CHARS;
    figures.best += before.length / CHARS;
    figures.read += api === 'messages' ? byMarks(segments, written) : api === 'responses' ? whole(segments, written) : stepped(text, before);
    before = text;
  }
  return figures;
}

/* The newest models' fewest tokens. */
const LEAST = { messages: 512, responses: 1_024 };
const LOOK_BACK = 20;

/** A beginning of the prompt: its fingerprint and its length in tokens. */
type Prefix = { hash: string; tokens: number };

function prefixesOf(segments: readonly Segment[]): Prefix[] {
  let [hash, length] = ['', 0];
  return segments.map(({ text }) => {
    hash = createHash('sha256').update(hash).update(text).digest('base64');
    length += text.length;
    return { hash, tokens: length / CHARS };
  });
}

/** Breakpoints: each is looked for at its place and at most 20 blocks before it, and written at its place. */
function byMarks(segments: readonly Segment[], written: Set<string>): number {
  const prefixes = prefixesOf(segments);
  const marks = segments.flatMap((one, index) => (one.marked ? [index] : []));
  const hits = marks.flatMap((mark) => prefixes.slice(Math.max(0, mark - LOOK_BACK + 1), mark + 1)).filter(({ hash }) => written.has(hash));
  for (const { hash, tokens } of marks.flatMap((mark) => prefixes[mark] ?? [])) if (tokens >= LEAST.messages) written.add(hash);
  return Math.max(0, ...hits.map(({ tokens }) => tokens));
}

/** One breakpoint of the service's own, behind the last item; found where an earlier prompt stands whole at the beginning. */
function whole(segments: readonly Segment[], written: Set<string>): number {
  const prefixes = prefixesOf(segments);
  const read = prefixes.findLast(({ hash }) => written.has(hash))?.tokens ?? 0;
  const last = prefixes.at(-1);
  if (last && last.tokens >= LEAST.responses) written.add(last.hash);
  return read;
}

const STEP = 64;

/** The beginning that it shares with the prompt before, in steps of 64 tokens. */
function stepped(text: string, before: string): number {
  let same = 0;
  while (same < before.length && text[same] === before[same]) same += 1;
  return Math.floor(same / CHARS / STEP) * STEP;
}

/** A conversation of 100 rounds in seven turns through the real app, taken up by another process in the middle: what was asked, and how each turn ended. */
export async function hundredRounds({ protocol, model }: (typeof APIS)[number]): Promise<{ requests: Recorded[]; faults: string[]; ends: string[] }> {
  const lines = Array.from({ length: 60 }, (_, index) => `line ${index} of a file that is read again and again`).join('\n');
  const server = await startSseServer({ strict: true, replies: (_, index) => scripted(index) });
  const place = makePlace({ 'a.txt': lines, 'b.txt': lines.toUpperCase() }, configFor(protocol, model, server.url, 'agent:\n  max_rounds: 60\n'));
  const ends: string[] = [];
  try {
    let running = await startApp(place);
    for (let turn = 0; turn < 7; turn += 1) {
      await running.app.submit(`Turn ${turn}: go on, please.`);
      ends.push(...running.events.splice(0).flatMap((event) => (event.type === 'turn_ended' ? [event.why] : [])));
      if (turn !== 3) continue;
      await running.app.close();
      running = await startApp(place, { resume: true });
    }
    await running.app.close();
  } finally {
    await server.close();
    place.remove();
  }
  return { requests: server.requests, faults: server.faults, ends };
}

const read = (path: string): Piece => ({ call: 'ReadFile', input: { path } });

/** Round by round: one call, several, many more than the cache looks back over; text and thinking now and then. */
function scripted(index: number): Answer {
  const last = index % 15 === 14 || index === 99;
  const calls: Piece[] = index % 10 === 5 ? Array.from({ length: 24 }, (_, place) => ({ call: 'ReadFile', input: { path: 'a.txt', limit: place + 1 } })) : index % 3 === 0 ? [read('a.txt'), read('b.txt')] : [{ call: 'Glob', input: { pattern: `*.${index}` } }];
  return { say: [...(index % 4 === 0 ? [{ thinking: `Thought ${index}.` }] : []), { text: `This is round ${index}.` }, ...(last ? [] : calls)] };
}
