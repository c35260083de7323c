// One server over its whole life: connects, is asked, dies and is started again, until it is given up or closed.
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ErrorCode, LoggingMessageNotificationSchema, McpError, ListRootsRequestSchema, PromptListChangedNotificationSchema, ResultSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '../types/json.ts';
import type { McpServerSettings } from '../types/settings.ts';
import { UserError } from '../types/user-error.ts';
import { reasonOf, WANTS_LOGIN, wasNotTaken } from './failures.ts';
import { listAll, readPrompts, readResources, readTools, type ServerPrompt, type ServerResource, type ServerTool } from './lists.ts';
import { openLink, withWords, type Link, type McpWorld } from './transport.ts';
import { keepWork, type Pending } from './work.ts';

/** `off`: the user does not want it. */
export type ConnectionState = { kind: 'off' } | { kind: 'connecting' } | { kind: 'ready' } | { kind: 'failed'; problem: string };

type Told = { signal: AbortSignal; progress?(text: string): void };

export type Connection = {
  readonly server: McpServerSettings;
  state(): ConnectionState;
  /** Those of the last connection while it is being made anew. */
  tools(): readonly ServerTool[];
  prompts(): readonly ServerPrompt[];
  /** What the server says of its own use. */
  instructions(): string | undefined;
  /** Resolves when the state is no longer `connecting`. */
  settled(): Promise<void>;
  /** The raw result. All that follow reject with a `UserError` that names the server. */
  call(tool: ServerTool, input: JsonObject, told: Told): Promise<Readonly<Record<string, unknown>>>;
  resources(signal: AbortSignal): Promise<readonly ServerResource[]>;
  readResource(uri: string, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  prompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  ping(signal: AbortSignal): Promise<void>;
  /** Lets go of what is there and begins anew, whatever the state. */
  reconnect(): Promise<void>;
  /** Lets go of it until `reconnect`. */
  switchOff(): Promise<void>;
  close(): Promise<void>;
};

const BACKOFF_MS = [500, 1_000, 2_000];
/** One that has lived so long has deserved all its tries again. */
const STEADY_MS = 60_000;
/** Changes of a list within this time are looked at once. */
const CALM_MS = 200;
/** Between two lines of progress that are shown. */
const PROGRESS_MS = 100;
/** The longest that a timer takes. */
const NEVER_MS = 2 ** 31 - 1;

/** Starts to connect `after` milliseconds where the server is enabled. `changed` is called after each change of state or lists, `warn` with what the user should know. */
export function connectServer(server: McpServerSettings, world: McpWorld, { changed, warn, after = 0 }: { changed(): void; warn(text: string): void; after?: number }): Connection {
  const backoff = world.backoffMs ?? BACKOFF_MS;
  const work = keepWork();
  let closed = false;
  /** Ends the attempt of the moment. */
  let trying = new AbortController();
  let state: ConnectionState = { kind: 'off' };
  let link: Link | undefined;
  let tools: readonly ServerTool[] = [];
  let prompts: readonly ServerPrompt[] = [];
  let instructions: string | undefined;
  let deaths = 0;
  let readySince = 0;
  let attempt = server.enabled ? start([after]) : Promise.resolve();

  /** Tries once after each of the waits, until it is connected. Never rejects. */
  async function start(waits: readonly number[]): Promise<void> {
    const { signal } = (trying = new AbortController());
    state = { kind: 'connecting' };
    let problem = '';
    for (const wait of waits) {
      try {
        if (wait > 0) await sleep(wait, undefined, { signal });
        await open(signal);
        state = { kind: 'ready' };
        readySince = Date.now();
        return changed();
      } catch (error) {
        if (signal.aborted) return;
        problem = reasonOf(error, server.timeoutMs);
        if (problem === WANTS_LOGIN) problem += `: mewcode mcp login ${server.name}, or /mcp login ${server.name} in the app`;
      }
    }
    state = { kind: 'failed', problem };
    changed();
  }

  async function open(signal: AbortSignal): Promise<void> {
    const opened = await openLink(server, world, { signal, work, onClose: () => { if (link === opened) died(opened); } });
    try {
      const { client } = opened;
      listen(client);
      const can = client.getServerCapabilities();
      const [foundTools, foundPrompts] = await Promise.all([can?.tools ? listTools(client) : [], can?.prompts ? listPrompts(client).catch(() => []) : []]);
      signal.throwIfAborted();
      // It may have died meanwhile, before anybody was listening.
      if (opened.ending() !== undefined) throw new Error(withWords(opened.ending() ?? '', opened.lastWords()));
      [tools, prompts] = [foundTools, foundPrompts];
      instructions = client.getInstructions();
      link = opened;
    } catch (error) {
      const ending = opened.ending();
      await opened.close();
      throw ending === undefined ? error : new Error(withWords(ending, opened.lastWords()));
    }
  }

  function listen(client: Client): void {
    if (!world.capabilities?.roots) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: world.roots.map((path) => ({ uri: pathToFileURL(path).href, name: path.split('/').at(-1) ?? path })) }));
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => world.log(server.name, `${params.level}: ${typeof params.data === 'string' ? params.data : JSON.stringify(params.data)}`));
    client.setNotificationHandler(ToolListChangedNotificationSchema, calmly(async () => { tools = await listTools(client); }));
    client.setNotificationHandler(PromptListChangedNotificationSchema, calmly(async () => { prompts = await listPrompts(client); }));
  }

  /** At the end of a calm moment, one at a time, however often it is asked for. A list that can't be had stays as it was. */
  function calmly(look: () => Promise<void>): () => void {
    let due = false;
    let last = Promise.resolve();
    return () => {
      if (due) return;
      due = true;
      setTimeout(() => {
        due = false;
        last = last.then(look).then(changed, (error: unknown) => world.log(server.name, reasonOf(error, server.timeoutMs)));
      }, CALM_MS).unref();
    };
  }

  function died(gone: Link): void {
    link = undefined;
    if (closed || state.kind !== 'ready') return;
    if (Date.now() - readySince > STEADY_MS) deaths = 0;
    const how = withWords(gone.ending() ?? 'the connection was closed', gone.lastWords());
    const waits = backoff.slice(deaths);
    deaths += 1;
    if (waits.length === 0) {
      state = { kind: 'failed', problem: `it ends again and again: ${how}` };
    } else {
      warn(`The MCP server "${server.name}" is started again: ${how}`);
      attempt = start(waits);
    }
    changed();
  }

  const list = (client: Client, method: string, key: string, options: RequestOptions = {}) =>
    listAll((cursor) => client.request({ method, params: cursor === undefined ? {} : { cursor } } as Parameters<Client['request']>[0], ResultSchema, { timeout: server.timeoutMs, ...options }), key);
  const listTools = async (client: Client) => readTools(await list(client, 'tools/list', 'tools'));
  const listPrompts = async (client: Client) => readPrompts(await list(client, 'prompts/list', 'prompts'));

  /** Waits for a connection, asks, and asks once more over a new one where the first was never heard. */
  async function ask<T>(run: (client: Client, options: RequestOptions) => Promise<T>, { signal, progress }: Told): Promise<T> {
    // The SDK never lets go of a signal: each request has its own.
    const own = new AbortController();
    const late = new McpError(ErrorCode.RequestTimeout, 'no answer');
    const onAbort = () => own.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const aborted = new Promise<never>((_, reject) => { own.signal.addEventListener('abort', () => reject(own.signal.reason === late ? late : new UserError('cancelled')), { once: true }); });
    aborted.catch(() => {});
    if (signal.aborted) onAbort();
    const show = progressLines(progress);
    let pending: Pending | undefined;
    // The SDK's own clock does not stop while the user is asked something.
    const options: RequestOptions = { signal: own.signal, timeout: NEVER_MS, onprogress: (news) => { pending?.again(); show(news); } };
    let used: Link | undefined;
    const once = async () => {
      await Promise.race([attempt, aborted]);
      used = link;
      if (!used) throw new UserError(`The MCP server "${server.name}" is ${state.kind === 'off' ? 'switched off' : `not connected${state.kind === 'failed' ? `: ${state.problem}` : ''}`}.`);
      const mine = (pending = work.begin(server.timeoutMs, () => own.abort(late)));
      return Promise.race([run(used.client, options), aborted]).finally(mine.end);
    };
    try {
      return await once().catch(async (error: unknown) => {
        if (signal.aborted || !used || !wasNotTaken(error)) throw error;
        await renew(used);
        return once();
      });
    } catch (error) {
      if (signal.aborted || error instanceof UserError) throw error;
      const ending = used?.ending();
      throw new UserError(`MCP server "${server.name}": ${ending === undefined ? reasonOf(error, server.timeoutMs) : withWords(`${ending} during the call`, used?.lastWords())}`);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Another connection instead of `old`, unless somebody else has made one. */
  async function renew(old: Link): Promise<void> {
    if (link === old && state.kind === 'ready') {
      link = undefined;
      void old.close();
      attempt = start([0, ...backoff]);
      changed();
    }
    await attempt;
  }

  async function letGo(): Promise<void> {
    const old = link;
    link = undefined;
    trying.abort();
    await Promise.all([attempt, old?.close()]);
  }

  return {
    server, tools: () => tools, prompts: () => prompts, state: () => state, instructions: () => instructions,
    // An attempt that is over may have been followed by another one.
    async settled() { for (let seen; seen !== attempt;) await (seen = attempt); },
    call: (tool, input, told) => ask((client, options) => callTool(client, tool, input, options), told),
    async resources(signal) {
      if (link && !link.client.getServerCapabilities()?.resources) return [];
      return ask(async (client, options) => {
        const templates = list(client, 'resources/templates/list', 'resourceTemplates', options).catch(() => []);
        return readResources([...await list(client, 'resources/list', 'resources', options), ...await templates]);
      }, { signal });
    },
    readResource: (uri, signal) => ask((client, options) => client.request({ method: 'resources/read', params: { uri } }, ResultSchema, options), { signal }),
    prompt: (name, args, signal) => ask((client, options) => client.request({ method: 'prompts/get', params: { name, arguments: { ...args } } }, ResultSchema, options), { signal }),
    async ping(signal) { await ask((client, options) => client.ping(options), { signal }); },
    async reconnect() {
      await letGo();
      deaths = 0;
      attempt = start([0]);
      changed();
      await attempt;
    },
    async switchOff() {
      await letGo();
      state = { kind: 'off' };
      changed();
    },
    async close() {
      closed = true;
      await letGo();
    },
  };
}

async function callTool(client: Client, tool: ServerTool, input: JsonObject, options: RequestOptions): Promise<Readonly<Record<string, unknown>>> {
  const params = { name: tool.name, arguments: input };
  // Not the SDK's own call: that one refuses results that do not fit the tool's output schema.
  if (!tool.asTask) return client.request({ method: 'tools/call', params }, ResultSchema, options);
  for await (const message of client.experimental.tasks.callToolStream(params, undefined, { ...options, task: {} })) {
    if (message.type === 'result') return message.result;
    if (message.type === 'error') throw message.error;
  }
  throw new Error('the task ended without a result');
}

type Progress = NonNullable<RequestOptions['onprogress']>;

/** Progress as lines, not more than anybody reads. Even where nobody does, it keeps the request alive. */
function progressLines(show: ((text: string) => void) | undefined): Progress {
  let last = 0;
  return ({ progress, total, message }) => {
    if (!show || Date.now() - last < PROGRESS_MS) return;
    last = Date.now();
    const figures = total === undefined ? `${progress}` : `${progress}/${total}`;
    show(`${message === undefined || message === '' ? figures : `${message} (${figures})`}\n`);
  };
}
