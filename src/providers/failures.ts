// Turns whatever went wrong with a request into a Failure: a kind, and a sentence that says what the user can do.
import { createMask } from '../lib/mask.ts';
import type { Failure, FailureKind } from '../types/provider.ts';
import type { Clock } from './clock.ts';

/** What the sentences speak of. */
export type About = {
  /** The service's name. */
  service: string;
  url: string;
  model: string;
  apiKey: string | undefined;
  /** What else must not be shown. */
  secrets?(): readonly string[];
  /** How to set the key, a sentence. */
  keyHint: string;
};

/** A failure that was understood where it happened. */
export function failWith(failure: Failure): Error {
  return Object.assign(new Error(failure.message), { failure });
}

/* From the services' own texts; they use the same status for a full window and for any other bad request. */
const OVERFLOW = /prompt is too long|context_length_exceeded|maximum context length|exceeds? the context window|Prompt exceeds max length|ContextWindowExceeded|exceeds the limit of|model_max_prompt_tokens_exceeded|\b1261\b|request_too_large/i;
const FILTER = /content_filter|content_policy|content management policy|_policy_violation|bio_policy|contentFilter|\b1301\b/;
const NO_MONEY = /insufficient_quota|insufficient balance|credit balance is too low|billing|\b1113\b/i;
/** Codes of errors in mid-stream, which have no status. */
const CODES: Record<string, FailureKind> = {
  overloaded_error: 'overloaded', slow_down: 'overloaded', rate_limit_error: 'rate_limit', rate_limit_exceeded: 'rate_limit', 1302: 'rate_limit', 1305: 'overloaded',
  authentication_error: 'auth', permission_error: 'auth', invalid_api_key: 'auth', timeout_error: 'timeout',
  invalid_request_error: 'invalid_request', invalid_prompt: 'invalid_request', not_found_error: 'invalid_request', invalid_encrypted_content: 'invalid_request',
};

/** What an SDK, fetch or a stream may throw, as far as it tells. */
type Thrown = {
  failure?: Failure;
  status?: number;
  headers?: Headers;
  /** The body that came with the status, or the error inside it. */
  error?: unknown;
  code?: string | number | null;
  type?: string | null;
  message?: string;
  cause?: unknown;
};

