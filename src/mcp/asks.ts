// What servers ask of us: to fill in a form, to open a page, to let the model answer. The user decides; a server that asks too much is not heard.
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CreateMessageRequestSchema, ElicitRequestSchema, ErrorCode, McpError, type CreateMessageRequestParams, type CreateMessageResult, type ElicitRequestFormParams, type ElicitRequestURLParams, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { head } from '../lib/cut.ts';
import { imageMime } from '../lib/image.ts';
import type { Json, JsonObject } from '../types/json.ts';
import type { Message, Part } from '../types/message.ts';
import type { ModelRequest } from '../types/provider.ts';
import type { Answer, Question } from '../types/question.ts';
import type { McpServerSettings } from '../types/settings.ts';
import { sentenceOf } from '../types/user-error.ts';
import type { McpWorld } from './transport.ts';
import type { Work } from './work.ts';

/** A server's request to the model of the moment. */
export type Sampling = Pick<ModelRequest, 'system' | 'messages' | 'maxTokens'>;

export type AskWays = {
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  /** Another value for each turn and each session: what was denied holds as long. */
  turn(): unknown;
  session(): unknown;
  /** Name of the model that answers now, and whether it sees pictures. */
  model(): { name: string; images: boolean };
  /** Rejects with a sentence. */
  sample(request: Sampling, signal: AbortSignal): Promise<{ text: string; cut: boolean }>;
  /** Opens a page in the browser; false where that can't be done. */
  open(url: string): boolean;
  /** For the user: what went wrong behind a question. */
  warn(text: string): void;
  now?(): number;
};

/** What a server may ask in one turn, and have answered by the model within a minute and at the same time. */
const MOST_QUESTIONS = 5;
const MOST_SAMPLES = 10;
const MOST_AT_ONCE = 2;
const MINUTE_MS = 60_000;
const LONGEST_MESSAGE = 4_000;
const LONGEST_SCHEMA = 50_000;
const LONGEST_URL = 2_000;
/** Characters of a sampling request, and of it in the question. */
const LONGEST_REQUEST = 200_000;
const SHOWN = { system: 600, message: 1_200, all: 4_000 };
const MOST_IMAGES = 10;

/** What is remembered of a server, over its connections. */
type Past = { turn: unknown; session: unknown; asked: number; denied: boolean; mayAlwaysSample: boolean; last: Promise<unknown>; sampled: number[]; sampling: number };

