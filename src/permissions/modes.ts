// The modes as data: what each says of reading, writing, running, the net and MCP.
import type { Category, Mode, ModeInfo, Policy, Verdict } from '../types/permission.ts';

/** In the order of the Shift+Tab round, then the others. */
export const modes: readonly ModeInfo[] = [
  { name: 'default', summary: 'reads freely, asks before anything else', cycle: 1, tone: 'normal' },
  { name: 'acceptEdits', summary: 'edits files without asking, asks before commands', cycle: 2, tone: 'normal' },
  { name: 'plan', summary: 'reads and plans, changes nothing', cycle: 3, tone: 'safe' },
  { name: 'bypassPermissions', summary: 'asks for almost nothing: only the hard limits hold', tone: 'danger' },
  { name: 'dontAsk', summary: 'denies whatever would be asked', tone: 'safe' },
  { name: 'custom', summary: 'as permissions.custom says', tone: 'normal' },
];

const table: Readonly<Record<Mode, Readonly<Record<Category, Verdict>>>> = {
  default: { read: 'allow', write: 'ask', run: 'ask', net: 'ask', mcp: 'ask' },
  acceptEdits: { read: 'allow', write: 'allow', run: 'ask', net: 'ask', mcp: 'ask' },
  plan: { read: 'allow', write: 'deny', run: 'deny', net: 'ask', mcp: 'ask' },
  bypassPermissions: { read: 'allow', write: 'allow', run: 'allow', net: 'allow', mcp: 'allow' },
  dontAsk: { read: 'allow', write: 'deny', run: 'deny', net: 'deny', mcp: 'deny' },
};

/** What the policy's mode says of a category. `custom` asks where it is silent, and so does a mode that nobody knows. */
export function modeVerdict(category: Category, policy: Policy): Verdict {
  if (policy.mode === 'custom') return policy.custom[category] ?? 'ask';
  return Object.hasOwn(table, policy.mode) ? (table[policy.mode]?.[category] ?? 'ask') : 'ask';
}
