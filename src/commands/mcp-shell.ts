// mewcode mcp …: reads what was ordered, and what --help says. The work is the composition root's.
import { nearest } from '../lib/nearest.ts';
import { UserError } from '../types/user-error.ts';

export type McpScope = 'user' | 'project';

/** An entry of a `mcpServers` file, as it is written there. */
export type McpEntry = { command: string; args?: string[]; env?: Record<string, string> } | { type?: 'sse'; url: string; headers?: Record<string, string> };

export type McpOrder =
  | { action: 'help'; of?: string }
  | { action: 'add'; name: string; entry: McpEntry; scope: McpScope }
  | { action: 'remove'; name: string; scope?: McpScope }
  | { action: 'list'; verbose: boolean; test: boolean }
  | { action: 'test' | 'login' | 'logout'; name: string }
  | { action: 'serve' }
  | { action: 'conformance'; url: string };

const HELP = {
  add: {
    usage: 'add NAME URL | --command CMD | -- CMD ARGS…', summary: 'Write a server into the user\'s or the project\'s mcp.json',
    more: `mewcode mcp add docs https://example.com/mcp --header "Authorization: Bearer \${TOKEN}"
mewcode mcp add files --command npx --env LOG_LEVEL=info -- -y @modelcontextprotocol/server-filesystem .
mewcode mcp add memory --transport stdio -- npx -y @modelcontextprotocol/server-memory

  --transport stdio|http|sse   what it speaks, where the rest does not say so
  --header "NAME: VALUE"       goes with each request; again for more
  --env NAME=VALUE             a variable of the program; again for more
  --scope user|project         ~/.mewcode/mcp.json (the default), or .mewcode/mcp.json, which a team shares

\${NAME} is put in from the environment at each start: keys need not stand in the file.`,
  },
  remove: { usage: 'remove NAME', summary: 'Take a server out of the mcp.json that has it', more: '  --scope user|project   where both have one of that name' },
  list: { usage: 'list', summary: 'Show every server and try to connect to it', more: '  --no-test   do not connect\n  -v          also the names of variables and headers, and errors whole' },
  test: { usage: 'test NAME', summary: 'Connect to a server, list its tools, time a ping', more: 'Exits with 1 when it can\'t be reached.' },
  login: { usage: 'login NAME', summary: 'Log in to a server in the browser', more: 'The login is kept in ~/.mewcode/credentials.json. MEWCODE_BROWSER names another browser, or none.' },
  logout: { usage: 'logout NAME', summary: 'Forget the login of a server', more: 'The server is not told.' },
  serve: { usage: 'serve', summary: 'Be an MCP server on stdio: MewCode\'s own tools, behind the same permissions', more: 'What would be asked is denied, unless the client can be asked. --allow, --deny and --mode widen or narrow it.' },
} as const;
type Action = keyof typeof HELP;
const ACTIONS = Object.keys(HELP) as Action[];

/** Whether words of the command line that begin with `mcp` are an order, misspelt or not, and no prompt. */
export function isMcpOrder(next: string | undefined): boolean {
  return next === undefined || next === '--help' || next === '-h' || next === 'conformance' || nearest(next, ACTIONS) !== undefined;
}

/** What `mewcode mcp WORDS…` orders. Throws a `UserError`. */
export function parseMcp(words: readonly string[]): McpOrder {
  const [action, ...rest] = words;
  if (action === undefined || action === '--help' || action === '-h') return { action: 'help' };
  const { flags, operands, behind } = split(rest);
  if (flags.some(([name]) => name === '--help')) return { action: 'help', of: action };
  switch (action) {
    case 'add': return parseAdd(flags, operands, behind);
    case 'remove': return { action, name: one(action, operands), ...scopeOf(only(action, flags, ['--scope'])) };
    case 'list':
      only(action, flags, ['--verbose', '--no-test', '--test']);
      return { action, verbose: flags.some(([name]) => name === '--verbose'), test: !flags.some(([name]) => name === '--no-test') };
    case 'test': case 'login': case 'logout':
      only(action, flags, []);
      return { action, name: one(action, operands) };
    case 'serve':
      only(action, flags, []);
      if (operands.length > 0) throw new UserError(`mewcode mcp serve takes no "${operands[0]}".`, 'See mewcode mcp serve --help.');
      return { action };
    case 'conformance': return { action, url: one(action, operands) };
    default: {
      const near = nearest(action, ACTIONS);
      throw new UserError(`There is no mewcode mcp ${action}.`, `${near === undefined ? '' : `Did you mean ${near}? `}There are: ${ACTIONS.join(', ')}.`);
    }
  }
}

type Flags = readonly (readonly [name: string, value: string])[];

const SHORT: Readonly<Record<string, string>> = { '-H': '--header', '-e': '--env', '-s': '--scope', '-t': '--transport', '-v': '--verbose', '-h': '--help', '--url': '--url' };
const VALUED = ['--header', '--env', '--scope', '--transport', '--command', '--args', '--url'];

