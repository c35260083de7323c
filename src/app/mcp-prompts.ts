// Prompts of MCP servers as slash commands: `/mcp__server__prompt` asks the server and submits what it gives.
import type { ServerTools } from '../mcp/manager.ts';
import type { Command } from '../types/command.ts';
import { UserError } from '../types/user-error.ts';

type Connection = ServerTools['connection'];
type Prompt = ReturnType<Connection['prompts']>[number];

const word = (text: string): string => text.replace(/[^\w-]/g, '_');

/** A command for each prompt there is now; the first of a name counts. */
export function promptCommands(servers: readonly ServerTools[]): Command[] {
  const all = servers.flatMap(({ connection }) => connection.prompts().map((prompt) => commandOf(connection, prompt)));
  return [...new Map(all.toReversed().map((command) => [command.name, command])).values()].toReversed();
}

function commandOf(connection: Connection, { name, description, args }: Prompt): Command {
  const server = connection.server.name;
  return {
    name: `mcp__${word(server)}__${word(name)}`,
    summary: description.trim().split('\n')[0] || `Prompt ${name} of the MCP server ${server}`,
    usage: args.map((arg) => (arg.required ? arg.name.toUpperCase() : `[${arg.name.toUpperCase()}]`)).join(' '),
    where: 'chat',
    async run(app, words) {
      // The last one takes all that is left.
      const given = args.map((arg, at) => [arg.name, at === args.length - 1 ? words.slice(at).join(' ') : (words[at] ?? '')] as const).filter(([, value]) => value !== '');
      const missing = args.filter((arg) => arg.required && !given.some(([known]) => known === arg.name));
      if (missing.length > 0) throw new UserError(`This prompt needs ${missing.map((arg) => `${arg.name.toUpperCase()}${arg.description === '' ? '' : ` (${arg.description})`}`).join(', ')}.`);
      const raw = await connection.prompt(name, Object.fromEntries(given), new AbortController().signal);
      const { promptText } = await import('../mcp/content.ts');
      // With its origin before it, it can't be taken for a command either.
      return app.submit(`Prompt "${name}" of the MCP server ${server}:\n\n${promptText(raw)}`);
    },
  };
}
