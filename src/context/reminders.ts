// What the model is told through the conversation: its surroundings once, and that plan mode is on.
import type { Message } from '../types/message.ts';

export type Surroundings = {
  cwd: string;
  /** As `uname` would say it. */
  system: string;
  date: Date;
  git: { branch: string; status: string } | null;
};

/** A full plan reminder comes again after so many turns or requests. */
const PLAN_FULL_AFTER = { turns: 5, rounds: 10 };

const PLAN_FULL = `Plan mode is on: read, search and think, but change nothing. Calls that write or run are denied.
Investigate until you know what is to be done, then answer with a plan: what changes in which file, in which order, how it will be checked, and what is still open. The user leaves plan mode when the plan is good.`;
const PLAN_SHORT = 'Plan mode is still on: change nothing, answer with the plan.';
const PLAN_OVER = 'Plan mode is off: changes are possible again, with the usual permissions.';

/** The first message of a session. */
export function describeSurroundings({ cwd, system, date, git }: Surroundings): string {
  const lines = [`Working directory: ${cwd}`, `System: ${system}`, `Date: ${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`];
  if (git) lines.push(`Git branch: ${git.branch}`, git.status === '' ? 'Git status: clean' : `Git status:\n${git.status}`);
  return lines.join('\n');
}

/** What is to be said about plan mode before the next prompt, read off what was said so far. */
export function planReminder(mode: string, messages: readonly Message[]): string | null {
  let turns = 0;
  let rounds = 0;
  for (const message of messages.toReversed()) {
    const part = message.parts[0];
    if (message.role === 'assistant') rounds += 1;
    if (message.role !== 'user' || part?.type !== 'text') continue;
    if (message.source !== 'reminder') turns += 1;
    else if (part.text.includes(PLAN_OVER)) break;
    else if (part.text.includes(PLAN_FULL)) {
      if (mode !== 'plan') return PLAN_OVER;
      return turns >= PLAN_FULL_AFTER.turns || rounds >= PLAN_FULL_AFTER.rounds ? PLAN_FULL : PLAN_SHORT;
    }
  }
  return mode === 'plan' ? PLAN_FULL : null;
}
