// Scripts of the demo model: what it answers, request by request, read from a YAML file (docs/demo.md).
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import * as z from 'zod';
import type { Failure, StopReason, Usage } from '../types/provider.ts';
import { sentenceOf, UserError } from '../types/user-error.ts';

/** One answer of the demo model, played in this order: thinking, text, calls, then the error if there is one. */
export type Step = {
  thinking?: string;
  text?: string;
  calls?: readonly { name: string; input?: unknown; /** Stands for `input`: the text of the arguments, JSON or not. */ rawArguments?: string }[];
  error?: Failure;
  /** Words a second of this step. */
  rate?: number;
  usage?: Usage;
  stop?: StopReason;
};

const count = z.number().int().nonnegative();

const call = z.strictObject({ name: z.string(), input: z.unknown().optional(), raw_arguments: z.string().optional() });

const failure = z.strictObject({
  kind: z.enum(['auth', 'rate_limit', 'overloaded', 'context_overflow', 'invalid_request', 'content_filter', 'network', 'timeout', 'server', 'aborted', 'unknown']),
  message: z.string(),
  status: count.optional(),
  retry_after_ms: count.optional(),
});

const usage = z.strictObject({ input: count, output: count, cache_read: count.default(0), cache_write: count.default(0), reasoning: count.optional() });

const step = z.strictObject({
  thinking: z.string().optional(),
  text: z.string().optional(),
  calls: z.array(call.transform(({ name, input, raw_arguments }) => ({ name, input: input ?? {}, rawArguments: raw_arguments }))).optional(),
  error: failure.transform(({ retry_after_ms, ...rest }) => ({ ...rest, retryAfterMs: retry_after_ms })).optional(),
  rate: z.number().nonnegative().optional(),
  usage: usage.transform(({ cache_read, cache_write, ...rest }) => ({ ...rest, cacheRead: cache_read, cacheWrite: cache_write })).optional(),
  stop: z.enum(['end', 'tools', 'max_tokens', 'refusal', 'filter', 'pause', 'window']).optional(),
});

/** Reads a script. Throws a `UserError` that names the file and every fault in it. */
export function readScript(path: string): Step[] {
  let parsed: unknown;
  try {
    parsed = parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UserError(`The demo script ${path} can't be read: ${sentenceOf(error)}`);
  }
  const result = z.array(step).safeParse(parsed);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`);
  throw new UserError(`The demo script ${path} is not a list of steps: ${faults.join('; ')}.`);
}
