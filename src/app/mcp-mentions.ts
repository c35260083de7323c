// `@server:uri` in a prompt: the resource is read and goes along with the prompt.
import { tame } from '../context/server-news.ts';
import { head } from '../lib/cut.ts';
import type { ToolResult } from '../types/tool.ts';
import { sentenceOf } from '../types/user-error.ts';

const MENTION = /(?<![\w@])@([^\s:@]+):(\S+)/g;
/** Characters of a resource; the rest can be read in the conversation. */
const LONGEST = 50_000;

export type ResourceReader = {
  /** Names of the servers. */
  servers: readonly string[];
  read(server: string, uri: string, signal: AbortSignal): Promise<ToolResult>;
  warn(text: string): void;
};

/** What the model is told behind the prompt, a text for each resource. One that can't be read is a warning. */
export async function attachResources(prompt: string, { servers, read, warn }: ResourceReader, signal: AbortSignal): Promise<string[]> {
  const named = [...prompt.matchAll(MENTION)].flatMap(([, server = '', rest = '']) => (servers.includes(server) ? [{ server, uri: rest.replace(/[.,;:!?)\]}'"]+$/, '') }] : []));
  const wanted = [...new Map(named.map((one) => [`${one.server} ${one.uri}`, one])).values()];
  const texts = await Promise.all(wanted.map(async ({ server, uri }) => {
    try {
      const { text } = await read(server, uri, signal);
      const cut = text.length > LONGEST ? `\n[cut here: it has ${text.length.toLocaleString('en')} characters]` : '';
      return [`The user attached ${uri} of the MCP server "${server}":\n${tame(head(text, LONGEST))}${cut}`];
    } catch (error) {
      if (!signal.aborted) warn(`@${server}:${uri} is not attached: ${sentenceOf(error)}`);
      return [];
    }
  }));
  return texts.flat();
}
