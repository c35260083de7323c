// mewcode mcp serve: MewCode's own tools for other programs, behind the same permissions as those of a conversation.
import { isHarmless, callTool, prepareCall } from '../agent/call-tool.ts';
import { withinLimit } from '../agent/calls.ts';
import type { Conversation } from '../agent/conversation.ts';
import { createVoice } from '../agent/frontend.ts';
import { cleanLine } from '../lib/clean.ts';
import { killAllGroups } from '../lib/spawn.ts';
import type { Caller, Streams } from '../mcp/serve.ts';
import { modes } from '../permissions/modes.ts';
import { initialState } from '../store/reduce.ts';
import type { ToolResultPart } from '../types/message.ts';
import { createCore } from './core.ts';
import { holdSecrets } from './masked.ts';
import { checkMode } from './policy.ts';
import { chooseSession } from './session.ts';
import type { Start } from './start.ts';
import { plainCall } from './tool-list.ts';
import { toolOptionsOf } from './tool-options.ts';
import { holdTools } from './toolset.ts';

/** What only a conversation with a model has a use for. */
const OURS_ALONE = ['AskUserQuestion', 'TodoWrite', 'TodoRead', 'TodoClear'];
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Serves on `streams` until stdin ends or a signal comes, and gives the exit code. No model is asked and no MCP server is started. */
export async function runMcpServe(start: Start, streams: Streams): Promise<number> {
  // Whatever model is configured: none is needed, so none can be missing.
  const loaded = await start.load(start.trust, { provider: 'demo' });
  checkMode(loaded.mode, modes);
  const secrecy = holdSecrets();
  secrecy.hide(loaded.secrets);
  const { mask } = secrecy;
  const core = await createCore(start, loaded, mask);
  const say = (text: string) => streams.stderr.write(`mewcode: ${cleanLine(mask(text))}\n`);
  let calls = 0;
  const newId = () => `${calls += 1}`;
  const voiceFor = (caller?: Caller) => createVoice({
    agent: 'client', keep: [], clock: Date.now, newId,
    frontend: {
      emit(event) {
        if (event.type === 'tool_output') caller?.progress(event.text);
        if (event.type === 'notice' && event.level !== 'info') say(event.text);
      },
      ask: async (question, signal) => caller?.ask(question, signal) ?? { kind: 'dismissed' },
    },
  });
  const voice = voiceFor();
  const state = { ...initialState(), mode: loaded.mode };
  const toolset = holdTools({ emit: voice.emit, late: () => [], todos: () => [] });
  const misnamed = toolset.configure(toolOptionsOf({ ...start, headless: true }, loaded, mask), loaded.config.tools ?? {});
  toolset.begin([]);
  const conversation = core.converse(chooseSession({ kind: 'none' }, start.paths), { tools: () => toolset.tools().filter(({ name }) => !OURS_ALONE.includes(name)), disabled: toolset.disabled, news: () => [], mcp: undefined, voice, state: () => state, takeQueue: () => [], clock: Date.now, newId });
  for (const warning of [...loaded.warnings, ...misnamed]) say(warning);
  if ('isTTY' in streams.stdin && streams.stdin.isTTY) say('This waits for an MCP client on stdin. Ctrl-D ends it.');

  /** Calls that may change something go one after the other, as in a conversation. */
  let turn: Promise<unknown> = Promise.resolve();
  async function call(name: string, input: unknown, caller: Caller): Promise<ToolResultPart> {
    const c: Conversation = Object.create(conversation, { voice: { value: voiceFor(caller) } });
    const prepared = prepareCall(c, { type: 'tool_call', id: `client-${newId()}`, name, input });
    const run = async () => withinLimit(c, prepared, await callTool(c, prepared, caller.signal));
    if (!prepared.ok || prepared.access.every(isHarmless)) return run();
    const mine = turn.then(run);
    turn = mine;
    return mine;
  }

  const stop = new AbortController();
  let code = 0;
  const listeners = Object.entries(SIGNALS).map(([signal, number]) => {
    const listener = () => { code = number; stop.abort(); };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  try {
    const { serve } = await import('../mcp/serve.ts');
    const [root = start.paths.root] = conversation.policy().roots;
    await serve({
      version: start.version, tools: conversation.tools(), touches: (tool) => plainCall(tool, root)?.access, call,
      instructions: `MewCode's tools for files, searches, commands and git. They work in ${root}; relative paths count from there. What its permissions do not allow is refused, with the reason.`,
    }, streams, stop.signal);
    return code;
  } finally {
    for (const off of listeners) off();
    toolset.close();
    killAllGroups();
  }
}
