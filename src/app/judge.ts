// Judges calls as a fresh session in this place would, without running anything: for mewcode permissions.
import type { Loaded } from '../config/load.ts';
import { decide } from '../permissions/decide.ts';
import { readCall } from '../permissions/explain.ts';
import { gatherFacts } from '../permissions/facts.ts';
import { proposeRules } from '../permissions/rules.ts';
import { callTool } from '../tools/call-tool.ts';
import { builtinTools } from '../tools/index.ts';
import { listMcpResources, readMcpResource, type Resources } from '../tools/mcp-resources.ts';
import { toolSearch } from '../tools/tool-search.ts';
import type { Decision, Mode, Policy, Rule } from '../types/permission.ts';
import type { Tool } from '../types/tool.ts';
import { holdPolicy, openRules, reachableRoots } from './policy.ts';
import type { Start } from './start.ts';

export type JudgeStart = Pick<Start, 'load' | 'paths' | 'trust' | 'addDirs'>;

/** What became of a call. `allowedBy` is a rule that would make it silent. */
export type Judged = { decision: Decision; allowedBy?: string };

export type Judge = {
  /** A call as written. Rejects with a `UserError` on what is no call. `mode` and `more` stand in place of the policy's mode and beside its rules. */
  judge(call: string, other?: { mode?: Mode; more?: readonly Rule[] }): Promise<Judged>;
  policy: Policy;
  tools: readonly Tool[];
  loaded: Loaded;
};

/** Reads rules and mode; `rules` is a file in place of the permission files. What is wrong elsewhere goes to `warn`. Rejects with a `UserError`. */
export async function createJudge(start: JudgeStart, { rules, warn }: { rules?: string | undefined; warn(text: string): void }): Promise<Judge> {
  const { paths } = start;
  const loaded = await start.load(start.trust, undefined, { forRules: true, ...(rules !== undefined && { rules }) });
  for (const warning of loaded.warnings) warn(`${warning}\n`);
  const roots = reachableRoots(start);
  const policy = holdPolicy({ loaded, paths, roots, mode: () => loaded.mode, rules: openRules(loaded, paths) })();
  // Nothing is run, so no server has to be there.
  const servers = loaded.mcp.map(({ name, trustReadOnly }) => ({ name, trusted: trustReadOnly }));
  const resources: Resources = { servers: () => servers, list: async () => [], read: async () => ({ ok: false, text: '' }) };
  const tools = [...builtinTools(), toolSearch({ tools: async () => [], ready: () => [], absent: () => [] }), callTool(), listMcpResources(resources), readMcpResource(resources)];
  return {
    policy, tools, loaded,
    async judge(text, { mode = policy.mode, more = [] } = {}) {
      const { name, input, access, cwd = paths.root } = readCall(text, { tools, cwd: paths.root });
      const call = { id: '', name, input };
      const facts = await gatherFacts(access, { cwd, roots, home: paths.home });
      const decision = decide({ ...call, access }, facts, { ...policy, mode, rules: [...policy.rules, ...more] });
      const { always } = decision.verdict === 'ask' ? proposeRules(call, access, facts, decision) : {};
      return { decision, ...(always !== undefined && { allowedBy: always }) };
    },
  };
}
