// The loop: ask the model, run what it calls, give back the results, until it calls nothing.
import type { TurnEnd } from '../types/event.ts';
import type { ToolCallPart } from '../types/message.ts';
import { startAhead } from './ahead.ts';
import { answerCalls, SIDE_BY_SIDE } from './calls.ts';
import { countRepeats } from './doom-loop.ts';
import { remind, say, type Conversation } from './conversation.ts';
import { requestReply } from './reply.ts';

/** How often an answer that was cut off at the output limit is continued. */
const CONTINUES = 3;

const CIRCLING = 'You have made the same calls with the same arguments several times in a row. Their results will not change. Stop and do something else, or say what keeps you from going on.';
const SUM_UP = 'The limit of model requests for this turn is reached. Call no more tools: sum up what was done, what is left, and what you would do next.';
const CONTINUE = 'Your answer was cut off at the output limit. Continue exactly where it stopped, without repeating anything.';

/** What the user is told of an end that is not the model's own wish. */
const ENDINGS: Partial<Record<TurnEnd, (c: Conversation) => string>> = {
  cancelled: () => 'Interrupted.',
  refusal: () => 'The model declined to go on with this request.',
  filter: () => "The provider's content filter stopped the answer.",
  window: () => 'The context window is full. Start afresh with /clear.',
  max_tokens: () => 'The answer was cut off at the output limit again and again. Raise max_tokens, or ask for less at once.',
  limit: (c) => `Stopped after ${c.maxRounds} requests in one turn (agent.max_rounds). Say "go on" to continue.`,
};

const LEVELS: Partial<Record<TurnEnd, 'info' | 'error'>> = { cancelled: 'info', error: 'error' };

/** Runs one turn. Never throws; gives why it ended. */
export async function runTurn(c: Conversation, prompts: readonly string[], signal: AbortSignal): Promise<TurnEnd> {
  c.voice.emit({ type: 'turn_started' });
  c.verify?.beginTurn();
  for (const text of [...await c.reminders(), ...c.news()]) remind(c, text);
  await hear(c, prompts, signal);
  const { why, failure } = await rounds(c, signal);
  const text = failure ?? ENDINGS[why]?.(c);
  if (text !== undefined) c.voice.emit({ type: 'notice', level: LEVELS[why] ?? 'warn', text });
  c.voice.emit({ type: 'turn_ended', why, ...(failure === undefined ? {} : { failure }) });
  return why;
}

/** Appends prompts, each with what it refers to. */
async function hear(c: Conversation, prompts: readonly string[], signal: AbortSignal): Promise<void> {
  for (const text of prompts) {
    say(c, text);
    for (const attached of await c.attach?.(text, signal) ?? []) remind(c, attached);
  }
}

async function rounds(c: Conversation, signal: AbortSignal): Promise<{ why: TurnEnd; failure?: string }> {
  let continued = 0;
  const made: string[] = [];
  for (let round = 1; ; round += 1) {
    const spent = c.state().meter.costUsd ?? 0;
    if (c.maxCostUsd !== undefined && spent >= c.maxCostUsd) return { why: 'limit', failure: `Stopped: this session has cost $${spent.toFixed(2)}, and its limit is $${c.maxCostUsd} (agent.max_cost_usd).` };
    const last = round > c.maxRounds;
    if (last) remind(c, SUM_UP);
    const ahead = last ? undefined : startAhead(c, signal, SIDE_BY_SIDE);
    const reply = await requestReply(c, signal, ahead);
    const cutOff = reply.ok && reply.stop === 'max_tokens' ? reply.calls.at(-1) : undefined;
    await answerCalls(c, reply.calls, refusalOf({ last, cutOff, aborted: !reply.ok }), signal, ahead);
    ahead?.drop();

    if (signal.aborted) return { why: 'cancelled' };
    if (!reply.ok) return { why: 'error', failure: reply.failure.message };
    if (last) return { why: 'limit' };
    const counted = reply.calls.filter(({ name }) => !c.tools().find((tool) => tool.name === name)?.polls);
    made.push(...counted.map(({ name, input }) => `${name} ${JSON.stringify(input)}`));
    const repeats = counted.length > 0 ? countRepeats(made) : 0;
    if (repeats > c.repeats && !(await mayGoOn(c, reply.calls.at(-1)?.name ?? '', signal))) return { why: signal.aborted ? 'cancelled' : 'limit', failure: `Stopped: the model repeats the same calls without getting anywhere.` };
    if (repeats === c.repeats) remind(c, CIRCLING);
    if (reply.calls.length > 0) for (const text of c.news()) remind(c, text);
    const queued = c.takeQueue();
    await hear(c, queued, signal);
    if (reply.calls.length > 0 || queued.length > 0) continue;
    if (reply.stop === 'pause') continue;
    if (reply.stop === 'max_tokens' && continued < CONTINUES) {
      continued += 1;
      remind(c, CONTINUE);
      continue;
    }
    const failing = reply.stop === 'end' ? await c.verify?.finish(signal) : null;
    if (signal.aborted) return { why: 'cancelled' };
    if (!failing) return { why: reply.stop };
    remind(c, failing);
  }
}

async function mayGoOn(c: Conversation, name: string, signal: AbortSignal): Promise<boolean> {
  const options = [{ id: 'stop', label: 'Stop here' }, { id: 'on', label: 'Let it go on' }];
  const answer = await c.voice.ask({ kind: 'choose', title: 'The model goes round in circles', text: `It makes the same calls again and again, ${name} last.`, options }, signal);
  return answer.kind === 'chosen' && answer.ids[0] === 'on';
}

/** Says for each call why it must not run, if so: cut off in the middle, over the limit, or cancelled. */
function refusalOf({ last, cutOff, aborted }: { last: boolean; cutOff: ToolCallPart | undefined; aborted: boolean }): (call: ToolCallPart) => string | undefined {
  return (call) => {
    if (aborted) return 'cancelled by user';
    if (last) return 'round limit reached';
    if (call === cutOff) return 'This call was cut off at the output limit and was not run. Make it again, in smaller pieces.';
    return undefined;
  };
}
