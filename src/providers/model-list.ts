// The list of models that a service gives: what it says of their limits, and a cheap way to see whether it can be reached.
import type { Failure } from '../types/provider.ts';
import { systemClock } from './clock.ts';
import { failureOf, type About } from './failures.ts';

/** Tokens; absent: not said. */
export type Limits = { window?: number; output?: number };

/** By the model's name as the service has it. */
export type ModelList = Readonly<Record<string, Limits>>;

/** Where and how to ask. */
export type Listing = { url: string; headers: Readonly<Record<string, string>>; about: About };

/** `list` is absent where the service is there and takes the key, but has no list of its models. */
export type Listed = { ok: true; list?: ModelList } | { ok: false; failure: Failure };

/* Anthropic; OpenRouter and Moonshot; vLLM; LM Studio; LiteLLM (model_info); Copilot (capabilities.limits). */
const WINDOW = ['max_input_tokens', 'context_length', 'max_model_len', 'loaded_context_length', 'max_context_length', 'context_window', 'max_context_window_tokens'];
const OUTPUT = ['max_output_tokens', 'max_completion_tokens', 'max_tokens'];
/** Smaller numbers are no limits but mistakes. */
const LEAST = 1_024;
/** A list is some hundred kilobytes at most. */
const MOST_BYTES = 8_000_000;

/** Asks for the list. `endpoint` is asked where there is none: it refuses an empty request, and so tells that it is there. Never throws. */
export async function listModels({ url, headers, about }: Listing, options: { fetch: typeof fetch; signal: AbortSignal; endpoint?: string }): Promise<Listed> {
  const { fetch, signal, endpoint } = options;
  try {
    const response = await fetch(url, { headers, signal });
    if (response.ok) {
      const list = parseList(await readText(response));
      return list ? { ok: true, list } : { ok: true };
    }
    const body = await readText(response);
    if (endpoint !== undefined && (response.status === 404 || response.status === 405)) {
      const probe = await fetch(endpoint, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}', signal });
      const said = await readText(probe);
      if (probe.ok || probe.status === 400 || probe.status === 422) return { ok: true };
      return { ok: false, failure: refusal(probe, said, { ...about, url: endpoint }) };
    }
    return { ok: false, failure: refusal(response, body, about) };
  } catch (error) {
    if (signal.aborted) return { ok: false, failure: { kind: 'timeout', message: `${about.service} did not answer in time at ${new URL(about.url).host}. Check the network and base_url.` } };
    return { ok: false, failure: failureOf(error, about, systemClock) };
  }
}

function refusal(response: Response, body: string, about: About): Failure {
  return failureOf({ status: response.status, headers: response.headers, error: parsed(body), message: '' }, about, systemClock);
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > MOST_BYTES) break;
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The models of a list's body with what they say of their limits; `undefined` where it is none. */
export function parseList(text: string): ModelList | undefined {
  const body = parsed(text);
  const rows = Array.isArray(body) ? body : isBlock(body) ? (body['data'] ?? body['models']) : undefined;
  if (!Array.isArray(rows)) return undefined;
  return Object.fromEntries(rows.flatMap((row: unknown) => {
    const id = isBlock(row) ? (row['id'] ?? row['model_name'] ?? row['name']) : undefined;
    return isBlock(row) && typeof id === 'string' ? [[id, limitsIn(row)]] : [];
  }));
}

function limitsIn(row: Block): Limits {
  const { model_info: info, capabilities, top_provider: top } = row;
  const places = [row, info, top, isBlock(capabilities) ? capabilities['limits'] : undefined].filter(isBlock);
  const find = (names: readonly string[]) => places.flatMap((place) => names.map((name) => place[name])).find((value): value is number => Number.isSafeInteger(value) && Number(value) >= LEAST);
  const window = find(WINDOW);
  const output = find(OUTPUT);
  return { ...(window !== undefined && { window }), ...(output !== undefined && { output }) };
}

type Block = Record<string, unknown>;
const isBlock = (value: unknown): value is Block => typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
