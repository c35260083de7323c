// How the demo model decides: it finds the request among its moves and follows it through the results so far.
import type { Message } from '../types/message.ts';
import type { ModelRequest } from '../types/provider.ts';
import { moves, type Move, type Round } from './demo-patterns.ts';
import type { Step } from './demo-script.ts';

/** The demo model's answer to `request`: pure, the same for the same messages. */
export function decideStep(request: ModelRequest): Step {
  const { ask, rounds } = readConversation(request.messages);
  const offered = new Set(request.tools.map((tool) => tool.name));
  /** What has been found out since the last call. */
  let findings: string[] = [];
  let last: Step = {};
  // "Do this, then that": each clause takes the rounds that it needs; the first that lacks one asks for it.
  for (const clause of ask.split(/(?:,\s*(?:and\s+)?|\s+and\s+)then\s+/i)) {
    const { move, match } = findMove(clause);
    const mine: Round[] = [];
    for (last = move.next(match, mine); last.calls?.length; last = move.next(match, mine)) {
      const missing = last.calls.find((call) => !offered.has(call.name));
      if (missing) return { text: join([...findings, `That takes the tool \`${missing.name}\`, which I was not given.`]) };
      const round = rounds.shift();
      if (!round) return { ...last, text: join([...findings, last.text]) };
      findings = [];
      const denied = round.find((result) => !result.ok && DENIED.test(result.text));
      if (denied) return { text: `That was not allowed, so I stop here. I was told: ${denied.text}` };
      mine.push(round);
    }
    findings.push(last.text ?? '');
    if (last.error) break;
  }
  return { ...last, text: join(findings) };
}

/* How a result begins whose call was not let through. */
const DENIED = /^(?:not allowed|the user denied|cancelled|round limit)/i;

const join = (texts: readonly (string | undefined)[]): string => texts.filter(Boolean).join('\n\n');

function findMove(clause: string): { move: Move; match: RegExpMatchArray } {
  const plain = clause.trim().replace(/^(?:please|can you|could you|now|first)[ ,]+/i, '');
  for (const move of moves) {
    const match = plain.match(move.pattern);
    if (match) return { move, match };
  }
  throw new Error('the last move matches everything');
}

/** The last request, and the results of each answer with calls that came after it. */
function readConversation(messages: readonly Message[]): { ask: string; rounds: Round[] } {
  const at = messages.findLastIndex((message) => message.role === 'user' && message.source !== 'reminder');
  const after = messages.slice(at + 1);
  const results = new Map(after.flatMap((message) => message.parts.flatMap((part) => (part.type === 'tool_result' ? [[part.callId, part] as const] : []))));
  const rounds = after
    .map((message) => message.parts.flatMap((part) => (part.type === 'tool_call' ? (results.get(part.id) ?? []) : [])))
    .filter((round) => round.length > 0);
  const ask = (messages[at]?.parts ?? []).flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n');
  return { ask, rounds };
}
