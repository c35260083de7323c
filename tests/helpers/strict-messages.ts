// Plays the judge of the Messages API: says of a request why the real service would refuse it, in the service's own words.
// Sources: platform.claude.com/docs/en/api/messages, /build-with-claude/{prompt-caching,extended-thinking,preserved-thinking}.
import { createHash } from 'node:crypto';
import type { Answer, Piece } from './sse-bytes.ts';
import { asList, asObject, extraFields, isBlank, isObject, propertyNames, repeated, rootFaults, type Json, type Strict } from './strict-schema.ts';

const BODY = 'max_tokens messages model cache_control container diagnostics inference_geo metadata output_config service_tier speed stop_sequences stream system thinking tool_choice tools user_profile_id workspace_id';
const TOOL = 'input_schema name allowed_callers cache_control defer_loading description eager_input_streaming input_examples strict type';
const BLOCKS: Record<string, string> = {
  text: 'text type cache_control citations', thinking: 'signature thinking type', redacted_thinking: 'data type', image: 'source type cache_control transformations',
  tool_use: 'id input name type cache_control caller toolset_name', tool_result: 'tool_use_id type cache_control content is_error toolset_name', tool_reference: 'tool_name type cache_control',
};
const THINKING: Record<string, string> = { adaptive: 'type display block_binding', enabled: 'type budget_tokens display', disabled: 'type', between_tools: 'type' };

/* What each family takes; a model that no row knows is not judged. `prefill`: an answer may be begun by the client. */
type Row = { models: RegExp; thinking: readonly string[]; efforts: readonly string[]; output: number; prefill?: boolean; binds?: boolean };
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];
const ROWS: readonly Row[] = [
  { models: /(fable|mythos)-5-[12]|opus-5-5/, thinking: ['adaptive'], efforts: EFFORTS, output: 128_000, binds: true },
  { models: /sonnet-5-5/, thinking: ['adaptive', 'between_tools'], efforts: EFFORTS, output: 128_000, binds: true },
  { models: /haiku-5-5/, thinking: ['adaptive', 'disabled'], efforts: EFFORTS, output: 128_000, binds: true },
  { models: /(opus|sonnet)-5|opus-4-[78]/, thinking: ['adaptive', 'disabled'], efforts: EFFORTS, output: 128_000 },
  { models: /opus-4-6/, thinking: ['adaptive', 'enabled', 'disabled'], efforts: ['low', 'medium', 'high', 'max'], output: 128_000 },
  { models: /sonnet-4-6/, thinking: ['adaptive', 'enabled', 'disabled'], efforts: ['low', 'medium', 'high', 'max'], output: 64_000 },
  { models: /opus-4-5/, thinking: ['enabled', 'disabled'], efforts: ['low', 'medium', 'high'], output: 64_000, prefill: true },
  { models: /(sonnet|haiku)-4-5/, thinking: ['enabled', 'disabled'], efforts: [], output: 64_000, prefill: true },
];

const extra = (path: string): string => `${path}: Extra inputs are not permitted`;
const CALL_ID = /^[a-zA-Z0-9_-]+$/;
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const BYTES = 32 * 1024 * 1024;

type Turn = { role: string; at: number; blocks: Json[] };