/** Names anything that was thrown while `about` was asked. */
export function failureOf(thrown: unknown, about: About, clock: Clock): Failure {
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }) as Thrown;
  const understood = chain(error).find((link) => link.failure)?.failure;
  if (understood) return understood;
  const mask = createMask([...(about.apiKey === undefined ? [] : [about.apiKey]), ...(about.secrets?.() ?? [])]);
  const said = mask(saidBy(error));
  const code = String(error.code ?? error.type ?? '');
  const network = error.status === undefined ? networkFailure(error, about) : undefined;
  if (network) return network;
  const kind = kindOf(error.status, code, `${code} ${said}`);
  const retryAfterMs = retryAfter(error.headers, clock);
  return {
    kind,
    message: sentence(kind, error.status, said, about),
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

function kindOf(status: number | undefined, code: string, text: string): FailureKind {
  if (OVERFLOW.test(text) && (status === undefined || status < 429)) return 'context_overflow';
  if (FILTER.test(text)) return 'content_filter';
  if (NO_MONEY.test(text) && status !== undefined && status < 500) return 'auth';
  // Gateways put the status that they got into the stream.
  if (status === undefined) return /^[45]\d\d$/.test(code) ? kindOf(Number(code), code, text) : (CODES[code] ?? 'server');
  if (status === 401 || status === 402 || status === 403) return 'auth';
  if (status === 408) return 'timeout';
  if (status === 429) return 'rate_limit';
  if (status === 529 || status === 503) return 'overloaded';
  if (status >= 500 || status === 409) return 'server';
  return status >= 400 ? (CODES[code] ?? 'invalid_request') : 'unknown';
}

function sentence(kind: FailureKind, status: number | undefined, said: string, { service, url, model, keyHint }: About): string {
  const quote = said === '' ? '.' : `: ${said}`;
  switch (kind) {
    case 'auth':
      if (status === 402 || NO_MONEY.test(said)) return end(`${service} says that the account has no credit left${quote}`, 'Top it up, or choose another provider.');
      if (status === 403) return end(`${service} does not let this key use ${model}${quote}`, keyHint);
      return end(`${service} did not accept the API key${quote}`, keyHint);
    case 'rate_limit': return end(`${service} limits how often it may be asked${quote}`, 'Wait a little, or choose another model.');
    case 'overloaded': return end(`${service} is overloaded${quote}`, 'Try again later, or choose another model.');
    case 'context_overflow': return end(`The conversation is too long for ${model}${quote}`, 'Compact it, or start afresh with /clear.');
    case 'content_filter': return end(`The content filter of ${service} refused the request${quote}`, 'Say it differently.');
    case 'invalid_request':
      if (status === 404) return end(`${service} knows no ${model} at ${url}${quote}`, 'Check model and base_url.');
      return end(`${service} did not accept the request${quote}`, 'Check model, extra and base_url.');
    case 'timeout': return end(`${service} took too long to answer${quote}`, 'Try again.');
    default: return end(`${service} failed to answer${status === undefined ? '' : ` (status ${status})`}${quote}`, 'Try again later.');
  }
}

const end = (first: string, second: string): string => `${/[.!?]$/.test(first) ? first : `${first}.`} ${second}`;

/* Codes of Node and undici. */
function networkFailure(error: Thrown, { service, url }: About): Failure | undefined {
  const code = String(chain(error).slice(1).findLast((cause) => cause.code !== undefined)?.code ?? '');
  const { host } = new URL(url);
  if (error instanceof SyntaxError) return { kind: 'network', message: `${service} sent something unreadable in mid-answer. Try again.` };
  if (code === 'ECONNREFUSED') return { kind: 'network', message: `Nothing answers at ${url}. Is it running? Check base_url.` };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { kind: 'network', message: `The host ${host} can't be found. Check the network and base_url.` };
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO|ERR_SSL/.test(code)) return { kind: 'network', message: `There is no safe connection to ${host} (${code}). Check base_url, or name your certificate authority in NODE_EXTRA_CA_CERTS.` };
  if (/^UND_ERR_\w*TIMEOUT$|^ETIMEDOUT$/.test(code)) return { kind: 'timeout', message: `${service} did not answer in time at ${host}. Check the network, or try again.` };
  if (/^E[A-Z]+$|^UND_ERR/.test(code) || /^terminated|fetch failed|Connection error|other side closed/.test(error.message ?? '')) {
    return { kind: 'network', message: `The connection to ${host} broke off${code === '' ? '' : ` (${code})`}. Check the network, or try again.` };
  }
  return undefined;
}

/** An error and its causes: SDKs wrap what fetch threw, and fetch wraps the socket's error. */
function chain(error: Thrown): Thrown[] {
  const { cause } = error;
  return typeof cause === 'object' && cause !== null ? [error, ...chain(cause)] : [error];
}

const QUOTED = 300;

/** The service's own words, one line: bodies have them under `error.message`, `message`, `detail` or as a bare string. */
function saidBy(error: Thrown): string {
  const text = wordsIn(error.error) ?? error.message ?? '';
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > QUOTED ? `${line.slice(0, QUOTED)}…` : line;
}

function wordsIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, message, detail } = body as { error?: unknown; message?: unknown; detail?: unknown };
  return wordsIn(error) ?? wordsIn(message) ?? wordsIn(detail);
}

/** Milliseconds that the service asked us to wait: `retry-after-ms`, or `retry-after` in seconds or as a date (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers | undefined, clock: Clock): number | undefined {
  const exact = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (exact >= 0) return exact;
  const text = headers?.get('retry-after') ?? '';
  if (/^\s*\d/.test(text)) return Number.parseFloat(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now());
}
