// The composition root: builds each part once and hands it its collaborators.
import { randomBytes } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { setImmediate as setImmediately } from 'node:timers/promises';
import type { Conversation } from './agent/conversation.ts';
import { createVoice } from './agent/frontend.ts';
import { runTurn } from './agent/loop.ts';
import { nameOf } from './app/backends.ts';
import { callByHand } from './app/by-hand.ts';
import { createCore, type Core } from './app/core.ts';
import { readBranch } from './app/git.ts';
import { NO_SERVERS, openMcp, type Mcp } from './app/mcp.ts';
import { answersOf } from './app/mcp-asks.ts';
import { holdSecrets } from './app/masked.ts';
import { checkMode } from './app/policy.ts';
import { isCommand, runCommand } from './app/run-command.ts';
import { chooseSession, openSession } from './app/session.ts';
import type { Start } from './app/start.ts';
import { listTools } from './app/tool-list.ts';
import { toolOptionsOf } from './app/tool-options.ts';
import { holdTools } from './app/toolset.ts';
import { loadTrusted } from './app/trust.ts';
import type { Loaded } from './config/load.ts';
import { commands } from './commands/index.ts';
import { killAllGroups } from './lib/spawn.ts';
import { modes } from './permissions/modes.ts';
import { settingsNotes } from './providers/index.ts';
import { BY_HAND } from './store/agents.ts';
import { isUrgent, reduce } from './store/reduce.ts';
import { createStore } from './store/store.ts';
import type { App, Done } from './types/command.ts';
import type { AgentEvent, Frontend } from './types/event.ts';
import type { Mode } from './types/permission.ts';
import type { SessionState } from './types/state.ts';
import type { Tool } from './types/tool.ts';
import { UserError } from './types/user-error.ts';

export type { Start };

/** The service is asked for its limits once the first prompt is likely to be on its way. */
const REFINE_AFTER_MS = 1_500;

const newId = () => randomBytes(6).toString('hex');