/** A session with the service. */
export function strictMessages(): Strict<Answer> {
  /** Whether the last answer was a pause, which goes back as it is. */
  let paused = false;
  let seen: Seen = { marked: [], answers: 0 };
  return {
    check(body) {
      if (!isObject(body)) return ['The request body is not valid JSON'];
      const row = ROWS.find(({ models }) => models.test(String(body.model)));
      const turns = turnsOf(body);
      const look = lookBack(body, seen);
      seen = look.seen;
      return [
        ...extraFields('', body, BODY, extra), ...fieldFaults(body, row), ...toolFaults(body), ...systemFaults(body), ...markFaults(body), ...look.faults,
        ...blockFaults(body), ...pairFaults(turns), ...orderFaults(body, turns, { prefill: paused || row?.prefill === true }), ...bindingFaults(body),
      ];
    },
    seal(body, answer, serial) {
      // What broke off is asked for again.
      paused = answer.stop === 'pause' || asObject(asList(asObject(body).messages).at(-1)).role === 'assistant';
      let before = chain(flatten(asObject(body)));
      const add = (block: Json) => { before = hash(`${before}\nassistant ${bare(block)}`); };
      const say = answer.say.map((piece, index): Piece => {
        if ('thinking' in piece) {
          const signature = sign(before, piece.thinking);
          add({ type: 'thinking', thinking: piece.thinking, signature });
          return { ...piece, signature };
        }
        if ('redacted' in piece) {
          const redacted = sign(before, piece.redacted);
          add({ type: 'redacted_thinking', data: redacted });
          return { redacted };
        }
        if ('text' in piece) {
          if (!isBlank(piece.text)) add({ type: 'text', text: piece.text });
          return piece;
        }
        // It gives out no names that it would not take back.
        const call = piece.call.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 128);
        add({ type: 'tool_use', id: piece.id ?? `toolu_${serial}_${index}`, name: call, input: inputOf(piece) });
        return { ...piece, call };
      });
      return { ...answer, say };
    },
  };
}

/** Arguments as they come back: broken ones as none. */
function inputOf({ input, raw }: { input?: unknown; raw?: string }): unknown {
  if (raw === undefined) return input ?? {};
  try {
    return asObject(JSON.parse(raw));
  } catch {
    return {};
  }
}

/* A block's seal: what it says, whether it is thinking of this service at all, and what stood before it. */
const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);
const chain = (pieces: readonly string[]): string => pieces.reduce((before, piece) => hash(`${before}\n${piece}`), '');
const sign = (before: string, text: string): string => `sealed.${Buffer.from(text).toString('base64url')}.${before}`;

/** One text for one meaning: without marks, names in order. */
const bare = (value: unknown): string => JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner));
const blocksOf = (content: unknown): Json[] => (typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content).map(asObject));

/** All that the thinking hangs on, piece by piece: tools, system, and each block with its role. */
function flatten(body: Json): string[] {
  const messages = asList(body.messages).map(asObject).flatMap(({ role, content }) => blocksOf(content).map((block) => `${String(role)} ${bare(block)}`));
  return [bare(body.tools ?? []), bare(body.system ?? []), ...messages];
}

function bindingFaults(body: Json): string[] {
  const faults: string[] = [];
  let before = chain([bare(body.tools ?? []), bare(body.system ?? [])]);
  asList(body.messages).map(asObject).forEach(({ role, content }, at) => blocksOf(content).forEach((block, index) => {
    const seal = block.type === 'thinking' ? block.signature : block.type === 'redacted_thinking' ? block.data : undefined;
    if (typeof seal === 'string') {
      const [head, text = '', where] = seal.split('.');
      const said = Buffer.from(text, 'base64url').toString();
      if (head !== 'sealed' || (block.type === 'thinking' && block.thinking !== said)) faults.push(`messages.${at}.content.${index}: Invalid \`signature\` in \`thinking\` block`);
      else if (where !== before) faults.push(`messages.${at}.content.${index}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block".`);
    }
    before = hash(`${before}\n${String(role)} ${bare(block)}`);
  }));
  return faults;
}

