// Every key of a configuration file: its type, what is accepted, and what the words of the file become.
// zod/mini: a fifth of zod's code, and the words of each error are ours.
import * as z from 'zod/mini';
import type { Thinking } from '../types/provider.ts';
import { modeNames } from './modes.ts';
import { protocolNames } from './protocols.ts';
import { parseSize, SIZE } from './sizes.ts';

/** May be left out; `null` takes back what an earlier layer said. */
const may = <T extends z.core.SomeType>(schema: T) => z.optional(z.nullable(schema));
const says = (error: string) => ({ error });

const text = z.string(says('a text'));
const flag = z.boolean(says('true or false'));
const texts = z.array(text, says('a list of texts'));
const oneOf = <const T extends readonly string[]>(...values: T) => z.enum(values, says(values.join(' | ')));
const atLeast = (least: number, what: string) => z.number(says(what)).check(z.minimum(least, says(what)));
const whole = (least: number, what = `a whole number, at least ${least}`) => z.int(says(what)).check(z.minimum(least, says(what)));
const seconds = atLeast(0, 'a number of seconds');
const block = <T extends z.core.$ZodShape>(shape: T) => z.strictObject(shape, says('a block of keys'));
const named = <T extends z.core.SomeType>(schema: T) => z.record(z.string(), schema, says('a block of named entries'));
const anything = named(z.unknown());
/** `on` and `off` are texts in YAML 1.2. */
const onOff = z.pipe(z.union([z.boolean(), z.enum(['on', 'off'])], says('on or off')), z.transform((value) => value === true || value === 'on'));

const size = z.pipe(z.union([z.number(), z.string()], says(SIZE)), z.transform((value, context) => {
  const tokens = parseSize(value);
  if (tokens !== undefined) return tokens;
  context.issues.push({ code: 'custom', message: SIZE, input: value });
  return z.NEVER;
}));

const EFFORTS = ['low', 'medium', 'high', 'max'] as const;
const thinking = z.pipe(
  z.union([
    z.boolean(), z.enum(['auto', 'on', 'off']),
    block({ budget_tokens: whole(1) }), block({ effort: oneOf(...EFFORTS) }),
  ], says(`true, false, auto, {budget_tokens: N} or {effort: ${EFFORTS.join('|')}}`)),
  z.transform((value): Thinking => {
    if (typeof value === 'object') return 'effort' in value ? { effort: value.effort } : { budget: value.budget_tokens };
    return value === false || value === 'off' ? 'off' : 'auto';
  }),
);

const protocol = z.enum(protocolNames, says(protocolNames.slice(0, -1).join(' | ')));

/** What is said of a backend or of one of its models. */
const limits = {
  base_url: may(text), api_key: may(text), api_key_env: may(text),
  thinking: may(thinking), thinking_model: may(text), context_window: may(size), max_tokens: may(size),
  timeout: may(seconds), debug: may(flag), tool_protocol: may(oneOf('native', 'text')), extra: may(anything),
};
const backend = {
  protocol: may(protocol), provider: may(protocol), model: may(text), ...limits,
  access_team: may(text), mmauth_token: may(text), mmuser_id: may(text), csrf_token: may(text), model_key: may(text),
  request: may(block({ path: may(text), body: may(anything), answer: may(text) })),
};
const entry = block(backend);

const verdict = oneOf('allow', 'ask', 'deny');
const modes = oneOf(...modeNames);

const mcpServer = block({
  command: may(text), args: may(texts), env: may(named(z.union([text, z.number(), z.boolean()]))), cwd: may(text),
  url: may(text), headers: may(named(text)), type: may(oneOf('stdio', 'http', 'sse')), timeout: may(seconds),
  enabled: may(flag), trust_read_only: may(flag), defer: may(flag), tools: may(block({ allow: may(texts), deny: may(texts) })),
}).check(z.refine((server) => (server.command == null) !== (server.url == null) || (server.command == null && server.url == null && server.enabled === false), says('exactly one of `command` and `url`')));

const price = atLeast(0, 'dollars per million tokens');

/** A configuration file. */
export const configSchema = block({
  ...backend,
  active: may(text),
  providers: may(named(entry)),
  models: may(named(block(limits))),
  mcp_servers: may(named(mcpServer)),
  tools: may(block({ enabled: may(texts), disabled: may(texts) })),
  permissions: may(block({ mode: may(modes), custom: may(block({ read: may(verdict), write: may(verdict), run: may(verdict), net: may(verdict), mcp: may(verdict) })) })),
  security: may(block({
    ignore_patterns: may(texts), require_confirmation: may(texts), command_timeout: may(atLeast(1, 'a number of seconds, at least 1')), command_whitelist: may(texts),
    sandbox: may(oneOf('auto', 'off', 'require')), sandbox_auto_allow: may(flag), pass_env: may(texts),
  })),
  agent: may(block({
    max_rounds: may(whole(1)), parallel_tool_calls: may(flag), max_cost_usd: may(atLeast(0, 'a number of dollars')), doom_loop: may(whole(1)), tool_planner: may(flag),
  })),
  context: may(block({ pressure: may(onOff), reserve: may(size), spill_chars: may(whole(1)), message_chars: may(whole(1)), keep_turns: may(whole(0)) })),
  verifier: may(z.union([
    z.literal(['off', 'on', true, false]),
    block({
      debounce_secs: may(seconds), timeout_secs: may(seconds), tests: may(flag),
      checks: may(z.array(block({ glob: text, command: text, parser: may(text) }), says('a list of {glob, command, parser}'))),
    }),
  ], says('off, or a block of keys'))),
  pricing: may(named(block({ input: price, output: price, cache_read: may(price), cache_write: may(price) }))),
  ui: may(block({
    theme: may(text), show_thinking: may(flag), layout: may(oneOf('side', 'bottom', 'hidden')), tool_log: may(onOff), notifications: may(onOff),
    editor_mode: may(oneOf('normal', 'vim')), mouse: may(oneOf('on', 'wheel', 'off')), status_line: may(text), reduced_motion: may(flag), screen_reader: may(flag),
  })),
  web: may(block({ allowed_hosts: may(texts) })),
  sessions: may(block({ keep_days: may(whole(1)) })),
  copilot: may(block({ client_id: may(text), host: may(text), api: may(text) })),
  hooks: may(block({
    on_error: may(oneOf('allow', 'deny')),
    list: may(z.array(block({ event: text, matcher: may(text), command: text, timeout: may(seconds) }), says('a list of {event, matcher, command, timeout}'))),
  })),
  memory: may(anything),
  chat_bridge: may(anything),
  telemetry: may(block({ otlp_endpoint: may(text) })),
});

/** A configuration as checked: sizes are numbers, `thinking` is what the providers take. */
export type Config = z.infer<typeof configSchema>;
/** What is said of one backend, by the short form or an entry of `providers`. */
export type Backend = z.infer<typeof entry>;

const rules = may(z.array(z.union([text, block({ rule: text, match: may(texts), not_match: may(texts) })], says('a rule such as Bash(npm test*), or {rule, match, not_match}')), says('a list of rules')));

/** `permissions.yaml`; `always_deny` counts in the user's own file only. */
export const permissionsSchema = block({ allow: rules, ask: rules, deny: rules, always_deny: rules });
