// What a run is made of once its configuration is read: provider, tools, policy, and conversations over them.
import { release, type as systemType } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from '../agent/conversation.ts';
import { defaults } from '../config/defaults.ts';
import type { Loaded } from '../config/load.ts';
import { makeProjectDir } from '../config/paths.ts';
import { describeSurroundings, planReminder } from '../context/reminders.ts';
import { renderSystem } from '../context/system.ts';
import { childEnv } from '../lib/spawn.ts';
import { isHidden, openFiles } from '../permissions/paths.ts';
import { loggedFetch } from '../providers/debug-log.ts';
import { proxiedFetch } from '../providers/proxy.ts';
import type { RuleDesk } from '../types/command.ts';
import type { ToolSpec } from '../types/provider.ts';
import type { SessionState } from '../types/state.ts';
import type { Seen } from '../types/tool.ts';
import { createBackends, type Backends } from './backends.ts';
import { readGit } from './git.ts';
import type { Mcp } from './mcp.ts';
import { holdPolicy, openRules, reachableRoots } from './policy.ts';
import { holdSandbox, type Sandbox } from './sandbox.ts';
import type { Start } from './start.ts';
import { holdVerify } from './verify.ts';

/** What a conversation gets from the session around it. */
export type Ways = Pick<Conversation, 'voice' | 'state' | 'tools' | 'disabled' | 'news' | 'takeQueue' | 'clock' | 'newId'> & { mcp: Mcp | undefined };

export type Core = {
  backends: Backends;
  rules: RuleDesk;
  /** Which OS sandbox there is, once that is known. */
  found: Sandbox['found'];
  /** A fresh conversation for a session: its own system prompt, frozen tools and memory of files. */
  converse(session: { id: string; dir: string | null }, ways: Ways): Conversation;
};

/** Builds the core. `mask` hides secrets in logs. Throws a `UserError` on a rule or provider that can't be used. */
export async function createCore(start: Start, loaded: Loaded, mask: (text: string) => string): Promise<Core> {
  const { paths, env } = start;
  const send = proxiedFetch(env);
  const logged = loaded.debug ? loggedFetch(send, { path: join(paths.logs, 'requests.jsonl'), mask, prepare: () => makeProjectDir(paths) }) : send;
  const backends = await createBackends(start, loaded, logged, send);
  const childrensEnv = childEnv(env, loaded.passEnv);
  const roots = reachableRoots(start);
  const rules = openRules(loaded, paths);
  const keeper = holdSandbox({ ...start, loaded, env: childrensEnv });
  return {
    backends, rules,
    found: keeper.found,
    converse(session, { mcp, ...ways }) {
      const seen = new Map<string, Seen>();
      let offered: ToolSpec[] | undefined;
      const reachable = session.dir === null ? roots : [...roots, session.dir];
      const hidden = isHidden(loaded.ignorePatterns, reachable);
      const policy = holdPolicy({ loaded, paths, roots: reachable, mode: () => ways.state().mode, rules, unconfirmed: () => mcp?.unconfirmed() ?? [] });
      const allow: Conversation['allow'] = (text, keep) => {
        // Who allows a changed tool anew has seen that it has changed.
        mcp?.desk.confirm(text);
        return rules.add({ text, verdict: 'allow' }, keep);
      };
      const { wrap, sandbox } = keeper.around({ dir: session.dir, roots: reachable, policy });
      return {
        ...ways, policy, allow, wrap, sandbox, verify: holdVerify(loaded, { roots, env: childrensEnv, wrap, cacheDir: session.dir }), get offered() { return (offered ??= ways.tools().map(({ name, description, schema, deferred }) => ({ name, description, schema, ...(deferred && { deferred }) }))); },
        sessionId: session.id, provider: backends.provider, get thinking() { return backends.settings().thinking; }, get maxTokens() { return backends.provider().abilities.maxOutput; },
        system: renderSystem(start.append === undefined ? {} : { append: start.append }),
        files: (facts) => openFiles({ roots: reachable, facts, seen, hidden }),
        cwd: paths.root, home: paths.home, env: childrensEnv, mask, spillDir: session.dir === null ? null : join(session.dir, 'tool-results'), spillOver: { result: loaded.config.context?.spill_chars ?? defaults.context.spill_chars, message: loaded.config.context?.message_chars ?? defaults.context.message_chars },
        async reminders() {
          await mcp?.begin();
          return remindersOf(ways.state(), paths.root, childrensEnv);
        },
        news: () => [...ways.news(), ...(mcp?.news(ways.state().messages) ?? [])], ...(mcp && { attach: mcp.attach }),
        maxRounds: loaded.maxRounds, maxCostUsd: loaded.maxCostUsd, repeats: loaded.config.agent?.doom_loop ?? 3, parallel: loaded.config.agent?.parallel_tool_calls ?? true,
      };
    },
  };
}

/** What the model is told before a prompt: its surroundings at the beginning, and plan mode. */
async function remindersOf({ messages, mode }: SessionState, cwd: string, env: Readonly<Record<string, string>>): Promise<string[]> {
  const plan = planReminder(mode, messages);
  const surroundings = messages.length > 0 ? null : describeSurroundings({ cwd, system: `${systemType()} ${release()}`, date: new Date(), git: await readGit(cwd, env) });
  return [surroundings, plan].filter((text) => text !== null);
}