function split(words: readonly string[]): { flags: Flags; operands: string[]; behind: string[] } {
  const flags: [string, string][] = [];
  const operands: string[] = [];
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i] ?? '';
    if (word === '--') return { flags, operands, behind: words.slice(i + 1) };
    if (!/^-./.test(word)) { operands.push(word); continue; }
    const [, spelled = word, given] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    const name = SHORT[spelled] ?? spelled;
    if (!VALUED.includes(name)) { flags.push([name, '']); continue; }
    const value = given ?? words[i += 1];
    if (value === undefined) throw new UserError(`${spelled} needs a value.`, 'See mewcode mcp --help.');
    flags.push([name, value]);
  }
  return { flags, operands, behind: [] };
}

function parseAdd(flags: Flags, operands: readonly string[], behind: readonly string[]): McpOrder {
  only('add', flags, VALUED);
  const last = (name: string) => flags.findLast(([flag]) => flag === name)?.[1];
  const all = (name: string) => flags.filter(([flag]) => flag === name).map(([, value]) => value);
  const [name, ...words] = operands;
  if (name === undefined) throw new UserError('mewcode mcp add needs a name.', 'See mewcode mcp add --help.');
  const transport = last('--transport');
  if (transport !== undefined && !['stdio', 'http', 'sse'].includes(transport)) throw new UserError(`--transport can't be "${transport}".`, 'It is stdio, http or sse.');
  const command = last('--command');
  const address = last('--url') ?? (command === undefined && transport !== 'stdio' && /^[a-z][a-z\d+.-]*:\/\//i.test(words[0] ?? '') ? words[0] : undefined);
  const program = command === undefined ? [...(address === undefined ? words : []), ...behind] : [command, ...all('--args'), ...words, ...behind];
  if (address !== undefined && (program.length > 0 || words.length > 1)) throw new UserError('A server has either an address or a command.', 'See mewcode mcp add --help.');
  const scope = scopeOf(flags).scope ?? 'user';
  if (address === undefined) {
    if (program.length === 0) throw new UserError(`What is the server "${name}"?`, 'Give its URL, --command CMD, or -- CMD ARGS…');
    if (transport === 'http' || transport === 'sse') throw new UserError(`--transport ${transport} needs an address.`, `"${program[0]}" is none: it begins with http:// or https://.`);
    if (all('--header').length > 0) throw new UserError('--header goes with an address.', 'A program takes --env NAME=VALUE.');
    const env = pairs('--env', all('--env'), /^([A-Za-z_]\w*)=(.*)$/s, 'NAME=VALUE');
    const [file = '', ...args] = program;
    return { action: 'add', name, scope, entry: { command: file, ...(args.length > 0 && { args }), ...(Object.keys(env).length > 0 && { env }) } };
  }
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) throw new UserError(`"${address}" is not an address.`, 'It looks like https://example.com/mcp.');
  if (all('--env').length > 0) throw new UserError('--env goes with a command.', 'An address takes --header "NAME: VALUE".');
  const headers = pairs('--header', all('--header'), /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/s, '"NAME: VALUE"');
  return { action: 'add', name, scope, entry: { ...(transport === 'sse' && { type: 'sse' as const }), url: address, ...(Object.keys(headers).length > 0 && { headers }) } };
}

function pairs(flag: string, values: readonly string[], shape: RegExp, wanted: string): Record<string, string> {
  return Object.fromEntries(values.map((value) => {
    const [, name = '', text = ''] = shape.exec(value) ?? [];
    if (name === '') throw new UserError(`${flag} can't be "${value}".`, `It is ${wanted}.`);
    return [name, text];
  }));
}

function one(action: string, operands: readonly string[]): string {
  const [name, ...more] = operands;
  if (name === undefined || more.length > 0) throw new UserError(`mewcode mcp ${action} needs ${name === undefined ? 'a name' : 'one name only'}.`, 'mewcode mcp list shows them.');
  return name;
}

function only(action: string, flags: Flags, known: readonly string[]): Flags {
  const strange = flags.find(([name]) => !known.includes(name));
  if (strange) throw new UserError(`mewcode mcp ${action} takes no ${strange[0]}.`, `See mewcode mcp ${action} --help.`);
  return flags;
}

function scopeOf(flags: Flags): { scope?: McpScope } {
  const value = flags.findLast(([name]) => name === '--scope')?.[1];
  if (value === undefined) return {};
  // `local` is another tool's word for what only this user has.
  const scope = value === 'local' ? 'user' : value;
  if (scope !== 'user' && scope !== 'project') throw new UserError(`--scope can't be "${value}".`, 'It is user or project.');
  return { scope };
}

/** What `mewcode mcp --help` and `mewcode mcp ACTION --help` print. */
export function mcpHelp(of: string | undefined): string {
  const action = ACTIONS.find((known) => known === of);
  if (action !== undefined) return `mewcode mcp ${HELP[action].usage}\n\n${HELP[action].summary}.\n\n${HELP[action].more}\n`;
  const width = Math.max(...ACTIONS.map((known) => HELP[known].usage.length));
  return `MCP servers: programs and addresses that bring tools.\n\n${ACTIONS.map((known) => `  mewcode mcp ${HELP[known].usage.padEnd(width)}  ${HELP[known].summary}`).join('\n')}\n\nEach answers --help. In the app: /mcp. Configuration: docs/mcp.md.\n`;
}
