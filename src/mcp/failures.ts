// What went wrong with a server, as a sentence; and which failures a new connection may heal.
import { SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { head } from '../lib/cut.ts';
import { LoginWanted } from './oauth.ts';

const LONGEST = 2_000;

export const WANTS_LOGIN = 'it wants a login';

/** The reason behind an error of the SDK or of fetch. `ms` is the limit of the request. */
export function reasonOf(error: unknown, ms: number): string {
  if (error instanceof LoginWanted || codeOf(error) === 401) return WANTS_LOGIN;
  if (codeOf(error) === 403) return 'it refused (HTTP 403): the login or key does not allow this';
  if (error instanceof McpError) {
    if (error.code === ErrorCode.RequestTimeout) return `it did not answer within ${ms / 1_000} s (\`timeout\` in its configuration sets the limit)`;
    if (error.code === ErrorCode.ConnectionClosed) return 'the connection was closed';
    return head(error.message.replace(/^MCP error -?\d+: /, ''), LONGEST);
  }
  const said = error instanceof Error ? error.message : String(error);
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  if (cause?.code === 'ECONNREFUSED') return 'nothing answers at its address (connection refused)';
  if (cause?.code === 'ENOTFOUND' || cause?.code === 'EAI_AGAIN') return 'there is no such host';
  if (cause?.code === 'UND_ERR_SOCKET' || cause?.code === 'ECONNRESET') return `the connection broke (${cause.message}); what was asked for may have happened all the same`;
  return head(cause?.message ? `${said} (${cause.message})` : said, LONGEST);
}

/** Whether the server has forgotten our session (it was started anew), or was never reached: then the request was not carried out, and may go to a new session. */
export function wasNotTaken(error: unknown): boolean {
  const said = error instanceof Error ? error.message : '';
  if (codeOf(error) === 404 || (codeOf(error) === 400 && /session/i.test(said))) return true;
  // The older transport says it in its text only.
  if (/\(HTTP 40[04]\)/.test(said)) return true;
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  return cause?.code === 'ECONNREFUSED' || said === 'Not connected';
}

const codeOf = (error: unknown): number | undefined => (error instanceof StreamableHTTPError || error instanceof SseError ? error.code : undefined);
