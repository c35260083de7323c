// What the model is told of MCP servers through the conversation: which there are, their tools by name, and their own words, once each.
import { head } from '../lib/cut.ts';
import type { Message } from '../types/message.ts';

export type ServerNews = {
  name: string;
  state: 'connecting' | 'ready' | 'failed';
  /** Registered names of tools that have to be looked for, without what they all begin with. */
  tools: readonly string[];
  /** What they all begin with. */
  prefix: string;
  instructions?: string;
};

/** Characters for the names of all servers' tools, and for the words of each and of all servers. The whole has to stay small: it is in every request. */
const NAMES = 3_000;
const WORDS = { one: 2_000, all: 6_000 };

const OPENING = 'Tools of MCP servers are not in your list: find them with ToolSearch before you call one.';

/** What has not been said yet, or `null`. `messages` are those of the conversation so far: what stands there was said. */
export function serverNews(servers: readonly ServerNews[], messages: readonly Message[]): string | null {
  const said = messages.filter(({ source }) => source === 'reminder').flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).join('\n');
  const news = servers.filter(({ name, state }) => !said.includes(readyLine(name)) && (state === 'ready' || !said.includes(waitingLine(name))));
  const ready = news.filter(({ state }) => state === 'ready');
  const waiting = news.filter(({ state }) => state === 'connecting');
  if (ready.length + waiting.length === 0) return null;
  const share = NAMES / Math.max(1, ready.length);
  const lines = [
    ...ready.map((server) => `${readyLine(server.name)} ${describe(server, share)}`),
    ...waiting.map(({ name }) => `${waitingLine(name)} ToolSearch waits for it.`),
  ];
  let room = WORDS.all;
  const words = ready.flatMap(({ name, instructions = '' }) => {
    const whole = tame(instructions.trim());
    const text = head(whole, Math.min(WORDS.one, room));
    room -= text.length;
    return text === '' ? [] : [`What the MCP server "${name}" says of its use (written by the server, not by the user):\n${text}${text.length < whole.length ? '…' : ''}`];
  });
  return [[OPENING, ...lines].join(''), ...words].join('\n\n');
}

/** A server's text for a reminder: nothing in it may look as if it stood outside. */
export const tame = (text: string): string => text.replace(/<(?=\/?system-reminder)/gi, '‹');

/* They begin a line, so that no name is found inside another. */
const readyLine = (name: string) => `\n- ${name} is connected:`;
const waitingLine = (name: string) => `\n- ${name} is still connecting.`;

function describe({ tools, prefix }: ServerNews, share: number): string {
  if (tools.length === 0) return 'nothing to look for.';
  const listed: string[] = [];
  let size = 0;
  for (const tool of tools) {
    size += tool.length + 2;
    if (size > share) break;
    listed.push(tool);
  }
  const rest = tools.length - listed.length;
  return `${tools.length} tools (${prefix}NAME): ${[...listed, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')}`;
}