function fieldFaults(body: Json, row: Row | undefined): string[] {
  const faults: string[] = [];
  const limit = body.max_tokens;
  if (typeof body.model !== 'string' || body.model === '') faults.push('model: Field required');
  if (!Number.isInteger(limit) || Number(limit) < 1) faults.push('max_tokens: Input should be greater than or equal to 1');
  else if (row && Number(limit) > row.output) faults.push(`max_tokens: ${String(limit)} > ${row.output}, which is the maximum allowed number of output tokens for ${String(body.model)}`);
  if (JSON.stringify(body).length > BYTES) faults.push('Request exceeds the maximum size');
  const thinking = asObject(body.thinking);
  const effort = asObject(body.output_config).effort;
  const type = String(thinking.type);
  if (body.thinking !== undefined) {
    const known = THINKING[type];
    if (known === undefined) faults.push(`thinking: Input tag '${type}' found using 'type' does not match any of the expected tags`);
    else faults.push(...extraFields('thinking', thinking, known, extra));
    if (row && !row.thinking.includes(type)) faults.push(`"thinking.type.${type}" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`);
    if (type === 'enabled' && !(Number(thinking.budget_tokens) >= 1_024)) faults.push('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
    if (type === 'enabled' && Number(thinking.budget_tokens) >= Number(limit)) faults.push('`max_tokens` must be greater than `thinking.budget_tokens`');
  }
  if (effort !== undefined && row && !row.efforts.includes(String(effort))) faults.push(`output_config.effort: ${String(effort)} is not supported for this model`);
  if (type === 'disabled' && (effort === 'xhigh' || effort === 'max')) faults.push(`output_config.effort: ${effort} needs thinking`);
  if (row?.binds && ['any', 'tool'].includes(String(asObject(body.tool_choice).type))) faults.push('tool_choice: forced tool use is not supported for this model');
  return faults;
}

function toolFaults(body: Json): string[] {
  const tools = asList(body.tools).map(asObject);
  const faults = tools.flatMap((tool, at) => {
    const { type, combined } = rootFaults(tool.input_schema);
    return [
      ...extraFields(`tools.${at}.custom`, tool, TOOL, extra),
      ...(NAME.test(String(tool.name)) ? [] : [`tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`]),
      ...(type === undefined ? [] : [`tools.${at}.custom.input_schema.type: Input should be 'object'`]),
      ...(combined.some((word) => word.endsWith('Of')) ? [`tools.${at}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`] : []),
      ...propertyNames(tool.input_schema).filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name)).map(() => `tools.${at}.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`),
      ...(tool.defer_loading === true && tool.cache_control ? [`tools.${at}: cache_control cannot be set on a tool with defer_loading`] : []),
    ];
  });
  if (repeated(tools.map(({ name }) => name)).length > 0) faults.push('tools: Tool names must be unique.');
  if (tools.length > 0 && tools.every((tool) => tool.defer_loading === true)) faults.push('tools: At least one tool must have defer_loading=false.');
  return faults;
}

function systemFaults({ system }: Json): string[] {
  if (system === undefined || typeof system === 'string') return [];
  return asList(system).map(asObject).flatMap((block, at) => [...(isBlank(block.text) ? ['system: text content blocks must be non-empty'] : []), ...extraFields(`system.${at}`, block, BLOCKS.text ?? '', extra)]);
}

/** Every block that may carry a mark, in the order in which the cache reads them. */
function inOrder(body: Json): Json[] {
  const blocks = asList(body.messages).map(asObject).flatMap(({ content }) => blocksOf(content));
  return [...asList(body.tools).map(asObject), ...(typeof body.system === 'string' ? [{ type: 'text', text: body.system }] : asList(body.system).map(asObject)), ...blocks];
}

function markFaults(body: Json): string[] {
  const marks = inOrder(body).filter((block) => block.cache_control);
  const count = marks.length + (body.cache_control ? 1 : 0);
  const ttls = marks.map((block) => asObject(block.cache_control).ttl ?? '5m');
  return [
    ...(count > 4 ? [`A maximum of 4 blocks with cache_control may be provided. Found ${count}.`] : []),
    ...(ttls.lastIndexOf('1h') > ttls.indexOf('5m') && ttls.includes('5m') ? ["a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block"] : []),
    ...marks.flatMap((block) => (block.type === 'thinking' || block.type === 'redacted_thinking' ? ['cache_control cannot be set for thinking blocks'] : block.type === 'text' && isBlank(block.text) ? ['cache_control cannot be set for empty text blocks'] : [])),
    ...marks.flatMap((block) => extraFields('cache_control', asObject(block.cache_control), 'type ttl', extra)),
  ];
}

const LOOK_BACK = 20;

/** The prefixes that were written by the request before, and how many answers it held. */
type Seen = { marked: readonly string[]; answers: number };

/**
 * Whether the cache finds what the request before wrote: it looks at most 20 blocks back from each mark. Nothing is
 * refused for it, only paid again; and it can't be asked of a client that has been with another service meanwhile.
 */
