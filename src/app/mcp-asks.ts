// How MCP servers reach the user, the model of the moment and the browser.
import type { Voice } from '../agent/frontend.ts';
import type { Loaded } from '../config/load.ts';
import { openBrowser } from '../lib/browser.ts';
import type { Sampling } from '../mcp/asks.ts';
import type { McpWorld } from '../mcp/transport.ts';
import { assemble, keptParts, type Live } from '../types/assemble.ts';
import type { Happening } from '../types/event.ts';
import type { SessionState } from '../types/state.ts';
import { UserError } from '../types/user-error.ts';
import type { Core } from './core.ts';

export type AskParts = {
  core: Core;
  loaded: Pick<Loaded, 'maxCostUsd'>;
  env: NodeJS.ProcessEnv;
  voice: Voice;
  /** Says what a request to the model has cost: not as the conversation's own, whose context it is no part of. */
  emit(happening: Happening): void;
  state(): SessionState;
  /** Other values for another turn and session. */
  turn(): unknown;
  session(): string;
};

/** What servers may ask of us; loaded with the servers. */
export async function answersOf({ core, loaded, env, voice, emit, state, turn, session }: AskParts): Promise<Pick<McpWorld, 'capabilities' | 'prepare'>> {
  const { answerServers } = await import('../mcp/asks.ts');

  async function sample(request: Sampling, signal: AbortSignal): Promise<{ text: string; cut: boolean }> {
    const { maxCostUsd } = loaded;
    if (maxCostUsd !== undefined && (state().meter.costUsd ?? 0) >= maxCostUsd) throw new UserError(`The session has cost what it may ($${maxCostUsd}).`);
    const provider = core.backends.provider();
    const { model, abilities } = provider;
    let live: Live = { id: 'sampling', parts: [] };
    let stop: string | undefined;
    for await (const event of provider.stream({ ...request, model, tools: [], thinking: 'off', maxTokens: Math.min(request.maxTokens, abilities.maxOutput), sessionId: `${session()}-mcp` }, signal)) {
      live = assemble(live, event);
      if (event.type === 'usage') emit({ type: 'usage', usage: event.usage, model, ...(event.costUsd !== undefined && { costUsd: event.costUsd }) });
      if (event.type === 'error') throw new UserError(event.error.message);
      if (event.type === 'end') ({ stop } = event);
    }
    return { text: keptParts(live).map((part) => (part.type === 'text' ? part.text : '')).join(''), cut: stop === 'max_tokens' };
  }

  return answerServers({
    ask: voice.ask, turn, session, sample,
    model: () => ({ name: core.backends.provider().model, images: core.backends.provider().abilities.images }),
    open: (url) => openBrowser(url, env),
    warn: (text) => voice.emit({ type: 'notice', level: 'warn', text }),
  });
}