/** Everything is up at once; what takes time (configuration, trust, provider) goes on behind `ready`. Throws a `UserError` when the session can't be opened. */
export function createApp(start: Start, frontend: Frontend): App {
  const { paths } = start;
  const secrecy = holdSecrets();
  const { mask } = secrecy;
  let session = chooseSession(start.session, paths);
  let log = open();
  const store = createStore<SessionState, AgentEvent>(reduce, session.state, { urgent: isUrgent });
  const speaking = { keep: [(event: AgentEvent) => log.append(event), store.dispatch], frontend: secrecy.frontend(frontend), clock: Date.now, newId };
  const voice = createVoice({ agent: 'main', ...speaking });
  const byHand = createVoice({ agent: BY_HAND, ...speaking });
  let core: Core | undefined;
  let conversation: Conversation | undefined;
  let mcp: Mcp | undefined;
  const toolset = holdTools({ emit: voice.emit, late: () => mcp?.tools() ?? [], todos: () => store.get().todos });
  /** Set when the user was quicker than the configuration. */
  let chosenMode: Mode | undefined;
  let turn: { controller: AbortController; thenQueue: boolean } | undefined;
  const closing = new AbortController();

  function open() {
    return openSession(session, paths, { mask, onProblem: (problem) => notify('warn', problem ?? 'The session is being recorded again.') });
  }

  function notify(level: 'info' | 'warn', text: string): void {
    voice.emit({ type: 'notice', level, text });
  }

  async function prepare(): Promise<Done | void> {
    const loaded = await loadTrusted(start, (question) => voice.ask(question, closing.signal));
    if (loaded === 'leave') return { exit: 0 };
    secrecy.hide(loaded.secrets);
    checkMode(loaded.mode, modes);
    core = await createCore(start, loaded, mask);
    const configured = await configuredModel(loaded);
    if (session.resumed) await takeUpModel(core, configured, loaded);
    const mode = chosenMode ?? loaded.mode;
    if (session.resumed) {
      voice.emit({ type: 'session_resumed', ...modelOf(core, configured) });
      // The mode comes back with the session, unless somebody set one now.
      if (loaded.origins['permissions.mode'] !== 'default') app.setMode(mode);
      if (session.damaged > 0) notify('warn', `${session.damaged} damaged line${session.damaged === 1 ? '' : 's'} of the session file could not be read; the rest is here.`);
    } else {
      voice.emit({ type: 'session_started', id: session.id, cwd: paths.root, mode, ...modelOf(core, configured) });
    }
    const asks = { core, loaded, env: start.env, voice, emit: byHand.emit, state: store.get, turn: () => turn, session: () => session.id };
    mcp = openMcp(start, loaded, { emit: voice.emit, mask, more: () => answersOf(asks) });
    const misnamed = toolset.configure(toolOptionsOf(start, loaded, mask), loaded.config.tools ?? {}, core.rules.list());
    conversation = converse(core);
    void core.found.then((sandbox) => voice.emit(sandbox));
    for (const warning of [...loaded.warnings, ...misnamed, ...settingsNotes(core.backends.settings())]) notify('warn', warning);
    if (loaded.hint !== undefined && !session.resumed) notify('info', loaded.hint);
    // Behind what is on the screen already; the first prompt takes longer to type.
    setImmediate(() => { core?.backends.provider().warm?.(); void warmSchemas(toolset.tools()); });
    setTimeout(refine, REFINE_AFTER_MS).unref();
  }

  /** What the configuration says of the model without the command line, which speaks for this run only. */
  async function configuredModel(loaded: Loaded): Promise<Named> {
    if (!isChosenByFlag(loaded)) return nameOf(loaded.provider);
    return nameOf(await start.load(start.trust, {}).then((plain) => plain.provider, () => loaded.provider));
  }

  /** A session goes on with the model that it had, unless the configuration has changed since or a flag says otherwise. */
  async function takeUpModel({ backends }: Core, configured: Named, loaded: Loaded): Promise<void> {
    const { provider, model, configured: before } = session.state;
    if (isChosenByFlag(loaded) || before?.provider !== configured.provider || before.model !== configured.model) return;
    if (provider === configured.provider && model === configured.model) return;
    await backends.use({ provider, model }).catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error;
      notify('warn', `The session's model ${provider}/${model} can't be used any more: ${error.text}`);
    });
  }

  /** Limits as the service has them, when nothing else is waiting. */
  function refine(): void {
    const made = core;
    made?.backends.refine(closing.signal).then((changed) => { if (changed) voice.emit({ type: 'model', ...modelOf(made) }); }, () => {});
  }

  function converse(made: Core): Conversation {
    toolset.begin(session.resumed ? session.state.tasks : []);
    return made.converse(session, { tools: toolset.tools, disabled: toolset.disabled, news: toolset.news, mcp, voice, state: store.get, takeQueue, clock: Date.now, newId });
  }

  function setQueue(prompts: readonly string[]): void {
    voice.emit({ type: 'queued', prompts });
  }

  function takeQueue(): readonly string[] {
    const { queue } = store.get();
    if (queue.length > 0) setQueue([]);
    return queue;
  }

  async function runTurns(c: Conversation, first: readonly string[]): Promise<void> {
    for (let prompts = first; prompts.length > 0;) {
      const mine = { controller: new AbortController(), thenQueue: false };
      turn = mine;
      const why = await runTurn(c, prompts, mine.controller.signal).finally(() => { turn = undefined; });
      // After a cancel or a failure the user decides what becomes of the queue.
      prompts = mine.thenQueue || (why !== 'cancelled' && why !== 'error') ? takeQueue() : [];
    }
  }

  function made(): Core {
    if (!core) throw new UserError('The configuration is still being read.', 'Try again in a moment.');
    return core;
  }

  function begun(): Conversation {
    if (!conversation) throw new UserError('The configuration is still being read.', 'Try again in a moment.');
    return conversation;
  }

  const ready = prepare();
  // Whoever waits for it sees the failure; nobody may be waiting yet.
  ready.catch(() => {});

  const app: App = {
    info: { version: start.version, root: paths.root, project: basename(paths.root), branch: readBranch(paths.root), get sessionDir() { return session.dir; } },
    ready,
    state: secrecy.state(store),
    tools: toolset.tools,
    listTools: () => listTools(toolset.tools(), toolset.disabled(), begun().policy()),
    async call(name, input) {
      await ready;
      const c = begun();
      if (turn) throw new UserError('Something else is running.', 'Esc stops it.');
      const mine = { controller: new AbortController(), thenQueue: false };
      turn = mine;
      const result = await callByHand(c, byHand, { name, input }, mine.controller.signal).finally(() => { turn = undefined; });
      void runTurns(c, takeQueue());
      return result;
    },
    commands: () => [...commands, ...(mcp?.commands() ?? [])],
    modes: () => modes,
    async submit(text) {
      if (text.trim() === '') return;
      if (isCommand(text)) return runCommand(app, text);
      const left = await ready;
      if (left?.exit !== undefined || !conversation) return left;
      if (turn) setQueue([...store.get().queue, text]);
      else await runTurns(conversation, [...takeQueue(), text]);
    },
    cancel: () => turn?.controller.abort(),
    sendQueue() {
      if (!turn) return;
      turn.thenQueue = true;
      turn.controller.abort();
    },
    setQueue,
    setMode(name) {
      const mode = checkMode(name, modes);
      if (!conversation) chosenMode = mode;
      if (mode !== store.get().mode) voice.emit({ type: 'mode', mode });
    },
    mcp: () => mcp?.desk ?? NO_SERVERS,
    backends: () => core?.backends.list() ?? [],
    rules: () => made().rules,
    model: () => made().backends.details(),
    async switchModel(choice) {
      await ready;
      const { backends } = made();
      await backends.use(choice);
      if (core) voice.emit({ type: 'model', ...modelOf(core) });
      for (const note of settingsNotes(backends.settings())) notify('warn', note);
      backends.provider().warm?.();
      refine();
    },
    ping: () => made().backends.ping(),
    priceOf: (name) => core?.backends.priceOf(name),
    async verify(paths) {
      await ready;
      if (!conversation?.verify) throw new UserError('The verifier is switched off (verifier: off in the configuration).');
      const [root] = conversation.policy().roots;
      await conversation.sandbox?.ready();
      return conversation.verify.check(paths.map((path) => resolve(root ?? '', path)), closing.signal);
    },
    examine: async () => (await import('./app/doctor.ts')).examine(start),
    clear() {
      if (!core) return;
      const { mode, configured } = store.get();
      core.rules.clear();
      log.close();
      session = chooseSession(session.dir === null ? { kind: 'none' } : { kind: 'new' }, paths);
      log = open();
      voice.emit({ type: 'session_started', id: session.id, cwd: paths.root, mode, ...modelOf(core, configured) });
      mcp?.tell();
      conversation = converse(core);
    },
    ask: (question) => voice.ask(question, closing.signal),
    emit: (happening) => voice.emit(happening),
    async close() {
      turn?.controller.abort();
      closing.abort();
      toolset.close();
      await mcp?.close();
      killAllGroups();
      log.close();
    },
  };
  return app;
}

/** Makes what the first request says of each tool, one at a time: a key that is pressed meanwhile comes between two. */
async function warmSchemas(tools: readonly Tool[]): Promise<void> {
  for (const tool of tools) {
    void tool.schema;
    await setImmediately();
  }
}

type Named = { provider: string; model: string };

/** What events say of the model that answers, with `configured` where that is another. */
function modelOf({ backends }: Core, configured?: Named): Named & { window: number; configured?: Named } {
  const { name, model, abilities } = backends.provider();
  const same = !configured || (configured.provider === name && configured.model === model);
  return { provider: name, model, window: abilities.window, ...(same ? {} : { configured }) };
}

const isChosenByFlag = ({ origins }: Loaded): boolean => ['protocol', 'model'].some((key) => origins[key]?.startsWith('--'));