function lookBack(body: Json, before: Seen): { seen: Seen; faults: string[] } {
  const blocks = inOrder(body);
  let prefix = '';
  const prefixes = blocks.map((block) => (prefix = hash(prefix + bare(block))));
  const marks = blocks.flatMap((block, index) => (block.cache_control ? [index] : []));
  const answers = turnsOf(body).filter(({ role }) => role === 'assistant').length;
  const written = answers - before.answers > 1 ? -1 : prefixes.findLastIndex((one) => one === before.marked.at(-1));
  const found = written < 0 || marks.some((mark) => mark >= written && mark - written < LOOK_BACK);
  return { seen: { marked: marks.map((mark) => prefixes[mark] ?? ''), answers }, faults: found ? [] : [`cache: no mark stands within ${LOOK_BACK} blocks behind what the request before wrote`] };
}

function blockFaults(body: Json): string[] {
  const known = new Set(asList(body.tools).map((tool) => asObject(tool).name));
  return asList(body.messages).flatMap((message, at) => {
    if (!isObject(message)) return [`messages.${at}: Input should be an object`];
    const { role, content } = message;
    const blocks = blocksOf(content);
    const faults = extraFields(`messages.${at}`, message, 'role content', extra);
    if (role !== 'user' && role !== 'assistant') faults.push(`messages.${at}.role: Input should be 'user' or 'assistant'`);
    if (blocks.length === 0) faults.push(`messages.${at}: all messages must have non-empty content except for the optional final assistant message`);
    return [...faults, ...blocks.flatMap((block, index) => oneBlock(block, { at: `messages.${at}.content.${index}`, role: String(role), known }))];
  });
}

type Where = { at: string; role: string; known: ReadonlySet<unknown> };