/** The part of the world that answers servers. */
export function answerServers(ways: AskWays): Required<Pick<McpWorld, 'capabilities' | 'prepare'>> {
  const pasts = new Map<string, Past>();
  const now = ways.now ?? Date.now;

  function pastOf(server: string): Past {
    const past: Past = pasts.get(server) ?? { turn: undefined, session: undefined, asked: 0, denied: false, mayAlwaysSample: false, last: Promise.resolve(), sampled: [], sampling: 0 };
    pasts.set(server, past);
    if (past.turn !== ways.turn()) Object.assign(past, { turn: ways.turn(), asked: 0, denied: false });
    if (past.session !== ways.session()) Object.assign(past, { session: ways.session(), mayAlwaysSample: false });
    return past;
  }

  /** Asks the user, one question of a server at a time; as if dismissed where it may not ask (any more). */
  async function ask(server: string, work: Work, question: Question, signal: AbortSignal): Promise<Answer> {
    const past = pastOf(server);
    if (signal.aborted || past.denied || past.asked >= MOST_QUESTIONS) return { kind: 'dismissed' };
    past.asked += 1;
    const mine = past.last.then(async (): Promise<Answer> => {
      if (signal.aborted || pastOf(server).denied) return { kind: 'dismissed' };
      const release = work.hold();
      const answer = await ways.ask(question, signal).finally(release);
      // Whoever says no is not asked again and again. A question that went away by itself was not answered.
      if (answer.kind === 'deny' || (answer.kind === 'dismissed' && !signal.aborted)) past.denied = true;
      return answer;
    });
    past.last = mine.catch(() => {});
    return mine;
  }

  async function fillForm({ name }: McpServerSettings, work: Work, { message, requestedSchema }: ElicitRequestFormParams, signal: AbortSignal): Promise<ElicitResult> {
    if (JSON.stringify(requestedSchema).length > LONGEST_SCHEMA) throw new McpError(ErrorCode.InvalidParams, `A form of more than ${LONGEST_SCHEMA} characters is not shown.`);
    const answer = await ask(name, work, { kind: 'form', title: bounded(message, LONGEST_MESSAGE), from: `MCP server ${name}`, schema: requestedSchema as JsonObject }, signal);
    if (answer.kind === 'filled') return { action: 'accept', content: Object.fromEntries(Object.entries(answer.values).filter(isContent)) };
    return { action: answer.kind === 'deny' ? 'decline' : 'cancel' };
  }

  async function openPage({ name }: McpServerSettings, work: Work, { message, url }: ElicitRequestURLParams, signal: AbortSignal): Promise<ElicitResult> {
    const page = URL.canParse(url) ? new URL(url) : undefined;
    if (page?.protocol !== 'https:' || page.username !== '' || page.password !== '' || page.href.length > LONGEST_URL) throw new McpError(ErrorCode.InvalidParams, `Only https addresses of at most ${LONGEST_URL} characters without a name and password are opened.`);
    const answer = await ask(name, work, {
      kind: 'choose', title: `MCP server ${name} asks you to open a page of ${page.host}`, text: `${page.href}\n\nThe server says: ${bounded(message, LONGEST_MESSAGE)}`,
      options: [{ id: 'open', label: 'Open it in the browser' }, { id: 'self', label: 'I open it myself' }, { id: 'deny', label: 'No' }],
    }, signal);
    const choice = answer.kind === 'chosen' ? answer.ids[0] : undefined;
    if (choice === 'open' && !ways.open(page.href)) ways.warn(`No browser could be started. Open this page yourself: ${page.href}`);
    if (choice === 'open' || choice === 'self') return { action: 'accept' };
    pastOf(name).denied = true;
    return { action: choice === 'deny' ? 'decline' : 'cancel' };
  }

  async function sample({ name }: McpServerSettings, work: Work, params: CreateMessageRequestParams, signal: AbortSignal): Promise<CreateMessageResult> {
    const model = ways.model();
    const request = readRequest(params, model.images);
    await mayUseModel(name, request, { work, signal });
    const past = pastOf(name);
    past.sampled = past.sampled.filter((at) => now() - at < MINUTE_MS);
    if (past.sampled.length >= MOST_SAMPLES) throw refused(`more than ${MOST_SAMPLES} requests to the model within a minute`);
    if (past.sampling >= MOST_AT_ONCE) throw refused(`more than ${MOST_AT_ONCE} requests to the model at the same time`);
    past.sampled.push(now());
    past.sampling += 1;
    const release = work.hold();
    try {
      const { text, cut } = await ways.sample(request, signal);
      const stops = (params.stopSequences ?? []).map((stop) => (stop === '' ? -1 : text.indexOf(stop))).filter((at) => at >= 0);
      return { model: model.name, role: 'assistant', content: { type: 'text', text: text.slice(0, Math.min(...stops, text.length)) }, stopReason: stops.length > 0 ? 'stopSequence' : cut ? 'maxTokens' : 'endTurn' };
    } catch (error) {
      throw new McpError(ErrorCode.InternalError, sentenceOf(error));
    } finally {
      past.sampling -= 1;
      release();
    }
  }

  /** Returns where the user lets the server use the model, throws where not. */
  async function mayUseModel(name: string, request: Sampling, { work, signal }: { work: Work; signal: AbortSignal }): Promise<void> {
    if (pastOf(name).mayAlwaysSample) return signal.throwIfAborted();
    const answer = await ask(name, work, {
      kind: 'choose', title: `MCP server ${name} wants ${ways.model().name} to answer`,
      text: `It gets the answer, of at most ${request.maxTokens.toLocaleString('en')} tokens, without tools and without your conversation. It costs what a request costs.\n\n${describe(request)}`,
      options: [{ id: 'once', label: 'Allow once' }, { id: 'session', label: `Allow ${name} to use the model in this session` }, { id: 'deny', label: 'Deny' }],
    }, signal);
    const choice = answer.kind === 'chosen' ? answer.ids[0] : undefined;
    if (choice === 'session') pastOf(name).mayAlwaysSample = true;
    if (choice === 'once' || choice === 'session') return;
    pastOf(name).denied = true;
    // The code that the specification names for it.
    throw new McpError(-1, choice === 'deny' ? 'The user denied the use of the model.' : 'The use of the model was not allowed: the user said nothing, or nobody could be asked.');
  }

  return {
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {} },
    prepare(client: Client, server: McpServerSettings, work: Work) {
      client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }) => {
        const until = AbortSignal.any([signal, work.signal()]);
        return params.mode === 'url' ? openPage(server, work, params, until) : fillForm(server, work, params, until);
      });
      client.setRequestHandler(CreateMessageRequestSchema, async ({ params }, { signal }) => sample(server, work, params, AbortSignal.any([signal, work.signal()])));
    },
  };
}

const refused = (why: string): McpError => new McpError(ErrorCode.InvalidRequest, `Not answered: ${why}.`);

function isContent(entry: [string, Json]): entry is [string, string | number | boolean | string[]] {
  const [, value] = entry;
  return ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every((one) => typeof one === 'string'));
}

/** A request in our own terms. Throws where it is too much or holds what no model gets from us. */
function readRequest({ messages, systemPrompt, maxTokens, tools }: CreateMessageRequestParams, seesImages: boolean): Sampling {
  if (tools && tools.length > 0) throw refused('the model has no tools here');
  let size = systemPrompt?.length ?? 0;
  let images = 0;
  const partOf = (block: unknown): Part => {
    const { type, text, data } = block as { type: string; text?: string; data?: string };
    if (type === 'text' && text !== undefined) { size += text.length; return { type, text }; }
    const bytes = Buffer.from(type === 'image' ? (data ?? '') : '', 'base64');
    const mime = imageMime(bytes);
    if (!mime || bytes.length > 4_000_000 || (images += 1) > MOST_IMAGES) throw refused('only texts and a few pictures go to the model');
    if (!seesImages) throw refused('the model does not see pictures');
    return { type: 'image', mime, base64: bytes.toString('base64') };
  };
  const read = messages.map(({ role, content }, at): Message => ({ id: `mcp-${at}`, role, at: 0, parts: [content].flat().map(partOf) }));
  if (size > LONGEST_REQUEST) throw refused(`more than ${LONGEST_REQUEST.toLocaleString('en')} characters`);
  if (read.length === 0) throw refused('there is no message');
  return { system: systemPrompt === undefined || systemPrompt === '' ? [] : [systemPrompt], messages: read, maxTokens: Math.max(1, Math.floor(maxTokens)) };
}

function describe({ system, messages }: Sampling): string {
  const said = messages.map(({ role, parts }) => `${role}: ${bounded(parts.map((part) => (part.type === 'text' ? part.text : '[a picture]')).join('\n'), SHOWN.message)}`);
  return bounded([...system.map((text) => `system: ${bounded(text, SHOWN.system)}`), ...said].join('\n\n'), SHOWN.all);
}

const bounded = (text: string, limit: number): string => (text.length > limit ? `${head(text, limit)}… (${(text.length - limit).toLocaleString('en')} more characters)` : text);
