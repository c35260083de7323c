// What the sandbox means for a command that failed in it: said in a sentence, and run again with the network where the user wants that.
import { resolve } from 'node:path';
import type { ToolContext, ToolResult } from '../../types/tool.ts';

/* How programs of many languages say that there is no network, or nobody on this computer's own. */
const NO_NETWORK = /ENETUNREACH|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|getaddrinfo|network is unreachable|could(n't| not) resolve|(temporary failure|failure) in name resolution|name or service not known|no address associated|unknownhostexception|nodename nor servname|no such host|dns (error|lookup)|failed to lookup address|(dial|lookup) (tcp|udp)|unable to access 'https?:|ECONNREFUSED|connection refused|could(n't| not) connect|failed to connect|ERR_INTERNET_DISCONNECTED|network error|from versions: none|not connected to the internet/i;
/* Nobody listens there; curl may say so by its exit code alone. */
const REFUSED = /ECONNREFUSED|connection refused|could(n't| not) connect|failed to connect|\nExit code 7\.$/i;
const READ_ONLY = /read-only file system|EROFS|device or resource busy|EBUSY/i;
const DENIED = /permission denied|EACCES|can only add regular files/i;
const NO_KEY = /\(publickey|could not read from remote|authentication (failed|required)|could not read (username|password)|E401|ENEEDAUTH|not logged in|unable to locate credentials|no credentials|unauthorized|gpg failed to sign/i;
const ROOT = /no new privileges|setuid root|must be superuser|must be root|are you root\?|operation not permitted/i;
/** Of long output the end tells why it failed. */
const TAIL = 20_000;

const AGAIN = 'The command ran in a sandbox without the network';

export type Online = {
  /** The context with the network, once the user has allowed it for the session. */
  of(ctx: ToolContext): ToolContext;
  /** The result with what the sandbox explains of it; or that of another run, with the network. */
  /** The same for what goes on in the background: it has not failed, but nobody reaches it. */
  background(ctx: ToolContext, result: ToolResult): ToolResult;
  settle<T extends { result: ToolResult }>(command: string, ctx: ToolContext, first: T, again: (ctx: ToolContext) => Promise<T>): Promise<T>;
};

/** Remembers what the user said of the network: one for each session. */
export function holdOnline(): Online {
  let always = false;
  let unreached = false;
  const refused = new Set<string>();

  return {
    of: (ctx) => (always ? online(ctx) : ctx),
    background(ctx, result) {
      if (!result.ok || ctx.confined?.network !== false) return result;
      unreached = true;
      return withNote(result, 'It is in a sandbox without the network: a server in it is reached by nobody outside. /permission allow WebFetch gives commands the network.');
    },
    async settle(command, ctx, first, again) {
      const { result } = first;
      if (result.ok || !ctx.confined || ctx.signal.aborted) return first;
      const said = result.text.slice(-TAIL);
      if (ctx.confined.network && unreached && !always && REFUSED.test(said)) {
        const answer = await ctx.ask({
          kind: 'choose',
          title: 'Nothing could be reached: a server in the background was started without the network. Let all commands of this session have it?',
          text: command,
          options: [{ id: 'session', label: 'Yes, for this session' }, { id: 'no', label: 'No' }],
        });
        unreached = false;
        always = answer.kind === 'chosen' && answer.ids.includes('session');
        return { ...first, result: withNote(result, always ? 'A background command was started without the network, so nothing reaches it. The user has given the commands of this session the network: start the server again.' : 'A background command was started without the network, so nothing reaches it. /permission allow WebFetch, or --allow WebFetch, changes that; then start it again.') };
      }
      if (ctx.confined.network || !NO_NETWORK.test(said)) return { ...first, result: withNote(result, explain(said, ctx)) };
      if (refused.has(command)) return { ...first, result: withNote(result, `${AGAIN}; the user did not want it run with it.`) };
      const answer = await ctx.ask({
        kind: 'choose',
        title: 'The command failed, it seems for want of the network. Run it again with the network?',
        text: `${command}\n\nThe sandbox keeps commands from the network unless their own words say what they reach.`,
        options: [{ id: 'once', label: 'Yes, this time' }, { id: 'session', label: 'Yes, and let all commands of this session have it' }, { id: 'no', label: 'No' }],
      });
      if (answer.kind !== 'chosen') return { ...first, result: withNote(result, `${AGAIN}. --allow WebFetch, or /permission allow WebFetch, gives commands the network.`) };
      if (answer.ids.includes('session')) always = true;
      else if (!answer.ids.includes('once')) {
        refused.add(command);
        return { ...first, result: withNote(result, `${AGAIN}; the user did not want it run with it.`) };
      }
      const second = await again(online(ctx));
      return { ...second, result: withNote(second.result, 'This is its second run, with the network: the first one failed for want of it.') };
    },
  };
}

const online = (ctx: ToolContext): ToolContext => ({ ...ctx, ...(ctx.confined && { confined: { network: true } }), wrap: (argv) => ctx.wrap(argv, { network: true }) });

const withNote = (result: ToolResult, note: string): ToolResult => (note === '' ? result : { ...result, text: `${result.text}\n${note}` });

/** Why the sandbox did not let it, as far as the output tells; '' where it has nothing to do with it. */
function explain(said: string, ctx: ToolContext): string {
  const hidden = said.split('\n').filter((line) => DENIED.test(line)).flatMap((line) => line.split(/[\s'"`():,]+/)).find((word) => word !== '' && ctx.files.hidden(resolve(ctx.cwd, word)));
  if (hidden !== undefined) return `The sandbox hides ${hidden} from commands: it may hold secrets (security.ignore_patterns). A rule that names it allows it.`;
  if (NO_KEY.test(said)) return 'The sandbox shows keys only to the program that they are made for, and only where nothing else stands in the same command line.';
  if (READ_ONLY.test(said)) return 'The sandbox lets commands write in the project and the temporary folder. What git keeps, and settings of editors and CI, can be changed by commands whose own words say so: git itself, or a path that is named.';
  return /\b(sudo|su|doas|mount|chown|apt|apt-get|dnf|apk)\b/.test(said) && ROOT.test(said) ? 'In the sandbox nobody is root.' : '';
}