function oneBlock(block: Json, { at, role, known }: Where): string[] {
  const type = String(block.type);
  const fields = BLOCKS[type];
  if (fields === undefined) return [`${at}: Input tag '${type}' found using 'type' does not match any of the expected tags`];
  const faults = extraFields(`${at}.${type}`, block, fields, extra);
  const mine = role === 'assistant' ? ['text', 'thinking', 'redacted_thinking', 'tool_use'] : ['text', 'image', 'tool_result'];
  if (!mine.includes(type)) faults.push(`${at}: \`${type}\` blocks are not allowed in ${role} messages`);
  if (type === 'text' && isBlank(block.text)) faults.push('messages: text content blocks must contain non-whitespace text');
  if (type === 'thinking' && (typeof block.signature !== 'string' || typeof block.thinking !== 'string')) faults.push(`${at}.thinking.signature: Field required`);
  if (type === 'tool_use') {
    if (!CALL_ID.test(String(block.id))) faults.push(`${at}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    if (!NAME.test(String(block.name))) faults.push(`${at}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    if (!isObject(block.input)) faults.push(`${at}.tool_use.input: Input should be a valid dictionary`);
  }
  if (type === 'image') faults.push(...imageFaults(block, at));
  if (type === 'tool_result') faults.push(...resultFaults(block, at, known));
  return faults;
}

const MAGIC: Record<string, RegExp> = { 'image/png': /^iVBOR/, 'image/jpeg': /^\/9j\//, 'image/gif': /^R0lG/, 'image/webp': /^UklG/ };

function imageFaults(block: Json, at: string): string[] {
  const { type, media_type, data } = asObject(block.source);
  if (type !== 'base64') return [];
  const magic = MAGIC[String(media_type)];
  if (!magic) return [`${at}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`];
  return magic.test(String(data)) ? [] : [`${at}.image.source.base64: The image was specified using the ${String(media_type)} media type, but does not appear to be one`];
}

function resultFaults(block: Json, at: string, known: ReadonlySet<unknown>): string[] {
  const inner = Array.isArray(block.content) ? block.content.map(asObject) : [];
  return [
    ...(block.content !== undefined && typeof block.content !== 'string' && !Array.isArray(block.content) ? [`${at}.tool_result.content: Input should be a valid string`] : []),
    ...(block.is_error === true && (inner.some(({ type }) => type !== 'text') || (inner.length === 0 && isBlank(block.content))) ? [`${at}.tool_result: all content must be type "text" if is_error is true, and not empty`] : []),
    ...(typeof block.content === 'string' && block.content !== '' && isBlank(block.content) ? ['messages: text content blocks must contain non-whitespace text'] : []),
    ...inner.flatMap((piece, index) => {
      const fields = BLOCKS[String(piece.type)];
      if (fields === undefined) return [`${at}.tool_result.content.${index}: unknown type ${String(piece.type)}`];
      if (piece.type === 'text' && isBlank(piece.text)) return ['messages: text content blocks must be non-empty'];
      if (piece.type === 'tool_reference' && !known.has(piece.tool_name)) return [`Tool reference '${String(piece.tool_name)}' not found in available tools`];
      return [...extraFields(`${at}.content.${index}`, piece, fields, extra), ...(piece.type === 'image' ? imageFaults(piece, `${at}.content.${index}`) : [])];
    }),
  ];
}

/** Neighbours of one role count as one message. */
function turnsOf(body: Json): Turn[] {
  const turns: Turn[] = [];
  asList(body.messages).map(asObject).forEach(({ role, content }, at) => {
    const last = turns.at(-1);
    if (last && last.role === role) last.blocks.push(...blocksOf(content));
    else turns.push({ role: String(role), at, blocks: blocksOf(content) });
  });
  return turns;
}

const idsOf = (turn: Turn | undefined, type: string, name: string): string[] => (turn?.blocks ?? []).filter((block) => block.type === type).map((block) => String(block[name]));

function pairFaults(turns: readonly Turn[]): string[] {
  const all = turns.flatMap((turn) => idsOf(turn, 'tool_use', 'id'));
  const faults = repeated(all).length > 0 ? ['messages: `tool_use` ids must be unique'] : [];
  turns.forEach((turn, index) => {
    const calls = turn.role === 'assistant' ? idsOf(turn, 'tool_use', 'id') : [];
    const next = turns[index + 1];
    // Only results at the very beginning of the next message count.
    const results = next ? idsOf({ ...next, blocks: next.blocks.slice(0, next.blocks.findIndex((block) => block.type !== 'tool_result') >>> 0) }, 'tool_result', 'tool_use_id') : [];
    const missing = calls.filter((id) => !results.includes(id));
    if (missing.length > 0) faults.push(`messages.${turn.at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`);
    if (turn.role !== 'user') return;
    const asked = turns[index - 1] ? idsOf(turns[index - 1], 'tool_use', 'id') : [];
    const given = idsOf(turn, 'tool_result', 'tool_use_id');
    for (const id of given.filter((one) => !asked.includes(one))) faults.push(`messages.${turn.at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`);
    if (repeated(given).length > 0) faults.push(`messages.${turn.at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${repeated(given).join(', ')}`);
  });
  return faults;
}

const thinks = (block: Json | undefined): boolean => block?.type === 'thinking' || block?.type === 'redacted_thinking';

function orderFaults(body: Json, turns: readonly Turn[], { prefill }: { prefill: boolean }): string[] {
  const faults: string[] = [];
  const last = turns.at(-1);
  if (turns.length === 0) faults.push('messages: at least one message is required');
  else if (turns[0]?.role !== 'user') faults.push('messages: first message must use the "user" role');
  for (const turn of turns) if (turn.role === 'assistant' && thinks(turn.blocks.at(-1))) faults.push(`messages.${turn.at}: The final block in an assistant message cannot be \`thinking\`.`);
  if (last && last.role === 'assistant') {
    if (!prefill) faults.push('This model does not support assistant message prefill. The conversation must end with a user message.');
    if (/\s$/.test(String(last.blocks.at(-1)?.text ?? ''))) faults.push('messages: final assistant content cannot end with trailing whitespace');
  }
  // With a budget the turn that goes on must begin as it began: all since what the user last said.
  const begin = turns.findLastIndex((turn) => turn.role === 'user' && turn.blocks.some((block) => block.type !== 'tool_result'));
  const running = turns.slice(begin + 1).find((turn) => turn.role === 'assistant');
  if (asObject(body.thinking).type === 'enabled' && running && running.blocks.some((block) => block.type === 'tool_use') && !thinks(running.blocks[0])) {
    faults.push(`messages.${running.at}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(running.blocks[0]?.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`);
  }
  return faults;
}
