// What the OS sandbox means for a call: it need not be asked for when it stays inside, and what it left at a guarded place is asked for afterwards.
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import type { Decision, Facts } from '../types/permission.ts';
import type { ToolContext } from '../types/tool.ts';
import { sentenceOf } from '../types/user-error.ts';
import type { Conversation } from './conversation.ts';

/** An ask that comes from the mode alone becomes an allow, where nothing of the call leaves the sandbox and the user wants it so. */
export async function letContained(c: Conversation, decision: Decision, facts: Facts): Promise<Decision> {
  if (decision.verdict !== 'ask' || Object.keys(facts.shell).length === 0 || !c.sandbox) return decision;
  if (!decision.trace.every(({ layer, verdict }) => verdict !== 'ask' || layer === 'mode' || layer === 'ask')) return decision;
  if ((await c.sandbox.ready()) !== null || !c.sandbox.contains(facts)) return decision;
  const because = 'It stays inside the sandbox (security.sandbox_auto_allow).';
  return { verdict: 'allow', layer: 'sandbox', because, trace: [...decision.trace, { layer: 'sandbox', verdict: 'allow', because }] };
}

/**
 * Asks about what a command made at places from which code is run later: they can't be protected while nothing is there.
 * What nobody wants is moved to the temporary folder. Gives what the model is told, '' when there is nothing to say.
 */
export async function settleAppeared(c: Conversation, ctx: ToolContext, paths: readonly string[]): Promise<string> {
  if (paths.length === 0) return '';
  const names = paths.map((path) => relative(c.cwd, path)).join(', ');
  const answer = await ctx.ask({
    kind: 'choose',
    title: `The command made ${names}. Keep it?`,
    text: 'From there code can be run later, so a change is always asked for. The command did not say beforehand that it would.',
    options: [{ id: 'keep', label: 'Keep' }, { id: 'remove', label: 'Move it out of the project' }],
  });
  if (answer.kind === 'chosen' && answer.ids.includes('keep')) return '';
  try {
    const folder = await mkdtemp(join(tmpdir(), 'mewcode-removed-'));
    for (const path of paths) await move(path, join(folder, basename(path)));
    return `${names} was moved to ${folder}: code can be run from there later, and ${answer.kind === 'chosen' ? 'the user did not want it' : 'nobody said that it may stay'}.`;
  } catch (error) {
    return `${names} can make code run later, and could not be moved away: ${sentenceOf(error)}`;
  }
}

async function move(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error;
    await cp(from, to, { recursive: true, verbatimSymlinks: true });
    await rm(from, { recursive: true });
  });
}
